/**
 * Samples of a clip at a steady interval, `most` at most: when there are as many, every second one goes and the interval
 * doubles, so that a clip of any length is sampled evenly.
 */
export class ThinnedSamples<Sample> {
  #samples: Sample[] = [];
  #intervalSeconds: number;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  readonly #most: number;

  constructor(firstIntervalSeconds: number, most: number) {
    this.#intervalSeconds = firstIntervalSeconds;
    this.#most = most;
  }

  /** Whether a sample is due; the tolerance keeps a frame that lies on the interval but for rounding. */
  isDue(timeSeconds: number): boolean {
    return timeSeconds >= this.#nextSeconds - 1e-6;
  }

  push(timeSeconds: number, sample: Sample): void {
    this.#nextSeconds = timeSeconds + this.#intervalSeconds;
    this.#samples.push(sample);
    if (this.#samples.length < this.#most) return;
    this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
    this.#intervalSeconds *= 2;
  }

  /** In the order in which they came. */
  get all(): readonly Sample[] {
    return this.#samples;
  }
}
