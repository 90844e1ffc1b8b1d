import { RGB } from '../../domain/footage.ts';
import { coarseDistance, type FrameSketch, SKETCH } from '../frames/sketch.ts';

const GROUND = {
  /**
   * Largest root mean square deviation of a plain picture from its mean color, of 255. The bottom of a fade
   * that passes its color within a frame has up to 10.
   */
  PLAIN_DEVIATION: 12,
  /** Largest distance of the color of a plain picture from the plainest one near it. */
  SAME_COLOR: 24,
  /**
   * Least distance from black and from white, in levels: dark scenes that fade out have up to 23, navy and cream
   * from 34.
   */
  MIN_FROM_BLACK: 28,
  /** Coding noise changes deviations of plain pictures by up to this. */
  NOISE: 0.5,
  /**
   * Least share of the coarse cells of a whole picture that differ from the color by this many levels: letters
   * on a card cover fewer.
   */
  CELL_LEVELS: 12,
  MIN_COVERED: 0.5,
  /**
   * Largest share of the coarse cells of a card that letters or a logo cover: .11 to .24 on real cards. Pictures
   * cover .38 and more, a field of stars .51.
   */
  MAX_LETTERED: 0.3,
  /**
   * Least ratio of a whole picture's deviation from its mean color to that at the bottom: colored light on a
   * bare wall has less.
   */
  MIN_STRUCTURE: 2,
  /** Least deviation of a whole picture, in levels: bare walls have 1 to 4, the plainest of 40 clips 10. */
  MIN_DEVIATION: 6,
  /** Largest change just outside a fade: levels from motion, and share of a step of the fade. */
  CALM_LEVELS: 8,
  CALM_SHARE: 0.3,
  /** Steps into which a side of a fade is divided: with more, motion dominates the change. */
  MIXTURE_STEPS: 5,
  /**
   * Least share of the change per step that a mixture with the color explains: 128 sides of fades from .66,
   * passing objects up to .55.
   */
  MIN_MIXED: 0.6,
  /** The same of letters and logos, which are still: .999 of a title that fades in, .77 of a logo that grows. */
  MIN_LETTERS_MIXED: 0.9,
} as const satisfies Readonly<Record<string, number>>;

export type FadeType = 'fade_black' | 'fade_white' | 'fade_color';
export type Rgb = readonly [red: number, green: number, blue: number];

/** The plain color of a fade. Distances from it are levels of 255. */
export interface Ground {
  readonly type: FadeType;
  readonly rgb: Rgb;
  /** Root mean square over the picture. */
  distanceOf(sample: FrameSketch): number;
  /** Distance of the cell whose values begin at `at` in a coarse picture. */
  cellDistance(coarse: Float32Array, at: number): number;
  /** Correlation (−1..1) of two coarse pictures for any share of the color; 1 for pictures without structure. */
  likeness(one: Float32Array, other: Float32Array): number;
  /**
   * Whether the picture mixes with the color, from the sample with the whole picture to the one without it. On black
   * and white only letters and logos are checked, which may grow or move in instead.
   */
  mixesWith(samples: readonly FrameSketch[], whole: number, hidden: number): boolean;
}

export const BLACK: Ground = {
  type: 'fade_black',
  rgb: [0, 0, 0],
  distanceOf: ({ fromBlack }) => fromBlack,
  cellDistance: (coarse, at) => cellMean(coarse, at),
  likeness: coarseCorrelation,
  mixesWith: (samples, whole, hidden) => lettersMix(BLACK, samples, whole, hidden),
};

export const WHITE: Ground = {
  type: 'fade_white',
  rgb: [255, 255, 255],
  distanceOf: ({ fromWhite }) => fromWhite,
  cellDistance: (coarse, at) => 255 - cellMean(coarse, at),
  likeness: coarseCorrelation,
  mixesWith: (samples, whole, hidden) => lettersMix(WHITE, samples, whole, hidden),
};

