import { type FrameRate, framesPerSecond, snapFrameRate } from '../../domain/time.ts';
import type { Detector } from '../detector.ts';

/** Intervals are counted in bins of this width; finer than half a frame at 240 frames a second. */
const BIN_SECONDS = 0.0005;
/**
 * Time stamps are often rounded to milliseconds: an interval may be off by one of them and a rounding, or by this
 * share of itself.
 */
const ROUNDING_SECONDS = 0.0011;
const ROUNDING_SHARE = 0.04;
/** More intervals than this share off the mode make a variable frame rate: a few dropped frames do not. */
const VARIABLE_SHARE = 0.05;
/** Assumed duration of a single frame. */
const SINGLE_FRAME_SECONDS = 0.04;
/**
 * The last frame of a variable-rate clip may be a still. A longer duration is wrong, and no interval counts as
 * longer.
 */
const MAX_STILL_SECONDS = 30;

export interface Presentation {
  /** When the last frame stops being shown, on the clip's clock. */
  readonly durationSeconds: number;
  readonly frameCount: number;
  /** Modal rate, snapped to a standard one. */
  readonly frameRate: FrameRate;
  readonly variableFrameRate: boolean;
}

/** Estimates rate and evenness of a clip from presentation times. Keeps a histogram, not the times. */
export class PresentationClock implements Detector<[number], Presentation, [number | null]> {
  readonly #counts = new Uint32Array(Math.round(MAX_STILL_SECONDS / BIN_SECONDS) + 1);
  readonly #sums = new Float64Array(this.#counts.length);
  #frames = 0;
  #lastSeconds = 0;

  push(timeSeconds: number): void {
    const interval = timeSeconds - this.#lastSeconds;
    if (this.#frames > 0 && interval > 0) {
      const bin = Math.min(this.#counts.length - 1, Math.round(interval / BIN_SECONDS));
      this.#counts[bin] += 1;
      this.#sums[bin] += interval;
    }
    this.#frames += 1;
    this.#lastSeconds = timeSeconds;
  }

  /** `containerDurationSeconds` is used if it roughly agrees with the frames. */
  finish(containerDurationSeconds: number | null): Presentation {
    const mode = this.#mode();
    if (mode === null) return this.#loneFrame(containerDurationSeconds);
    const { intervalSeconds, shareOff } = mode;
    const variableFrameRate = shareOff > VARIABLE_SHARE;
    const frameRate = snapFrameRate(1 / intervalSeconds);
    const most = this.#lastSeconds + (variableFrameRate ? MAX_STILL_SECONDS : 2 * intervalSeconds);
    const end = containerDurationSeconds ?? 0;
    const believed = end > this.#lastSeconds && end <= most;
    return {
      durationSeconds: believed ? end : this.#lastSeconds + 1 / framesPerSecond(frameRate),
      frameCount: this.#frames,
      frameRate,
      variableFrameRate,
    };
  }

  /** The most frequent interval, rounded ones merged, and the share of intervals that differ from it. */
  #mode(): { intervalSeconds: number; shareOff: number } | null {
    let total = 0;
    let best: { count: number; sum: number } = { count: 0, sum: 0 };
    for (let bin = 0; bin < this.#counts.length; bin++) {
      if (this.#counts[bin] === 0) continue;
      total += this.#counts[bin];
      const reach = Math.ceil(Math.max(ROUNDING_SECONDS / BIN_SECONDS, bin * ROUNDING_SHARE));
      let count = 0;
      let sum = 0;
      for (let i = Math.max(0, bin - reach); i <= Math.min(this.#counts.length - 1, bin + reach); i++) {
        count += this.#counts[i];
        sum += this.#sums[i];
      }
      if (count > best.count) best = { count, sum };
    }
    return total === 0 ? null : { intervalSeconds: best.sum / best.count, shareOff: 1 - best.count / total };
  }

  #loneFrame(containerDurationSeconds: number | null): Presentation {
    const end = containerDurationSeconds ?? 0;
    const lasts = end > this.#lastSeconds && end <= this.#lastSeconds + MAX_STILL_SECONDS;
    const intervalSeconds = lasts ? end - this.#lastSeconds : SINGLE_FRAME_SECONDS;
    return {
      durationSeconds: this.#lastSeconds + intervalSeconds,
      frameCount: this.#frames,
      frameRate: snapFrameRate(1 / intervalSeconds),
      variableFrameRate: false,
    };
  }
}
