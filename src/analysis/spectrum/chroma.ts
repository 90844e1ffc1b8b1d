import { Series } from '../../signal/series.ts';
import type { Detector } from '../detector.ts';

export const CHROMA_FRAMES_PER_SECOND = 10;
const PITCH_CLASSES = 12;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 2000;

/**
 * Magnitudes folded onto the twelve pitch classes (T. Fujishima 1999), ten times a second: enough to locate
 * changes of harmony, which are on beats and rarely between them.
 */
export class ChromaMeter implements Detector<[Float64Array], HarmonicChange> {
  readonly #firstBin: number;
  /** Pitch classes of the bins from `#firstBin`. */
  readonly #classes: Int8Array;
  readonly #frames = new Series();
  readonly #sums = new Float64Array(PITCH_CLASSES);

  constructor(fftSize: number, sampleRate: number) {
    const binHz = sampleRate / fftSize;
    this.#firstBin = Math.ceil(LOWEST_HZ / binHz);
    const end = Math.min(fftSize / 2, Math.floor(HIGHEST_HZ / binHz)) + 1;
    this.#classes = Int8Array.from({ length: Math.max(0, end - this.#firstBin) }, (_, at) => {
      const semitone = Math.round(PITCH_CLASSES * Math.log2(((this.#firstBin + at) * binHz) / 440));
      return ((semitone % PITCH_CLASSES) + PITCH_CLASSES) % PITCH_CLASSES;
    });
  }

  /** Takes the power spectrum of the next frame. */
  push(power: Float64Array): void {
    this.#sums.fill(0);
    for (let at = 0; at < this.#classes.length; at++) {
      this.#sums[this.#classes[at]] += Math.sqrt(power[this.#firstBin + at]);
    }
    for (const sum of this.#sums) this.#frames.push(sum);
  }

  finish(): HarmonicChange {
    const chroma = this.#frames.values();
    const sums = new Float64Array(chroma.length + PITCH_CLASSES);
    for (let i = 0; i < chroma.length; i++) sums[i + PITCH_CLASSES] = sums[i] + chroma[i];
    return new HarmonicChange(sums);
  }
}

/** Changes of harmony over time. */
export class HarmonicChange {
  /** Running sums, so that the mean over any span costs the same. */
  readonly #sums: Float64Array;
  readonly #frames: number;
  readonly #startSeconds: number;

  constructor(sums: Float64Array, startSeconds = 0) {
    this.#frames = sums.length / PITCH_CLASSES - 1;
    this.#sums = sums;
    this.#startSeconds = startSeconds;
  }

  /** The same with time 0 at `startSeconds`. */
  from(startSeconds: number): HarmonicChange {
    return new HarmonicChange(this.#sums, this.#startSeconds + startSeconds);
  }

  /**
   * Cosine distance (0: equal) of the chroma `reachSeconds` before and after a time; 0 at the clip's ends.
   */
  at(timeSeconds: number, reachSeconds: number): number {
    // Frame i is centered on i/10 s: as a cell of the running sums it covers half a step to either side.
    const middle = (this.#startSeconds + timeSeconds) * CHROMA_FRAMES_PER_SECOND + 0.5;
    const reach = reachSeconds * CHROMA_FRAMES_PER_SECOND;
    if (middle - reach < 0 || middle + reach > this.#frames) return 0;
    let dot = 0;
    let before2 = 0;
    let after2 = 0;
    for (let pitch = 0; pitch < PITCH_CLASSES; pitch++) {
      const here = this.#sumUpTo(middle, pitch);
      const before = here - this.#sumUpTo(middle - reach, pitch);
      const after = this.#sumUpTo(middle + reach, pitch) - here;
      dot += before * after;
      before2 += before * before;
      after2 += after * after;
    }
    return before2 * after2 > 0 ? Math.max(0, 1 - dot / Math.sqrt(before2 * after2)) : 0;
  }

  /** Mean chroma between two times, its squares summing to 1; zeros where nothing sounds. */
  chromaBetween(startSeconds: number, endSeconds: number): number[] {
    const [from, to] = [startSeconds, endSeconds].map((seconds) =>
      Math.min(this.#frames, Math.max(0, (this.#startSeconds + seconds) * CHROMA_FRAMES_PER_SECOND + 0.5)),
    );
    const sums = Array.from({ length: PITCH_CLASSES }, (_, pitch) =>
      this.#frames === 0 ? 0 : this.#sumUpTo(to, pitch) - this.#sumUpTo(from, pitch),
    );
    const length = Math.hypot(...sums);
    return sums.map((sum) => (length > 0 ? sum / length : 0));
  }

  #sumUpTo(place: number, pitch: number): number {
    const whole = Math.min(Math.floor(place), this.#frames - 1);
    const from = this.#sums[whole * PITCH_CLASSES + pitch];
    const to = this.#sums[(whole + 1) * PITCH_CLASSES + pitch];
    return from + (to - from) * (place - whole);
  }
}
