import { rm } from 'node:fs/promises';
import type { Still } from '../domain/footage.ts';
import { framesPerSecond } from '../domain/time.ts';
import type { ThumbnailSelection } from '../media/read/thumbnails.ts';
import { type DrawRequest, drawRange } from './draw-range.ts';
import { type OutputPicturePaths, OutputPictures } from './previews/output-pictures.ts';
import { type AudioOutcome, writeAudio } from './sound/audio-file.ts';
import { FrameSchedule } from './timeline/frame-schedule.ts';
import { type VerifiedOutput, verifyOutput } from './verify/verify.ts';

export interface RenderRequest extends DrawRequest, OutputPicturePaths {
  /** Thumbnails of the source to make while it is decoded; left out: none. */
  readonly stills?: ThumbnailSelection;
  /** Thumbnails of the output to make while it is drawn; left out: none. */
  readonly outputStills?: ThumbnailSelection;
}

export interface RenderedOutput extends VerifiedOutput {
  readonly frameCount: number;
  readonly durationSeconds: number;
  /** Loudness that the output lacks, because the target would need too much limiting; 0: none. */
  readonly loudnessMissingLu: number;
}

export interface RenderedWithStills extends RenderedOutput {
  /** Null: not requested, or making them failed. */
  readonly stills: readonly Still[] | null;
  /** Of the output; empty: not requested. */
  readonly outputStills: readonly Still[];
}

/** Shares of the running time: writing the sound, drawing, verifying. */
const AUDIO_END = 0.06;
const DRAW_END = 0.92;

/**
 * Renders a timeline into a verified MP4 and its pictures. Progress is 0..1.
 * Throws `Failure` INPUT_CORRUPT, ENCODER_FAILED, INSUFFICIENT_STORAGE, OUTPUT_VERIFY_FAILED.
 */
export async function render(
  request: RenderRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedWithStills> {
  const { timeline } = request;
  const done = { sound: timeline.audio === null ? 1 : 0, picture: 0 };
  const reportPart = (part: keyof typeof done) => (fraction: number) => {
    done[part] = fraction;
    onProgress(done.sound * AUDIO_END + done.picture * (DRAW_END - AUDIO_END));
  };
  await using sound = startSound(request, reportPart('sound'));
  const rate = framesPerSecond(timeline.frameRate);
  const range = { from: 0, to: new FrameSchedule(timeline).frameCount };
  using pictures = new OutputPictures(request, timeline, range.to, rate);
  const { frameCount, written, drawn, stills } = await drawRange(request, {
    range,
    sound: sound.path,
    pictures,
    ...(request.stills === undefined ? {} : { stills: request.stills }),
    onProgress: reportPart('picture'),
  });
  const audio = await sound.outcome;
  const durationSeconds = frameCount / rate;
  const verified = await verifyOutput(
    request.outputPath,
    {
      frameCount,
      frameRate: timeline.frameRate,
      durationSeconds,
      width: timeline.width,
      height: timeline.height,
      written,
      drawn,
      audio,
    },
    (part) => onProgress(DRAW_END + part * (1 - DRAW_END)),
  );
  onProgress(1);
  return {
    frameCount,
    durationSeconds,
    loudnessMissingLu: audio?.missingLu ?? 0,
    ...verified,
    stills,
    outputStills: pictures.stills,
  };
}

interface PendingSound extends AsyncDisposable {
  /** Path of the complete file; null: there is no sound. */
  readonly path: Promise<string> | null;
  readonly outcome: Promise<AudioOutcome> | null;
}

/**
 * Writes the sound while the picture is drawn, which uses little more than one core. The sound takes about a tenth of the time of
 * drawing. Disposal stops it and removes its file.
 */
function startSound(request: RenderRequest, onProgress: (fraction: number) => void): PendingSound {
  const { timeline, outputPath } = request;
  const { audio: plan } = timeline;
  if (plan === null) return { path: null, outcome: null, async [Symbol.asyncDispose]() {} };
  const path = `${outputPath}.sound`;
  const stop = new AbortController();
  const outcome = writeAudio({ ...request, plan }, path, onProgress, stop.signal);
  const ready = outcome.then(() => path);
  // `drawRange` awaits it later and gets the error then.
  ready.catch(() => {});
  return {
    path: ready,
    outcome,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await outcome.catch(() => {});
      await rm(path, { force: true });
    },
  };
}
