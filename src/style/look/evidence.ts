/**
 * Evidence of a picture's look: robust figures of a small picture in CIELAB, from which `look-network.ts` estimates what was
 * done to it. Black and white points, percentiles, casts of near-neutrals by tone, chroma and its course, what lies above and
 * below, skin.
 */

/** A small picture (some hundreds of pixels): Lab triples, row by row. */
export interface LabPicture {
  readonly width: number;
  readonly height: number;
  readonly lab: Float64Array;
  /** 1 where a pixel counts: neither bar nor caption. Left out: all do. */
  readonly isCounted?: Uint8Array;
}

/** Below this many counted pixels a picture is no evidence. */
const MIN_PIXELS = 40;
const LIGHTNESS_SHARES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99] as const;
/** Parts of the picture by rank of lightness: black point, shadows … lights, white point. */
const TONES = [
  [0, 0.05],
  [0.05, 0.2],
  [0.2, 0.4],
  [0.4, 0.6],
  [0.6, 0.8],
  [0.8, 0.95],
  [0.95, 1],
] as const;
const CHROMA_SHARES = [0.1, 0.25, 0.5, 0.75, 0.95] as const;
/** Of a tone's pixels the part about which the near-neutrals are sought, and the rounds of that search. */
const NEUTRAL_SHARE = 0.4;
const NEUTRAL_ROUNDS = 3;
const HUE_SECTORS = 8;
/** Upper and lower part of the picture: sky, ground. */
const PLACES = [
  [0, 0.34],
  [0.66, 1],
] as const;
/** Hue, in radians, and chroma of skin of every tone, widely. */
const SKIN = { hue: [0.45, 1.35], chroma: [8, 50] } as const;
/** Shares are written in units of 5 %, so that they vary about as much as lightness and chroma do. */
const SHARE_UNIT = 20;

/** How many figures `evidenceOf` gives. */
export const EVIDENCE_LENGTH =
  LIGHTNESS_SHARES.length +
  TONES.length * 6 +
  CHROMA_SHARES.length +
  3 +
  4 +
  HUE_SECTORS +
  PLACES.length * 3 +
  5;

/** The figures, in Lab units or multiples of 5 %; null when too few pixels count. */
export function evidenceOf(picture: LabPicture): Float64Array | null {
  const pixels = new Pixels(picture);
  if (pixels.count < MIN_PIXELS) return null;
  const figures = [
    ...LIGHTNESS_SHARES.map((share) => pixels.lightness[pixels.rank(share)]),
    ...TONES.flatMap(([from, to]) => ofTone(pixels, from, to)),
    ...chromaFigures(pixels),
    ...spread(pixels),
    ...shares(pixels),
    ...hues(pixels),
    ...PLACES.flatMap(([from, to]) => ofPlace(pixels, picture, from, to)),
    ...skin(pixels),
    ...detail(pixels, picture),
  ];
  return Float64Array.from(figures);
}

/** The pixels that count, ascending in lightness, so that a tone is a stretch of each array. */
class Pixels {
  readonly count: number;
  /** Of each pixel its place in the picture, row by row. */
  readonly place: Int32Array;
  readonly lightness: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly chroma: Float64Array;

  constructor({ lab, isCounted }: LabPicture) {
    const order: number[] = [];
    for (let at = 0; at < lab.length / 3; at++)
      if (isCounted === undefined || isCounted[at] === 1) order.push(at);
    this.place = Int32Array.from(order.sort((one, other) => lab[3 * one] - lab[3 * other]));
    this.count = order.length;
    this.lightness = new Float64Array(this.count);
    this.a = new Float64Array(this.count);
    this.b = new Float64Array(this.count);
    this.chroma = new Float64Array(this.count);
    for (let k = 0; k < this.count; k++) {
      const at = 3 * this.place[k];
      this.lightness[k] = lab[at];
      this.a[k] = lab[at + 1];
      this.b[k] = lab[at + 2];
      this.chroma[k] = Math.hypot(this.a[k], this.b[k]);
    }
  }

  /** Rank of the pixel that has this share of all below it. */
  rank(share: number): number {
    return Math.min(this.count - 1, Math.floor(share * this.count));
  }
}

/** Mean of the values at some places; 0 of none. */
function meanAt(values: Float64Array, places: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < places.length; k++) sum += values[places[k]];
  return places.length === 0 ? 0 : sum / places.length;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  return values.length === 0 ? 0 : sum / values.length;
}

