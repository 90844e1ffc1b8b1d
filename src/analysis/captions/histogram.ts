export const BYTE_VALUES = 256;

/** Counts of byte values: medians and shares of many pixels without storing them. */
export class ByteHistogram {
  /** One count for each value, then their total. */
  readonly #counts: Uint32Array;

  constructor(counts = new Uint32Array(BYTE_VALUES + 1)) {
    this.#counts = counts;
  }

  merge(other: ByteHistogram): void {
    for (let at = 0; at < this.#counts.length; at++) this.#counts[at] += other.#counts[at];
  }

  /** The value below which this share (0 ≤ share < 1) of all values lies; 0 without values. */
  quantile(share: number): number {
    let left = share * this.#total;
    for (let value = 0; value < BYTE_VALUES; value++) {
      left -= this.#counts[value];
      if (left < 0) return value;
    }
    return 0;
  }

  /** Mean of the values up to `most`; 0 without any. */
  meanUpTo(most: number): number {
    let count = 0;
    let sum = 0;
    for (let value = 0; value <= Math.min(255, most); value++) {
      count += this.#counts[value];
      sum += value * this.#counts[value];
    }
    return count === 0 ? 0 : sum / count;
  }

  /** Share of the values from `least` to `most`, both included; 0 without any. */
  share(least: number, most: number): number {
    let count = 0;
    for (let value = Math.max(0, least); value <= Math.min(255, most); value++) count += this.#counts[value];
    return this.#total === 0 ? 0 : count / this.#total;
  }

  get #total(): number {
    return this.#counts[BYTE_VALUES];
  }
}
