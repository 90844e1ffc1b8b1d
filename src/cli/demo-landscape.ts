/** Layered landscapes, drawn fast enough for a demonstration without downloads. */
import type { Size } from '../domain/footage.ts';
import { noiseTile, TILE } from './demo-noise.ts';

/** Red, green, blue, 0..255. */
export type Colour = readonly [number, number, number];

/** Lengths in heights of the picture; positions from its top left. */
export interface Scene {
  /** From the top of the picture to the horizon. */
  readonly sky: readonly [top: Colour, middle: Colour, horizon: Colour];
  readonly horizon: number;
  readonly sun: {
    readonly x: number;
    readonly y: number;
    readonly radius: number;
    readonly colour: Colour;
    readonly glow: number;
  };
  readonly clouds: { readonly colour: Colour; readonly amount: number; readonly speed: number };
  /** From far to near. */
  readonly ridges: readonly Ridge[];
  /** Reflects the picture above the horizon, darkened to this share; left out: no water. */
  readonly water?: { readonly shade: number; readonly tint: Colour };
  /** Drawn over everything else. */
  readonly sprites?: (canvas: Canvas, seconds: number) => void;
  /** Camera speed, heights a second at the nearest layer. */
  readonly travel: number;
  /** 0: none. */
  readonly vignette: number;
}

export interface Ridge {
  /** Mean height of its tops, and their range. */
  readonly level: number;
  readonly relief: number;
  /** Hills per height of the picture. */
  readonly frequency: number;
  readonly outline: 'hills' | 'peaks' | 'city';
  readonly colour: Colour;
  /** Colour towards which it fades below its edge, as in mist. */
  readonly mist: Colour;
  /** Parallax. 0: still, 1: moves with the camera. */
  readonly nearness: number;
  /** Share of lit windows; left out: no buildings. */
  readonly windows?: number;
}

/** A picture being drawn. */
export class Canvas implements Size {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;

  constructor({ width, height }: Size, rgb: Uint8Array) {
    this.width = width;
    this.height = height;
    this.rgb = rgb;
  }

  blend(x: number, y: number, colour: Colour, share: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height || share <= 0) return;
    const at = (y * this.width + x) * 3;
    const part = Math.min(1, share);
    for (let c = 0; c < 3; c++)
      this.rgb[at + c] = Math.min(255, this.rgb[at + c] + (colour[c] - this.rgb[at + c]) * part);
  }

  /** A disc with a soft edge of `rim` pixels; lengths in heights. */
  disc(
    place: { readonly x: number; readonly y: number; readonly radius: number },
    colour: Colour,
    opacity: number,
    rim = 1.5,
  ): void {
    const [cx, cy, radius] = [place.x * this.height, place.y * this.height, place.radius * this.height];
    for (let y = Math.floor(cy - radius); y <= cy + radius; y++) {
      for (let x = Math.floor(cx - radius); x <= cx + radius; x++) {
        const distance = Math.hypot(x - cx, y - cy);
        this.blend(x, y, colour, opacity * Math.min(1, (radius - distance) / rim));
      }
    }
  }
}

const CLOUDS = noiseTile(11);
const GROUND = noiseTile(29);

/** Draws a scene at a time into RGB bytes; the sides of the size are even. */
export function landscapePainter(size: Size, scene: Scene): (rgb: Uint8Array, seconds: number) => void {
  const sky = paintSky(size, scene);
  const tops = scene.ridges.map(() => new Float32Array(size.width));
  const dark = vignetteOf(size, scene.vignette);
  return (rgb, seconds) => {
    rgb.set(sky);
    drawClouds(rgb, size, scene, seconds);
    const shifts = scene.ridges.map(({ nearness }) => scene.travel * seconds * nearness);
    for (const [index, ridge] of scene.ridges.entries()) findTops(tops[index], size, ridge, shifts[index]);
    for (const [index, ridge] of scene.ridges.entries()) {
      const hidden = tops[index + 1]?.reduce((lowest, top) => Math.max(lowest, top)) ?? size.height;
      const shore = scene.water === undefined ? size.height : scene.horizon * size.height;
      drawRidge(rgb, size, ridge, tops[index], { shift: shifts[index], hidden: Math.min(hidden, shore) });
    }
    if (scene.water !== undefined) drawWater(rgb, size, scene, scene.water, seconds);
    scene.sprites?.(new Canvas(size, rgb), seconds);
    if (scene.vignette > 0) for (let at = 0; at < rgb.length; at++) rgb[at] = (rgb[at] * dark[at]) >> 8;
  };
}