/** Any other color. Its channels differ, so correlations are computed within each channel. */
export function colorGround(rgb: Rgb): Ground {
  const cellDistance = (coarse: Float32Array, at: number): number => {
    let sum = 0;
    for (let channel = 0; channel < RGB; channel++) sum += (coarse[at + channel] - rgb[channel]) ** 2;
    return Math.sqrt(sum / RGB);
  };
  return {
    type: 'fade_color',
    rgb,
    distanceOf: ({ small }) => Math.sqrt(meanSquare(small, rgb)),
    cellDistance,
    likeness: channelCorrelation,
    mixesWith: (samples, whole, hidden) => {
      const deviation = deviationOf(samples[whole]);
      return (
        coveredShare({ cellDistance }, samples[whole], GROUND.CELL_LEVELS) >= GROUND.MIN_COVERED &&
        isCalmBeside(samples, whole, hidden) &&
        deviation >= Math.max(GROUND.MIN_DEVIATION, GROUND.MIN_STRUCTURE * deviationOf(samples[hidden])) &&
        mixedShare(samples, whole, hidden, rgb) >= GROUND.MIN_MIXED
      );
    },
  };
}

/** Share of the coarse cells that differ from the ground by at least `levels`. */
function coveredShare(ground: Pick<Ground, 'cellDistance'>, { coarse }: FrameSketch, levels: number): number {
  let covered = 0;
  for (let at = 0; at < coarse.length; at += RGB)
    if (ground.cellDistance(coarse, at) >= levels) covered += RGB;
  return covered / coarse.length;
}

/** Whether letters or a logo fade out of or into the ground, if they are all that the whole picture has. */
function lettersMix(ground: Ground, samples: readonly FrameSketch[], whole: number, hidden: number): boolean {
  return (
    !isCardOn(ground, samples[whole]) ||
    mixedShare(samples, whole, hidden, ground.rgb) >= GROUND.MIN_LETTERS_MIXED
  );
}

/** Whether a picture is the plain color, with at most letters or a logo on it. */
export function isCardOn(ground: Ground, sample: FrameSketch): boolean {
  return coveredShare(ground, sample, SKETCH.CELL_NOISE) <= GROUND.MAX_LETTERED;
}

/** Whether the picture hardly changes just outside the fade: a dive into a plain spot accelerates. */
function isCalmBeside(samples: readonly FrameSketch[], whole: number, hidden: number): boolean {
  const beside = samples[whole + Math.sign(whole - hidden)];
  if (beside === undefined) return true;
  const step = coarseDistance(samples[whole], samples[hidden]) / Math.abs(whole - hidden);
  return coarseDistance(beside, samples[whole]) <= Math.max(GROUND.CALM_LEVELS, GROUND.CALM_SHARE * step);
}

/** Share of the change along a fade, in some steps, that one share of the color for the whole picture explains. */
function mixedShare(samples: readonly FrameSketch[], whole: number, hidden: number, rgb: Rgb): number {
  const steps = Math.min(GROUND.MIXTURE_STEPS, Math.abs(hidden - whole));
  const at = (step: number) => samples[Math.round(whole + ((hidden - whole) * step) / steps)].coarse;
  let [change, left] = [0, 0];
  for (let step = 0; step < steps; step++) {
    const [here, next] = [at(step), at(step + 1)];
    let [own, both, other] = [0, 0, 0];
    for (let i = 0; i < here.length; i++) {
      const x = here[i] - rgb[i % RGB];
      const y = next[i] - rgb[i % RGB];
      own += x * x;
      both += x * y;
      other += y * y;
    }
    change += own - 2 * both + other;
    left += own === 0 ? 0 : other - both ** 2 / own;
  }
  return change === 0 ? 0 : 1 - left / change;
}

function cellMean(coarse: Float32Array, at: number): number {
  return (coarse[at] + coarse[at + 1] + coarse[at + 2]) / 3;
}

export function meanColor(values: Float32Array): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < values.length; i += RGB)
    for (let channel = 0; channel < RGB; channel++) sums[channel] += values[i + channel];
  const pixels = values.length / RGB;
  return [sums[0] / pixels, sums[1] / pixels, sums[2] / pixels];
}

function meanSquare(values: Float32Array, rgb: Rgb): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += RGB)
    for (let channel = 0; channel < RGB; channel++) sum += (values[i + channel] - rgb[channel]) ** 2;
  return sum / values.length;
}

/** Root mean square deviation of a picture from its own mean color. */
export function deviationOf({ small }: FrameSketch): number {
  return Math.sqrt(meanSquare(small, meanColor(small)));
}

