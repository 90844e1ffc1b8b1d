/** Maps a color by a table of colors, or by a share of its effect. */
import type { CubeGrade } from '../../domain/footage.ts';
import { between, clamp } from '../../signal/interpolation.ts';

export type Triple = readonly [number, number, number];

/** Table of a grade that consists of curves. */
const IDENTITY: CubeGrade = {
  size: 2,
  rgb: Float32Array.from({ length: 24 }, (_, at) => (Math.floor(at / 3) >> (at % 3)) & 1),
};
/** Entries along an axis that approximate inverse curves: the size of our own tables. */
const FINE_SIZE = 33;

/** A grade that consists of curves. */
export function curvesAlone(curves: Float32Array): CubeGrade {
  return { ...IDENTITY, curves };
}

export function isCurvesAlone({ size, rgb, curves }: CubeGrade): boolean {
  return curves !== undefined && size === 2 && IDENTITY.rgb.every((value, at) => value === rgb[at]);
}

/** Value of one of three curves, linear between its entries, constant outside. */
export function curveAt(curves: Float32Array, axis: number, value: number): number {
  const last = curves.length / 3 - 1;
  const place = clamp(value * last, 0, last);
  const before = Math.min(last - 1, Math.floor(place));
  return between(curves[3 * before + axis], curves[3 * (before + 1) + axis], place - before);
}

/** A color, 0..1, after curves and table, linear between entries. The result may leave 0..1. */
export function cubeColor(cube: CubeGrade, color: Triple): Triple {
  const { curves } = cube;
  return tableAt(cube, curves === undefined ? color : axes((axis) => curveAt(curves, axis, color[axis])));
}

function tableAt({ size, rgb }: CubeGrade, color: Triple): Triple {
  const places = axes((axis) => clamp(color[axis] * (size - 1), 0, size - 1));
  const cells = axes((axis) => Math.min(size - 2, Math.floor(places[axis])));
  return axes((channel) => {
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      let [weight, at] = [1, 0];
      for (let axis = 2; axis >= 0; axis--) {
        const step = (corner >> axis) & 1;
        const share = places[axis] - cells[axis];
        weight *= step === 1 ? share : 1 - share;
        at = at * size + cells[axis] + step;
      }
      sum += weight * rgb[3 * at + channel];
    }
    return sum;
  });
}

/** The grade that moves each color by `share` (0..1) of the table's change. */
export function partOfCube(cube: CubeGrade, share: number): CubeGrade {
  const { curves } = cube;
  if (share === 1) return cube;
  if (curves === undefined) return partOfTable(cube, share, (_, value) => value);
  if (isCurvesAlone(cube)) {
    const last = curves.length / 3 - 1;
    return curvesAlone(curves.map((value, at) => between(Math.floor(at / 3) / last, value, share)));
  }
  const inverses = axes((axis) => risingInverse(curves, axis));
  return { ...partOfTable(refined(cube), share, (axis, value) => inverses[axis](value)), curves };
}

/** `colorAt`: the color whose channel has a coordinate of the table. */
function partOfTable(
  { size, rgb }: CubeGrade,
  share: number,
  colorAt: (axis: number, coordinate: number) => number,
): CubeGrade {
  const own = axes((axis) => Array.from({ length: size }, (_, index) => colorAt(axis, index / (size - 1))));
  const index = (at: number, axis: number) => Math.floor(at / size ** axis) % size;
  return {
    size,
    rgb: rgb.map((value, at) => between(own[at % 3][index(Math.floor(at / 3), at % 3)], value, share)),
  };
}

/** The same table with at least `FINE_SIZE` entries along an axis, including the old ones. */
function refined(cube: CubeGrade): CubeGrade {
  const size = (cube.size - 1) * Math.ceil((FINE_SIZE - 1) / (cube.size - 1)) + 1;
  if (size === cube.size) return cube;
  const rgb = new Float32Array(3 * size ** 3);
  const last = size - 1;
  let at = 0;
  for (let blue = 0; blue <= last; blue++)
    for (let green = 0; green <= last; green++)
      for (let red = 0; red <= last; red++, at += 3)
        rgb.set(tableAt(cube, [red / last, green / last, blue / last]), at);
  return { size, rgb };
}

/** The least value at which a curve reaches a coordinate; the end of its range if it never does. */
function risingInverse(curves: Float32Array, axis: number): (coordinate: number) => number {
  const count = curves.length / 3;
  const reached = new Float64Array(count);
  for (let at = 0; at < count; at++)
    reached[at] = Math.max(curves[3 * at + axis], at === 0 ? Number.NEGATIVE_INFINITY : reached[at - 1]);
  return (coordinate) => {
    let [before, after] = [0, count - 1];
    if (coordinate <= reached[0]) return 0;
    if (coordinate > reached[after]) return 1;
    while (after - before > 1) {
      const middle = (before + after) >> 1;
      if (reached[middle] >= coordinate) after = middle;
      else before = middle;
    }
    const rise = reached[after] - reached[before];
    return (before + (rise > 0 ? (coordinate - reached[before]) / rise : 1)) / (count - 1);
  };
}

/** A value for each of the three axes. */
export function axes<T>(of: (axis: number) => T): readonly [T, T, T] {
  return [of(0), of(1), of(2)];
}
