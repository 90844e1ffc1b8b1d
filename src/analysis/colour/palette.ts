import { labToRgb } from '../../signal/colour-space.ts';
import { clamp } from '../../signal/interpolation.ts';
import type { PaletteColour } from '../facts.ts';

/** A palette as one writes it down: more than eight nobody reads. */
const MAX_COLOURS = 8;
/** In CIELAB: nearer clusters are one colour. */
const MIN_DISTANCE = 9;
/** Share of the whole below which a colour is left out. */
const MIN_WEIGHT = 0.02;
/** Clusters of some hundreds of cells move no more after 5 to 20 rounds. */
const MAX_ROUNDS = 40;

interface Cluster {
  readonly lab: readonly [number, number, number];
  readonly weight: number;
}

/**
 * The main colours of a histogram (cells of weight, L, a, b): weighted k-means, then clusters nearer than about nine
 * Lab units or below 2 % are joined. Heaviest first; a picture of few colours gives few.
 */
export function paletteOf(cells: Float64Array): PaletteColour[] {
  if (cells.length === 0) return [];
  let clusters = joinNear(kMeans(cells, seedsOf(cells)));
  const total = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  const kept = clusters.filter((cluster) => cluster.weight >= MIN_WEIGHT * total);
  if (kept.length > 0) clusters = kept;
  const keptTotal = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  return clusters
    .sort((one, other) => other.weight - one.weight)
    .map((cluster) => ({
      hex: hexOf(cluster.lab),
      weight: Math.round((cluster.weight / keptTotal) * 1000) / 1000,
    }));
}

/**
 * The heaviest cell, then again and again the one whose weight times squared distance to those chosen is greatest:
 * k-means++ (Arthur and Vassilvitskii 2007) without its dice. Farthest points alone would choose stray pixels,
 * others in each encoding of a clip.
 */
function seedsOf(cells: Float64Array): Cluster[] {
  const count = cells.length / 4;
  const nearest = new Float64Array(count).fill(1);
  const seeds: Cluster[] = [];
  while (seeds.length < MAX_COLOURS) {
    let [best, most] = [-1, 0];
    for (let cell = 0; cell < count; cell++) {
      const gain = cells[cell * 4]! * nearest[cell]!;
      if (gain > most) [best, most] = [cell, gain];
    }
    if (best < 0) break;
    const lab = [cells[best * 4 + 1]!, cells[best * 4 + 2]!, cells[best * 4 + 3]!] as const;
    for (let cell = 0; cell < count; cell++) {
      const distance = squaredDistance(cells, cell, lab);
      nearest[cell] = seeds.length === 0 ? distance : Math.min(nearest[cell]!, distance);
    }
    seeds.push({ lab, weight: 0 });
  }
  return seeds;
}

/** Lloyd's algorithm until no cell changes its cluster. */
function kMeans(cells: Float64Array, seeds: readonly Cluster[]): Cluster[] {
  const owners = new Uint8Array(cells.length / 4).fill(255);
  const centres = Float64Array.from(seeds.flatMap(({ lab }) => lab));
  // Weight, L, a, b.
  const sums = new Float64Array(seeds.length * 4);
  for (let round = 0, changed = true; changed && round < MAX_ROUNDS; round++) {
    changed = assign(cells, centres, owners);
    sums.fill(0);
    for (let at = 0; at < cells.length; at += 4) {
      const to = owners[at / 4]! * 4;
      const weight = cells[at]!;
      sums[to]! += weight;
      sums[to + 1]! += weight * cells[at + 1]!;
      sums[to + 2]! += weight * cells[at + 2]!;
      sums[to + 3]! += weight * cells[at + 3]!;
    }
    for (let cluster = 0; cluster < seeds.length; cluster++) {
      const weight = sums[cluster * 4]!;
      if (weight === 0) continue;
      const mean = sums.subarray(cluster * 4 + 1, cluster * 4 + 4).map((sum) => sum / weight);
      centres.set(mean, cluster * 3);
    }
  }
  return seeds
    .map((_, cluster): Cluster => {
      const [lightness, a, b] = centres.subarray(cluster * 3, cluster * 3 + 3);
      return { lab: [lightness!, a!, b!], weight: sums[cluster * 4]! };
    })
    .filter(({ weight }) => weight > 0);
}

/** Gives each cell to the nearest centre; whether any changed. */
function assign(cells: Float64Array, centres: Float64Array, owners: Uint8Array): boolean {
  let changed = false;
  for (let at = 0; at < cells.length; at += 4) {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (let centre = 0; centre < centres.length; centre += 3) {
      const lightness = cells[at + 1]! - centres[centre]!;
      const a = cells[at + 2]! - centres[centre + 1]!;
      const b = cells[at + 3]! - centres[centre + 2]!;
      const distance = lightness * lightness + a * a + b * b;
      if (distance < least) {
        least = distance;
        best = centre / 3;
      }
    }
    if (owners[at / 4] !== best) {
      owners[at / 4] = best;
      changed = true;
    }
  }
  return changed;
}

function joinNear(clusters: Cluster[]): Cluster[] {
  for (;;) {
    let nearest: [number, number] | null = null;
    let least = MIN_DISTANCE;
    for (let one = 0; one < clusters.length; one++) {
      for (let other = one + 1; other < clusters.length; other++) {
        const [p, q] = [clusters[one]!.lab, clusters[other]!.lab];
        const distance = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        if (distance < least) [nearest, least] = [[one, other], distance];
      }
    }
    if (nearest === null) return clusters;
    const [one, other] = [clusters[nearest[0]]!, clusters[nearest[1]]!];
    const weight = one.weight + other.weight;
    const mix = (axis: 0 | 1 | 2) => (one.lab[axis] * one.weight + other.lab[axis] * other.weight) / weight;
    const joined: Cluster = { lab: [mix(0), mix(1), mix(2)], weight };
    clusters = [...clusters.filter((cluster) => cluster !== one && cluster !== other), joined];
  }
}

function squaredDistance(cells: Float64Array, cell: number, lab: Cluster['lab']): number {
  const at = cell * 4 + 1;
  const lightness = cells[at]! - lab[0];
  const a = cells[at + 1]! - lab[1];
  const b = cells[at + 2]! - lab[2];
  return lightness * lightness + a * a + b * b;
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
