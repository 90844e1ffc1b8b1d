import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import type { Input } from '../../media/av/input.ts';
import { type Decoding, StreamDecoder } from '../../media/av/stream-decoder.ts';
import { sourceChain } from './source-chain.ts';
import type { SourceVideo } from './video-chain.ts';

type OnDecoded = (frame: Frame, seconds: number) => void;

interface BufferedFrame {
  readonly frame: Frame;
  readonly seconds: number;
  readonly video: SourceVideo;
}

/**
 * The source's frames by their time, read once, forwards: upright, square pixels, progressive, SDR. Buffers the frames since the
 * earliest time that may still be requested.
 */
export class SourceFrames implements Disposable {
  /** Properties of the last frame that `at` returned. All frames have one size; colors may change. */
  video: SourceVideo = { width: 0, height: 0, matrix: 'auto', colors: '' };
  /** Properties of the frames that leave the filters now. */
  #arriving = this.video;
  readonly #decoder: StreamDecoder;
  readonly #graph: LinearGraph;
  readonly #times: number[] = [];
  readonly #onDecoded: OnDecoded;
  #buffered: BufferedFrame[] = [];
  #ended = false;

  private constructor(input: Input, decoder: StreamDecoder, onDecoded: OnDecoded) {
    const stream = input.video!;
    this.#decoder = decoder;
    this.#onDecoded = onDecoded;
    this.#graph = new LinearGraph('video', stream.timeBase, (frame) => {
      const { video, chain } = sourceChain(frame, stream);
      this.#arriving = video;
      return chain;
    });
  }

  /** `onDecoded` receives every decoded frame in order, before the filters, whether it is used or not. */
  static async open(
    input: Input,
    decoding: Decoding = {},
    onDecoded: OnDecoded = () => {},
  ): Promise<SourceFrames> {
    if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
    return new SourceFrames(input, await StreamDecoder.open(input, input.video, decoding), onDecoded);
  }

  /**
   * The frame on screen at `seconds`, clamped to the first and last frame. `toleranceSeconds` is half an
   * output frame, so that equal rates map one to one. Later calls may request `keepFrom` to `keepTo` and
   * times after `seconds`; other frames are not buffered. The frame belongs to this object and is valid until
   * a later call passes it. Throws `Failure` INPUT_CORRUPT if no frame can be decoded.
   */
  at(seconds: number, toleranceSeconds: number, keepFrom: number, keepTo = seconds): Frame {
    const wanted = seconds + toleranceSeconds;
    this.#dropBefore(keepFrom + toleranceSeconds);
    while (
      !this.#ended &&
      (this.#buffered.length === 0 || this.#buffered[this.#buffered.length - 1].seconds <= wanted)
    ) {
      this.#decode();
      this.#dropBefore(keepFrom + toleranceSeconds);
      this.#dropBetween(keepTo + toleranceSeconds, wanted);
    }
    let found = this.#buffered[0];
    for (const one of this.#buffered) {
      if (one.seconds > wanted) break;
      found = one;
    }
    if (found === undefined) throw new Failure('INPUT_CORRUPT', 'No frame of the video can be decoded');
    this.video = found.video;
    return found.frame;
  }

  /** Frees the frames before the one on screen at `seconds`. */
  #dropBefore(seconds: number): void {
    let first = 0;
    while (first + 1 < this.#buffered.length && this.#buffered[first + 1].seconds <= seconds) first++;
    for (const old of this.#buffered.splice(0, first)) old.frame.free();
  }

  /** Frees the frames after the one on screen at `from` and before the one on screen at `to`. */
  #dropBetween(from: number, to: number): void {
    for (;;) {
      const [between, next] = this.#buffered.slice(-2);
      if (between === undefined || next === undefined) return;
      if (between.seconds <= from || next.seconds > to) return;
      between.frame.free();
      this.#buffered.splice(-2, 1);
    }
  }

  #decode(): void {
    const decoded = this.#decoder.next();
    if (decoded === null) this.#ended = true;
    else this.#reportDecoded(decoded);
    this.#graph.push(decoded, (frame) => {
      const copy = frame.clone();
      if (copy !== null)
        this.#buffered.push({ frame: copy, seconds: this.#times.shift() ?? 0, video: this.#arriving });
    });
  }

  #reportDecoded(decoded: Frame): void {
    const seconds = this.#decoder.frameSeconds(decoded);
    this.#times.push(seconds);
    this.#onDecoded(decoded, seconds);
  }

  /** Decodes the next frame for `onDecoded` only; it cannot be requested any more. False: there is none. */
  skip(): boolean {
    if (this.#ended) return false;
    const decoded = this.#decoder.next();
    if (decoded === null) this.#ended = true;
    else this.#onDecoded(decoded, this.#decoder.frameSeconds(decoded));
    return !this.#ended;
  }

  /** Time of the earliest buffered frame; null: there is none. */
  get earliestSeconds(): number | null {
    return this.#buffered[0]?.seconds ?? null;
  }

  /** Number of buffered frames. */
  get heldCount(): number {
    return this.#buffered.length;
  }

  get errorCount(): number {
    return this.#decoder.errorCount;
  }

  [Symbol.dispose](): void {
    for (const { frame } of this.#buffered) frame.free();
    this.#graph[Symbol.dispose]();
    this.#decoder[Symbol.dispose]();
  }
}
