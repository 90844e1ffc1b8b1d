import { labToRgb } from '../../signal/colour-space.ts';
import { clamp } from '../../signal/interpolation.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { PaletteColour } from '../facts.ts';

/** Most colours of a palette. */
const MAX_COLOURS = 8;
/** In CIELAB: closer clusters are merged. */
const MIN_DISTANCE = 9;
/** Least share of a colour in a palette. */
const MIN_WEIGHT = 0.02;
/** Clusters of some hundreds of cells converge after 5 to 20 rounds. */
const MAX_ROUNDS = 40;

/** Numbers of a cell, and of a colour. */
const CELL_LENGTH = 4;
const LAB = 3;

/** Counts, and addresses; `kernels/analysis/colour/clusters.ts` describes the memory. */
interface ClusterExports extends KernelExports {
  chooseSeeds(cells: number, count: number, most: number, nearest: number, centres: number): number;
  cluster(
    cells: number,
    count: number,
    centres: number,
    centreCount: number,
    maxRounds: number,
    owners: number,
    sums: number,
  ): void;
}

let kernel: ClusterExports | null = null;

interface Cluster {
  readonly lab: readonly [number, number, number];
  readonly weight: number;
}

/**
 * The main colours of a histogram (cells of weight, L, a, b): weighted k-means, then clusters closer than nine
 * Lab units or below 2 % are merged. Heaviest first; a picture of few colours gives few.
 */
export function paletteOf(cells: Float64Array): PaletteColour[] {
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
 * Weighted k-means (Lloyd), seeded with the heaviest cell, then repeatedly with the cell of greatest weight times
 * squared distance to the seeds: k-means++ (Arthur and Vassilvitskii 2007) without randomness. Farthest points
 * alone would select stray pixels, other ones in each encoding of a clip.
 */
export function clustersOf(cells: Float64Array): Cluster[] {
  kernel ??= instantiateKernel<ClusterExports>(new URL('clusters.wasm', import.meta.url));
  const count = cells.length / CELL_LENGTH;
  const layout = new KernelLayout();
  const take = (numbers: number) => layout.take(Float64Array.BYTES_PER_ELEMENT * numbers);
  const [at, nearest] = [take(cells.length), take(count)];
  const [centres, sums] = [take(LAB * MAX_COLOURS), take(CELL_LENGTH * MAX_COLOURS)];
  const owners = layout.take(count);
  reserveBytes(kernel.memory, layout.bytes);
  const { buffer } = kernel.memory;
  new Float64Array(buffer, at).set(cells);
  const seeds = kernel.chooseSeeds(at, count, MAX_COLOURS, nearest, centres);
  kernel.cluster(at, count, centres, seeds, MAX_ROUNDS, owners, sums);
  return Array.from({ length: seeds }, (_, cluster): Cluster => {
    const [lightness, a, b] = new Float64Array(buffer, centres).subarray(LAB * cluster);
    const weight = new Float64Array(buffer, sums)[CELL_LENGTH * cluster];
    return { lab: [lightness!, a!, b!], weight };
  }).filter(({ weight }) => weight > 0);
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
