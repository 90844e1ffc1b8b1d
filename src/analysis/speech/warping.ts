/** Dynamic time warping: the least mean distance of two sequences at speeds from one half to double. */

export interface WarpedEnds {
  /** Mean distance of the best path that ends at each column, over the rows; infinite: there is none. */
  readonly costs: Float32Array;
  /** Column at which that path begins. */
  readonly starts: Int32Array;
  /** Least sum of distances up to each row. */
  readonly sums: Float32Array;
}

/** Of one row, at each column: cost and start of the best path, and distance. */
interface Line {
  readonly costs: Float32Array;
  readonly starts: Int32Array;
  readonly distances: Float32Array;
}

/**
 * All rows, in order, against a part of the columns that begins before column `startsBefore`. Steps: one row and one or two columns, or two rows and
 * one column (H. Sakoe, S. Chiba, IEEE Trans. ASSP 26, 1978). `distances` writes those of a row to all columns to `to`.
 */
export function warpedEnds(
  {
    rows,
    columns,
    startsBefore,
  }: { readonly rows: number; readonly columns: number; readonly startsBefore: number },
  distances: (row: number, to: Float32Array) => void,
): WarpedEnds {
  const lines = Array.from(
    { length: 3 },
    (): Line => ({
      costs: new Float32Array(columns).fill(Number.POSITIVE_INFINITY),
      starts: new Int32Array(columns),
      distances: new Float32Array(columns),
    }),
  );
  let [now, before, earlier] = lines;
  const sums = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    distances(row, now.distances);
    if (row === 0) {
      for (let column = 0; column < columns; column++) {
        now.costs[column] = column < startsBefore ? now.distances[column] : Number.POSITIVE_INFINITY;
        now.starts[column] = column;
      }
    } else extendPaths(now, before, row >= 2 ? earlier : null);
    sums[row] = leastOf(now.costs);
    [now, before, earlier] = [earlier, now, before];
  }
  return { costs: before.costs.map((cost) => cost / rows), starts: before.starts, sums };
}

/** The best step to each column of `now` from the row before or from the one before that. */
function extendPaths({ costs, starts, distances }: Line, before: Line, earlier: Line | null): void {
  costs[0] = Number.POSITIVE_INFINITY;
  for (let column = 1; column < costs.length; column++) {
    let best = before.costs[column - 1];
    let start = before.starts[column - 1];
    if (column >= 2 && before.costs[column - 2] < best) {
      best = before.costs[column - 2];
      start = before.starts[column - 2];
    }
    if (earlier !== null) {
      const skipping = earlier.costs[column - 1] + before.distances[column];
      if (skipping < best) {
        best = skipping;
        start = earlier.starts[column - 1];
      }
    }
    costs[column] = best + distances[column];
    starts[column] = start;
  }
}

function leastOf(costs: Float32Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (const cost of costs) if (cost < least) least = cost;
  return least;
}
