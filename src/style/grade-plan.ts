import type { ColourStatistics } from '../analysis/facts.ts';
import { labToRgb } from '../signal/colour-space.ts';
import { eigenvalues, type Symmetric } from './chroma-map.ts';
import { gradeLab } from './grade.ts';
import { type GradeTarget, gradeTarget } from './grade-target.ts';
import type { Style } from './schema.ts';
import type { Grade } from './timeline.ts';
import { fitToneCurve } from './tone-curve.ts';

const LEAST_SLOPE = 0.6;
const MOST_SLOPE = 1.35;
/** Blacks lifted further than faded film has them look like fog. */
const MOST_BLACK = 8;
const SKIN_GUARD_DEGREES = 9;
/** Share of the picture that may leave the gamut: `gradeLut` eases it back, so that it loses chroma, never detail. */
const MOST_OUT_OF_GAMUT = 0.1;
const BACK_OFF_ROUNDS = 30;
/** What easing into the gamut takes back without a visible loss. */
const GAMUT_SLACK = 0.08;
/**
 * Share of a shift that black and white themselves receive: tinted ends look like a fault, and a steep way
 * from untinted ones draws out edges.
 */
const BLACK_SHARE = 0.3;
const WHITE_SHARE = 0.4;

/**
 * The transform that brings `source` towards the look of `target`. `strength` 0 is no grade (null), 1 all that
 * the limits allow. While too much of the picture would leave the gamut, added saturation goes first, then the
 * rest step by step: a cast that lies inside the gamut needs no back-off.
 */
export function planGrade(source: ColourStatistics, target: Style, strength: number): Grade | null {
  if (strength <= 0) return null;
  const wanted = gradeTarget(source, target);
  let [reach, boost] = [reachOf(strength), 1];
  for (let round = 0; round < BACK_OFF_ROUNDS; round++) {
    const grade = gradeTowards(source, wanted, reach, boost);
    if (outOfGamutShare(grade, source) <= MOST_OUT_OF_GAMUT) return grade;
    if (boost > 0.1) boost *= 0.6;
    else reach *= 0.9;
  }
  return gradeTowards(source, wanted, reach, boost);
}

/** The default strength, 0.8, already does nearly all of it; what is left of the dial is for taste. */
function reachOf(strength: number): number {
  const rest = 1 - Math.max(0, Math.min(1, strength));
  return 1 - rest * rest;
}

/**
 * Estimated share of a picture with these statistics that `grade` moves out of the RGB gamut: lightness by its
 * percentiles, (a, b) as a Gaussian, sampled at points of equal weight.
 */
export function outOfGamutShare(grade: Grade, source: ColourStatistics): number {
  const lab = new Float64Array(3);
  const rgb = new Float64Array(3);
  const [along, across] = spreadAxes(source.covariance);
  let [samples, outsiders] = [0, 0];
  for (const lightness of source.lightnessPercentiles.slice(1, -1)) {
    for (const [u, v] of GAUSSIAN_POINTS) {
      const a = source.meanA + u * along[0] + v * across[0];
      const b = source.meanB + u * along[1] + v * across[1];
      labToRgb(lightness, a, b, rgb);
      if (outside(rgb)) continue;
      samples++;
      gradeLab(grade, lightness, a, b, lab);
      labToRgb(lab[0]!, lab[1]!, lab[2]!, rgb);
      if (outside(rgb)) outsiders++;
    }
  }
  return samples === 0 ? 0 : outsiders / samples;
}

function gradeTowards(source: ColourStatistics, wanted: GradeTarget, reach: number, boost: number): Grade {
  const from = source.lightnessPercentiles;
  const to = from.map((value, index) => value + reach * (wanted.percentiles[index]! - value));
  const boosted = (scale: number) => (scale > 1 ? 1 + boost * (scale - 1) : scale);
  const map: Symmetric = [
    boosted(1 + reach * (wanted.map[0] - 1)),
    reach * wanted.map[1],
    boosted(1 + reach * (wanted.map[2] - 1)),
  ];
  // What the map alone does to a grey: an offset has to undo it where black and white are to stay grey.
  const [centreA, centreB] = wanted.centre;
  const mapA = centreA - map[0] * centreA - map[1] * centreB;
  const mapB = centreB - map[1] * centreA - map[2] * centreB;
  const offset = (at: number, tone: 0 | 1 | 2, share: number) => {
    const [a, b] = wanted.shifts[tone];
    return {
      at,
      a: rounded(share * (reach * a + mapA) - mapA),
      b: rounded(share * (reach * b + mapB) - mapB),
    };
  };
  return {
    lightness: fitToneCurve(from, to, {
      leastSlope: 1 - reach * (1 - LEAST_SLOPE),
      mostSlope: 1 + reach * (MOST_SLOPE - 1),
      mostBlack: reach * Math.min(MOST_BLACK, wanted.percentiles[0]! + 2),
    }),
    matrix: [rounded(map[0]), rounded(map[1]), rounded(map[1]), rounded(map[2])],
    centre: [wanted.centre[0], wanted.centre[1]],
    offsets: [
      offset(0, 0, BLACK_SHARE),
      offset(25, 0, 1),
      offset(52, 1, 1),
      offset(85, 2, 1),
      offset(100, 2, WHITE_SHARE),
    ],
    // Black and white has no hue to guard.
    skinGuardDegrees: wanted.monochrome > 0.5 ? 180 : SKIN_GUARD_DEGREES,
  };
}

const GAUSSIAN_POINTS = [-1.5, -0.67, 0, 0.67, 1.5].flatMap((u) =>
  [-1.5, -0.67, 0, 0.67, 1.5].map((v) => [u, v] as const),
);

function spreadAxes(covariance: Symmetric): [readonly [number, number], readonly [number, number]] {
  const [large, small] = eigenvalues(covariance).map((value) => Math.sqrt(Math.max(0, value))) as [
    number,
    number,
  ];
  const angle = Math.atan2(2 * covariance[1], covariance[0] - covariance[2]) / 2;
  return [
    [large * Math.cos(angle), large * Math.sin(angle)],
    [-small * Math.sin(angle), small * Math.cos(angle)],
  ];
}

function outside(rgb: Float64Array): boolean {
  return (
    Math.min(rgb[0]!, rgb[1]!, rgb[2]!) < -GAMUT_SLACK ||
    Math.max(rgb[0]!, rgb[1]!, rgb[2]!) > 1 + GAMUT_SLACK
  );
}

function rounded(value: number): number {
  return Math.round(value * 10000) / 10000 + 0;
}
