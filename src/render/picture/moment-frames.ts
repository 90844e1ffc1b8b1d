import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import type { Input } from '../../media/av/input.ts';
import { openInput, VIDEO_DEMUXERS } from '../../media/av/open-input.ts';
import { MAX_DECODE_ON_SECONDS, seekBefore } from '../../media/av/seek.ts';
import { StreamDecoder } from '../../media/av/stream-decoder.ts';
import { wholeClip } from '../../style/model/timeline.ts';
import { sourceChain } from './source-chain.ts';
import { videoChain } from './video-chain.ts';

/**
 * Leads before a moment at which a key frame is searched, tried in order until decoding begins before the
 * moment. In files without an index a seek may land too late. After the last lead, decoding starts at the
 * file's start.
 */
const LEADS_SECONDS = [0, 4];
const YIELD_MS = 50;

/**
 * The frames shown at moments of a file: seconds from its start, clamped to the first and last frame. They
 * are whole pictures, upright, SDR, yuv420p in BT.709 limited range, of `size`, which is even. Decodes from
 * the key frame before each moment. The caller frees them. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT.
 */
export async function readMomentFrames(
  path: string,
  timesSeconds: readonly number[],
  size: Size,
  onProgress: (fraction: number) => void,
): Promise<Frame[]> {
  using input = await openInput(path, VIDEO_DEMUXERS);
  using moments = new Moments(path, input);
  const frames: Frame[] = [];
  for (const [index, seconds] of timesSeconds.entries()) {
    const shown = await moments.at(seconds, () => onProgress(index / timesSeconds.length));
    frames.push(drawWhole(input, shown, size));
    onProgress((index + 1) / timesSeconds.length);
  }
  return frames;
}

/** A file's frames by their time, in any order. */
class Moments implements Disposable {
  readonly #path: string;
  readonly #input: Input;
  #run: Run | null = null;

  constructor(path: string, input: Input) {
    this.#path = path;
    this.#input = input;
  }

  /** Valid until the next call. */
  async at(seconds: number, alive: () => void): Promise<Frame> {
    if (this.#run?.isShortlyBefore(seconds) === true) {
      await this.#run.advance(seconds, alive);
      return this.#run.shown!.frame;
    }
    for (const lead of LEADS_SECONDS) {
      if (!seekBefore(this.#input, seconds - lead)) continue;
      const run = await this.#begin(this.#input);
      await run.advance(seconds, alive);
      if (run.shown !== null && run.shown.seconds <= seconds) return run.shown.frame;
    }
    const run = await this.#begin(await openInput(this.#path, VIDEO_DEMUXERS), true);
    await run.advance(seconds, alive);
    if (run.shown === null) throw new Failure('INPUT_CORRUPT', 'No frame of the video can be decoded');
    return run.shown.frame;
  }

  async #begin(input: Input, own = false): Promise<Run> {
    this.#run?.[Symbol.dispose]();
    this.#run = null;
    if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
    this.#run = new Run(await StreamDecoder.open(input, input.video), own ? input : null);
    return this.#run;
  }

  [Symbol.dispose](): void {
    this.#run?.[Symbol.dispose]();
  }
}

interface Timed {
  readonly frame: Frame;
  readonly seconds: number;
}

/** Decoding from one position onwards. */
class Run implements Disposable {
  shown: Timed | null = null;
  #ahead: Timed | null = null;
  readonly #decoder: StreamDecoder;
  readonly #own: Input | null;

  /** `own`: an input to close together with the run. */
  constructor(decoder: StreamDecoder, own: Input | null) {
    this.#decoder = decoder;
    this.#own = own;
  }

  isShortlyBefore(seconds: number): boolean {
    const from = this.shown?.seconds ?? Number.POSITIVE_INFINITY;
    return seconds >= from && seconds - from <= MAX_DECODE_ON_SECONDS;
  }

  /** Decodes until `shown` is the last frame that begins at or before `seconds`, or the first frame if none does. */
  async advance(seconds: number, alive: () => void): Promise<void> {
    let lastYield = performance.now();
    for (;;) {
      this.#ahead ??= this.#next();
      if (this.#ahead === null || (this.shown !== null && this.#ahead.seconds > seconds)) return;
      this.shown?.frame.free();
      this.shown = this.#ahead;
      this.#ahead = null;
      if (performance.now() - lastYield < YIELD_MS) continue;
      alive();
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }

  #next(): Timed | null {
    const decoded = this.#decoder.next();
    if (decoded === null) return null;
    const seconds = this.#decoder.frameSeconds(decoded);
    const frame = decoded.clone();
    return frame === null ? null : { frame, seconds };
  }

  [Symbol.dispose](): void {
    this.shown?.frame.free();
    this.#ahead?.frame.free();
    this.#decoder[Symbol.dispose]();
    this.#own?.[Symbol.dispose]();
  }
}

/** Draws a decoded frame like the renderer does without a style, in an even size. The caller frees the result. */
export function drawWhole(input: Input, shown: Frame, size: Size): Frame {
  const stream = input.video!;
  using graph = new LinearGraph('video', stream.timeBase, (frame) => {
    const { video, chain } = sourceChain(frame, stream);
    return `${chain},${videoChain(wholeClip(0, 0), size, video)}`;
  });
  let drawn: Frame | null = null;
  const keep = (out: Frame) => {
    drawn ??= out.clone();
  };
  graph.push(shown, keep);
  graph.push(null, keep);
  if (drawn === null) throw new Failure('ENCODER_FAILED', 'A filter chain lost a frame');
  return drawn;
}
