import type { Size } from '../../domain/footage.ts';
import { labToRgb, rgbToLab } from '../../signal/color-space.ts';
import { clamp, smoothstep } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { type Look, lightnessBefore, NO_LOOK, partOfLook } from '../model/look.ts';
import type { Grade } from '../model/timeline.ts';
import { type ColorMap, mapBetween } from './color-map.ts';
import { offsetAt } from './grade.ts';
import { NATURAL, PERCENTILES } from './mood.ts';
import { eigenvalues, type Symmetric } from './symmetric.ts';
import { toneAt } from './tone-curve.ts';

/** Features of a logarithmic recording. */
export interface FlatColors {
  /** Lightness at the percentiles 0, 5, 10 … 100. */
  readonly lightness: readonly number[];
  readonly mean: readonly [number, number];
  readonly covariance: Symmetric;
}

/**
 * CIELAB lightness of the darkest and the brightest pixels, the median as a share of the latter, and the deviation of (a, b)
 * along its longer axis: from no logarithmic recording (first) to almost certainly one (second). 132 clips through the
 * curves of S-Log3, V-Log and Canon Log, at -1 to +1.5 stops: darkest 2 to 31, brightest 56 to 78, deviation 1 to 10 with
 * wide primaries and up to 18 without. Unchanged, five of the 132 count as recordings; all are pale or dim.
 */
const DARKEST = [1, 3] as const;
const BRIGHTEST = [84, 79] as const;
const MEDIAN_SHARE = [0.45, 0.55] as const;
const DEVIATION = [13, 8] as const;
/**
 * Sony, Technical Summary for S-Gamut3.Cine/S-Log3 (2014): code values of ten bits by the light that a scene reflects. V-Log differs
 * from it by three levels of lightness at the most.
 */
const CODES = { grey: 420, decade: 261.5, offset: 0.01, middle: 0.18, legal: [64, 940] } as const;
/** Paper white, which a picture shows as its own white. */
const WHITE_REFLECTANCE = 0.9;
/** Share of chroma that a wide gamut and the curve leave (S-Gamut3.Cine and V-Gamut: .35 to .45 on ten clips). */
const CHROMA = 0.4;
/** Lightness of the greys that define the curve: close together where it bends. */
const LEVELS = [0, 5, 10, 20, 35, 50, 65, 80, 90, 100] as const;
/** Of a developing grade's curves, in lightness. */
const KNOT_STEP = 2.5;
/** Stops between the exposure of a scene and that of paper white: the range of footage exposed for its curve. */
const STOPS = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2] as const;
/** Lightness of the brightest pixels of a natural clip, and its deviation (132 clips: 74 to 100, the middle one 94). */
const BRIGHTEST_NATURAL = [94, 8] as const;
/** Without other evidence exposures lie within a stop and a half of the right one. */
const STOPS_DEVIATION = 1.5;

/**
 * Root mean square chroma from which a developed recording would be more colorful than natural pictures: three and two deviations above the mean of natural ones. Of a portrait
 * before a beige wall, pale but no recording, it is 21, of a flat kitchen 7; 15 clips through three curves are developed as without it.
 */
const COLORFULNESS = [3, 2].map(
  (deviations) =>
    CHROMA * (NATURAL.mean[PERCENTILES.length] + deviations * NATURAL.deviation[PERCENTILES.length]),
) as [number, number];

/**
 * Least pixels along the longer side of a recording: cameras with such curves record 1920, their proxies 1280. Of 410
 * clips of other people one counted as a recording, a dim webcam of 640: its skin would become purple.
 */
const MIN_RECORDED_SIDE = 1280;

/** Whether a picture has the size of a camera's recording. */
export function isRecordingSize({ width, height }: Size): boolean {
  return Math.max(width, height) >= MIN_RECORDED_SIDE;
}

