import { rm } from 'node:fs/promises';
import { Failure } from '../errors.ts';
import type { Still } from '../footage.ts';
import { openInput, VIDEO_DEMUXERS } from '../media/av/input.ts';
import { Mp4Writer, type WrittenFile } from '../media/encode/encode.ts';
import type { WantedThumbnails } from '../media/read/thumbnails.ts';
import { type Timeline, timelineDurationSeconds } from '../style/model/timeline.ts';
import { framesPerSecond } from '../time.ts';
import { type AudioOutcome, writeAudio } from './audio-file.ts';
import { copyAudioUpTo } from './audio-lead.ts';
import { CaptionPainter } from './caption-painter.ts';
import { ClipTails } from './clip-tails.ts';
import { type OutputPicturePaths, OutputPictures } from './output-pictures.ts';
import { VideoRenderer } from './render-video.ts';
import { SampleLog } from './sample-log.ts';
import { SourceFrames } from './source-frames.ts';
import { SourceStills } from './source-stills.ts';
import { type VerifiedOutput, verifyOutput } from './verify.ts';

export interface RenderRequest extends OutputPicturePaths {
  readonly sourcePath: string;
  readonly timeline: Timeline;
  /** Of x264. */
  readonly preset: string;
  readonly crf: number;
  readonly outputPath: string;
  /** Frames of the source to keep small pictures of, as they pass anyway; left out: none. */
  readonly stills?: WantedThumbnails;
}

export interface RenderedOutput extends VerifiedOutput {
  readonly frameCount: number;
  readonly durationSeconds: number;
  /** How much quieter it is than planned, because more would have needed too much limiting; 0: it is not. */
  readonly loudnessMissingLu: number;
  /** Null: not asked for, or they could not be taken, for which no rendering fails. */
  readonly stills: readonly Still[] | null;
}

/** Shares of the running time: writing the sound, drawing, verifying. */
const AUDIO_END = 0.06;
const DRAW_END = 0.92;
const YIELD_MS = 100;

/**
 * Renders a timeline into a verified MP4 and a poster. Progress is 0..1.
 * Throws `Failure` INPUT_CORRUPT, ENCODER_FAILED, INSUFFICIENT_STORAGE, OUTPUT_VERIFY_FAILED.
 */
export async function render(
  request: RenderRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedOutput> {
  const { timeline } = request;
  const audioPath = `${request.outputPath}.sound`;
  const audio = await prepareAudio(request, audioPath, (part) => onProgress(part * AUDIO_END));
  const { frameCount, written, drawn, stills } = await draw(
    request,
    audio === null ? null : audioPath,
    (part) => onProgress(AUDIO_END + part * (DRAW_END - AUDIO_END)),
  );
  await rm(audioPath, { force: true });
  const durationSeconds = frameCount / framesPerSecond(timeline.frameRate);
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

interface Drawn {
  readonly frameCount: number;
  readonly written: WrittenFile;
  readonly drawn: SampleLog;
  readonly stills: readonly Still[] | null;
}

async function draw(
  request: RenderRequest,
  audioPath: string | null,
  onProgress: (fraction: number) => void,
): Promise<Drawn> {
  const { timeline } = request;
  using input = await openInput(request.sourcePath, VIDEO_DEMUXERS);
  using stills = new SourceStills(input, request.stills);
  using source = await SourceFrames.open(input, {}, stills.push);
  using tails = await ClipTails.open(request.sourcePath, input, timeline);
  using video = new VideoRenderer(timeline, source, tails);
  const rate = framesPerSecond(timeline.frameRate);
  const captions = CaptionPainter.of(timeline);
  const encoding = { ...timeline, preset: request.preset, crf: request.crf };
  using writer = await Mp4Writer.open(request.outputPath, encoding, audioPath ?? false);
  using pictures = new OutputPictures(request, timeline, video.frameCount, rate);
  const drawn = new SampleLog(rate);
  let lastYield = performance.now();
  for (let number = 0; number < video.frameCount; number++) {
    copyAudioUpTo(writer, number / rate);
    video.draw(number, (frame) => {
      captions?.paint(writer.frameCount, frame);
      drawn.push(frame);
      pictures.push(writer.frameCount, frame);
      writer.writeFrame(frame);
    });
    if (performance.now() - lastYield > YIELD_MS) {
      onProgress(number / video.frameCount);
      await pictures.settled();
      await stills.settled();
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }
  copyAudioUpTo(writer, Number.POSITIVE_INFINITY);
  await pictures.finish();
  const written = await writer.finish();
  const planned = Math.max(1, Math.round(timelineDurationSeconds(timeline) * rate));
  if (writer.frameCount !== planned) {
    throw new Failure('OUTPUT_VERIFY_FAILED', `${writer.frameCount} frames were drawn, not ${planned}`);
  }
  if (video.fault !== null) {
    throw new Failure('OUTPUT_VERIFY_FAILED', `The picture went wrong while it was drawn: ${video.fault}`);
  }
  const taken = await stills.finish(source, () => onProgress(1));
  return { frameCount: writer.frameCount, written, drawn, stills: taken };
}
