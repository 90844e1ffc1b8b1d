import { rm } from 'node:fs/promises';
import type { Still } from '../footage.ts';
import type { WantedThumbnails } from '../media/read/thumbnails.ts';
import { framesPerSecond } from '../time.ts';
import { type AudioOutcome, writeAudio } from './audio-file.ts';
import { type DrawRequest, drawRange } from './draw-range.ts';
import { FrameSchedule } from './frame-schedule.ts';
import { type OutputPicturePaths, OutputPictures } from './output-pictures.ts';
import { type VerifiedOutput, verifyOutput } from './verify.ts';

export interface RenderRequest extends DrawRequest, OutputPicturePaths {
  /** Frames of the source to keep small pictures of, as they pass anyway; left out: none. */
  readonly stills?: WantedThumbnails;
}

export interface RenderedOutput extends VerifiedOutput {
  readonly frameCount: number;
  readonly durationSeconds: number;
  /** How much quieter it is than planned, because more would have needed too much limiting; 0: it is not. */
  readonly loudnessMissingLu: number;
}

export interface RenderedWithStills extends RenderedOutput {
  /** Null: not asked for, or they could not be taken, for which no rendering fails. */
  readonly stills: readonly Still[] | null;
}

/** Shares of the running time: writing the sound, drawing, verifying. */
const AUDIO_END = 0.06;
const DRAW_END = 0.92;

/**
 * Renders a timeline into a verified MP4 and a poster. Progress is 0..1.
 * Throws `Failure` INPUT_CORRUPT, ENCODER_FAILED, INSUFFICIENT_STORAGE, OUTPUT_VERIFY_FAILED.
 */
export async function render(
  request: RenderRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedWithStills> {
  const { timeline } = request;
  const audioPath = `${request.outputPath}.sound`;
  const audio = await prepareAudio(request, audioPath, (part) => onProgress(part * AUDIO_END));
  const rate = framesPerSecond(timeline.frameRate);
  const range = { from: 0, to: new FrameSchedule(timeline).frameCount };
  using pictures = new OutputPictures(request, timeline, range.to, rate);
  const { frameCount, written, drawn, stills } = await drawRange(request, {
    range,
    sound: audio === null ? null : audioPath,
    pictures,
    ...(request.stills === undefined ? {} : { stills: request.stills }),
    onProgress: (part) => onProgress(AUDIO_END + part * (DRAW_END - AUDIO_END)),
  });
  await rm(audioPath, { force: true });
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
  return { frameCount, durationSeconds, loudnessMissingLu: audio?.missingLu ?? 0, stills, ...verified };
}

/** Null: there is none to be written. */
async function prepareAudio(
  { sourcePath, timeline }: RenderRequest,
  path: string,
  onProgress: (fraction: number) => void,
): Promise<AudioOutcome | null> {
  const { audio: plan } = timeline;
  return plan === null ? null : writeAudio({ sourcePath, timeline, plan }, path, onProgress);
}
