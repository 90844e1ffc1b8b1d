/** A still life by ray casting: skin-like, green, neutral and dark objects in soft light from a window. */

import { valueNoise } from './value-noise.ts';

type Vector = readonly [number, number, number];
type Colour = Vector;

interface Ball {
  readonly centre: Vector;
  readonly radius: number;
  readonly colour: Colour;
  readonly gloss: number;
}

const BALLS: readonly Ball[] = [
  { centre: [-1.15, 0.62, 4.1], radius: 0.62, colour: [0.78, 0.47, 0.33], gloss: 0.15 },
  { centre: [0.12, 0.5, 3.55], radius: 0.5, colour: [0.32, 0.5, 0.12], gloss: 0.35 },
  { centre: [1.32, 0.78, 4.5], radius: 0.78, colour: [0.8, 0.78, 0.74], gloss: 0.08 },
  { centre: [-0.35, 0.3, 2.85], radius: 0.3, colour: [0.62, 0.08, 0.07], gloss: 0.5 },
  { centre: [0.98, 0.27, 3.02], radius: 0.27, colour: [0.75, 0.5, 0.08], gloss: 0.3 },
  { centre: [0.35, 1.0, 5.6], radius: 1.0, colour: [0.09, 0.15, 0.34], gloss: 0.6 },
];
const EYE: Vector = [0, 1.25, -1.6];
const LOOK_DOWN = -0.13;
const WINDOW: Vector = [-4.5, 5.2, 1.5];
const WINDOW_SIZE = 1.5;
const SUN: Colour = [1.5, 1.42, 1.3];
const SKY: Colour = [0.2, 0.23, 0.28];
const RAYS = 36;

/** Fills `rgb` (bytes, row by row) with the picture, gamma-encoded. */
export function drawStillLife(rgb: Uint8Array, width: number, height: number): void {
  const random = seeded(7);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0];
      for (let ray = 0; ray < RAYS; ray++) {
        const u = ((x + random()) / width - 0.5) * (width / height);
        const v = 0.5 - (y + random()) / height;
        const seen = trace(EYE, unit([u, v + LOOK_DOWN, 1.15]), random, 0);
        for (let axis = 0; axis < 3; axis++) sum[axis] += seen[axis];
      }
      for (let axis = 0; axis < 3; axis++)
        rgb[(y * width + x) * 3 + axis] = Math.round(255 * encoded(sum[axis] / RAYS));
    }
  }
}

function trace(from: Vector, ray: Vector, random: () => number, depth: number): Colour {
  const hit = nearest(from, ray);
  if (hit === null) return wall(from, ray);
  const { at, normal, colour, gloss } = hit;
  const light: Vector = [
    WINDOW[0] + WINDOW_SIZE * (random() - 0.5),
    WINDOW[1] + WINDOW_SIZE * (random() - 0.5),
    WINDOW[2] + WINDOW_SIZE * (random() - 0.5),
  ];
  const towards = unit(minus(light, at));
  const isLit = nearest(at, towards) === null;
  const lambert = isLit ? Math.max(0, dot(normal, towards)) : 0;
  const open = 0.55 + 0.45 * normal[1];
  const mirror = minus(ray, times(normal, 2 * dot(ray, normal)));
  const shine = isLit ? gloss * Math.max(0, dot(mirror, towards)) ** 60 * 1.6 : 0;
  const fresnel = gloss * 0.25 * (1 - Math.max(0, -dot(ray, normal))) ** 3;
  const mirrored = depth === 0 && fresnel > 0.01 ? trace(at, mirror, random, 1) : [0, 0, 0];
  return [0, 1, 2].map(
    (axis) => colour[axis] * (SUN[axis] * lambert + SKY[axis] * open) + shine + fresnel * mirrored[axis],
  ) as unknown as Colour;
}

function nearest(from: Vector, ray: Vector) {
  let reach = Number.POSITIVE_INFINITY;
  let found: { at: Vector; normal: Vector; colour: Colour; gloss: number } | null = null;
  for (const { centre, radius, colour, gloss } of BALLS) {
    const to = minus(centre, from);
    const along = dot(to, ray);
    const off = radius * radius - (dot(to, to) - along * along);
    if (off < 0) continue;
    const distance = along - Math.sqrt(off);
    if (distance < 1e-3 || distance >= reach) continue;
    reach = distance;
    const at = plus(from, times(ray, distance));
    found = { at, normal: times(minus(at, centre), 1 / radius), colour, gloss };
  }
  const down = -from[1] / ray[1];
  if (down > 1e-3 && down < reach) {
    const at = plus(from, times(ray, down));
    if (at[2] < 7.5) found = { at, normal: [0, 1, 0], colour: wood(at), gloss: 0.12 };
  }
  return found;
}

/** Boards with grain. */
function wood([x, , z]: Vector): Colour {
  const board = Math.floor(z / 0.8);
  const grain = Math.sin(x * 5 + 3 * noise(x * 1.3 + board * 9, z * 14)) * 0.5 + 0.5;
  const tone = 0.7 + 0.22 * grain + 0.14 * noise(x * 6, z * 40 + board) + 0.1 * Math.sin(board * 2.4);
  const gap = Math.abs(z / 0.8 - Math.round(z / 0.8)) < 0.012 ? 0.45 : 1;
  return [0.34 * tone * gap, 0.21 * tone * gap, 0.125 * tone * gap];
}

/** Plaster, brighter towards the window. */
function wall(from: Vector, ray: Vector): Colour {
  const distance = (9 - from[2]) / Math.max(0.05, ray[2]);
  const [x, y] = [from[0] + ray[0] * distance, from[1] + ray[1] * distance];
  const fall = Math.exp(-((x + 3.5) ** 2 + (y - 3) ** 2) / 22);
  const tone = (0.1 + 0.42 * fall) * (1 + 0.015 * noise(x * 9, y * 9));
  return [tone * 0.92, tone * 0.95, tone];
}

/** -1..1 */
const noise = (x: number, y: number) => 2 * valueNoise(x, y) - 1;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    // Park and Miller's generator.
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const encoded = (value: number) => Math.min(1, (value / (1 + 0.18 * value)) ** (1 / 2.2));
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
const unit = (a: Vector): Vector => times(a, 1 / Math.sqrt(dot(a, a)));
