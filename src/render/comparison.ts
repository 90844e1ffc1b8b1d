import type { Frame } from 'node-av/lib';
import type { Compression } from '../domain/compression.ts';
import { framesPerSecond } from '../domain/time.ts';
import type { StereoBlock } from '../media/av/audio-frame.ts';
import { emptyFrame } from '../media/av/empty-frame.ts';
import type { Input } from '../media/av/input.ts';
import { openInput, VIDEO_DEMUXERS } from '../media/av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../media/av/output-sample-rate.ts';
import { displaySize } from '../media/av/upright.ts';
import { openSamples } from '../media/decode/samples.ts';
import { Mp4Writer } from '../media/encode/encode.ts';
import { type Clip, type Timeline, timelineDurationSeconds, wholeClip } from '../style/model/timeline.ts';
import { blendCaption } from './captions/caption-blend.ts';
import type { Plane, Yuv } from './picture/composite.ts';
import { countViewsWithHeap } from './picture/frame-views.ts';
import { OneTakeReader } from './picture/one-take-reader.ts';
import { planesOf } from './picture/planes.ts';
import { SourceFrames } from './picture/source-frames.ts';
import { bandLines, GAP, sideSize } from './previews/comparison-size.ts';
import { sideLabel } from './previews/side-labels.ts';
import { VideoRenderer } from './render-video.ts';
import { writeAudioUpTo } from './sound/audio-lead.ts';

export interface ComparisonRequest extends Compression {
  readonly sourcePath: string;
  /** The output that `render` wrote for this timeline. */
  readonly renderedPath: string;
  readonly timeline: Timeline;
  readonly comparisonPath: string;
}

/** Limited range. */
const [BLACK_LUMA, NEUTRAL_CHROMA] = [16, 128];
const YIELD_MS = 100;

/**
 * Writes source and output side by side, labelled "before" and "after", with the output's sound. Both sides show the same moment of
 * the source, so that only the changes differ. Progress is 0..1. Throws like `render`.
 */
export async function renderComparison(
  request: ComparisonRequest,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { timeline } = request;
  countViewsWithHeap();
  using source = await Side.open(request.sourcePath, (input) =>
    plainTimeline(timeline, timeline.clips, displaySize(input.video!), timeline.height),
  );
  const whole = wholeClip(0, timelineDurationSeconds(timeline));
  using rendered = await Side.open(request.renderedPath, () =>
    plainTimeline(timeline, [whole], timeline, timeline.height),
  );
  const size = {
    width: source.width + GAP + rendered.width,
    height: source.height + bandLines(source.height),
  };
  const labels = [sideLabel('before', 0, source), sideLabel('after', source.width + GAP, rendered)].filter(
    (label) => label !== null,
  );
  const { preset, crf, partitions } = request;
  const encoding = { ...size, frameRate: timeline.frameRate, preset, crf, partitions };
  const audio = timeline.audio === null ? null : audioOf(request.renderedPath);
  using writer = await Mp4Writer.open(request.comparisonPath, encoding, audio !== null);
  const rate = framesPerSecond(timeline.frameRate);
  const frameCount = Math.min(source.frameCount, rendered.frameCount);
  let lastYield = performance.now();
  for (let number = 0; number < frameCount; number++) {
    await writeAudioUpTo(writer, audio, number / rate);
    source.draw(number);
    rendered.draw(number);
    for (let pair = takePair(source, rendered); pair !== null; pair = takePair(source, rendered)) {
      const frame = emptyFrame(size.width, size.height);
      drawSideBySide(planesOf(pair[0]), planesOf(pair[1]), planesOf(frame));
      for (const label of labels) blendCaption(label, planesOf(frame));
      writer.writeFrame(frame);
      for (const one of [...pair, frame]) one.free();
    }
    if (performance.now() - lastYield > YIELD_MS) {
      onProgress(number / frameCount);
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }
  await writeAudioUpTo(writer, audio, Number.POSITIVE_INFINITY);
  await writer.finish();
}

/** The timeline without framing, transitions, grade, sound and captions. */
function plainTimeline(
  { frameRate }: Timeline,
  clips: readonly Clip[],
  size: { width: number; height: number },
  lines: number,
): Timeline {
  return {
    version: 2,
    frameRate,
    ...sideSize(size, lines),
    clips: clips.map(({ sourceStartSeconds, sourceEndSeconds, reason }) =>
      wholeClip(sourceStartSeconds, sourceEndSeconds, reason),
    ),
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [],
  };
}

/** One of the two pictures. Its finished frames wait in `ready` for the frames of the other side. */
class Side implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  readonly ready: Frame[] = [];
  readonly #input: Input;
  readonly #frames: SourceFrames;
  readonly #renderer: VideoRenderer;

  private constructor(input: Input, frames: SourceFrames, timeline: Timeline) {
    this.#input = input;
    this.#frames = frames;
    this.#renderer = new VideoRenderer(timeline, new OneTakeReader(timeline, frames));
    this.width = timeline.width;
    this.height = timeline.height;
    this.frameCount = this.#renderer.frameCount;
  }

  static async open(path: string, timelineOf: (input: Input) => Timeline): Promise<Side> {
    const input = await openInput(path, VIDEO_DEMUXERS);
    const frames = await SourceFrames.open(input);
    return new Side(input, frames, timelineOf(input));
  }

  draw(number: number): void {
    this.#renderer.draw(number, (frame) => this.ready.push(frame.clone()!));
  }

  [Symbol.dispose](): void {
    for (const frame of this.ready) frame.free();
    this.#renderer[Symbol.dispose]();
    this.#frames[Symbol.dispose]();
    this.#input[Symbol.dispose]();
  }
}

function takePair(left: Side, right: Side): [Frame, Frame] | null {
  if (left.ready.length === 0 || right.ready.length === 0) return null;
  return [left.ready.shift()!, right.ready.shift()!];
}

/** Draws two pictures into one, at its left and right side; the rest is black. */
function drawSideBySide(left: Yuv, right: Yuv, out: Yuv): void {
  for (const [index, plane] of out.entries()) {
    const black = index === 0 ? BLACK_LUMA : NEUTRAL_CHROMA;
    const lines = left[index].height;
    plane.data.fill(black, 0, lines * plane.stride);
    copyPlane(left[index], plane, 0, lines);
    copyPlane(right[index], plane, plane.width - right[index].width, lines);
    plane.data.fill(black, lines * plane.stride);
  }
}

function copyPlane(from: Plane, to: Plane, column: number, lines: number): void {
  for (let y = 0; y < lines; y++) {
    const row = from.data.subarray(y * from.stride, y * from.stride + from.width);
    to.data.set(row, y * to.stride + column);
  }
}

async function* audioOf(path: string): AsyncGenerator<StereoBlock> {
  const options = { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' } as const;
  for await (const { channels } of openSamples(path, options)) yield [channels[0], channels[1]];
}
