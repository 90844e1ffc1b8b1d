/** A lake in the late afternoon: sky, cloud, far and near hills, water, a shore in shade, a sunlit house. */

import { smooth, valueNoise } from './value-noise.ts';

type Colour = readonly [number, number, number];

/** Linear light. */
const ZENITH: Colour = [0.12, 0.27, 0.6];
const HORIZON: Colour = [0.72, 0.78, 0.82];
const CLOUD: Colour = [0.95, 0.92, 0.88];
const HAZE: Colour = [0.5, 0.6, 0.7];
const SHORE: Colour = [0.012, 0.016, 0.006];
const HORIZON_Y = 0.56;

interface Hill {
  /** Share of the haze over it. */
  readonly haze: number;
  readonly colour: Colour;
  /** `base`: height of its foot above the horizon; `relief`: range of its tops; in heights of the picture. */
  readonly base: number;
  readonly relief: number;
  readonly seed: number;
}

const HILLS: readonly Hill[] = [
  { haze: 0.72, colour: [0.16, 0.22, 0.25], base: 0.13, relief: 0.11, seed: 3.1 },
  { haze: 0.32, colour: [0.05, 0.12, 0.05], base: 0.075, relief: 0.1, seed: 11.7 },
  { haze: 0.05, colour: [0.1, 0.19, 0.02], base: 0.03, relief: 0.05, seed: 23.4 },
];
/** In shares of the picture; inside the middle part, which is shown. */
const HOUSE = { left: 0.56, right: 0.64, eaves: 0.488, ridge: 0.43, foot: 0.553 } as const;
const WALL: Colour = [0.78, 0.72, 0.6];
const ROOF: Colour = [0.38, 0.07, 0.035];
const SAMPLES = 16;

/** Fills `rgb` (bytes, row by row) with the picture, gamma-encoded. */
export function drawLandscape(rgb: Uint8Array, width: number, height: number): void {
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const sum = [0, 0, 0];
      for (let sample = 0; sample < SAMPLES; sample++) {
        const [u, v] = [(x + ((sample * 0.755) % 1)) / width, (y + (sample + 0.5) / SAMPLES) / height];
        const seen = colourAt(u, v);
        for (let axis = 0; axis < 3; axis++) sum[axis] += seen[axis] / SAMPLES;
      }
      for (let axis = 0; axis < 3; axis++)
        rgb[at + axis] = Math.round(255 * Math.min(1, sum[axis]) ** (1 / 2.2));
    }
  }
}

function colourAt(u: number, v: number): Colour {
  const shore = 0.87 + 0.05 * noise(3.5 * u, 40) - 0.13 * Math.max(0, 0.28 - u) - 0.02 * noise(60 * u, 41);
  if (v > shore) return lit(SHORE, 1 + 1.6 * noise(90 * u, 90 * v));
  if (v <= HORIZON_Y) return landAt(u, v);
  // Water mirrors the picture above it, darker, with ripples that grow towards the viewer.
  const depth = (v - HORIZON_Y) / (1 - HORIZON_Y);
  const ripple = noise(14 * u, 160 * v ** 2) - 0.5;
  const mirrored = landAt(
    u + 0.02 * depth * ripple,
    HORIZON_Y - (v - HORIZON_Y) * 0.95 - 0.05 * depth * ripple,
  );
  return mix(lit(mirrored, 0.72 + 0.25 * ripple), [0.02, 0.06, 0.09], 0.25 + 0.35 * depth);
}

function landAt(u: number, v: number): Colour {
  const house = houseAt(u, v);
  if (house !== null) return house;
  for (const hill of [...HILLS].reverse()) {
    const crest = HORIZON_Y - hill.base - hill.relief * (noise(3 * u + hill.seed, hill.seed) - 0.35);
    const trees = 0.008 * noise(110 * u, hill.seed) * (1 - hill.haze);
    if (v > crest - trees)
      return mix(lit(hill.colour, 0.65 + 0.8 * noise(30 * u + hill.seed, 45 * v)), HAZE, hill.haze);
  }
  const sky = mix(ZENITH, HORIZON, (v / HORIZON_Y) ** 1.6);
  const cloud = noise(2.4 * u + 5, 7 * v) * 0.6 + noise(6 * u + 9, 16 * v) * 0.4;
  return mix(sky, CLOUD, smooth((cloud - 0.5) / 0.22) * 0.85);
}

function houseAt(u: number, v: number): Colour | null {
  const { left, right, eaves, ridge, foot } = HOUSE;
  if (u < left - 0.006 || u > right + 0.006 || v > foot || v < ridge) return null;
  const middle = (left + right) / 2;
  const roof = ridge + ((eaves - ridge) * Math.abs(u - middle)) / ((right - left) / 2 + 0.006);
  if (v < roof) return null;
  if (v < eaves) return lit(ROOF, u < middle ? 1.2 : 0.55);
  return u >= left && u <= right ? lit(WALL, u < middle ? 1.15 : 0.5) : null;
}

const lit = ([r, g, b]: Colour, light: number): Colour => [r * light, g * light, b * light];
const mix = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + share * (other[0] - one[0]),
  one[1] + share * (other[1] - one[1]),
  one[2] + share * (other[2] - one[2]),
];

/** Smooth noise of four octaves, 0..1. */
function noise(x: number, y: number): number {
  let [sum, weight, total] = [0, 1, 0];
  for (let octave = 0; octave < 4; octave++, weight /= 2) {
    const scale = 2 ** octave;
    sum += weight * valueNoise(x * scale, y * scale);
    total += weight;
  }
  return sum / total;
}
