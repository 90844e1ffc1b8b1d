import { rm } from 'node:fs/promises';
import { Failure } from '../errors.ts';
import { openInput, VIDEO_DEMUXERS } from '../media/av/input.ts';
import { Mp4Writer, type WrittenFile } from '../media/encode/encode.ts';
import { writeJpeg } from '../media/read/still.ts';
import { type Timeline, timelineDurationSeconds } from '../style/model/timeline.ts';
import { framesPerSecond } from '../time.ts';
import { CaptionPainter } from './caption-painter.ts';
import { ClipTails } from './clip-tails.ts';
import { PictureRenderer } from './render-picture.ts';
import { SampleLog } from './sample-log.ts';
import { type SoundOutcome, writeSound } from './sound-file.ts';
import { copySoundUpTo } from './sound-lead.ts';
import { SourceFrames } from './source-frames.ts';
import { type VerifiedOutput, verifyOutput } from './verify.ts';

export interface RenderRequest {
  readonly sourcePath: string;
  readonly timeline: Timeline;
  /** Of x264. */
  readonly preset: string;
  readonly crf: number;
  readonly outputPath: string;
  readonly posterPath: string;
}

export interface RenderedOutput extends VerifiedOutput {
  readonly frameCount: number;
  readonly durationSeconds: number;
  /** How much quieter it is than planned, because more would have needed too much limiting; 0: it is not. */
  readonly loudnessMissingLu: number;
}

/** Shares of the running time: writing the sound, drawing, verifying. */
const SOUND_END = 0.06;
const DRAW_END = 0.92;
const YIELD_MS = 100;
/** Where in the running time the poster is taken. */
const POSTER_SHARE = 0.4;

/**
 * Renders a timeline into a verified MP4 and a poster. Progress is 0..1.
 * Throws `Failure` INPUT_CORRUPT, ENCODER_FAILED, INSUFFICIENT_STORAGE, OUTPUT_VERIFY_FAILED.
 */
export async function render(
  request: RenderRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedOutput> {
  const { timeline } = request;
  const soundPath = `${request.outputPath}.sound`;
  const sound = await prepareSound(request, soundPath, (part) => onProgress(part * SOUND_END));
  const { frameCount, written, drawn } = await draw(request, sound === null ? null : soundPath, (part) =>
    onProgress(SOUND_END + part * (DRAW_END - SOUND_END)),
  );
  await rm(soundPath, { force: true });
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
      sound,
    },
    (part) => onProgress(DRAW_END + part * (1 - DRAW_END)),
  );
  onProgress(1);
  return { frameCount, durationSeconds, loudnessMissingLu: sound?.missingLu ?? 0, ...verified };
}

/** Null: there is none to be written. */
async function prepareSound(
  { sourcePath, timeline }: RenderRequest,
  path: string,
  onProgress: (fraction: number) => void,
): Promise<SoundOutcome | null> {
  const { sound: plan } = timeline;
  return plan === null ? null : writeSound({ sourcePath, timeline, plan }, path, onProgress);
}

interface Drawn {
  readonly frameCount: number;
  readonly written: WrittenFile;
  readonly drawn: SampleLog;
}

async function draw(
  request: RenderRequest,
  soundPath: string | null,
  onProgress: (fraction: number) => void,
): Promise<Drawn> {
  const { timeline } = request;
  using input = await openInput(request.sourcePath, VIDEO_DEMUXERS);
  using source = await SourceFrames.open(input);
  using tails = await ClipTails.open(request.sourcePath, input, timeline);
  using picture = new PictureRenderer(timeline, source, tails);
  const rate = framesPerSecond(timeline.frameRate);
  const captions = CaptionPainter.of(timeline);
  const encoding = { ...timeline, preset: request.preset, crf: request.crf };
  using writer = await Mp4Writer.open(request.outputPath, encoding, soundPath ?? false);
  const posterFrame = Math.floor(picture.frameCount * POSTER_SHARE);
  const posters: Promise<void>[] = [];
  const drawn = new SampleLog(rate);
  let lastYield = performance.now();
  for (let number = 0; number < picture.frameCount; number++) {
    copySoundUpTo(writer, number / rate);
    picture.draw(number, (frame) => {
      captions?.paint(writer.frameCount, frame);
      drawn.push(frame);
      if (writer.frameCount === posterFrame) posters.push(writeJpeg(frame, request.posterPath));
      writer.writeFrame(frame);
    });
    if (performance.now() - lastYield > YIELD_MS) {
      onProgress(number / picture.frameCount);
      await Promise.all(posters.splice(0));
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }
  copySoundUpTo(writer, Number.POSITIVE_INFINITY);
  await Promise.all(posters);
  const written = await writer.finish();
  const planned = Math.max(1, Math.round(timelineDurationSeconds(timeline) * rate));
  if (writer.frameCount !== planned) {
    throw new Failure('OUTPUT_VERIFY_FAILED', `${writer.frameCount} frames were drawn, not ${planned}`);
  }
  if (picture.fault !== null) {
    throw new Failure('OUTPUT_VERIFY_FAILED', `The picture went wrong while it was drawn: ${picture.fault}`);
  }
  return { frameCount: writer.frameCount, written, drawn };
}
