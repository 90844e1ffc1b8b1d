/**
 * Effects of a color transform on a picture, and its distance to another: pure functions over CIELAB pixels.
 * Structure as in Wang et al. 2004 (the third term of SSIM); sliced Wasserstein distance as in Rabin et al. 2011.
 */
import { seededRandom } from '../../src/signal/seeded-random.ts';

/** One frame: interleaved 8-bit RGB, and its L, a, b. */
export interface LabPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  readonly lab: Float32Array;
}

export interface SkinTurn {
  /** Mean turn of hue in degrees, each pixel by its chroma before. */
  readonly degrees: number;
  /** Remaining share of the chroma. */
  readonly chroma: number;
}

const DIRECTIONS = 48;
const QUANTILES = 200;
const BLOCK = 8;
/** SSIM's constant for the structure term over 0..100 in lightness. */
const STRUCTURE_FLOOR = (0.03 * 100) ** 2 / 2;
/** A step of lightness between neighbours from which it is an edge and not noise. */
const EDGE_STEP = 2.5;
/** A block of a deviation in lightness below this is a smooth area: sky, wall, skin. */
const SMOOTH_DEVIATION = 1.5;
/** Chroma noise that nobody sees, in Lab units: smaller values count as this much. */
const UNSEEN_NOISE = 0.5;
/** Below, a color is grey, without a hue that could be wrong; from twice this on it counts in full. */
const GREY_CHROMA = 4;
/** The sector of CIELAB in which human skin of every tone lies. */
const SKIN = { hueDegrees: [25, 80], chroma: [10, 50], lightness: [25, 92] } as const;

/** (L, a, b) triples of `count` pixels, evenly spread over all pictures. */
export function samplePixels(pictures: readonly LabPicture[], count: number): Float32Array {
  const total = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
  const out = new Float32Array(count * 3);
  // A step without a common divisor with the width: no column is preferred.
  const random = seededRandom(17);
  for (let index = 0; index < count; index++) {
    let at = Math.floor(((index + random()) / count) * total);
    for (const { width, height, lab } of pictures) {
      if (at >= width * height) {
        at -= width * height;
        continue;
      }
      out.set(lab.subarray(at * 3, at * 3 + 3), index * 3);
      break;
    }
  }
  return out;
}

/** Quantiles of a cloud of (L, a, b) triples along even directions, which the distance compares. */
export function profileOf(cloud: Float32Array): Float64Array {
  const random = seededRandom(23);
  const profile = new Float64Array(DIRECTIONS * QUANTILES);
  const places = new Float32Array(cloud.length / 3);
  for (let round = 0; round < DIRECTIONS; round++) {
    // Even on the sphere by Archimedes: height and azimuth.
    const x = 2 * random() - 1;
    const azimuth = 2 * Math.PI * random();
    const [y, z] = [Math.sqrt(1 - x * x) * Math.cos(azimuth), Math.sqrt(1 - x * x) * Math.sin(azimuth)];
    for (let at = 0; at < places.length; at++)
      places[at] = x * cloud[at * 3] + y * cloud[at * 3 + 1] + z * cloud[at * 3 + 2];
    places.sort();
    for (let index = 0; index < QUANTILES; index++)
      profile[round * QUANTILES + index] = places[Math.floor(((index + 0.5) / QUANTILES) * places.length)];
  }
  return profile;
}

/** Sliced Wasserstein distance (order 2, in Lab units) of two clouds by their profiles. */
export function slicedWasserstein(one: Float64Array, other: Float64Array): number {
  return Math.sqrt(one.reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0) / one.length);
}

/** Mean structure term of lightness over blocks: 1 when each differs by gain and offset only. */
export function structure(before: LabPicture, after: LabPicture): number {
  let [sum, count] = [0, 0];
  forBlocks(before, (x, y) => {
    const [mean, meanAfter] = [blockMean(before, x, y, 0), blockMean(after, x, y, 0)];
    let [square, squareAfter, product] = [0, 0, 0];
    forBlock(before, x, y, (at) => {
      const [one, other] = [before.lab[at] - mean, after.lab[at] - meanAfter];
      square += one * one;
      squareAfter += other * other;
      product += one * other;
    });
    const pixels = BLOCK * BLOCK;
    sum +=
      (product / pixels + STRUCTURE_FLOOR) / (Math.sqrt(square * squareAfter) / pixels + STRUCTURE_FLOOR);
    count++;
  });
  return count === 0 ? 1 : sum / count;
}

/** How much steeper each edge of lightness became. */
export function edgeGains(before: LabPicture, after: LabPicture): number[] {
  const { width, height } = before;
  const gains: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = (y * width + x) * 3;
      const step = steepness(before.lab, at, width);
      if (step >= EDGE_STEP) gains.push(steepness(after.lab, at, width) / step);
    }
  }
  return gains;
}

/** Root mean square of (a, b) about the block's mean in areas that were smooth: [before, after]. */
export function chromaNoise(before: LabPicture, after: LabPicture): readonly [number, number] {
  let [noise, noiseAfter, count] = [0, 0, 0];
  forSmoothBlocks(before, (x, y) => {
    noise += blockVariance(before, x, y, 1) + blockVariance(before, x, y, 2);
    noiseAfter += blockVariance(after, x, y, 1) + blockVariance(after, x, y, 2);
    count++;
  });
  if (count === 0) return [0, 0];
  return [Math.sqrt(noise / count), Math.sqrt(noiseAfter / count)];
}

/** What chroma noise grew by, noise that nobody sees aside. */
export function noiseGain([before, after]: readonly [number, number]): number {
  return Math.max(after, UNSEEN_NOISE) / Math.max(before, UNSEEN_NOISE);
}

