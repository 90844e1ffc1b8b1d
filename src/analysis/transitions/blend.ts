import type { FrameSketch } from '../frames/sketch.ts';
import { type Banding, bandingsFor } from './banding.ts';
import { Comparison, Mixture } from './mixture.ts';
import { type SwitchPlane, switchPlane } from './switch-plane.ts';
import type { Span } from './window.ts';

/** Model of the pictures between an old and a new one as mixtures of the two, part by part. */
export interface BlendAnalysis {
  /**
   * Share of the new picture, about 0..1, per sample from `from` to `to`. It covers the whole picture, and
   * the mean over the columns, rows or rings: the position of the edge of a wipe or a circle.
   */
  readonly progress: {
    readonly whole: Float64Array;
    readonly columns: Float64Array;
    readonly rows: Float64Array;
    readonly rings: Float64Array;
  };
  /** Residual of a mixture with one share for the whole picture, relative to the difference old–new. */
  readonly dissolveResidual: number;
  /** The same with one share for each column, row and ring. */
  readonly columnResidual: number;
  readonly rowResidual: number;
  readonly ringResidual: number;
  /** The same for each cell of a 12×7 grid: no mixture of the two pictures explains it. */
  readonly cellResidual: number;
  /**
   * Switch time of each part (0 start .. 1 end), as a plane over x and y, and as a line over the distance from
   * the middle.
   */
  readonly across: SwitchPlane;
  readonly outward: SwitchPlane;
  /** Root mean square difference of the old and the new picture, levels of 255. */
  readonly difference: number;
}

/**
 * Models the samples between `start` and `end` as mixtures F = A + α (B − A) of the first and the last one.
 * Least squares fits α over the whole picture and over its parts. Progress is returned from `from` to `to`,
 * which include `start` and `end`.
 */
export function analyseBlend(
  samples: readonly FrameSketch[],
  { start, end }: Span,
  { from, to }: { readonly from: number; readonly to: number },
): BlendAnalysis {
  const a = samples[start];
  const b = samples[end];
  const bandings = bandingsFor(a.smallWidth, a.smallHeight);
  const comparison = new Comparison(a, b);
  const followed = (banding: Banding) => ({
    mixture: new Mixture(comparison, banding),
    progress: new Float64Array(to - from + 1),
  });
  const whole = followed(bandings.whole);
  const columns = followed(bandings.columns);
  const rows = followed(bandings.rows);
  const rings = followed(bandings.rings);
  const cells = new Mixture(comparison, bandings.cells);
  for (let i = from; i <= to; i++) {
    const isInside = i > start && i < end;
    comparison.compare(samples[i]);
    for (const { mixture, progress } of [whole, columns, rows, rings]) {
      mixture.add(comparison, isInside);
      progress[i - from] = mixture.meanShare();
    }
    if (isInside) cells.add(comparison, true);
  }
  const { cellsAcross, cellsDown } = bandings;
  const reach = Math.hypot(a.width, a.height) / 2;
  const x = (cell: number): number => ((cell % cellsAcross) + 0.5) / cellsAcross;
  const y = (cell: number): number => (Math.floor(cell / cellsAcross) + 0.5) / cellsDown;
  return {
    progress: {
      whole: whole.progress,
      columns: columns.progress,
      rows: rows.progress,
      rings: rings.progress,
    },
    dissolveResidual: whole.mixture.residual,
    columnResidual: columns.mixture.residual,
    rowResidual: rows.mixture.residual,
    ringResidual: rings.mixture.residual,
    cellResidual: cells.residual,
    across: switchPlane(cells, (cell) => [x(cell), y(cell)]),
    outward: switchPlane(cells, (cell) => [
      Math.hypot((x(cell) - 0.5) * a.width, (y(cell) - 0.5) * a.height) / reach,
      0,
    ]),
    difference: whole.mixture.difference,
  };
}
