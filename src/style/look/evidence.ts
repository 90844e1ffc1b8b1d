/**
 * Evidence of a picture's look: robust figures of a small picture in CIELAB, from which `look-network.ts` tells what was
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

/** Below this many counted pixels a picture says nothing. */
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
/** Of a tone's pixels the part about which the near-neutrals are sought, and how often anew about their own mean. */
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
  if (pixels.order.length < MIN_PIXELS) return null;
  const figures = [
    ...LIGHTNESS_SHARES.map((share) => pixels.lightness(pixels.order[pixels.rank(share)]!)),
    ...TONES.flatMap(([from, to]) => ofTone(pixels, from, to)),
    ...chromaFigures(pixels),
    ...spread(pixels),
    ...shares(pixels),
    ...hues(pixels),
    ...PLACES.flatMap(([from, to]) => ofPlace(pixels, from, to)),
    ...skin(pixels),
    ...detail(pixels),
  ];
  return Float64Array.from(figures);
}

class Pixels {
  readonly picture: LabPicture;
  /** Places of the counted pixels, ascending in lightness. */
  readonly order: readonly number[];
  readonly chroma: Float64Array;

  constructor(picture: LabPicture) {
    this.picture = picture;
    const { lab, isCounted } = picture;
    this.chroma = Float64Array.from({ length: lab.length / 3 }, (_, at) =>
      Math.hypot(lab[3 * at + 1]!, lab[3 * at + 2]!),
    );
    this.order = Array.from({ length: lab.length / 3 }, (_, at) => at)
      .filter((at) => isCounted === undefined || isCounted[at] === 1)
      .sort((one, other) => lab[3 * one]! - lab[3 * other]!);
  }

  lightness(at: number): number {
    return this.picture.lab[3 * at]!;
  }

  a(at: number): number {
    return this.picture.lab[3 * at + 1]!;
  }

  b(at: number): number {
    return this.picture.lab[3 * at + 2]!;
  }

  /** Rank of the pixel that has this share of all below it. */
  rank(share: number): number {
    return Math.min(this.order.length - 1, Math.floor(share * this.order.length));
  }

  /** Mean over some pixels; 0 over none. */
  mean(pixels: readonly number[], value: (at: number) => number): number {
    let sum = 0;
    for (const at of pixels) sum += value(at);
    return pixels.length === 0 ? 0 : sum / pixels.length;
  }

  meanCast(pixels: readonly number[]): [number, number] {
    return [this.mean(pixels, (at) => this.a(at)), this.mean(pixels, (at) => this.b(at))];
  }
}

/** Mean cast and chroma of a tone, the cast of its near-neutrals and how tightly they lie together. */
function ofTone(pixels: Pixels, from: number, to: number): number[] {
  const tone = pixels.order.slice(
    pixels.rank(from),
    Math.max(pixels.rank(from) + 1, Math.floor(to * pixels.order.length)),
  );
  const count = Math.max(1, Math.ceil(NEUTRAL_SHARE * tone.length));
  let centre: [number, number] = [0, 0];
  let near: readonly number[] = tone;
  const distance = (at: number) => Math.hypot(pixels.a(at) - centre[0], pixels.b(at) - centre[1]);
  for (let round = 0; round < NEUTRAL_ROUNDS; round++) {
    near = [...tone].sort((one, other) => distance(one) - distance(other)).slice(0, count);
    centre = pixels.meanCast(near);
  }
  const chroma = pixels.mean(tone, (at) => pixels.chroma[at]!);
  return [...pixels.meanCast(tone), chroma, ...centre, pixels.mean(near, distance)];
}

function chromaFigures({ order, chroma }: Pixels): number[] {
  const sorted = Float64Array.from(order, (at) => chroma[at]!).sort();
  return CHROMA_SHARES.map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!,
  );
}

/** Deviations of a and b, and five times their correlation. */
function spread(pixels: Pixels): number[] {
  const [meanA, meanB] = pixels.meanCast(pixels.order);
  const moment = (one: 'a' | 'b', other: 'a' | 'b') =>
    pixels.mean(
      pixels.order,
      (at) =>
        (pixels[one](at) - (one === 'a' ? meanA : meanB)) *
        (pixels[other](at) - (other === 'a' ? meanA : meanB)),
    );
  const [a, b] = [Math.sqrt(moment('a', 'a')), Math.sqrt(moment('b', 'b'))];
  return [a, b, (5 * moment('a', 'b')) / Math.max(1, a * b)];
}

/** How much is dark, light, black, white. */
function shares(pixels: Pixels): number[] {
  const share = (test: (lightness: number) => boolean) =>
    SHARE_UNIT * pixels.mean(pixels.order, (at) => Number(test(pixels.lightness(at))));
  return [share((l) => l < 35), share((l) => l > 70), share((l) => l < 3), share((l) => l > 97)];
}

/** Root of the chroma that lies in each sector of hue. */
function hues(pixels: Pixels): number[] {
  const sums = new Float64Array(HUE_SECTORS);
  for (const at of pixels.order) {
    const turn = (Math.atan2(pixels.b(at), pixels.a(at)) / (2 * Math.PI) + 1) % 1;
    sums[Math.floor(turn * HUE_SECTORS) % HUE_SECTORS]! += pixels.chroma[at]!;
  }
  return Array.from(sums, (sum) => 4 * Math.sqrt(sum / pixels.order.length));
}

function ofPlace(pixels: Pixels, from: number, to: number): number[] {
  const { width, height } = pixels.picture;
  const [first, last] = [Math.floor(from * height) * width, Math.floor(to * height) * width];
  const inside = pixels.order.filter((at) => at >= first && at < last);
  return [pixels.mean(inside, (at) => pixels.lightness(at)), ...pixels.meanCast(inside)];
}

/** Share and mean cast of what may be skin. */
function skin(pixels: Pixels): number[] {
  const inside = pixels.order.filter((at) => {
    const hue = Math.atan2(pixels.b(at), pixels.a(at));
    const chroma = pixels.chroma[at]!;
    return hue > SKIN.hue[0] && hue < SKIN.hue[1] && chroma > SKIN.chroma[0] && chroma < SKIN.chroma[1];
  });
  return [(SHARE_UNIT * inside.length) / pixels.order.length, ...pixels.meanCast(inside)];
}

/** Twice the mean step from pixel to pixel, in lightness and in (a, b). */
function detail(pixels: Pixels): number[] {
  const { width } = pixels.picture;
  const stepped = pixels.order.filter((at) => at % width > 0);
  return [
    2 * pixels.mean(stepped, (at) => Math.abs(pixels.lightness(at) - pixels.lightness(at - 1))),
    2 *
      pixels.mean(stepped, (at) =>
        Math.hypot(pixels.a(at) - pixels.a(at - 1), pixels.b(at) - pixels.b(at - 1)),
      ),
  ];
}
