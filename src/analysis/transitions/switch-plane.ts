import type { Mixture } from './mixture.ts';

/** When the parts of a picture switch from old to new, as a plane over the picture: 0 is the start, 1 the end. */
export interface SwitchPlane {
  /** Change of the switch time over the whole width and height; for a line, over the whole radius, and 0. */
  readonly slopes: readonly [number, number];
  /** 0..1: explained share of the variance of the switch times. */
  readonly explained: number;
}

/** Weighted least-squares plane through the cells' switch times; weights are the energies of their change. */
export function switchPlane(
  cells: Mixture,
  position: (cell: number) => readonly [number, number],
): SwitchPlane {
  const points = Array.from(cells.energies, (energy, cell) => ({
    weight: Math.sqrt(energy),
    place: position(cell),
    time: cells.switchTime(cell),
  }));
  // Weighted means, then sums of squares and products about them.
  let [total, sumX, sumY, sumT] = [0, 0, 0, 0];
  for (const { weight, place, time } of points) {
    total += weight;
    sumX += weight * place[0];
    sumY += weight * place[1];
    sumT += weight * time;
  }
  let [xx, xy, yy, xt, yt, tt] = [0, 0, 0, 0, 0, 0];
  for (const { weight, place, time } of points) {
    const x = place[0] - sumX / total;
    const y = place[1] - sumY / total;
    const t = time - sumT / total;
    xx += weight * x * x;
    xy += weight * x * y;
    yy += weight * y * y;
    xt += weight * x * t;
    yt += weight * y * t;
    tt += weight * t * t;
  }
  if (total === 0 || xx === 0 || tt === 0) return { slopes: [0, 0], explained: 0 };
  const determinant = xx * yy - xy * xy;
  const slopes: [number, number] =
    determinant > 0 ? [(xt * yy - yt * xy) / determinant, (yt * xx - xt * xy) / determinant] : [xt / xx, 0];
  return { slopes, explained: (slopes[0] * xt + slopes[1] * yt) / tt };
}
