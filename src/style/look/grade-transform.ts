import { seededRandom } from '../../signal/seeded-random.ts';
import { gradeLab } from './grade.ts';
import { CLOUD_POINTS } from './grade-cloud.ts';
import { fitted, whitesOf } from './grade-fit.ts';
import { type ColourTransform, gradeOfTransform, IDENTITY, type TransformLimits } from './grade-form.ts';

const ROUNDS = 12;
const DIRECTIONS = 12;

/**
 * Brings the cloud `from` near `to` (both of `colourCloud`) by a transform that a picture survives: in each round every
 * point is drawn towards where the optimal transport along many directions would have it (sliced Wasserstein flow;
 * Rabin et al. 2011, Bonneel et al. 2015), and the transform within the limits that does this best is fitted.
 */
export function fitTransform(from: Float64Array, to: Float64Array, limits: TransformLimits): ColourTransform {
  const random = seededRandom(5);
  const whites = whitesOf(from, to);
  let transform = IDENTITY;
  const points = new Float64Array(from.length);
  const drawn = new Float64Array(3);
  for (let round = 0; round < ROUNDS; round++) {
    const grade = gradeOfTransform(transform, limits);
    for (let at = 0; at < from.length; at += 3) {
      gradeLab(grade, from[at]!, from[at + 1]!, from[at + 2]!, drawn);
      points.set(drawn, at);
    }
    drawTowards(points, to, random);
    transform = fitted(from, points, whites, limits);
  }
  return transform;
}

/** Moves each point by the mean, over directions, of its way to the point of equal rank. */
function drawTowards(points: Float64Array, to: Float64Array, random: () => number): void {
  const moves = new Float64Array(points.length);
  const places = new Float64Array(CLOUD_POINTS);
  const wanted = new Float64Array(CLOUD_POINTS);
  const order = Array.from({ length: CLOUD_POINTS }, (_, at) => at);
  for (let round = 0; round < DIRECTIONS; round++) {
    // Even on the sphere by Archimedes: height and azimuth.
    const x = 2 * random() - 1;
    const azimuth = 2 * Math.PI * random();
    const radius = Math.sqrt(1 - x * x);
    const [y, z] = [radius * Math.cos(azimuth), radius * Math.sin(azimuth)];
    for (let at = 0; at < CLOUD_POINTS; at++) {
      places[at] = x * points[at * 3]! + y * points[at * 3 + 1]! + z * points[at * 3 + 2]!;
      wanted[at] = x * to[at * 3]! + y * to[at * 3 + 1]! + z * to[at * 3 + 2]!;
    }
    order.sort((left, right) => places[left]! - places[right]!);
    wanted.sort();
    for (let rank = 0; rank < CLOUD_POINTS; rank++) {
      const at = order[rank]!;
      // Three axes share what the directions see.
      const way = (3 * (wanted[rank]! - places[at]!)) / DIRECTIONS;
      moves[at * 3]! += way * x;
      moves[at * 3 + 1]! += way * y;
      moves[at * 3 + 2]! += way * z;
    }
  }
  for (let at = 0; at < points.length; at++) points[at]! += moves[at]!;
}