/** 0..1: how far colors are those of a logarithmic recording, to be developed: neither black nor white nor much color in them. */
export function logarithmicShare({ lightness, mean, covariance }: FlatColors): number {
  const [darkest, brightest] = [lightness[0], lightness.at(-1)!];
  const deviation = Math.sqrt(Math.max(0, eigenvalues(covariance)[0]));
  const colorfulness = Math.hypot(...mean, Math.sqrt(covariance[0] + covariance[2]));
  return (
    smoothstep(...DARKEST, darkest) *
    smoothstep(-BRIGHTEST[0], -BRIGHTEST[1], -brightest) *
    smoothstep(...MEDIAN_SHARE, lightness[10] / Math.max(1, brightest)) *
    smoothstep(-DEVIATION[0], -DEVIATION[1], -deviation) *
    smoothstep(...COLORFULNESS, colorfulness)
  );
}

/** The development of a recording with this lightness, in part by `share`. */
export function developmentOf(lightness: readonly number[], share: number): ColorMap {
  return mapBetween(partOfLook(logarithmicLook(lightness), share), NO_LOOK);
}

/**
 * The look that a logarithmic curve gives a picture: exposed so that the developed picture has the most natural lightness.
 * `lightness` as in `FlatColors`.
 */
function logarithmicLook(lightness: readonly number[]): Look {
  const cost = (stops: number) => {
    const look = lookOfCurve(stops);
    const away = (share: number, mean: number, deviation: number) =>
      ((lightnessBefore(look, lightness[Math.round(share * (lightness.length - 1))]) - mean) / deviation) **
      2;
    return PERCENTILES.reduce(
      (sum, share, at) => sum + away(share, NATURAL.mean[at], NATURAL.deviation[at]) / PERCENTILES.length,
      away(1, ...BRIGHTEST_NATURAL) + (stops / STOPS_DEVIATION) ** 2,
    );
  };
  const costs = STOPS.map(cost);
  return lookOfCurve(STOPS[costs.indexOf(Math.min(...costs))]);
}

/**
 * Combines the development of a recording and the grade of the developed picture into one grade: first the development, then the grade. Its
 * curves get a knot at every `KNOT_STEP`, as the development bends more than a grade may.
 */
export function developedGrade(grade: Grade, { lightness, chroma }: ColorMap): Grade {
  const levels = Array.from({ length: 100 / KNOT_STEP + 1 }, (_, at) => KNOT_STEP * at);
  const developed = (casts: Grade['offsets']) =>
    levels.map((level) => {
      const [a, b] = offsetAt(casts, lightness(level));
      return { at: level, a: rounded(a, 4), b: rounded(b, 4) };
    });
  return {
    ...grade,
    lightness: levels.map((level) => ({
      in: level,
      out: rounded(toneAt(grade.lightness, lightness(level)), 4),
    })),
    chroma: rounded(chroma * grade.chroma, 4),
    offsets: developed(grade.offsets),
    ...(grade.heldCasts && { heldCasts: developed(grade.heldCasts) }),
    paleness: rounded(chroma, 4),
    ...(grade.strongChroma !== undefined && { strongChroma: rounded(chroma * grade.strongChroma, 4) }),
  };
}

function lookOfCurve(stops: number): Look {
  const [rgb, lab] = [new Float64Array(3), new Float64Array(3)];
  const greys = LEVELS.map((level) => {
    labToRgb(level, 0, 0, rgb);
    const value = encoded(WHITE_REFLECTANCE * 2 ** stops * rec709ToLinear(rgb[0]));
    rgbToLab(value, value, value, lab);
    return { in: level, out: lab[0], a: 0, b: 0 };
  });
  return { greys, chroma: CHROMA };
}

/** Code value of light in the legal range of a file, 0..1. */
function encoded(reflected: number): number {
  const { grey, decade, offset, middle, legal } = CODES;
  const code = grey + decade * Math.log10((reflected + offset) / (middle + offset));
  return clamp((code - legal[0]) / (legal[1] - legal[0]), 0, 1);
}

/** The scene light of a camera's picture (ITU-R BT.709-6, item 1.2, undone). */
function rec709ToLinear(value: number): number {
  return value < 0.081 ? value / 4.5 : ((value + 0.099) / 1.099) ** (1 / 0.45);
}
