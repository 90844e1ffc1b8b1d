/** Drawing of the warped pictures: bicubic sampling, a pasted object, noise. */
import type { Placing } from './camera-path.ts';
import type { RgbPicture } from './footage.ts';
import { Random } from './random.ts';

/** Positions within a pixel with stored weights: 1/512 of a pixel is a hundredth of what is to be measured. */
const PHASES = 512;
/** Catmull–Rom cubic (Keys 1981, a = −1/2), four weights per phase. */
const WEIGHTS = cubicWeights();

function cubicWeights(): Float32Array {
  const weights = new Float32Array(4 * (PHASES + 1));
  for (let phase = 0; phase <= PHASES; phase++) {
    const t = phase / PHASES;
    weights[4 * phase] = -0.5 * t + t * t - 0.5 * t ** 3;
    weights[4 * phase + 1] = 1 - 2.5 * t * t + 1.5 * t ** 3;
    weights[4 * phase + 2] = 0.5 * t + 2 * t * t - 1.5 * t ** 3;
    weights[4 * phase + 3] = -0.5 * t * t + 0.5 * t ** 3;
  }
  return weights;
}

/** The view of a scene under a placing; both are counted from their middles. */
export function warp(scene: RgbPicture, at: Placing, width: number, height: number): RgbPicture {
  const data = new Uint8Array(width * height * 3);
  const squared = at.a * at.a + at.b * at.b;
  const stepX = at.a / squared;
  const stepY = -at.b / squared;
  for (let y = 0; y < height; y++) {
    const dx = 0.5 - width / 2 - at.x;
    const dy = y + 0.5 - height / 2 - at.y;
    let u = scene.width / 2 + (at.a * dx + at.b * dy) / squared - 0.5;
    let v = scene.height / 2 + (at.a * dy - at.b * dx) / squared - 0.5;
    for (let x = 0, to = y * width * 3; x < width; x++, to += 3, u += stepX, v += stepY)
      sample(scene, u, v, data, to);
  }
  return { width, height, data };
}

function sample(scene: RgbPicture, u: number, v: number, out: Uint8Array, to: number): void {
  const { width, height, data } = scene;
  const left = Math.max(1, Math.min(width - 3, Math.floor(u)));
  const top = Math.max(1, Math.min(height - 3, Math.floor(v)));
  const wx = 4 * Math.round(Math.max(0, Math.min(1, u - left)) * PHASES);
  const wy = 4 * Math.round(Math.max(0, Math.min(1, v - top)) * PHASES);
  const x0 = WEIGHTS[wx];
  const x1 = WEIGHTS[wx + 1];
  const x2 = WEIGHTS[wx + 2];
  const x3 = WEIGHTS[wx + 3];
  let red = 0;
  let green = 0;
  let blue = 0;
  let from = ((top - 1) * width + left - 1) * 3;
  for (let row = 0; row < 4; row++, from += width * 3) {
    const w = WEIGHTS[wy + row];
    red += w * (x0 * data[from] + x1 * data[from + 3] + x2 * data[from + 6] + x3 * data[from + 9]);
    green += w * (x0 * data[from + 1] + x1 * data[from + 4] + x2 * data[from + 7] + x3 * data[from + 10]);
    blue += w * (x0 * data[from + 2] + x1 * data[from + 5] + x2 * data[from + 8] + x3 * data[from + 11]);
  }
  out[to] = bounded(red);
  out[to + 1] = bounded(green);
  out[to + 2] = bounded(blue);
}

/** Places the inscribed ellipse of a picture at a sub-pixel place, with an edge of two pixels. */
export function pasteObject(
  out: RgbPicture,
  object: RgbPicture,
  place: { x: number; y: number; radiusX: number; radiusY: number },
): void {
  const centreX = place.x * out.width;
  const centreY = place.y * out.height;
  const radiusX = place.radiusX * out.width;
  const radiusY = place.radiusY * out.height;
  const pixel = new Uint8Array(3);
  for (let y = Math.max(0, Math.floor(centreY - radiusY)); y < Math.min(out.height, centreY + radiusY); y++) {
    for (
      let x = Math.max(0, Math.floor(centreX - radiusX));
      x < Math.min(out.width, centreX + radiusX);
      x++
    ) {
      const dx = x + 0.5 - centreX;
      const dy = y + 0.5 - centreY;
      const inside = (1 - Math.hypot(dx / radiusX, dy / radiusY)) * Math.min(radiusX, radiusY);
      if (inside <= 0) continue;
      sample(object, object.width / 2 + dx - 0.5, object.height / 2 + dy - 0.5, pixel, 0);
      const share = Math.min(1, inside / 2);
      const to = (y * out.width + x) * 3;
      for (let k = 0; k < 3; k++)
        out.data[to + k] = bounded(out.data[to + k] * (1 - share) + pixel[k] * share);
    }
  }
}

/** The sum of three even numbers, whose variance is 1/4, doubled: nearly normal, deviation 1. */
const NOISE = Float32Array.from({ length: 1 << 16 }, noiseOf(new Random(1)));

function noiseOf(random: Random): () => number {
  return () => 2 * (random.next() + random.next() + random.next() - 1.5);
}

/** The same noise in the three channels; it stays with the view as a sensor's does. Rows begin anywhere in a table. */
export function addNoise(out: RgbPicture, deviation: number, seed: number): void {
  if (deviation < 0.2) return;
  const random = new Random(seed);
  for (let y = 0, at = 0; y < out.height; y++) {
    let from = random.whole(0, NOISE.length - 1);
    for (let x = 0; x < out.width; x++, at += 3) {
      const noise = deviation * NOISE[from++ & 0xffff];
      for (let k = at; k < at + 3; k++) out.data[k] = bounded(out.data[k] + noise);
    }
  }
}

function bounded(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}
