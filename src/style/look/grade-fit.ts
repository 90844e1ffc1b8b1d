import { CLOUD_POINTS } from './grade-cloud.ts';
import {
  type ColourTransform,
  type Pair,
  SHIFT_KNOTS,
  shiftWeights,
  type TransformLimits,
} from './grade-form.ts';
import { ofEigenvalues, type Symmetric } from './symmetric.ts';
import { fitToneCurve } from './tone-curve.ts';

const STRATA = 21;
/** Pull of the map towards the identity, in squared Lab units: thin spreads are then hardly stretched. */
const RIDGE = 12;
/** Pull of the shifts towards each other, against the weight 1 of all points: a steep course draws noise out. */
const EVENNESS = 0.03;
/** Whites are seen at once when they are off: the highlights' own means count this much, against 1 of all points. */
const WHITES_PULL = 0.6;
const HIGHLIGHTS = 70;
const MIN_HIGHLIGHTS = 0.03;
/** Neighbouring shifts differ by no more, in (a, b): one plank of wood would be grey and orange. */
const MAX_SPLIT = 11;

/** Mean (a, b) of the highlights of two clouds. */
export interface Whites {
  readonly from: Pair;
  readonly to: Pair;
}

/** Null where one has next to no highlights: clouds ascend in lightness. */
export function whitesOf(from: Float64Array, to: Float64Array): Whites | null {
  const [one, other] = [from, to].map((cloud): Pair | null => {
    let [a, b, count] = [0, 0, 0];
    for (let at = cloud.length - 3; at >= 0 && cloud[at]! > HIGHLIGHTS; at -= 3) {
      a += cloud[at + 1]!;
      b += cloud[at + 2]!;
      count++;
    }
    return count < MIN_HIGHLIGHTS * CLOUD_POINTS ? null : [a / count, b / count];
  });
  return one == null || other == null ? null : { from: one, to: other };
}

/** The transform within the limits that comes nearest to turning `from` into `to`, point by point. */
export function fitted(
  from: Float64Array,
  to: Float64Array,
  whites: Whites | null,
  limits: TransformLimits,
): ColourTransform {
  const { minScale, maxScale } = limits;
  const strata = [lightnessOfStrata(from), lightnessOfStrata(to)] as const;
  const lightness = fitToneCurve(strata[0], strata[1], limits);
  const free = leastSquares(from, to, whites, null);
  const map = ofEigenvalues(free.map, (value) => Math.max(minScale, Math.min(maxScale, value)));
  return { lightness, map, shifts: leastSquares(from, to, whites, map).shifts };
}

/** Mean L of runs of points; the points of both clouds stand in the order of the source's lightness. */
function lightnessOfStrata(points: Float64Array): number[] {
  return Array.from({ length: STRATA }, (_, index) => {
    const [start, end] = [index, index + 1].map((part) => Math.floor((part * CLOUD_POINTS) / STRATA));
    let sum = 0;
    for (let at = start!; at < end!; at++) sum += points[at * 3]!;
    return Math.max(0, Math.min(100, sum / (end! - start!)));
  });
}

