import type { Frame as SoundFrame } from 'node-av/lib';
import { Failure } from '../../errors.ts';
import type { SampleBlock } from '../../footage.ts';
import { readAudioFrame } from '../av/audio-frame.ts';
import { LinearGraph } from '../av/graph.ts';
import { type Input, openInput, StreamDecoder } from '../av/input.ts';

export interface SampleOptions {
  readonly sampleRate: number;
  /** `source`: all the channels that there are; `stereo` and `mono` are mixed down by FFmpeg's standard matrix. */
  readonly channels: 'mono' | 'stereo' | 'source';
  /** Fill gaps between the time stamps with silence, so that sample n is n / rate after the container's start. */
  readonly onClock?: boolean;
  /** How much is wanted, to the end of the block in which it is reached; left out: all. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

/** The resampler fills gaps up to this long itself, in one piece; longer ones come in pieces, and cost no memory. */
const LONGEST_FILL_SECONDS = 1;
/** A time stamp that jumps further is damaged: the sound goes on without a gap. */
const LONGEST_GAP_SECONDS = 4 * 3600;

/**
 * Decodes the sound of a file in blocks of about a second. A late start of the sound shows in `startSeconds` of
 * the first block, unless `onClock` fills it.
 * Throws `Failure` INPUT_UNSUPPORTED when there is no sound stream.
 */
export async function* openSamples(path: string, options: SampleOptions): AsyncGenerator<SampleBlock> {
  using input = await openInput(path);
  yield* samplesOf(input, options);
}

/** The same of an opened file, from where it stands. */
export async function* samplesOf(input: Input, options: SampleOptions): AsyncGenerator<SampleBlock> {
  for await (const [, block] of samplesForAll(input, [options], options.signal)) yield block;
}

/**
 * Several kinds of samples by one decoding: blocks, each with the number of the options that it is by. Of each kind they are what
 * `samplesOf` gives.
 */
export async function* samplesForAll(
  input: Input,
  all: readonly Omit<SampleOptions, 'signal'>[],
  signal?: AbortSignal,
): AsyncGenerator<readonly [number, SampleBlock]> {
  if (input.audio === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no sound stream');
  using decoder = await StreamDecoder.open(input, input.audio, { threads: 1 });
  const { timeBase } = input.audio;
  using stack = new DisposableStack();
  const kinds = all.map((options) => stack.use(new Resampling(options, timeBase)));
  for (;;) {
    const decoded = decoder.next();
    const seconds = decoded === null ? 0 : Math.max(0, decoder.frameSeconds(decoded));
    for (const [number, kind] of kinds.entries()) {
      for (const block of kind.take(decoded, seconds)) {
        yield [number, block];
        await new Promise(setImmediate);
        signal?.throwIfAborted();
      }
    }
    if (decoded === null) return;
  }
}

/** One kind of samples of what is decoded. */
class Resampling implements Disposable {
  readonly #options: Omit<SampleOptions, 'signal'>;
  readonly #timeBase: { num: number; den: number };
  readonly #blocks: Blocks;
  #chain: LinearGraph;
  #damage = 0n;

  constructor(options: Omit<SampleOptions, 'signal'>, timeBase: { num: number; den: number }) {
    this.#options = options;
    this.#timeBase = timeBase;
    this.#blocks = new Blocks(options.sampleRate);
    this.#chain = audioGraph(options, timeBase, 0);
  }

  /** `decoded`: null at the end; `seconds`: when it begins, not before 0. */
  *take(decoded: SoundFrame | null, seconds: number): Generator<SampleBlock> {
    const blocks = this.#blocks;
    const { sampleRate, seconds: wanted = Number.POSITIVE_INFINITY } = this.#options;
    if (blocks.taken >= wanted * sampleRate) return;
    const isOnClock = this.#options.onClock === true;
    const stamp = isOnClock ? decoded?.pts : undefined;
    if (decoded !== null) blocks.startAt(seconds);
    if (decoded !== null && isOnClock && stamp! >= 0n) yield* this.#keepClock(decoded);
    this.#chain.push(decoded, blocks.add);
    // The next kind mends it by itself.
    if (decoded !== null && isOnClock) decoded.pts = stamp!;
    if (blocks.held >= sampleRate || (decoded === null && blocks.held > 0)) yield blocks.take();
  }

  /** Mends the stamp where it is damaged, and fills what is missing before it. */
  *#keepClock(decoded: SoundFrame): Generator<SampleBlock> {
    const { sampleRate, channels } = this.#options;
    const blocks = this.#blocks;
    const secondsOf = ({ pts }: SoundFrame) => (Number(pts) * this.#timeBase.num) / this.#timeBase.den;
    const endSeconds = blocks.endSample / sampleRate;
    // One damaged stamp among good ones: the clock is right again.
    if (Math.abs(secondsOf(decoded) - endSeconds) <= LONGEST_FILL_SECONDS) this.#damage = 0n;
    decoded.pts -= this.#damage;
    const gapSeconds = secondsOf(decoded) - endSeconds;
    if (gapSeconds > LONGEST_GAP_SECONDS) {
      const jump = BigInt(Math.round((gapSeconds * this.#timeBase.den) / this.#timeBase.num));
      this.#damage += jump;
      decoded.pts -= jump;
    } else if (gapSeconds > LONGEST_FILL_SECONDS) {
      this.#chain.push(null, blocks.add);
      this.#chain[Symbol.dispose]();
      if (blocks.held > 0) yield blocks.take();
      const count = CHANNELS[channels] ?? decoded.channelLayout.nbChannels;
      for (let left = Math.floor(gapSeconds); left > 0; left--) yield blocks.silence(count);
      const first = Math.round((blocks.endSample / sampleRate) * decoded.sampleRate);
      this.#chain = audioGraph(this.#options, this.#timeBase, first);
    }
  }

  [Symbol.dispose](): void {
    this.#chain[Symbol.dispose]();
  }
}

const CHANNELS = { mono: 1, stereo: 2, source: null } as const;
const LAYOUTS = {
  mono: 'aformat=channel_layouts=mono,',
  stereo: 'aformat=channel_layouts=stereo,',
  source: '',
} as const;

/** `firstSample`: when the first sample that comes out is due, where the clock is kept; counted at the rate that goes in. */
function audioGraph(
  { sampleRate, channels, onClock }: Omit<SampleOptions, 'signal'>,
  timeBase: { num: number; den: number },
  firstSample: number,
): LinearGraph {
  const clock = onClock === true ? `:async=1:min_hard_comp=0.05:first_pts=${firstSample}` : '';
  const chain = `${LAYOUTS[channels]}aresample=${sampleRate}:filter_size=32${clock},aformat=sample_fmts=fltp`;
  return new LinearGraph('audio', timeBase, () => chain);
}

/** Gathers what the filters give into blocks. */
class Blocks {
  readonly #sampleRate: number;
  #parts: Float32Array[][] = [];
  #startSeconds: number | null = null;
  /** Samples that were handed out. */
  taken = 0;
  held = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** Samples so far. */
  get endSample(): number {
    return this.taken + this.held;
  }

  startAt(seconds: number): void {
    this.#startSeconds ??= seconds;
  }

  readonly add = (frame: SoundFrame): void => {
    this.#parts.push(readAudioFrame(frame));
    this.held += frame.nbSamples;
  };

  take(): SampleBlock {
    const block = this.#block(joinChannels(this.#parts, this.held));
    this.#parts = [];
    this.held = 0;
    return block;
  }

  /** A second of it. */
  silence(channels: number): SampleBlock {
    return this.#block(Array.from({ length: channels }, () => new Float32Array(this.#sampleRate)));
  }

  #block(channels: Float32Array[]): SampleBlock {
    const startSeconds = (this.#startSeconds ?? 0) + this.taken / this.#sampleRate;
    this.taken += channels[0]?.length ?? 0;
    return { startSeconds, sampleRate: this.#sampleRate, channels };
  }
}

/** A change of channel count on the way keeps the channels of the first part; missing ones are silent. */
function joinChannels(parts: readonly Float32Array[][], length: number): Float32Array[] {
  const channelCount = parts[0]?.length ?? 0;
  return Array.from({ length: channelCount }, (_, channel) => {
    const joined = new Float32Array(length);
    let at = 0;
    for (const part of parts) {
      if (part[channel] !== undefined) joined.set(part[channel], at);
      at += part[0]!.length;
    }
    return joined;
  });
}
