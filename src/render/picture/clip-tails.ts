import { type Frame, Packet, type Stream } from 'node-av/lib';
import type { Span } from '../../domain/spans.ts';
import type { Input } from '../../media/av/input.ts';
import { openInput, VIDEO_DEMUXERS } from '../../media/av/open-input.ts';
import { pictureBytes } from '../../media/av/stream-decoder.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { FrameSchedule } from '../timeline/frame-schedule.ts';
import { isHeld } from './held-tail.ts';
import { SourceFrames } from './source-frames.ts';

/** For files without a frame rate. */
const ASSUMED_RATE = 60;
/** Decoding starts at a key frame at least this long before a tail, so that no frame of the tail refers to earlier frames. */
const LEAD_SECONDS = 0.1;

/**
 * The ends of clips under a transition, read by a second decoder while the first one reads the next clip. Buffered in memory, two
 * seconds of a transition in 10-bit 4K60 would take 1.5 GB, in 8K 6.4 GB.
 */
export class ClipTails implements Disposable {
  readonly #input: Input;
  readonly #frames: SourceFrames;
  /** Indices of the clips whose tails are too large to be buffered. */
  readonly #clips: ReadonlySet<number>;
  /** For the current transition: whether both decoders gave the same first frame. */
  #checked: { readonly clipIndex: number; readonly equal: boolean } | null = null;

  private constructor(input: Input, frames: SourceFrames, clips: ReadonlySet<number>) {
    this.#input = input;
    this.#frames = frames;
    this.#clips = clips;
  }

  /**
   * Null: all tails can be buffered. `source` is the same file, already open; `canBuffer` decides by a tail's number of pictures and the
   * bytes of a picture.
   */
  static async open(
    path: string,
    source: Input,
    timeline: Timeline,
    canBuffer = isHeld,
  ): Promise<ClipTails | null> {
    if (source.video === null) return null;
    const spans = largeTails(source.video, timeline, canBuffer);
    if (spans.size === 0) return null;
    const chosen = await chosenPackets(path, [...spans.values()]);
    const input = await openInput(path, VIDEO_DEMUXERS);
    let packets = 0;
    const frames = await SourceFrames.open(input, { threads: 2, choose: () => chosen[packets++] === true });
    return new ClipTails(input, frames, new Set(spans.keys()));
  }

  /**
   * The frame of the clip's tail at `seconds`; null: the tail must be buffered instead. `expected` returns the first decoder's frame
   * there: in damaged files, decoding from a key frame can give other pictures than decoding from the start.
   */
  at(clipIndex: number, seconds: number, toleranceSeconds: number, expected: () => Frame): Frame | null {
    if (!this.#clips.has(clipIndex) || (this.#checked?.clipIndex === clipIndex && !this.#checked.equal))
      return null;
    const frame = this.#frames.at(seconds, toleranceSeconds, seconds);
    if (this.#checked?.clipIndex !== clipIndex)
      this.#checked = { clipIndex, equal: isSame(frame, expected()) };
    return this.#checked.equal ? frame : null;
  }

  [Symbol.dispose](): void {
    this.#frames[Symbol.dispose]();
    this.#input[Symbol.dispose]();
  }
}

/** Ranges of the tails that are too large to be buffered, by clip index. */
function largeTails(stream: Stream, timeline: Timeline, canBuffer: typeof isHeld): ReadonlyMap<number, Span> {
  const bytes = pictureBytes(stream);
  const { num, den } = stream.avgFrameRate;
  const rate = num > 0 && den > 0 ? num / den : ASSUMED_RATE;
  const spans = new Map<number, Span>();
  for (const { clipIndex, startSeconds, endSeconds, frames } of new FrameSchedule(timeline).tails) {
    const pictures = Math.min((endSeconds - startSeconds) * rate, frames);
    if (!canBuffer(pictures, bytes)) spans.set(clipIndex, { startSeconds, endSeconds });
  }
  return spans;
}

/** For each video packet whether it is decoded: the groups of pictures that contain the spans. */
async function chosenPackets(path: string, spans: readonly Span[]): Promise<readonly boolean[]> {
  using input = await openInput(path, VIDEO_DEMUXERS);
  const video = input.video!;
  const { num, den } = video.timeBase;
  const keys: { readonly packet: number; readonly seconds: number }[] = [];
  let count = 0;
  const packet = new Packet();
  packet.alloc();
  while (input.read(packet)) {
    if (packet.streamIndex === video.index) {
      if (packet.isKeyframe) keys.push({ packet: count, seconds: (Number(packet.pts) * num) / den });
      count++;
    }
    packet.unref();
  }
  packet.free();
  return packetsOfSpans(spans, keys, count);
}

/** `keys`: packet numbers and times of the key frames; `count`: number of packets. */
export function packetsOfSpans(
  spans: readonly Span[],
  keys: readonly { readonly packet: number; readonly seconds: number }[],
  count: number,
): readonly boolean[] {
  const chosen = new Array<boolean>(count).fill(false);
  for (const { startSeconds, endSeconds } of spans) {
    const from = keys.findLast(({ seconds }) => seconds <= startSeconds - LEAD_SECONDS);
    const to = keys.find(({ seconds }) => seconds > endSeconds + LEAD_SECONDS);
    chosen.fill(true, from?.packet ?? 0, to?.packet ?? count);
  }
  return chosen;
}

/** Compares luma, without the padding of rows. */
function isSame(one: Frame, other: Frame): boolean {
  const { width, height } = one;
  if (width !== other.width || height !== other.height || one.format !== other.format) return false;
  const [a, b] = [one.data![0], other.data![0]];
  const [strideA, strideB] = [one.linesize[0], other.linesize[0]];
  for (let y = 0; y < height; y++) {
    if (a.compare(b, y * strideB, y * strideB + width, y * strideA, y * strideA + width) !== 0) return false;
  }
  return true;
}
