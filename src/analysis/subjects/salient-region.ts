import type { Picture } from '../../domain/footage.ts';
import type { Box } from '../facts.ts';
import { distanceFromEdges } from './edge-distance.ts';

/** A part of a picture that differs from everything around it. */
export interface SalientRegion {
  readonly box: Box;
  /** 0..1: distance of its color from the surroundings', reduced if there are other such parts. */
  readonly salience: number;
}

/** Lab distance from the surroundings below which nothing is salient, and at which salience is half its maximum. */
const MIN_DISTANCE = 12;
export const HALF_DISTANCE = 16;
/** A cell belongs to the region from this share of the largest distance. */
const PEAK_SHARE = 0.45;
/** Largest ratio of its box's sides. */
const LINE_RATIO = 5;
/**
 * Most contact with the picture's edges, the lower one counted half, in square roots of the number of cells: more
 * contact means background.
 */
const MAX_CONTACT = 0.7;

/**
 * The most salient region of a small RGB picture; null without one. Its connected cells differ in color from
 * the left, right and upper edges (boundary prior: Wei, Wen, Zhu and Sun, "Geodesic Saliency", 2012). The
 * lower edge does not count: people stand there. The cells hardly touch the edges (boundary connectivity:
 * Zhu, Liang, Wei and Sun, "Saliency Optimization", 2014).
 */
export function findSalientRegion(picture: Picture): SalientRegion | null {
  const { distance, width, height } = distanceFromEdges(picture);
  let peak = 0;
  for (const value of distance) peak = Math.max(peak, value);
  if (peak < MIN_DISTANCE) return null;
  const threshold = Math.max(MIN_DISTANCE, PEAK_SHARE * peak);
  const { members, energy, total } = strongestPart(distance, width, height, threshold);
  if (contactOf(members, width, height) > MAX_CONTACT) return null;
  const alone = energy / total;
  const distinct = distinctness(energy / members.length);
  const box = boxOf(members, width, height);
  // Two backgrounds share mixed cells along their border: a line, straight or round a corner.
  const [across, down] = [box.width * width, box.height * height];
  if (Math.max(across, down) >= LINE_RATIO * Math.min(across, down)) return null;
  return { box, salience: distinct * Math.max(0, 2 * alone - 1) };
}

/** 0..1: salience of a color at this Lab distance from its surroundings. */
function distinctness(distance: number): number {
  return distance ** 2 / (distance ** 2 + HALF_DISTANCE ** 2);
}

/** The connected cells (4 neighbours) above the threshold with the largest sum, and the sum of all such cells. */
function strongestPart(distance: Float32Array, width: number, height: number, threshold: number) {
  const visited = new Uint8Array(distance.length);
  let best: { members: number[]; energy: number } = { members: [], energy: 0 };
  let total = 0;
  for (let start = 0; start < distance.length; start++) {
    if (visited[start] === 1 || distance[start] < threshold) continue;
    const members = [start];
    let energy = 0;
    visited[start] = 1;
    for (let at = 0; at < members.length; at++) {
      const cell = members[at];
      energy += distance[cell];
      const x = cell % width;
      const neighbours = [
        x > 0 ? cell - 1 : -1,
        x < width - 1 ? cell + 1 : -1,
        cell - width,
        cell + width < width * height ? cell + width : -1,
      ];
      for (const next of neighbours) {
        if (next < 0 || visited[next] === 1 || distance[next] < threshold) continue;
        visited[next] = 1;
        members.push(next);
      }
    }
    total += energy;
    if (energy > best.energy) best = { members, energy };
  }
  return { ...best, total };
}

function contactOf(members: readonly number[], width: number, height: number): number {
  let contact = 0;
  for (const cell of members) {
    const x = cell % width;
    if (x === 0) contact++;
    if (x === width - 1) contact++;
    if (cell < width) contact++;
    if (cell >= width * (height - 1)) contact += 0.5;
  }
  return contact / Math.sqrt(members.length);
}

function boxOf(members: readonly number[], width: number, height: number): Box {
  const columns = members.map((cell) => cell % width);
  const rows = members.map((cell) => Math.floor(cell / width));
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
  return {
    x: left / width,
    y: top / height,
    width: (right - left + 1) / width,
    height: (bottom - top + 1) / height,
  };
}
