/** Counts of byte values: medians and shares of many pixels without a list of them. */
export class ByteHistogram {
  readonly counts = new Uint32Array(256);
  total = 0;

  clear(): void {
    this.counts.fill(0);
    this.total = 0;
  }

  add(value: number): void {
    this.counts[value]++;
    this.total++;
  }

  merge(other: ByteHistogram): void {
    for (let value = 0; value < this.counts.length; value++) this.counts[value] += other.counts[value];
    this.total += other.total;
  }

  /** The value below which so large a share (0 up to, but not, 1) of all lies; 0 of nothing. */
  quantile(share: number): number {
    let left = share * this.total;
    for (let value = 0; value < this.counts.length; value++) {
      left -= this.counts[value];
      if (left < 0) return value;
    }
    return 0;
  }

  /** Mean of the values up to `most`; 0 of nothing. */
  meanUpTo(most: number): number {
    let count = 0;
    let sum = 0;
    for (let value = 0; value <= Math.min(255, most); value++) {
      count += this.counts[value];
      sum += value * this.counts[value];
    }
    return count === 0 ? 0 : sum / count;
  }

  /** Share of the values from `least` to `most`, both included; 0 of nothing. */
  share(least: number, most: number): number {
    let count = 0;
    for (let value = Math.max(0, least); value <= Math.min(255, most); value++) count += this.counts[value];
    return this.total === 0 ? 0 : count / this.total;
  }
}
