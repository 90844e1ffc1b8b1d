import { rm } from 'node:fs/promises';
import { Failure } from '../errors.ts';
import { OUTPUT_SAMPLE_RATE, type StereoBlock } from '../media/av/audio-frame.ts';
import { type Input, openInput, VIDEO_DEMUXERS } from '../media/av/input.ts';
import { seekBefore } from '../media/av/seek.ts';
import { openSamples } from '../media/decode/samples.ts';
import { Mp4Writer } from '../media/encode/encode.ts';
import type { Timeline } from '../style/model/timeline.ts';
import { framesPerSecond } from '../time.ts';
import { writeAudio } from './audio-file.ts';
import { writeAudioUpTo } from './audio-lead.ts';
import { CaptionPainter } from './caption-painter.ts';
import { ClipTails } from './clip-tails.ts';
import { FrameSchedule } from './frame-schedule.ts';
import { type FrameRange, VideoRenderer } from './render-video.ts';
import { SampleLog } from './sample-log.ts';
import { SourceFrames } from './source-frames.ts';
import { verifyOutput } from './verify.ts';

export interface DraftRequest {
  readonly sourcePath: string;
  /** Of the whole output. */
  readonly timeline: Timeline;
  /** Of the output's time. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  /** Of x264. */
  readonly preset: string;
  readonly crf: number;
  readonly outputPath: string;
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
const YIELD_MS = 100;

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
  const drawn = await draw(request, range, plan === null ? null : audioPath, (part) =>
    onProgress(AUDIO_END + part * (DRAW_END - AUDIO_END)),
  );
  await rm(audioPath, { force: true });
  const frameCount = range.to - range.from;
  const durationSeconds = frameCount / rate;
  const { width, height, frameRate } = timeline;
  await verifyOutput(
    outputPath,
    { frameCount, frameRate, durationSeconds, width, height, ...drawn, audio: null },
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

async function draw(
  request: DraftRequest,
  range: FrameRange,
  audioPath: string | null,
  onProgress: (fraction: number) => void,
) {
  const { sourcePath, timeline, outputPath, preset, crf } = request;
  const schedule = new FrameSchedule(timeline);
  const { first } = schedule.at(range.from);
  using disposables = new DisposableStack();
  const { input, frames: source } = await openBefore(sourcePath, first.sourceSeconds);
  disposables.use(input);
  disposables.use(source);
  using tails = await ClipTails.open(sourcePath, input, timeline);
  using video = new VideoRenderer(timeline, source, tails, range);
  const rate = framesPerSecond(timeline.frameRate);
  const captions = CaptionPainter.of(timeline);
  using writer = await Mp4Writer.open(outputPath, { ...timeline, preset, crf }, audioPath !== null);
  const audio = audioPath === null ? null : piece(audioPath, range.from / rate, range.to / rate);
  const drawn = new SampleLog(rate);
  let lastYield = performance.now();
  for (let number = range.from; number < range.to; number++) {
    await writeAudioUpTo(writer, audio, (number - range.from) / rate);
    video.draw(number, (frame) => {
      captions?.paint(range.from + writer.frameCount, frame);
      drawn.push(frame);
      writer.writeFrame(frame);
    });
    if (performance.now() - lastYield < YIELD_MS) continue;
    onProgress((number - range.from) / (range.to - range.from));
    await new Promise(setImmediate);
    lastYield = performance.now();
  }
  await writeAudioUpTo(writer, audio, Number.POSITIVE_INFINITY);
  const written = await writer.finish();
  if (video.fault !== null)
    throw new Failure('OUTPUT_VERIFY_FAILED', `The picture went wrong while it was drawn: ${video.fault}`);
  return { written, drawn };
}

/** Frames from a key frame before a moment on, or from the start where that cannot be found. */
async function openBefore(path: string, seconds: number): Promise<{ input: Input; frames: SourceFrames }> {
  const input = await openInput(path, VIDEO_DEMUXERS);
  if (seekBefore(input, seconds)) {
    const frames = await SourceFrames.open(input);
    frames.at(0, 0, 0);
    if (frames.earliestSeconds !== null && frames.earliestSeconds <= seconds) return { input, frames };
    frames[Symbol.dispose]();
  }
  input[Symbol.dispose]();
  const whole = await openInput(path, VIDEO_DEMUXERS);
  return { input: whole, frames: await SourceFrames.open(whole) };
}

/** A piece of a sound file, exactly as long as asked for while the file lasts. */
async function* piece(path: string, from: number, to: number): AsyncGenerator<StereoBlock> {
  const [start, end] = [from, to].map((seconds) => Math.round(seconds * OUTPUT_SAMPLE_RATE)) as [
    number,
    number,
  ];
  let at = 0;
  const options = { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo', onClock: true } as const;
  for await (const { channels } of openSamples(path, options)) {
    const [left, right] = [channels[0]!, channels[1]!];
    const [first, last] = [Math.max(0, start - at), Math.min(left.length, end - at)];
    at += left.length;
    if (first < last) yield [left.subarray(first, last), right.subarray(first, last)];
    if (at >= end) return;
  }
}
