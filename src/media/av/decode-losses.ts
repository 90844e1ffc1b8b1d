import type { Span } from '../../domain/spans.ts';
import type { TimeRange } from '../../domain/time-range.ts';

/** Difference by rounding between the time stamps of a packet and of its frame. */
const ROUNDING_SECONDS = 0.001;
/** Priming samples, and leading pictures that refer to an earlier scene, last less. */
const MIN_SPAN_SECONDS = 0.1;
/** A single packet without a frame may be a hidden reference picture of VP8, which lasts less than this. */
const MIN_SINGLE_SECONDS = 1;

/**
 * Finds the spans of a stream whose packets produced no frame: damage, or packets before the first key frame.
 * Also finds the gaps, for which there are no packets.
 */
export class DecodeLosses {
  spans: Span[] = [];
  /** From the end of a frame, or the start of a picture, to the next one. */
  gaps: Span[] = [];
  /** Frames with samples that are no numbers: their times, and the length of those samples. */
  invalid: { readonly atSeconds: number; readonly seconds: number }[] = [];
  /** Times of the packets sent to the decoder that are later than the newest frame. */
  #pending: number[] = [];
  #lastSeconds = Number.NEGATIVE_INFINITY;
  #endSeconds = Number.NEGATIVE_INFINITY;
  /** End of the newest frame. */
  #framesEndSeconds = Number.POSITIVE_INFINITY;

  /** A packet for the decoder. Packets before the presentation's start are ignored. */
  pushPacket(seconds: number, durationSeconds: number): void {
    if (seconds < 0 || seconds <= this.#lastSeconds + ROUNDING_SECONDS) return;
    this.#pending.push(seconds);
    this.#endSeconds = Math.max(this.#endSeconds, seconds + durationSeconds);
  }

  /**
   * A decoded frame; frames arrive in presentation order. `seconds`: −∞ without a time stamp. `durationSeconds`: of its sound; 0 for a
   * picture.
   */
  pushFrame(seconds: number, durationSeconds = 0): void {
    const hasLoss = this.#close(seconds);
    if (!hasLoss && seconds - this.#framesEndSeconds >= MIN_SPAN_SECONDS)
      this.gaps.push({ startSeconds: this.#framesEndSeconds, endSeconds: seconds });
    this.#framesEndSeconds = (Number.isFinite(seconds) ? seconds : this.#framesEndSeconds) + durationSeconds;
    this.#lastSeconds = Math.max(this.#lastSeconds, seconds);
    if (this.#pending.length > 0)
      this.#pending = this.#pending.filter((one) => one > seconds + ROUNDING_SECONDS);
  }

  /** A packet that repeats the previous frame and produces none. */
  pushRepeat(seconds: number): void {
    this.#framesEndSeconds = Math.max(this.#framesEndSeconds, seconds);
  }

  /** Samples of a frame that were no numbers. */
  pushInvalid(atSeconds: number, seconds: number): void {
    this.invalid.push({ atSeconds, seconds });
  }

  /** The end of the stream, or of reading. `range`: what lies outside does not count; undefined: all counts. */
  finish(range?: TimeRange): void {
    this.#close(this.#endSeconds);
    this.#pending = [];
    if (range === undefined) return;
    this.spans = partsWithin(this.spans, range);
    this.gaps = partsWithin(this.gaps, range);
    this.invalid = this.invalid.filter(({ atSeconds }) => atSeconds >= range[0] && atSeconds < range[1]);
  }

  /** Whether a span was lost before `endSeconds`. */
  #close(endSeconds: number): boolean {
    const lost = this.#pending.filter((one) => one < endSeconds - ROUNDING_SECONDS);
    if (lost.length === 0) return false;
    const startSeconds = Math.min(...lost);
    const isHidden = lost.length === 1 && endSeconds - startSeconds < MIN_SINGLE_SECONDS;
    if (endSeconds - startSeconds < MIN_SPAN_SECONDS || isHidden) return false;
    this.spans.push({ startSeconds, endSeconds });
    return true;
  }
}

function partsWithin(spans: readonly Span[], [from, to]: TimeRange): Span[] {
  return spans
    .map(({ startSeconds, endSeconds }) => ({
      startSeconds: Math.max(from, startSeconds),
      endSeconds: Math.min(to, endSeconds),
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
}