/** Mean cast and chroma of a tone, the cast of its near-neutrals and how tightly they lie together. */
function ofTone(pixels: Pixels, from: number, to: number): number[] {
  const first = pixels.rank(from);
  const end = Math.max(first + 1, Math.floor(to * pixels.count));
  const [a, b] = [pixels.a.subarray(first, end), pixels.b.subarray(first, end)];
  const count = Math.max(1, Math.ceil(NEUTRAL_SHARE * a.length));
  const distance = new Float64Array(a.length);
  let centre: [number, number] = [0, 0];
  let near: number[] = [];
  measureDistances(a, b, centre, distance);
  for (let round = 0; round < NEUTRAL_ROUNDS; round++) {
    near = ranked(distance).slice(0, count);
    centre = [meanAt(a, near), meanAt(b, near)];
    measureDistances(a, b, centre, distance);
  }
  const chroma = meanOf(pixels.chroma.subarray(first, end));
  return [meanOf(a), meanOf(b), chroma, ...centre, meanAt(distance, near)];
}

function measureDistances(a: Float64Array, b: Float64Array, [x, y]: [number, number], out: Float64Array) {
  for (let k = 0; k < a.length; k++) out[k] = Math.hypot(a[k] - x, b[k] - y);
}

/** The places of values, ascending in them. */
function ranked(values: Float64Array): number[] {
  const places: number[] = [];
  for (let k = 0; k < values.length; k++) places.push(k);
  return places.sort((one, other) => values[one] - values[other]);
}

function chromaFigures({ chroma }: Pixels): number[] {
  const sorted = chroma.slice().sort();
  return CHROMA_SHARES.map((share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
}

/** Deviations of a and b, and five times their correlation. */
function spread({ a, b, count }: Pixels): number[] {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  let [aa, bb, ab] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const x = a[k] - meanA;
    const y = b[k] - meanB;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const [deviationA, deviationB] = [Math.sqrt(aa / count), Math.sqrt(bb / count)];
  return [deviationA, deviationB, (5 * (ab / count)) / Math.max(1, deviationA * deviationB)];
}

/** How much is dark, light, black, white. */
function shares({ lightness, count }: Pixels): number[] {
  let [dark, light, black, white] = [0, 0, 0, 0];
  for (let k = 0; k < count; k++) {
    const l = lightness[k];
    if (l < 35) dark++;
    if (l > 70) light++;
    if (l < 3) black++;
    if (l > 97) white++;
  }
  return [dark, light, black, white].map((pixels) => SHARE_UNIT * (pixels / count));
}

/** Root of the chroma that lies in each sector of hue. */
function hues({ a, b, chroma, count }: Pixels): number[] {
  const sums = new Float64Array(HUE_SECTORS);
  for (let k = 0; k < count; k++) {
    const turn = (Math.atan2(b[k], a[k]) / (2 * Math.PI) + 1) % 1;
    sums[Math.floor(turn * HUE_SECTORS) % HUE_SECTORS] += chroma[k];
  }
  return Array.from(sums, (sum) => 4 * Math.sqrt(sum / count));
}

/** Mean lightness and cast of the rows from one share of the height to another. */
function ofPlace(pixels: Pixels, { width, height }: LabPicture, from: number, to: number): number[] {
  const [first, last] = [Math.floor(from * height) * width, Math.floor(to * height) * width];
  const inside: number[] = [];
  for (let k = 0; k < pixels.count; k++)
    if (pixels.place[k] >= first && pixels.place[k] < last) inside.push(k);
  return [pixels.lightness, pixels.a, pixels.b].map((values) => meanAt(values, inside));
}

/** Share and mean cast of possible skin. */
function skin({ a, b, chroma, count }: Pixels): number[] {
  const inside: number[] = [];
  for (let k = 0; k < count; k++) {
    if (chroma[k] <= SKIN.chroma[0] || chroma[k] >= SKIN.chroma[1]) continue;
    const hue = Math.atan2(b[k], a[k]);
    if (hue > SKIN.hue[0] && hue < SKIN.hue[1]) inside.push(k);
  }
  return [(SHARE_UNIT * inside.length) / count, meanAt(a, inside), meanAt(b, inside)];
}

/** Twice the mean step from pixel to pixel, in lightness and in (a, b). */
function detail({ place, count }: Pixels, { lab, width }: LabPicture): number[] {
  let [lightness, cast, steps] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    if (place[k] % width === 0) continue;
    const at = 3 * place[k];
    lightness += Math.abs(lab[at] - lab[at - 3]);
    cast += Math.hypot(lab[at + 1] - lab[at - 2], lab[at + 2] - lab[at - 1]);
    steps++;
  }
  return steps === 0 ? [0, 0] : [2 * (lightness / steps), 2 * (cast / steps)];
}
