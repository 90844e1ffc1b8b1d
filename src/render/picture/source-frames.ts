import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import { type Decoding, type Input, StreamDecoder } from '../../media/av/input.ts';
import { sourceChain } from './source-chain.ts';
import type { SourceVideo } from './video-chain.ts';

type OnDecoded = (frame: Frame, seconds: number) => void;

interface Held {
  readonly frame: Frame;
  readonly seconds: number;
  readonly video: SourceVideo;
}

/**
 * The source's frames by their time, read once, forwards: upright, square pixels, progressive, SDR.
 * Remembers the frames since the earliest time that may still be asked for.
 */
export class SourceFrames implements Disposable {
  /** How the frame that `at` gave last looks to the video chains. All frames have one size; colours may change. */
  video: SourceVideo = { width: 0, height: 0, matrix: 'auto', colours: '' };
  /** Of the frames that leave the filters now. */
  #arriving = this.video;
  readonly #decoder: StreamDecoder;
  readonly #graph: LinearGraph;
  readonly #times: number[] = [];
  readonly #onDecoded: OnDecoded;
  #held: Held[] = [];
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

  /** `onDecoded` sees every frame as it was decoded, in order, whether it is used or not. */
  static async open(
    input: Input,
    decoding: Decoding = {},
    onDecoded: OnDecoded = () => {},
  ): Promise<SourceFrames> {
    if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
    return new SourceFrames(input, await StreamDecoder.open(input, input.video, decoding), onDecoded);
  }

  /**
   * The frame that is on screen at `seconds`, within `toleranceSeconds` (half an output frame, so that equal rates map
   * one to one). Before the first frame it is the first, after the last the last. Later calls may ask for `keepFrom` to
   * `keepTo`, and for what comes after `seconds`: other frames are not held, however many lie between. The frame stays ours:
   * valid until a later call passes it. Throws `Failure` INPUT_CORRUPT when there is no frame at all.
   */
  at(seconds: number, toleranceSeconds: number, keepFrom: number, keepTo = seconds): Frame {
    const wanted = seconds + toleranceSeconds;
    this.#forget(keepFrom + toleranceSeconds);
    while (!this.#ended && (this.#held.length === 0 || this.#held[this.#held.length - 1].seconds <= wanted)) {
      this.#decode();
      this.#forget(keepFrom + toleranceSeconds);
      this.#leaveOut(keepTo + toleranceSeconds, wanted);
    }
    let found = this.#held[0];
    for (const one of this.#held) {
      if (one.seconds > wanted) break;
      found = one;
    }
    if (found === undefined) throw new Failure('INPUT_CORRUPT', 'Not one frame of the video can be decoded');
    this.video = found.video;
    return found.frame;
  }

  /** Drops what lies before the frame on screen at `seconds`. */
  #forget(seconds: number): void {
    let first = 0;
    while (first + 1 < this.#held.length && this.#held[first + 1].seconds <= seconds) first++;
    for (const old of this.#held.splice(0, first)) old.frame.free();
  }

  /** Drops what lies between the frames on screen up to `from` and the one on screen at `to`. */
  #leaveOut(from: number, to: number): void {
    for (;;) {
      const [between, next] = this.#held.slice(-2);
      if (between === undefined || next === undefined) return;
      if (between.seconds <= from || next.seconds > to) return;
      between.frame.free();
      this.#held.splice(-2, 1);
    }
  }

  #decode(): void {
    const decoded = this.#decoder.next();
    if (decoded === null) this.#ended = true;
    else this.#tell(decoded);
    this.#graph.push(decoded, (frame) => {
      const held = frame.clone();
      if (held !== null)
        this.#held.push({ frame: held, seconds: this.#times.shift() ?? 0, video: this.#arriving });
    });
  }

  #tell(decoded: Frame): void {
    const seconds = this.#decoder.frameSeconds(decoded);
    this.#times.push(seconds);
    this.#onDecoded(decoded, seconds);
  }

  /** Decodes the next frame, which can no longer be asked for; false: there is none. */
  pass(): boolean {
    if (this.#ended) return false;
    const decoded = this.#decoder.next();
    if (decoded === null) this.#ended = true;
    else this.#onDecoded(decoded, this.#decoder.frameSeconds(decoded));
    return !this.#ended;
  }

  /** When the earliest frame in memory began; null: none is there. */
  get earliestSeconds(): number | null {
    return this.#held[0]?.seconds ?? null;
  }

  /** Frames in memory. */
  get heldCount(): number {
    return this.#held.length;
  }

  get errorCount(): number {
    return this.#decoder.errorCount;
  }

  [Symbol.dispose](): void {
    for (const { frame } of this.#held) frame.free();
    this.#graph[Symbol.dispose]();
    this.#decoder[Symbol.dispose]();
  }
}
