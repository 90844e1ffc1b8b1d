/** What others do, written for comparison from the papers: statistics of whole pictures, applied pixel by pixel in Lab. */
import { labToRgb } from '../../src/signal/color-space.ts';
import type { LabPicture } from '../score/look.ts';
import { labPicture } from './frames.ts';

/** Maps the (L, a, b) in `lab[0..2]` in place. */
export type LabMap = (lab: Float64Array) => void;

interface Moments {
  readonly mean: readonly number[];
  /** 3×3, row-major. */
  readonly covariance: readonly number[];
}

/** Mean and deviation of each axis (Reinhard et al. 2001, here in CIELAB). Both clouds are (L, a, b) triples. */
export function reinhard(source: Float32Array, target: Float32Array): LabMap {
  const [from, to] = [momentsOf(source), momentsOf(target)];
  return (lab) => {
    for (let axis = 0; axis < 3; axis++) {
      const gain = Math.sqrt(to.covariance[axis * 4] / Math.max(1e-6, from.covariance[axis * 4]));
      lab[axis] = to.mean[axis] + gain * (lab[axis] - from.mean[axis]);
    }
  };
}

/** The linear Monge–Kantorovich map of the two clouds' Gaussians (Pitié and Kokaram 2007). */
export function mongeKantorovich(source: Float32Array, target: Float32Array): LabMap {
  const [from, to] = [momentsOf(source), momentsOf(target)];
  const root = ofEigenvalues(from.covariance, (value) => Math.sqrt(Math.max(0, value)));
  const inverse = ofEigenvalues(from.covariance, (value) => 1 / Math.sqrt(Math.max(1e-6, value)));
  const middle = ofEigenvalues(product(product(root, to.covariance), root), (value) =>
    Math.sqrt(Math.max(0, value)),
  );
  const map = product(product(inverse, middle), inverse);
  return (lab) => {
    const [x, y, z] = [0, 1, 2].map((axis) => lab[axis] - from.mean[axis]) as [number, number, number];
    for (let row = 0; row < 3; row++)
      lab[row] = to.mean[row] + map[row * 3] * x + map[row * 3 + 1] * y + map[row * 3 + 2] * z;
  };
}

/** Half the map, half the source. */
export function halfOf(map: LabMap): LabMap {
  return (lab) => {
    const before = [...lab];
    map(lab);
    for (let axis = 0; axis < 3; axis++) lab[axis] = (lab[axis] + before[axis]) / 2;
  };
}

/** The picture through a map, cut off at the ends of RGB as such programs do. */
export function mapped(picture: LabPicture, map: LabMap): LabPicture {
  const { width, height, lab } = picture;
  const bytes = new Uint8ClampedArray(lab.length);
  const [color, rgb] = [new Float64Array(3), new Float64Array(3)];
  for (let at = 0; at < lab.length; at += 3) {
    for (let axis = 0; axis < 3; axis++) color[axis] = lab[at + axis];
    map(color);
    labToRgb(color[0], color[1], color[2], rgb);
    for (let axis = 0; axis < 3; axis++) bytes[at + axis] = 255 * rgb[axis];
  }
  return labPicture(width, height, new Uint8Array(bytes.buffer));
}

function momentsOf(cloud: Float32Array): Moments {
  const count = cloud.length / 3;
  const mean = [0, 0, 0];
  for (let at = 0; at < cloud.length; at++) mean[at % 3] += cloud[at] / count;
  const covariance = new Array<number>(9).fill(0);
  for (let at = 0; at < cloud.length; at += 3) {
    for (let cell = 0; cell < 9; cell++) {
      const [row, column] = [Math.floor(cell / 3), cell % 3];
      covariance[cell] += ((cloud[at + row] - mean[row]) * (cloud[at + column] - mean[column])) / count;
    }
  }
  return { mean, covariance };
}

function product(one: readonly number[], other: readonly number[]): number[] {
  return Array.from({ length: 9 }, (_, cell) => {
    const [row, column] = [Math.floor(cell / 3), cell % 3];
    return [0, 1, 2].reduce((sum, k) => sum + one[row * 3 + k] * other[k * 3 + column], 0);
  });
}

/** A symmetric 3×3 matrix with its eigenvalues changed: by Jacobi's rotations. */
function ofEigenvalues(matrix: readonly number[], change: (value: number) => number): number[] {
  let values = [...matrix];
  let vectors = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      if (Math.abs(values[p * 3 + q]) < 1e-12) continue;
      const angle = Math.atan2(2 * values[p * 3 + q], values[q * 4] - values[p * 4]) / 2;
      const turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      turn[p * 4] = turn[q * 4] = Math.cos(angle);
      turn[p * 3 + q] = Math.sin(angle);
      turn[q * 3 + p] = -Math.sin(angle);
      values = product(product(transposed(turn), values), turn);
      vectors = product(vectors, turn);
    }
  }
  const diagonal = Array.from({ length: 9 }, (_, cell) => (cell % 4 === 0 ? change(values[cell]) : 0));
  return product(product(vectors, diagonal), transposed(vectors));
}

function transposed(matrix: readonly number[]): number[] {
  return Array.from({ length: 9 }, (_, cell) => matrix[(cell % 3) * 3 + Math.floor(cell / 3)]);
}