/** Sky, sun and its glow, which do not move. */
function paintSky({ width, height }: Size, { sky, horizon, sun }: Scene): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const share = Math.min(1, y / height / horizon);
    const base =
      share < 0.6 ? mixed(sky[0], sky[1], share / 0.6) : mixed(sky[1], sky[2], (share - 0.6) / 0.4);
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x / height - sun.x, y / height - sun.y);
      const glow = sun.glow * Math.exp(-distance * 5) + 0.5 * sun.glow * Math.exp(-distance * 1.8);
      const disc = Math.min(1, Math.max(0, ((sun.radius - distance) * height) / 2));
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) {
        const lit = base[c] + (sun.colour[c] - base[c]) * Math.min(1, glow);
        rgb[at + c] = Math.min(255, lit + (Math.min(255, sun.colour[c] + 25) - lit) * disc);
      }
    }
  }
  return rgb;
}

/** Long drifting bands: noise stretched sideways, thinner towards the top. */
function drawClouds(
  rgb: Uint8Array,
  { width, height }: Size,
  { clouds, horizon }: Scene,
  seconds: number,
): void {
  const { colour, amount, speed } = clouds;
  const rows = Math.round(horizon * height);
  const step = (TILE * 0.5) / height;
  const shift = TILE + seconds * speed * TILE;
  for (let y = 0; y < rows; y++) {
    const row = (Math.floor(y * step * 2.6) & (TILE - 1)) * TILE;
    const fade = amount * Math.min(1, (y / rows) * 1.6) * (1 - 0.5 * (y / rows));
    // Two pixels at a time: clouds have no finer detail.
    for (let x = 0, at = y * width * 3; x < width; x += 2, at += 6) {
      const place = x * step + shift;
      const column = Math.floor(place);
      const part = place - column;
      const here = CLOUDS[row + (column & (TILE - 1))];
      const thick = here + (CLOUDS[row + ((column + 1) & (TILE - 1))] - here) * part - 0.47;
      if (thick <= 0) continue;
      const share = Math.min(1, thick * 5) * fade;
      for (let c = 0; c < 6; c++) rgb[at + c] += (colour[c % 3] - rgb[at + c]) * share;
    }
  }
}

const MIST_DEPTH = 0.16;

function findTops(tops: Float32Array, { height }: Size, ridge: Ridge, shift: number): void {
  for (let x = 0; x < tops.length; x++) tops[x] = outlineAt(ridge, x / height + shift) * height;
}

/** `hidden`: the row below which the next ridge or the water covers this one. */
function drawRidge(
  rgb: Uint8Array,
  { width, height }: Size,
  { colour, mist, windows }: Ridge,
  tops: Float32Array,
  { shift, hidden }: { readonly shift: number; readonly hidden: number },
): void {
  const highest = tops.reduce((least, top) => Math.min(least, top));
  const last = Math.min(height, Math.ceil(hidden) + 1);
  const shifted = Math.round(shift * height);
  const perRow = 1 / height / MIST_DEPTH;
  for (let y = Math.max(0, Math.floor(highest)); y < last; y++) {
    const row = ((y * 2) & (TILE - 1)) * TILE;
    for (let x = 0, at = y * width * 3; x < width; x++, at += 3) {
      const depth = y + 1 - tops[x];
      if (depth <= 0) continue;
      let red = WINDOW[0];
      let green = WINDOW[1];
      let blue = WINDOW[2];
      if (windows === undefined || !isWindow(x + shifted, y, depth, height, windows)) {
        const share = Math.min(1, depth * perRow);
        const grain =
          windows === undefined ? 0.75 + 0.5 * GROUND[row + (((x + shifted) * 2) & (TILE - 1))] : 1;
        red = (colour[0] + (mist[0] - colour[0]) * share) * grain;
        green = (colour[1] + (mist[1] - colour[1]) * share) * grain;
        blue = (colour[2] + (mist[2] - colour[2]) * share) * grain;
      }
      if (depth >= 1) {
        rgb[at] = Math.min(255, red);
        rgb[at + 1] = Math.min(255, green);
        rgb[at + 2] = Math.min(255, blue);
        continue;
      }
      rgb[at] += (Math.min(255, red) - rgb[at]) * depth;
      rgb[at + 1] += (Math.min(255, green) - rgb[at + 1]) * depth;
      rgb[at + 2] += (Math.min(255, blue) - rgb[at + 2]) * depth;
    }
  }
}