/** Root mean square of the differences of two colors' channels. */
function colorDistance(one: Rgb, other: Rgb): number {
  return Math.sqrt(one.reduce((sum, level, channel) => sum + (level - other[channel]) ** 2, 0) / RGB);
}

/** Whether a color is neither black nor white. */
export function isColor(rgb: Rgb): boolean {
  return [BLACK, WHITE].every((ground) => colorDistance(rgb, ground.rgb) >= GROUND.MIN_FROM_BLACK);
}

/** The color of a plain picture; null for a picture with structure, and for a black or white one. */
export function plainColor(sample: FrameSketch): Rgb | null {
  const rgb = meanColor(sample.small);
  return isColor(rgb) && deviationOf(sample) <= GROUND.PLAIN_DEVIATION ? rgb : null;
}

/** `#rrggbb` */
export function hexOf(rgb: Rgb): string {
  const hex = (level: number) =>
    Math.round(Math.max(0, Math.min(255, level)))
      .toString(16)
      .padStart(2, '0');
  return `#${rgb.map(hex).join('')}`;
}

/** Samples `first` to `last` in a row are plain; `plainest` is the one that deviates least from its own mean color. */
export interface PlainRun {
  readonly first: number;
  readonly last: number;
  readonly plainest: number;
}

/** Runs of plain pictures of one color, neither black nor white. */
export function plainRuns(samples: readonly FrameSketch[]): PlainRun[] {
  const colors = samples.map(plainColor);
  const deviations = samples.map((sample, at) =>
    colors[at] === null ? Number.POSITIVE_INFINITY : deviationOf(sample),
  );
  const runs: PlainRun[] = [];
  const used = new Set<number>();
  const order = samples
    .map((_, at) => at)
    .filter((at) => colors[at] !== null)
    .sort((one, other) => deviations[one] - deviations[other] || one - other);
  for (const plainest of order) {
    if (used.has(plainest)) continue;
    const belongs = (at: number): boolean =>
      colors[at] != null &&
      !used.has(at) &&
      colorDistance(colors[at], colors[plainest]!) <= GROUND.SAME_COLOR;
    let [first, last] = [plainest, plainest];
    while (belongs(first - 1)) first -= 1;
    while (belongs(last + 1)) last += 1;
    const isPlainer = (at: number) => used.has(at) && deviations[at] + GROUND.NOISE < deviations[plainest];
    const isSlope = isPlainer(first - 1) || isPlainer(last + 1);
    for (let at = first; at <= last; at++) used.add(at);
    // Beside a plainer picture it is a step towards that one's color.
    if (!isSlope) runs.push({ first, last, plainest });
  }
  return runs.sort((one, other) => one.first - other.first);
}

/** Pearson correlation over all values; 1 for pictures without any structure. */
export function coarseCorrelation(a: Float32Array, b: Float32Array): number {
  const n = a.length;
  let sa = 0;
  let sb = 0;
  for (let i = 0; i < n; i++) {
    sa += a[i];
    sb += b[i];
  }
  let aa = 0;
  let bb = 0;
  let ab = 0;
  for (let i = 0; i < n; i++) {
    const x = a[i] - sa / n;
    const y = b[i] - sb / n;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  if (aa < n || bb < n) return 1;
  return ab / Math.sqrt(aa * bb);
}

/** The same, with each channel about its own mean. */
function channelCorrelation(a: Float32Array, b: Float32Array): number {
  const { own, other, both } = centredSums(a, b);
  if (own < a.length || other < a.length) return 1;
  return both / Math.sqrt(own * other);
}

/** Squares and products of two pictures' deviations from their mean colors. */
export function centredSums(a: Float32Array, b: Float32Array): { own: number; other: number; both: number } {
  const [meanA, meanB] = [meanColor(a), meanColor(b)];
  let [own, other, both] = [0, 0, 0];
  for (let i = 0; i < a.length; i += RGB) {
    for (let channel = 0; channel < RGB; channel++) {
      const x = a[i + channel] - meanA[channel];
      const y = b[i + channel] - meanB[channel];
      own += x * x;
      other += y * y;
      both += x * y;
    }
  }
  return { own, other, both };
}