/** Share of neighbours in smooth areas that were at most one code of luma apart and are three or more apart now. */
export function banding(before: LabPicture, after: LabPicture): number {
  let [bands, count] = [0, 0];
  const luma = ({ rgb }: LabPicture, at: number) =>
    0.2126 * rgb[at] + 0.7152 * rgb[at + 1] + 0.0722 * rgb[at + 2];
  forSmoothBlocks(before, (x, y) => {
    forBlock(before, x, y, (at) => {
      if ((at / 3) % before.width === before.width - 1) return;
      if (Math.abs(luma(before, at) - luma(before, at + 3)) > 1) return;
      count++;
      if (Math.abs(luma(after, at) - luma(after, at + 3)) >= 3) bands++;
    });
  });
  return count === 0 ? 0 : bands / count;
}

/** Share of pixels of which a channel clips that did not. */
export function newClipping(before: LabPicture, after: LabPicture): number {
  let clipped = 0;
  for (let at = 0; at < before.rgb.length; at += 3) {
    if (clips(after.rgb, at) && !clips(before.rgb, at)) clipped++;
  }
  return clipped / (before.rgb.length / 3);
}

/** Skin within a part of the picture (0..1 from the left and the top); null when there is none. */
export function skinTurn(
  before: LabPicture,
  after: LabPicture,
  part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): SkinTurn | null {
  const { width, height } = before;
  let [turned, weight, chromaAfter] = [0, 0, 0];
  for (let y = Math.floor(part.y * height); y < Math.floor((part.y + part.height) * height); y++) {
    for (let x = Math.floor(part.x * width); x < Math.floor((part.x + part.width) * width); x++) {
      const at = (y * width + x) * 3;
      const [lightness, a, b] = [before.lab[at], before.lab[at + 1], before.lab[at + 2]];
      if (!isSkin(lightness, a, b)) continue;
      const chroma = Math.hypot(a, b);
      const [otherA, otherB] = [after.lab[at + 1], after.lab[at + 2]];
      const turn = Math.atan2(a * otherB - b * otherA, a * otherA + b * otherB);
      const observed = Math.max(0, Math.min(1, (Math.hypot(otherA, otherB) - GREY_CHROMA) / GREY_CHROMA));
      turned += ((Math.abs(turn) * 180) / Math.PI) * chroma * observed;
      chromaAfter += Math.hypot(otherA, otherB);
      weight += chroma;
    }
  }
  return weight === 0 ? null : { degrees: turned / weight, chroma: chromaAfter / weight };
}

/**
 * How far the mean color jumps from one frame to the next, as a share of the picture's own spread: a transform that
 * stays the same scales both.
 */
export function flicker(one: LabPicture, next: LabPicture): number {
  const jump = [0, 0, 0];
  for (let at = 0; at < one.lab.length; at++)
    jump[at % 3] += (next.lab[at] - one.lab[at]) / (one.lab.length / 3);
  return Math.hypot(...jump) / Math.max(1, spreadOf(one));
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function spreadOf({ lab }: LabPicture): number {
  let variance = 0;
  for (let axis = 0; axis < 3; axis++) {
    let [sum, squares] = [0, 0];
    for (let at = axis; at < lab.length; at += 3) {
      sum += lab[at];
      squares += lab[at] ** 2;
    }
    const count = lab.length / 3;
    variance += squares / count - (sum / count) ** 2;
  }
  return Math.sqrt(Math.max(0, variance));
}

function isSkin(lightness: number, a: number, b: number): boolean {
  const hue = (Math.atan2(b, a) * 180) / Math.PI;
  const chroma = Math.hypot(a, b);
  return inside(hue, SKIN.hueDegrees) && inside(chroma, SKIN.chroma) && inside(lightness, SKIN.lightness);
}

function inside(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}

function clips(rgb: Uint8Array, at: number): boolean {
  return (
    Math.min(rgb[at], rgb[at + 1], rgb[at + 2]) <= 1 || Math.max(rgb[at], rgb[at + 1], rgb[at + 2]) >= 254
  );
}

function steepness(lab: Float32Array, at: number, width: number): number {
  return Math.hypot(lab[at + 3] - lab[at - 3], lab[at + width * 3] - lab[at - width * 3]) / 2;
}

function forSmoothBlocks(picture: LabPicture, visit: (x: number, y: number) => void): void {
  forBlocks(picture, (x, y) => {
    if (blockVariance(picture, x, y, 0) < SMOOTH_DEVIATION ** 2) visit(x, y);
  });
}

function forBlocks({ width, height }: LabPicture, visit: (x: number, y: number) => void): void {
  for (let y = 0; y + BLOCK <= height; y += BLOCK) {
    for (let x = 0; x + BLOCK <= width; x += BLOCK) visit(x, y);
  }
}

function forBlock({ width }: LabPicture, x: number, y: number, visit: (at: number) => void): void {
  for (let row = y; row < y + BLOCK; row++) {
    for (let column = x; column < x + BLOCK; column++) visit((row * width + column) * 3);
  }
}

function blockMean(picture: LabPicture, x: number, y: number, axis: number): number {
  let sum = 0;
  forBlock(picture, x, y, (at) => {
    sum += picture.lab[at + axis];
  });
  return sum / (BLOCK * BLOCK);
}

function blockVariance(picture: LabPicture, x: number, y: number, axis: number): number {
  const mean = blockMean(picture, x, y, axis);
  let sum = 0;
  forBlock(picture, x, y, (at) => {
    sum += (picture.lab[at + axis] - mean) ** 2;
  });
  return sum / (BLOCK * BLOCK);
}
