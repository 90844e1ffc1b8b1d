import { labToRgb } from '../signal/colour-space.ts';
import type { PaletteColour } from './facts.ts';

const MOST_COLOURS = 8;
const LEAST_DISTANCE = 9;
const LEAST_WEIGHT = 0.02;

interface Cluster {
  readonly lab: [number, number, number];
  weight: number;
}

/**
 * The main colours of a set of Lab pixels (L, a, b, L, a, b, …): k-means from farthest-point seeds
 * (Gonzalez 1985), then clusters nearer than about nine Lab units or below 2 % are joined. Heaviest first; a
 * picture of few colours gives few.
 */
export function paletteOf(pixels: Float32Array): PaletteColour[] {
  if (pixels.length < 3) return [];
  let clusters = joinNear(kMeans(pixels, seedsOf(pixels)));
  const total = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  const kept = clusters.filter((cluster) => cluster.weight >= LEAST_WEIGHT * total);
  if (kept.length > 0) clusters = kept;
  const keptTotal = clusters.reduce((sum, cluster) => sum + cluster.weight, 0);
  return clusters
    .sort((one, other) => other.weight - one.weight)
    .map((cluster) => ({
      hex: hexOf(cluster.lab),
      weight: Math.round((cluster.weight / keptTotal) * 1000) / 1000,
    }));
}

function seedsOf(pixels: Float32Array): Cluster[] {
  const count = pixels.length / 3;
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const seeds: Cluster[] = [];
  let at = Math.floor(count / 2);
  for (let seed = 0; seed < MOST_COLOURS; seed++) {
    const lab = labAt(pixels, at);
    seeds.push({ lab, weight: 0 });
    let farthest = -1;
    for (let index = 0; index < count; index++) {
      nearest[index] = Math.min(nearest[index]!, distanceTo(pixels, index, lab));
      if (nearest[index]! > farthest) [farthest, at] = [nearest[index]!, index];
    }
    if (farthest < 1) break;
  }
  return seeds;
}

function kMeans(pixels: Float32Array, seeds: readonly Cluster[]): Cluster[] {
  let clusters = seeds.map((seed) => ({ ...seed }));
  for (let round = 0; round < 12; round++) {
    const sums = clusters.map(() => [0, 0, 0, 0]);
    for (let index = 0; index < pixels.length / 3; index++) {
      let [best, bestDistance] = [0, Number.POSITIVE_INFINITY];
      for (let cluster = 0; cluster < clusters.length; cluster++) {
        const distance = distanceTo(pixels, index, clusters[cluster]!.lab);
        if (distance < bestDistance) [best, bestDistance] = [cluster, distance];
      }
      const sum = sums[best]!;
      sum[0]! += pixels[index * 3]!;
      sum[1]! += pixels[index * 3 + 1]!;
      sum[2]! += pixels[index * 3 + 2]!;
      sum[3]! += 1;
    }
    clusters = sums
      .filter((sum) => sum[3]! > 0)
      .map((sum) => ({ lab: [sum[0]! / sum[3]!, sum[1]! / sum[3]!, sum[2]! / sum[3]!], weight: sum[3]! }));
  }
  return clusters;
}

function joinNear(clusters: Cluster[]): Cluster[] {
  for (;;) {
    let nearest: [number, number] | null = null;
    let least = LEAST_DISTANCE;
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

function labAt(pixels: Float32Array, index: number): [number, number, number] {
  return [pixels[index * 3]!, pixels[index * 3 + 1]!, pixels[index * 3 + 2]!];
}

function distanceTo(pixels: Float32Array, index: number, lab: readonly [number, number, number]): number {
  const at = index * 3;
  return (pixels[at]! - lab[0]) ** 2 + (pixels[at + 1]! - lab[1]) ** 2 + (pixels[at + 2]! - lab[2]) ** 2;
}

function hexOf(lab: readonly [number, number, number]): string {
  const rgb = new Float64Array(3);
  labToRgb(lab[0], lab[1], lab[2], rgb);
  return `#${[...rgb]
    .map((value) =>
      Math.round(Math.max(0, Math.min(1, value)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
