import { Failure } from '../errors.ts';
import { Mp4Writer } from '../media/encode.ts';
import { openInput, VIDEO_DEMUXERS } from '../media/input.ts';
import type { StereoBlock } from '../media/sound-frame.ts';
import { writeJpeg } from '../media/still.ts';
import { type Timeline, timelineDurationSeconds } from '../style/timeline.ts';
import { framesPerSecond } from '../time.ts';
import { PictureRenderer } from './render-picture.ts';
import { findSoundLevel, openSoundTrack } from './sound-track.ts';
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
}

/** Shares of the running time: measuring the sound, drawing, verifying. */
const MEASURE_END = 0.06;
const DRAW_END = 0.92;
/** Sound goes in this far ahead of the picture, so that the muxer can interleave. */
const SOUND_LEAD_SECONDS = 0.5;
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
  const { timeline, sourcePath } = request;
  const level =
    timeline.sound === null
      ? null
      : await findSoundLevel(sourcePath, timeline, timeline.sound, (part) => onProgress(part * MEASURE_END));
  const sound =
    timeline.sound === null || level === null
      ? null
      : openSoundTrack(sourcePath, timeline, timeline.sound, level);
  const frameCount = await draw(request, sound, (part) =>
    onProgress(MEASURE_END + part * (DRAW_END - MEASURE_END)),
  );
  const durationSeconds = frameCount / framesPerSecond(timeline.frameRate);
  const verified = await verifyOutput(
    request.outputPath,
    {
      frameCount,
      durationSeconds,
      width: timeline.width,
      height: timeline.height,
      withSound: sound !== null,
    },
    (part) => onProgress(DRAW_END + part * (1 - DRAW_END)),
  );
  onProgress(1);
  return { frameCount, durationSeconds, ...verified };
}

async function draw(
  request: RenderRequest,
  sound: AsyncGenerator<StereoBlock> | null,
  onProgress: (fraction: number) => void,
): Promise<number> {
  const { timeline } = request;
  using input = await openInput(request.sourcePath, VIDEO_DEMUXERS);
  using source = await SourceFrames.open(input);
  using picture = new PictureRenderer(timeline, source);
  const rate = framesPerSecond(timeline.frameRate);
  const encoding = { ...timeline, preset: request.preset, crf: request.crf };
  using writer = await Mp4Writer.open(request.outputPath, encoding, sound !== null);
  const posterFrame = Math.floor(picture.frameCount * POSTER_SHARE);
  const posters: Promise<void>[] = [];
  let lastYield = performance.now();
  for (let number = 0; number < picture.frameCount; number++) {
    while (sound !== null && writer.soundSeconds < number / rate + SOUND_LEAD_SECONDS) {
      const block = await sound.next();
      if (block.done === true) break;
      writer.writeSamples(...block.value);
    }
    picture.draw(number, (frame) => {
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
  if (sound !== null) for await (const block of sound) writer.writeSamples(...block);
  await Promise.all(posters);
  await writer.finish();
  const planned = Math.max(1, Math.round(timelineDurationSeconds(timeline) * rate));
  if (writer.frameCount !== planned) {
    throw new Failure('OUTPUT_VERIFY_FAILED', `${writer.frameCount} frames were drawn, not ${planned}`);
  }
  return writer.frameCount;
}