/** (a, b) of `to` from that of `from`: map (given, or free and symmetric) and shifts, by regularised least squares. */
function leastSquares(
  from: Float64Array,
  to: Float64Array,
  whites: Whites | null,
  given: Symmetric | null,
): { map: Symmetric; shifts: ColourTransform['shifts'] } {
  const count = given === null ? 5 : 3;
  const matrix = Array.from({ length: count }, () => new Float64Array(count));
  const sides = [new Float64Array(count), new Float64Array(count)] as const;
  const features = new Float64Array(count);
  const observe = (l: number, [a, b]: Pair, [toA, toB]: Pair, weight: number) => {
    shiftWeights(l, features);
    if (given === null) features.set([a, b], 3);
    const wantedA = toA - (given === null ? 0 : given[0] * a + given[1] * b);
    const wantedB = toB - (given === null ? 0 : given[1] * a + given[2] * b);
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++)
        matrix[row]![column]! += weight * features[row]! * features[column]!;
      sides[0][row]! += weight * features[row]! * wantedA;
      sides[1][row]! += weight * features[row]! * wantedB;
    }
  };
  for (let at = 0; at < from.length; at += 3)
    observe(from[at]!, [from[at + 1]!, from[at + 2]!], [to[at + 1]!, to[at + 2]!], 1 / CLOUD_POINTS);
  if (whites !== null) observe(SHIFT_KNOTS[2], whites.from, whites.to, WHITES_PULL);
  for (const [low, high] of [
    [0, 1],
    [1, 2],
  ] as const) {
    matrix[low]![low]! += EVENNESS;
    matrix[high]![high]! += EVENNESS;
    matrix[low]![high]! -= EVENNESS;
    matrix[high]![low]! -= EVENNESS;
  }
  if (given === null) {
    for (const [axis, row] of [3, 4].entries()) {
      matrix[row]![row]! += RIDGE;
      sides[axis]![row]! += RIDGE;
    }
  }
  const [ofA, ofB] = sides.map((side) => solve(matrix, side)) as [Float64Array, Float64Array];
  return {
    map: given ?? [ofA[3]!, (ofA[4]! + ofB[3]!) / 2, ofB[4]!],
    shifts: joined(
      [0, 1, 2].map((knot): Pair => [ofA[knot]!, ofB[knot]!]),
      knotMasses(from),
    ),
  };
}

/** Keeps neighbouring shifts within `MAX_SPLIT` of each other; what that takes away in all, every one gets. */
function joined(shifts: readonly Pair[], masses: Float64Array): ColourTransform['shifts'] {
  const middle = shifts[1]!;
  const near = shifts.map(([a, b]): Pair => {
    const [da, db] = [a - middle[0], b - middle[1]];
    const length = Math.hypot(da, db);
    const factor = length < 1e-9 ? 0 : (MAX_SPLIT * Math.tanh(length / MAX_SPLIT)) / length;
    return [middle[0] + factor * da, middle[1] + factor * db];
  });
  const total = masses[0]! + masses[1]! + masses[2]!;
  const lost = [0, 1].map((axis) =>
    near.reduce((sum, one, knot) => sum + (masses[knot]! * (shifts[knot]![axis]! - one[axis]!)) / total, 0),
  );
  return near.map(([a, b]): Pair => [a + lost[0]!, b + lost[1]!]) as unknown as ColourTransform['shifts'];
}

function knotMasses(from: Float64Array): Float64Array {
  const [masses, weights] = [new Float64Array(3), new Float64Array(3)];
  for (let at = 0; at < from.length; at += 3) {
    shiftWeights(from[at]!, weights);
    for (let knot = 0; knot < 3; knot++) masses[knot]! += weights[knot]!;
  }
  return masses;
}

/** Gaussian elimination with pivots; a column without any stays 0. */
function solve(matrix: readonly Float64Array[], side: Float64Array): Float64Array {
  const count = side.length;
  const rows = matrix.map((row, index) => Float64Array.of(...row, side[index]!));
  for (let column = 0; column < count; column++) {
    const pivot = rows.findIndex(
      (row, index) =>
        index >= column &&
        rows.slice(column).every((other) => Math.abs(other[column]!) <= Math.abs(row[column]!)),
    );
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const top = rows[column]!;
    if (Math.abs(top[column]!) < 1e-9) continue;
    for (const row of rows) {
      if (row === top) continue;
      const factor = row[column]! / top[column]!;
      for (let at = column; at <= count; at++) row[at]! -= factor * top[at]!;
    }
  }
  return Float64Array.from(rows, (row, index) =>
    Math.abs(row[index]!) < 1e-9 ? 0 : row[count]! / row[index]!,
  );
}
