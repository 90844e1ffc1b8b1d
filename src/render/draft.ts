import { rm } from 'node:fs/promises';
import { Failure } from '../domain/errors.ts';
import { framesPerSecond } from '../domain/time.ts';
import type { StereoBlock } from '../media/av/audio-frame.ts';
import { OUTPUT_SAMPLE_RATE } from '../media/av/output-sample-rate.ts';
import { openSamples } from '../media/decode/samples.ts';
import { type DrawRequest, drawRange } from './draw-range.ts';
import { writeAudio } from './sound/audio-file.ts';
import type { FrameRange } from './timeline/frame-schedule.ts';
import { FrameSchedule } from './timeline/frame-schedule.ts';
import { verifyOutput } from './verify/verify.ts';

export interface DraftRequest extends DrawRequest {
  /** In the output's time. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

export interface RenderedDraft {
  /** In the output's time, rounded to a frame. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly frameCount: number;
}

/** Shares of the running time: writing the sound, drawing, verifying. */
const AUDIO_END = 0.4;
const DRAW_END = 0.9;

/**
 * Renders a range of a timeline exactly as the whole output shows it. Its sound is cut from the sound of the whole output, because
 * levels depend on the whole. Progress is 0..1. Throws like `render`, and INPUT_UNSUPPORTED if the range begins after the output's end.
 */
export async function renderDraft(
  request: DraftRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedDraft> {
  const { timeline, outputPath } = request;
  const rate = framesPerSecond(timeline.frameRate);
  const range = rangeOf(request);
  const audioPath = `${outputPath}.sound`;
  const { audio: plan } = timeline;
  if (plan !== null)
    await writeAudio({ ...request, plan }, audioPath, (part) => onProgress(part * AUDIO_END));
  const drawn = await drawRange(request, {
    range,
    sound: plan === null ? null : readSoundRange(audioPath, range.from / rate, range.to / rate),
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
      `A draft cannot begin at ${startSeconds} s: the output is ${length} s long`,
    );
  }
  return { from, to: Math.min(frameCount, from + Math.max(1, Math.round(durationSeconds * rate))) };
}

/** The samples of a sound file from `from` to `to` (seconds), fewer if the file ends before. */
async function* readSoundRange(path: string, from: number, to: number): AsyncGenerator<StereoBlock> {
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
