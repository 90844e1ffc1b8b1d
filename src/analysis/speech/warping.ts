/** Dynamic time warping: the least mean distance of two sequences at speeds from one half to double. */

export interface WarpedEnds {
  /** Mean distance of the best path that ends at each column, over the rows; infinite: there is none. */
  readonly costs: Float32Array;
  /** Column at which that path begins. */
  readonly starts: Int32Array;
  /** Least sum of distances up to each row. */
  readonly sums: Float32Array;
}

/**
 * All rows, in order, against a part of the columns that begins before column `startsBefore`. Steps: one row and one or two columns, or two rows and
 * one column (H. Sakoe, S. Chiba, IEEE Trans. ASSP 26, 1978).
 */
export function warpedEnds(
  {
    rows,
    columns,
    startsBefore,
  }: { readonly rows: number; readonly columns: number; readonly startsBefore: number },
  distance: (row: number, column: number) => number,
): WarpedEnds {
  const lines = Array.from({ length: 3 }, () => ({
    costs: new Float32Array(columns).fill(Number.POSITIVE_INFINITY),
    starts: new Int32Array(columns),
    distances: new Float32Array(columns),
  }));
  let [now, before, earlier] = lines;
  const sums = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const here = distance(row, column);
      now.distances[column] = here;
      if (row === 0) {
        now.costs[column] = column < startsBefore ? here : Number.POSITIVE_INFINITY;
        now.starts[column] = column;
        continue;
      }
      let [best, start] = [Number.POSITIVE_INFINITY, 0];
      if (column >= 1) [best, start] = [before.costs[column - 1], before.starts[column - 1]];
      if (column >= 2 && before.costs[column - 2] < best)
        [best, start] = [before.costs[column - 2], before.starts[column - 2]];
      if (row >= 2 && column >= 1) {
        const skipping = earlier.costs[column - 1] + before.distances[column];
        if (skipping < best) [best, start] = [skipping, earlier.starts[column - 1]];
      }
      now.costs[column] = best + here;
      now.starts[column] = start;
    }
    sums[row] = now.costs.reduce((least, cost) => Math.min(least, cost), Number.POSITIVE_INFINITY);
    [now, before, earlier] = [earlier, now, before];
  }
  return { costs: before.costs.map((cost) => cost / rows), starts: before.starts, sums };
}