const WINDOW: Colour = [255, 196, 110];
/** Width of a building, heights of the picture. */
const HOUSE = 0.11;

function outlineAt({ level, relief, frequency, outline }: Ridge, x: number): number {
  const u = x * frequency + level * 37;
  if (outline === 'city') {
    const house = Math.floor(x / HOUSE + level * 91);
    return level - relief * (0.25 + 0.75 * hashed(house)) - (hashed(house + 7) > 0.8 ? 0.02 : 0);
  }
  const soft = 0.5 * Math.sin(u) + 0.28 * Math.sin(2.3 * u + 1.7) + 0.14 * Math.sin(5.1 * u + 0.6);
  if (outline === 'hills') return level - relief * soft;
  const sharp =
    Math.abs(((u / 2.2) % 2) - 1) +
    0.45 * Math.abs(((u / 0.83) % 2) - 1) +
    0.2 * Math.abs(((u / 0.31) % 2) - 1);
  return level - relief * (1.1 * sharp - 0.8 + 0.3 * soft);
}

function isWindow(x: number, y: number, depth: number, height: number, share: number): boolean {
  const cell = Math.max(6, Math.round(height / 72));
  if (depth <= cell) return false;
  const column = (x / cell) | 0;
  const row = (y / cell) | 0;
  if (x - column * cell <= cell * 0.35 || y - row * cell <= cell * 0.4) return false;
  return ((Math.imul(column * 131 + row * 71 + 17, 0x9e3779b1) >>> 16) & 1023) < share * 1024;
}

/** One wave of 128 pixels. */
const RIPPLE = Float32Array.from({ length: 128 }, (_, x) => Math.sin((x / 64) * Math.PI));

/** The picture above the horizon upside down, with waves that grow towards the shore. */
function drawWater(
  rgb: Uint8Array,
  { width, height }: Size,
  { horizon }: Scene,
  water: NonNullable<Scene['water']>,
  seconds: number,
): void {
  const first = Math.round(horizon * height);
  const { shade, tint } = water;
  const phase = Math.round(seconds * 40);
  for (let y = first; y < height; y++) {
    const depth = (y - first) / (height - first);
    const wave =
      Math.sin(46 * Math.sqrt(depth + 0.02) - 2.2 * seconds) +
      0.6 * Math.sin(91 * Math.sqrt(depth + 0.02) + 3.1 * seconds);
    const from = Math.max(
      0,
      Math.min(first - 1, Math.round(first - 1 - (y - first) * (0.75 + 0.25 * depth) - wave * depth * 7)),
    );
    const side = Math.round(wave * (2 + 14 * depth));
    const bright = shade * (1 - 0.35 * depth) + 0.05 * wave * (0.3 + depth);
    for (let x = 0, at = y * width * 3; x < width; x++, at += 3) {
      const source = Math.max(
        0,
        Math.min(
          width - 1,
          x + side + Math.round(4 * depth * RIPPLE[(x + phase + 8 * y) & (RIPPLE.length - 1)]),
        ),
      );
      const above = (from * width + source) * 3;
      for (let c = 0; c < 3; c++)
        rgb[at + c] = Math.max(0, Math.min(255, rgb[above + c] * bright + tint[c] * (0.25 + 0.25 * depth)));
    }
  }
}

/** A factor for each byte, in 256ths. */
function vignetteOf({ width, height }: Size, strength: number): Uint16Array {
  const dark = new Uint16Array(strength === 0 ? 0 : width * height * 3);
  for (let y = 0, at = 0; at < dark.length; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const distance = Math.hypot(x / width - 0.5, y / height - 0.5) / Math.SQRT1_2;
      dark.fill(Math.round(256 * (1 - strength * distance ** 2.4)), at, at + 3);
    }
  }
  return dark;
}

export function mixed(one: Colour, other: Colour, share: number): Colour {
  const s = Math.min(1, Math.max(0, share));
  return [
    one[0] + (other[0] - one[0]) * s,
    one[1] + (other[1] - one[1]) * s,
    one[2] + (other[2] - one[2]) * s,
  ];
}

/** A pseudo-random number 0..1 for a number. */
export function hashed(value: number): number {
  const wave = Math.sin(value * 127.1 + 311.7) * 43_758.5453;
  return wave - Math.floor(wave);
}
