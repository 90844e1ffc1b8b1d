import type { Picture } from '../footage.ts';
import { bytesToLab } from '../signal/colour-space.ts';
import type { Box } from './facts.ts';

/** A part of a picture that stands out from all around it. */
export interface SalientRegion {
  readonly box: Box;
  /** 0..1: how far its colour is from the surroundings', and how much it is the only such thing. */
  readonly salience: number;
}

/** Of a side's cells, the share that may look like the thing: who stands at the edge of the picture still stands out. */
const TOUCHING_SHARE = 0.1;
/** Lab distance from the surroundings below which nothing stands out, and at which it does so half as much as it can. */
const LEAST_DISTANCE = 12;
const HALF_DISTANCE = 16;
/** Share of the farthest cell's distance from which a cell belongs to the thing. */
const PEAK_SHARE = 0.45;
/** Shares of the picture's area. */
const SMALLEST = 0.002;
const LARGEST = 0.4;
/** Length along the picture's edges, the lower one counted half, in roots of the cells: more, and it is background. */
const MOST_CONTACT = 0.7;
/** Lightness tells less than hue: light and shade fall on one thing. */
const LIGHTNESS_WEIGHT = 0.6;

/**
 * The thing that catches the eye in a small RGB picture: the connected cells whose colour is far from that of the left,
 * right and upper edges (the boundary prior of Wei, Wen, Zhu and Sun, "Geodesic Saliency Using Background Priors", 2012;
 * the lower edge is where people stand), and that lean little on the edges themselves (boundary connectivity: Zhu, Liang,
 * Wei and Sun, "Saliency Optimization from Robust Background Detection", 2014). Null where nothing does.
 */
export function findSalientRegion(picture: Picture): SalientRegion | null {
  const { width, height } = picture;
  const distance = distanceFromEdges(labOf(picture), width, height);
  let peak = 0;
  for (const value of distance) peak = Math.max(peak, value);
  if (peak < LEAST_DISTANCE) return null;
  const threshold = Math.max(LEAST_DISTANCE, PEAK_SHARE * peak);
  const { members, energy, total } = strongestPart(distance, width, height, threshold);
  const area = members.length / (width * height);
  if (area < SMALLEST || area > LARGEST || contactOf(members, width, height) > MOST_CONTACT) return null;
  const mean = energy / members.length;
  const alone = energy / total;
  const distinct = mean ** 2 / (mean ** 2 + HALF_DISTANCE ** 2);
  return { box: boxOf(members, width, height), salience: distinct * Math.max(0, 2 * alone - 1) };
}

/** L (weighted), a, b of each cell, one after the other. */
function labOf({ width, height, data }: Picture): Float32Array {
  const cells = new Float32Array(3 * width * height);
  const lab = new Float64Array(3);
  for (let at = 0; at < cells.length; at += 3) {
    bytesToLab(data[at]!, data[at + 1]!, data[at + 2]!, lab);
    cells[at] = LIGHTNESS_WEIGHT * lab[0]!;
    cells[at + 1] = lab[1]!;
    cells[at + 2] = lab[2]!;
  }
  return cells;
}

/** Of each cell: its colour's distance from the nearest colours of the three edges. */
function distanceFromEdges(cells: Float32Array, width: number, height: number): Float32Array {
  const sides = [
    Array.from({ length: width }, (_, x) => x),
    Array.from({ length: height }, (_, y) => y * width),
    Array.from({ length: height }, (_, y) => y * width + width - 1),
  ];
  const edge = [...new Set(sides.flat())];
  const rank = Math.floor(TOUCHING_SHARE * edge.length);
  const nearest = new Float32Array(rank + 1);
  return Float32Array.from({ length: width * height }, (_, cell) => {
    nearest.fill(Number.POSITIVE_INFINITY);
    for (const other of edge) {
      const l = cells[3 * cell]! - cells[3 * other]!;
      const a = cells[3 * cell + 1]! - cells[3 * other + 1]!;
      const b = cells[3 * cell + 2]! - cells[3 * other + 2]!;
      const square = l * l + a * a + b * b;
      if (square >= nearest[rank]!) continue;
      let at = rank;
      for (; at > 0 && nearest[at - 1]! > square; at--) nearest[at] = nearest[at - 1]!;
      nearest[at] = square;
    }
    return Math.sqrt(nearest[rank]!);
  });
}

/** The connected cells (4 neighbours) above the threshold with the largest sum, and the sum of all such cells. */
function strongestPart(distance: Float32Array, width: number, height: number, threshold: number) {
  const seen = new Uint8Array(distance.length);
  let best: { members: number[]; energy: number } = { members: [], energy: 0 };
  let total = 0;
  for (let start = 0; start < distance.length; start++) {
    if (seen[start] === 1 || distance[start]! < threshold) continue;
    const members = [start];
    let energy = 0;
    seen[start] = 1;
    for (let at = 0; at < members.length; at++) {
      const cell = members[at]!;
      energy += distance[cell]!;
      const x = cell % width;
      const neighbours = [
        x > 0 ? cell - 1 : -1,
        x < width - 1 ? cell + 1 : -1,
        cell - width,
        cell + width < width * height ? cell + width : -1,
      ];
      for (const next of neighbours) {
        if (next < 0 || seen[next] === 1 || distance[next]! < threshold) continue;
        seen[next] = 1;
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
