/** Difference by rounding between the time stamps of a packet and of its frame. */
const ROUNDING_SECONDS = 0.001;
/** Priming samples, and leading pictures that refer to an earlier scene, last less. */
const MIN_SPAN_SECONDS = 0.1;
/** A single packet without a frame may be a hidden reference picture of VP8, which lasts less than this. */
const MIN_SINGLE_SECONDS = 1;

export interface LostSpan {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Finds the spans of a stream whose packets produced no frame: damage, or packets before the first key frame. */
export class DecodeLosses {
  readonly spans: LostSpan[] = [];
  /** Times of the packets sent to the decoder that are later than the newest frame. */
  #pending: number[] = [];
  #lastSeconds = Number.NEGATIVE_INFINITY;
  #endSeconds = Number.NEGATIVE_INFINITY;

  /** A packet for the decoder. Packets before the presentation's start are ignored. */
  pushPacket(seconds: number, durationSeconds: number): void {
    if (seconds < 0 || seconds <= this.#lastSeconds + ROUNDING_SECONDS) return;
    this.#pending.push(seconds);
    this.#endSeconds = Math.max(this.#endSeconds, seconds + durationSeconds);
  }

  /** A decoded frame; frames arrive in presentation order. */
  pushFrame(seconds: number): void {
    this.#close(seconds);
    this.#lastSeconds = Math.max(this.#lastSeconds, seconds);
    if (this.#pending.length > 0)
      this.#pending = this.#pending.filter((one) => one > seconds + ROUNDING_SECONDS);
  }

  /** The end of the stream. */
  finish(): void {
    this.#close(this.#endSeconds);
    this.#pending = [];
  }

  #close(endSeconds: number): void {
    const lost = this.#pending.filter((one) => one < endSeconds - ROUNDING_SECONDS);
    if (lost.length === 0) return;
    const startSeconds = Math.min(...lost);
    const isHidden = lost.length === 1 && endSeconds - startSeconds < MIN_SINGLE_SECONDS;
    if (endSeconds - startSeconds >= MIN_SPAN_SECONDS && !isHidden)
      this.spans.push({ startSeconds, endSeconds });
  }
}
