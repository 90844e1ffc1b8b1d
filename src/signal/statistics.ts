/** Arithmetic mean; 0 of no values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return values.length === 0 ? 0 : sum / values.length;
}

/** Population standard deviation; 0 of no values. */
export function standardDeviation(values: ArrayLike<number>): number {
  const centre = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - centre) ** 2;
  return values.length === 0 ? 0 : Math.sqrt(sum / values.length);
}

/** Quantile `q` (0..1), interpolated linearly between ranks; NaN of no values. */
export function quantile(values: ArrayLike<number>, q: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), q);
}

/** Like `quantile`, for values in ascending order. */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.min(Math.max(q, 0), 1) * (sorted.length - 1);
  const below = Math.floor(rank);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (rank - below);
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** The first of the sorted items at which a share of the total weight is reached; undefined: there is none. */
export function quantileByWeight<Item>(
  sorted: readonly Item[],
  share: number,
  weightOf: (item: Item) => number,
): Item | undefined {
  const wanted = share * sorted.reduce((sum, item) => sum + weightOf(item), 0);
  let passed = 0;
  return sorted.find((item) => {
    passed += weightOf(item);
    return passed >= wanted;
  });
}

/** Straight line y = intercept + slope·x by weighted least squares, with the weighted RMS residual. */
export function fitLine(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): { slope: number; intercept: number; residual: number } {
  let sw = 0;
  let sx = 0;
  let sy = 0;
  for (let i = 0; i < x.length; i++) {
    const w = weights === undefined ? 1 : weights[i];
    sw += w;
    sx += w * x[i];
    sy += w * y[i];
  }
  if (sw === 0) return { slope: 0, intercept: 0, residual: 0 };
  const mx = sx / sw;
  const my = sy / sw;
  let sxx = 0;
  let sxy = 0;
  let syy = 0;
  for (let i = 0; i < x.length; i++) {
    const w = weights === undefined ? 1 : weights[i];
    sxx += w * (x[i] - mx) ** 2;
    sxy += w * (x[i] - mx) * (y[i] - my);
    syy += w * (y[i] - my) ** 2;
  }
  const slope = sxx === 0 ? 0 : sxy / sxx;
  return { slope, intercept: my - slope * mx, residual: Math.sqrt(Math.max(0, syy - slope * sxy) / sw) };
}

/** Maximum within `radius` of each index (Lemire 2006, one pass). */
export function slidingMaximum(values: Float32Array, radius: number): Float32Array {
  const result = new Float32Array(values.length);
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let i = 0; i < values.length + radius; i++) {
    if (i < values.length) {
      while (tail > head && values[queue[tail - 1]] <= values[i]) tail -= 1;
      queue[tail++] = i;
    }
    const centre = i - radius;
    if (centre < 0) continue;
    while (queue[head] < centre - radius) head += 1;
    result[centre] = values[queue[head]];
  }
  return result;
}

/** Mean within `radius` of each index; the window is shorter at the ends. */
export function slidingMean(values: ArrayLike<number>, radius: number): Float32Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return Float32Array.from({ length: values.length }, (_, i) => {
    const from = Math.max(0, i - radius);
    const to = Math.min(values.length, i + radius + 1);
    return (sums[to] - sums[from]) / (to - from);
  });
}
