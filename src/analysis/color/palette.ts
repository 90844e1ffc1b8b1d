import { labToRgb } from '../../signal/color-space.ts';
import { clamp } from '../../signal/interpolation.ts';
import type { PaletteColor } from '../facts.ts';

/** Most colors of a palette. */
const MAX_COLORS = 8;
/** In CIELAB: closer clusters are merged. */
const MIN_DISTANCE = 9;
/** Least share of a color in a palette. */
const MIN_WEIGHT = 0.02;
/** Clusters of some hundreds of cells converge after 5 to 20 rounds. */
const MAX_ROUNDS = 40;

/** Numbers of a cell, and of a color. */
const CELL_LENGTH = 4;
const LAB = 3;

interface Cluster {
  readonly lab: readonly [number, number, number];
  readonly weight: number;
}

/**
 * The main colors of a histogram (cells of weight, L, a, b), heaviest first. Weighted k-means; then clusters
 * closer than nine Lab units or below 2 % are merged. A picture of few colors gives few.
 */
export function paletteOf(cells: Float64Array): PaletteColor[] {
  if (cells.length === 0) return [];
  let clusters = joinNear(clustersOf(cells));
  const total = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  const heavy = clusters.filter((cluster) => cluster.weight >= MIN_WEIGHT * total);
  if (heavy.length > 0) clusters = heavy;
  const heavyTotal = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  return clusters
    .sort((one, other) => other.weight - one.weight)
    .map((cluster) => ({
      hex: hexOf(cluster.lab),
      weight: Math.round((cluster.weight / heavyTotal) * 1000) / 1000,
    }));
}

/**
 * Weighted k-means (Lloyd). The first seed is the heaviest cell, each further one the cell of greatest weight
 * times squared distance to the seeds. This is k-means++ (Arthur and Vassilvitskii 2007) without randomness.
 * Farthest points alone would select stray pixels, different ones in each encoding of a clip.
 */
export function clustersOf(cells: Float64Array): Cluster[] {
  const centres = chooseSeeds(cells);
  const weights = moveToClusters(cells, centres);
  return Array.from(weights, (weight, cluster): Cluster => {
    const at = LAB * cluster;
    return { lab: [centres[at], centres[at + 1], centres[at + 2]], weight };
  }).filter(({ weight }) => weight > 0);
}

/** Colors of the seeds, at most `MAX_COLORS`, three numbers each. */
function chooseSeeds(cells: Float64Array): Float64Array {
  const centres = new Float64Array(LAB * MAX_COLORS);
  const count = cells.length / CELL_LENGTH;
  const nearest = new Float64Array(count).fill(1);
  let end = 0;
  for (; end < centres.length; end += LAB) {
    let best = -1;
    let greatest = 0;
    for (let cell = 0; cell < count; cell++) {
      const gain = cells[CELL_LENGTH * cell] * nearest[cell];
      if (gain > greatest) {
        greatest = gain;
        best = cell;
      }
    }
    if (best < 0) break;
    for (let axis = 0; axis < LAB; axis++) centres[end + axis] = cells[CELL_LENGTH * best + 1 + axis];
    for (let cell = 0; cell < count; cell++) {
      const distance = squaredDistance(cells, CELL_LENGTH * cell, centres, end);
      if (end === 0 || distance < nearest[cell]) nearest[cell] = distance;
    }
  }
  return centres.subarray(0, end);
}

/** Moves the centres until no cell changes its cluster or `MAX_ROUNDS` are over; returns the clusters' weights in the last round. */
function moveToClusters(cells: Float64Array, centres: Float64Array): Float64Array {
  const owners = new Int8Array(cells.length / CELL_LENGTH).fill(-1);
  const weights = new Float64Array(centres.length / LAB);
  const sums = new Float64Array(centres.length);
  let changed = true;
  for (let round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    weights.fill(0);
    sums.fill(0);
    for (let cell = 0; cell < owners.length; cell++) {
      const at = CELL_LENGTH * cell;
      const owner = nearestCentre(cells, at, centres);
      if (owners[cell] !== owner) changed = true;
      owners[cell] = owner;
      const weight = cells[at];
      const sum = LAB * owner;
      weights[owner] += weight;
      sums[sum] += weight * cells[at + 1];
      sums[sum + 1] += weight * cells[at + 2];
      sums[sum + 2] += weight * cells[at + 3];
    }
    // A cluster without cells keeps its centre.
    for (let i = 0; i < centres.length; i++) {
      const weight = weights[Math.floor(i / LAB)];
      if (weight !== 0) centres[i] = sums[i] / weight;
    }
  }
  return weights;
}

function nearestCentre(cells: Float64Array, cell: number, centres: Float64Array): number {
  const l = cells[cell + 1];
  const a = cells[cell + 2];
  const b = cells[cell + 3];
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < centres.length; at += LAB) {
    const dl = l - centres[at];
    const da = a - centres[at + 1];
    const db = b - centres[at + 2];
    const distance = dl * dl + da * da + db * db;
    if (distance < least) {
      least = distance;
      best = at;
    }
  }
  return best / LAB;
}

function squaredDistance(cells: Float64Array, cell: number, centres: Float64Array, centre: number): number {
  const lightness = cells[cell + 1] - centres[centre];
  const a = cells[cell + 2] - centres[centre + 1];
  const b = cells[cell + 3] - centres[centre + 2];
  return lightness * lightness + a * a + b * b;
}

function joinNear(clusters: Cluster[]): Cluster[] {
  for (;;) {
    let nearest: [number, number] | null = null;
    let least = MIN_DISTANCE;
    for (let one = 0; one < clusters.length; one++) {
      for (let other = one + 1; other < clusters.length; other++) {
        const [p, q] = [clusters[one].lab, clusters[other].lab];
        const distance = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        if (distance < least) [nearest, least] = [[one, other], distance];
      }
    }
    if (nearest === null) return clusters;
    const [one, other] = [clusters[nearest[0]], clusters[nearest[1]]];
    const weight = one.weight + other.weight;
    const mix = (axis: 0 | 1 | 2) => (one.lab[axis] * one.weight + other.lab[axis] * other.weight) / weight;
    const joined: Cluster = { lab: [mix(0), mix(1), mix(2)], weight };
    clusters = [...clusters.filter((cluster) => cluster !== one && cluster !== other), joined];
  }
}

function hexOf(lab: Cluster['lab']): string {
  const rgb = new Float64Array(3);
  labToRgb(lab[0], lab[1], lab[2], rgb);
  return `#${[...rgb]
    .map((value) =>
      Math.round(clamp(value, 0, 1) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
