import { rm } from 'node:fs/promises';
import { Failure } from '../domain/errors.ts';
import { framesPerSecond } from '../domain/time.ts';
import { OUTPUT_SAMPLE_RATE, type StereoBlock } from '../media/av/audio-frame.ts';
import { openSamples } from '../media/decode/samples.ts';
import { type DrawRequest, drawRange } from './draw-range.ts';
import { writeAudio } from './sound/audio-file.ts';
import type { FrameRange } from './timeline/frame-schedule.ts';
import { FrameSchedule } from './timeline/frame-schedule.ts';
import { verifyOutput } from './verify/verify.ts';

export interface DraftRequest extends DrawRequest {
  /** Of the output's time. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

export interface RenderedDraft {
  /** Of the output's time, on its frames. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly frameCount: number;
}

/** Shares of the running time: writing the sound, drawing, verifying. */
const AUDIO_END = 0.4;
const DRAW_END = 0.9;

/**
 * Renders a piece of a timeline, as it is in the whole: its sound is cut from that of the whole, which is levelled as one.
 * Progress is 0..1. Throws what `render` throws, INPUT_UNSUPPORTED where the output is over before the piece begins.
 */
export async function renderDraft(
  request: DraftRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedDraft> {
  const { sourcePath, timeline, outputPath } = request;
  const rate = framesPerSecond(timeline.frameRate);
  const range = rangeOf(request);
  const audioPath = `${outputPath}.sound`;
  const { audio: plan } = timeline;
  if (plan !== null)
    await writeAudio({ sourcePath, timeline, plan }, audioPath, (part) => onProgress(part * AUDIO_END));
  const drawn = await drawRange(request, {
    range,
    sound: plan === null ? null : piece(audioPath, range.from / rate, range.to / rate),
    pictures: null,
    onProgress: (part) => onProgress(AUDIO_END + part * (DRAW_END - AUDIO_END)),
  });
  await rm(audioPath, { force: true });
  const { frameCount } = drawn;
  const durationSeconds = frameCount / rate;
  const { width, height, frameRate } = timeline;
  await verifyOutput(
    outputPath,
    { frameRate, durationSeconds, width, height, ...drawn, audio: null },
    (part) => onProgress(DRAW_END + part * (1 - DRAW_END)),
  );
  onProgress(1);
  return { startSeconds: range.from / rate, durationSeconds, frameCount };
}

function rangeOf({ timeline, startSeconds, durationSeconds }: DraftRequest): FrameRange {
  const { frameCount } = new FrameSchedule(timeline);
  const rate = framesPerSecond(timeline.frameRate);
  const from = Math.round(startSeconds * rate);
  if (from >= frameCount) {
    const length = (frameCount / rate).toFixed(2);
    throw new Failure(
      'INPUT_UNSUPPORTED',
      `A draft cannot begin at ${startSeconds} s: the output runs for ${length} s`,
    );
  }
  return { from, to: Math.min(frameCount, from + Math.max(1, Math.round(durationSeconds * rate))) };
}

/** A piece of a sound file, exactly as long as asked for while the file lasts. */
async function* piece(path: string, from: number, to: number): AsyncGenerator<StereoBlock> {
  const [start, end] = [from, to].map((seconds) => Math.round(seconds * OUTPUT_SAMPLE_RATE)) as [
    number,
    number,
  ];
  let at = 0;
  const options = { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' } as const;
  for await (const { channels } of openSamples(path, options)) {
    const [left, right] = [channels[0], channels[1]];
    const [first, last] = [Math.max(0, start - at), Math.min(left.length, end - at)];
    at += left.length;
    if (first < last) yield [left.subarray(first, last), right.subarray(first, last)];
    if (at >= end) return;
  }
}
