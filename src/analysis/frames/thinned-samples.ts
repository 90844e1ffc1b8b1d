/** Half a 48×27 picture has 1.9 kB: this many need 16 MB, for any length of clip. */
const MAX_SAMPLES = 8192;

/**
 * Samples of a clip at a steady interval, at most `max`. When full, every second one is dropped and the interval
 * doubles, so that a clip of any length is sampled evenly.
 */
export class ThinnedSamples<Sample> {
  #samples: Sample[] = [];
  #intervalSeconds: number;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  readonly #max: number;

  constructor(firstIntervalSeconds: number, max = MAX_SAMPLES) {
    this.#intervalSeconds = firstIntervalSeconds;
    this.#max = max;
  }

  /** Whether a sample is due; the tolerance accepts a frame that is early by rounding. */
  isDue(timeSeconds: number): boolean {
    return timeSeconds >= this.#nextSeconds - 1e-6;
  }

  push(timeSeconds: number, sample: Sample): void {
    this.#nextSeconds = timeSeconds + this.#intervalSeconds;
    this.#samples.push(sample);
    if (this.#samples.length < this.#max) return;
    this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
    this.#intervalSeconds *= 2;
  }

  /** In order of arrival. */
  get all(): readonly Sample[] {
    return this.#samples;
  }
}
