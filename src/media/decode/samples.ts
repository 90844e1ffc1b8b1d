import type { Frame as SoundFrame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { SampleBlock } from '../../domain/footage.ts';
import type { TimeRange } from '../../domain/time-range.ts';
import { readAudioFrame } from '../av/audio-frame.ts';
import type { DecodeLosses } from '../av/decode-losses.ts';
import { LinearGraph } from '../av/graph.ts';
import type { Input } from '../av/input.ts';
import { openInput } from '../av/open-input.ts';
import { soundSecondsOf } from '../av/sound-stamps.ts';
import type { TimeBase } from '../av/stamps.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';
import { SampleCut } from './sample-cut.ts';
import { silenceInvalidSamples } from './valid-samples.ts';

export interface SampleOptions {
  readonly sampleRate: number;
  /** `source`: the channels at the sound's start; `stereo` and `mono` are mixed by FFmpeg's standard matrix. */
  readonly channels: 'mono' | 'stereo' | 'source';
  /** Minimum length; reading stops at the end of the block that reaches it. Left out: all. */
  readonly seconds?: number;
  /** The samples of this part alone, on its clock; undefined: all. */
  readonly range?: TimeRange | undefined;
  readonly signal?: AbortSignal;
}

/** Gaps up to this are filled by the resampler in one piece; longer ones in blocks, which need no memory. */
const MAX_FILL_SECONDS = 1;
/** A time stamp that jumps further is damaged and ignored. */
const MAX_GAP_SECONDS = 4 * 3600;
/** Smaller errors of time stamps are rounding: FLV and Matroska count milliseconds, AVI whole frames of MP3 (26 ms). */
const ROUNDING_SECONDS = 0.05;
/**
 * A frame whose duration in the file is so much longer than its samples is followed by a gap, which is filled there: a gap of 46 ms was filled 9 s later, in a word, when
 * rounding had made it longer than `ROUNDING_SECONDS`. Above the 26 ms by which AVI rounds.
 */
const GAP_SECONDS = 0.03;
/** The same for files with a jumping clock, where an error would shift the whole rest of a piece. */
const JOINT_ROUNDING_SECONDS = 0.005;

/**
 * Decodes the sound of a file in blocks of about a second. Sample n belongs to n / rate seconds after the start of the presentation: a late
 * start and gaps are filled with silence, and samples that are no numbers are silent. Throws `Failure` INPUT_UNSUPPORTED if there is no sound stream.
 */
export async function* openSamples(path: string, options: SampleOptions): AsyncGenerator<SampleBlock> {
  using input = await openInput(path);
  yield* samplesOf(input, options);
}

/** Like `openSamples` for an open file, from its current position. */
export async function* samplesOf(input: Input, options: SampleOptions): AsyncGenerator<SampleBlock> {
  for await (const [, block] of samplesForAll(input, [options], options)) yield block;
}

/**
 * Several resamplings of one decoding. Yields blocks with the index of their options; for each index they equal the blocks of
 * `samplesOf`.
 */
export async function* samplesForAll(
  input: Input,
  all: readonly Omit<SampleOptions, 'signal' | 'range'>[],
  {
    signal,
    range,
    losses,
  }: Pick<SampleOptions, 'signal' | 'range'> & { readonly losses?: DecodeLosses } = {},
): AsyncGenerator<readonly [number, SampleBlock]> {
  if (input.audio === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no sound stream');
  using decoder = await StreamDecoder.open(input, input.audio, { threads: 1, ...(losses && { losses }) });
  const { timeBase } = input.audio;
  const roundingSeconds = input.clock?.isContinuous === false ? JOINT_ROUNDING_SECONDS : ROUNDING_SECONDS;
  using stack = new DisposableStack();
  const kinds = all.map((options) => stack.use(new Resampling({ ...options, roundingSeconds }, timeBase)));
  const cuts = all.map(({ sampleRate }) => (range === undefined ? null : new SampleCut(range, sampleRate)));
  for (;;) {
    const decoded = decoder.next();
    if (cuts.every((cut) => cut?.isComplete === true)) return;
    if (decoded !== null) {
      const count = silenceInvalidSamples(decoded);
      if (count > 0) losses?.pushInvalid(decoder.frameSeconds(decoded), count / decoded.sampleRate);
    }
    for (const [number, kind] of kinds.entries()) {
      for (const taken of kind.take(decoded)) {
        const block = cuts[number] == null ? taken : cuts[number].take(taken);
        if (block !== null) yield [number, block];
        await new Promise(setImmediate);
        signal?.throwIfAborted();
      }
    }
    if (decoded === null) return;
  }
}

interface ResamplingOptions extends Omit<SampleOptions, 'signal' | 'range'> {
  readonly roundingSeconds: number;
}

/** One resampling of the decoded sound. */
class Resampling implements Disposable {
  readonly #options: ResamplingOptions;
  readonly #timeBase: TimeBase;
  readonly #blocks: Blocks;
  #chain: LinearGraph;
  /** Channel layout of the first frame, to which later layouts are mixed. */
  #layout: string | null = null;
  #damage = 0n;
  /** Whether the last frame lasts longer by the file than by its samples. */
  #isFollowedByGap = false;

  constructor(options: ResamplingOptions, timeBase: TimeBase) {
    this.#options = options;
    this.#timeBase = timeBase;
    this.#blocks = new Blocks(options.sampleRate);
    this.#chain = this.#newChain();
  }

  /** `decoded`: null at the end. */
  *take(decoded: SoundFrame | null): Generator<SampleBlock> {
    const blocks = this.#blocks;
    if (this.#isComplete) return;
    const stamp = decoded?.pts;
    if (decoded !== null) {
      this.#layout ??= layoutOf(decoded);
      if (stamp! >= 0n) yield* this.#fillGap(decoded);
      this.#isFollowedByGap = this.#secondsOf(decoded.duration) - soundSecondsOf(decoded) > GAP_SECONDS;
    }
    if (!this.#isComplete) this.#chain.push(decoded, blocks.add);
    // Restored for the next resampling, which corrects it itself.
    if (decoded !== null) decoded.pts = stamp!;
    if (blocks.held >= this.#options.sampleRate || (decoded === null && blocks.held > 0)) yield blocks.take();
  }

  get #isComplete(): boolean {
    const { sampleRate, seconds = Number.POSITIVE_INFINITY } = this.#options;
    return this.#blocks.yielded >= seconds * sampleRate;
  }

  /** Corrects a damaged time stamp, and fills a gap before it. */
  *#fillGap(decoded: SoundFrame): Generator<SampleBlock> {
    const { sampleRate } = this.#options;
    const blocks = this.#blocks;
    const endSeconds = blocks.endSample / sampleRate;
    // After a single damaged stamp, the clock is valid again.
    if (Math.abs(this.#secondsOf(decoded.pts) - endSeconds) <= MAX_FILL_SECONDS) this.#damage = 0n;
    decoded.pts -= this.#damage;
    const gapSeconds = this.#secondsOf(decoded.pts) - endSeconds;
    if (gapSeconds > MAX_GAP_SECONDS) {
      const jump = BigInt(Math.round((gapSeconds * this.#timeBase.den) / this.#timeBase.num));
      this.#damage += jump;
      decoded.pts -= jump;
    } else if (gapSeconds > (this.#isFollowedByGap ? GAP_SECONDS : MAX_FILL_SECONDS)) {
      // A new chain fills what is left before its first frame, however short.
      this.#chain.push(null, blocks.add);
      this.#chain[Symbol.dispose]();
      if (blocks.held > 0) yield blocks.take();
      const count = this.#channelCount(decoded);
      for (let left = Math.floor(gapSeconds); left > 0 && !this.#isComplete; left--)
        yield blocks.silence(count);
      this.#chain = this.#newChain();
    }
  }

  /** Seconds of the file's clock. */
  #secondsOf(stamp: bigint): number {
    return (Number(stamp) * this.#timeBase.num) / this.#timeBase.den;
  }

  #channelCount(decoded: SoundFrame): number {
    const first = this.#blocks.channelCount;
    return first > 0 ? first : (CHANNELS[this.#options.channels] ?? decoded.channelLayout.nbChannels);
  }

  /** The graph is rebuilt if the sound's format changes; its output continues at the end of the sound before it. */
  #newChain(): LinearGraph {
    return new LinearGraph('audio', this.#timeBase, ({ sampleRate: from }) => {
      const { channels, sampleRate, roundingSeconds } = this.#options;
      const layout = channels === 'source' ? this.#layout! : `aformat=channel_layouts=${channels},`;
      const first = Math.round((this.#blocks.endSample / sampleRate) * from);
      const clock = `async=1:min_hard_comp=${roundingSeconds}:first_pts=${first}`;
      return `${layout}aresample=${sampleRate}:filter_size=32:${clock},aformat=sample_fmts=fltp`;
    });
  }

  [Symbol.dispose](): void {
    this.#chain[Symbol.dispose]();
  }
}

const CHANNELS = { mono: 1, stereo: 2, source: null } as const;

/** Filter to the frame's channel layout; empty for channels without a layout, which cannot be mixed. */
function layoutOf({ channelLayout: { mask } }: SoundFrame): string {
  return mask === 0n ? '' : `aformat=channel_layouts=0x${mask.toString(16)},`;
}

/** Collects the filters' output in blocks. */
class Blocks {
  readonly #sampleRate: number;
  #parts: Float32Array[][] = [];
  /** 0 before the first samples. */
  channelCount = 0;
  /** Samples in earlier blocks. */
  yielded = 0;
  /** Samples in the next block. */
  held = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** All samples until now. */
  get endSample(): number {
    return this.yielded + this.held;
  }

  readonly add = (frame: SoundFrame): void => {
    const channels = readAudioFrame(frame);
    if (this.channelCount === 0) this.channelCount = channels.length;
    this.#parts.push(channels);
    this.held += frame.nbSamples;
  };

  take(): SampleBlock {
    const block = this.#block(joinChannels(this.#parts, this.held, this.channelCount));
    this.#parts = [];
    this.held = 0;
    return block;
  }

  /** A second of silence. */
  silence(channels: number): SampleBlock {
    return this.#block(Array.from({ length: channels }, () => new Float32Array(this.#sampleRate)));
  }

  #block(channels: Float32Array[]): SampleBlock {
    const startSeconds = this.yielded / this.#sampleRate;
    this.yielded += channels[0]?.length ?? 0;
    return { startSeconds, sampleRate: this.#sampleRate, channels };
  }
}

/** The number of channels without a layout may change within a stream: surplus ones are dropped, missing ones are silent. */
function joinChannels(
  parts: readonly Float32Array[][],
  length: number,
  channelCount: number,
): Float32Array[] {
  return Array.from({ length: channelCount }, (_, channel) => {
    const joined = new Float32Array(length);
    let at = 0;
    for (const part of parts) {
      if (part[channel] !== undefined) joined.set(part[channel], at);
      at += part[0].length;
    }
    return joined;
  });
}
