import type { Picture, Size } from '../../footage.ts';
import { bytesToLab } from '../../signal/colour-space.ts';
import type { Box } from '../facts.ts';

/** A part of a picture that stands out from all around it. */
export interface SalientRegion {
  readonly box: Box;
  /** 0..1: how far its colour is from the surroundings', and how much it is the only such thing. */
  readonly salience: number;
}

/** Pixels along a cell's side: half of it costs eight times as much. */
const CELL = 2;
/** Of a side's cells, the share that may look like the thing: who stands at the edge of the picture still stands out. */
const TOUCHING_SHARE = 0.1;
/** Lab distance from the surroundings below which nothing stands out, and at which it does so half as much as it can. */
const MIN_DISTANCE = 12;
export const HALF_DISTANCE = 16;
/** Share of the farthest cell's distance from which a cell belongs to the thing. */
const PEAK_SHARE = 0.45;
/** How much longer than wide its box may be. */
const LINE_RATIO = 5;
/** Length along the picture's edges, the lower one counted half, in roots of the cells: more, and it is background. */
const MAX_CONTACT = 0.7;
/** Lightness tells less than hue: light and shade fall on one thing. */
const LIGHTNESS_WEIGHT = 0.6;

/**
 * The thing that catches the eye in a small RGB picture: the connected cells whose colour is far from that of the left,
 * right and upper edges (the boundary prior of Wei, Wen, Zhu and Sun, "Geodesic Saliency Using Background Priors", 2012;
 * the lower edge is where people stand), and that lean little on the edges themselves (boundary connectivity: Zhu, Liang,
 * Wei and Sun, "Saliency Optimization from Robust Background Detection", 2014). Null where nothing does.
 */
export function findSalientRegion(picture: Picture): SalientRegion | null {
  const { distance, width, height } = colourDistance(picture);
  let peak = 0;
  for (const value of distance) peak = Math.max(peak, value);
  if (peak < MIN_DISTANCE) return null;
  const threshold = Math.max(MIN_DISTANCE, PEAK_SHARE * peak);
  const { members, energy, total } = strongestPart(distance, width, height, threshold);
  if (contactOf(members, width, height) > MAX_CONTACT) return null;
  const alone = energy / total;
  const distinct = distinctness(energy / members.length);
  const box = boxOf(members, width, height);
  // Where two grounds meet they share cells, whose colour is neither's: a line, straight or round a corner.
  const [across, down] = [box.width * width, box.height * height];
  if (Math.max(across, down) >= LINE_RATIO * Math.min(across, down)) return null;
  return { box, salience: distinct * Math.max(0, 2 * alone - 1) };
}

/** 0..1: how much a colour stands out that is so far in Lab from its surroundings. */
function distinctness(distance: number): number {
  return distance ** 2 / (distance ** 2 + HALF_DISTANCE ** 2);
}

/** Rows of cells, and of each its colour's distance in Lab from the nearest colours of the left, right and upper edges. */
export function colourDistance(picture: Picture): Size & { readonly distance: Float32Array } {
  const [width, height] = [Math.ceil(picture.width / CELL), Math.ceil(picture.height / CELL)];
  return { distance: distanceFromEdges(labOf(picture, width, height), width, height), width, height };
}

/** L (weighted), a, b of each cell, one after the other. */
function labOf({ width, height, data }: Picture, across: number, down: number): Float32Array {
  const cells = new Float32Array(3 * across * down);
  const lab = new Float64Array(3);
  const mean = (x: number, y: number, channel: number) => {
    const [right, below] = [Math.min(x + 1, width - 1), Math.min(y + 1, height - 1)];
    const at = (column: number, row: number) => data[3 * (row * width + column) + channel]!;
    return (at(x, y) + at(right, y) + at(x, below) + at(right, below)) >> 2;
  };
  for (let cell = 0; cell < across * down; cell++) {
    const x = CELL * (cell % across);
    const y = CELL * Math.floor(cell / across);
    bytesToLab(mean(x, y, 0), mean(x, y, 1), mean(x, y, 2), lab);
    cells[3 * cell] = LIGHTNESS_WEIGHT * lab[0]!;
    cells[3 * cell + 1] = lab[1]!;
    cells[3 * cell + 2] = lab[2]!;
  }
  return cells;
}

/** Of each cell: its colour's distance from the nearest colours of the three edges. */
function distanceFromEdges(cells: Float32Array, width: number, height: number): Float32Array {
  const edge = edgeColours(cells, width, height);
  const rank = Math.floor((TOUCHING_SHARE * edge.length) / 3);
  const nearest = new Float32Array(rank + 1);
  const distance = new Float32Array(width * height);
  for (let cell = 0; cell < distance.length; cell++) {
    const [l0, a0, b0] = [cells[3 * cell]!, cells[3 * cell + 1]!, cells[3 * cell + 2]!];
    nearest.fill(Number.POSITIVE_INFINITY);
    let farthest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < edge.length; k += 3) {
      const l = l0 - edge[k]!;
      const a = a0 - edge[k + 1]!;
      const b = b0 - edge[k + 2]!;
      const square = l * l + a * a + b * b;
      if (square >= farthest) continue;
      let at = rank;
      for (; at > 0 && nearest[at - 1]! > square; at--) nearest[at] = nearest[at - 1]!;
      nearest[at] = square;
      farthest = nearest[rank]!;
    }
    distance[cell] = Math.sqrt(farthest);
  }
  return distance;
}

/** Of the upper row and of both sides below it. */
function edgeColours(cells: Float32Array, width: number, height: number): Float32Array {
  const edge = new Float32Array(3 * (width + 2 * (height - 1)));
  edge.set(cells.subarray(0, 3 * width));
  for (let y = 1, at = 3 * width; y < height; y++, at += 6) {
    const row = 3 * y * width;
    edge.set(cells.subarray(row, row + 3), at);
    edge.set(cells.subarray(row + 3 * (width - 1), row + 3 * width), at + 3);
  }
  return edge;
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
