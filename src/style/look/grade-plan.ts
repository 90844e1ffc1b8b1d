import type { ColourStatistics } from '../../analysis/facts.ts';
import { labToRgb } from '../../signal/colour-space.ts';
import { smoothstep } from '../../signal/interpolation.ts';
import type { Style } from '../model/schema.ts';
import { reachOf } from '../model/strength.ts';
import type { Grade } from '../model/timeline.ts';
import { gradeLab } from './grade.ts';
import { cloudOfStatistics, cloudOfStyle } from './grade-cloud.ts';
import { dialTransform, monochromeOfDials } from './grade-dials.ts';
import { gradeOfTransform, partOfTransform, type TransformLimits } from './grade-form.ts';
import { fitTransform } from './grade-transform.ts';
import { eigenvalues, type Symmetric } from './symmetric.ts';

/**
 * Slopes of the lightness curve. Edges become 1.5 times as steep at the most; and where the style is no flatter than
 * the source, contrast is kept: a dark style is to darken, not to lay a veil.
 */
const MIN_SLOPE = { flatStyle: 0.55, fullStyle: 0.66 } as const;
/** Down to this where the whole is darkened, as if less exposed. */
const DARKEST_SLOPE = 0.45;
const MAX_SLOPE = 1.42;
/** Pull of the slopes towards 1: where more contrast hardly comes nearer, the source keeps its own. */
const RESTRAINT = 8;
/** Of the map's stretches: more draws the chroma noise of walls and skies out. */
const [MIN_SCALE, MAX_SCALE] = [0.5, 1.4];
/** How much further both may go in a logarithmic recording, which is to be developed. */
const DEVELOPING = 0.8;
/** Blacks lifted further than faded film has them look like fog, and no further than half the style's own. */
const MAX_BLACK = 10;
const BLACK_SHARE_OF_STYLE = 0.5;
const SKIN_GUARD_DEGREES = 9;
/** Chroma in life over that in a logarithmic recording. */
const LOGARITHMIC_PALENESS = 3;
/** Share of the picture that may leave the gamut: `gradeLut` eases it back, so that it loses chroma, never detail. */
const MAX_OUT_OF_GAMUT = 0.1;
const BACK_OFF_ROUNDS = 30;
/** What easing into the gamut takes back without a visible loss. */
const GAMUT_SLACK = 0.08;

/**
 * The transform that brings `source`, whose colours are `cloud`, towards the look of `target`. `strength` 0 is no grade
 * (null), 0.8 and more all that the limits allow. While too much of the picture would leave the gamut, added saturation goes
 * first, then the rest step by step: a cast that lies inside the gamut needs no back-off.
 */
export function planGrade(
  source: ColourStatistics,
  target: Style,
  strength: number,
  cloud = cloudOfStatistics(source),
): Grade | null {
  if (strength <= 0) return null;
  const wanted = target.color_statistics;
  const limits = limitsFor(source, target);
  const transform =
    wanted === undefined
      ? dialTransform(source, target.color_grade, limits)
      : fitTransform(cloud, cloudOfStyle(wanted), limits);
  const centre = [source.meanA, source.meanB] as const;
  let [reach, boost] = [reachOf(strength), 1];
  for (let round = 0; ; round++) {
    const part = partOfTransform(transform, { reach, boost, centre });
    const grade = gradeOfTransform(part, limits);
    if (round === BACK_OFF_ROUNDS || outOfGamutShare(grade, cloud) <= MAX_OUT_OF_GAMUT) return grade;
    if (boost > 0.1) boost *= 0.6;
    else reach *= 0.9;
  }
}

function limitsFor(source: ColourStatistics, target: Style): TransformLimits {
  const wanted = target.color_statistics;
  const monochrome =
    wanted === undefined ? monochromeOfDials(target.color_grade) : flatness(wanted.covariance_ab);
  const logarithmic = logarithmicShare(source);
  const developing = 1 + DEVELOPING * logarithmic;
  const { flatStyle, fullStyle } = MIN_SLOPE;
  const contrast =
    wanted === undefined ? 1 : rangeOf(wanted.lightness_percentiles) / rangeOf(source.lightnessPercentiles);
  return {
    minSlope: Math.max(flatStyle, Math.min(fullStyle, fullStyle * contrast)),
    darkestSlope: DARKEST_SLOPE,
    maxSlope: MAX_SLOPE * developing,
    restraint: RESTRAINT * (1 - logarithmic),
    maxBlack:
      wanted === undefined
        ? MAX_BLACK
        : Math.min(MAX_BLACK, BLACK_SHARE_OF_STYLE * wanted.lightness_percentiles[1]!),
    minScale: MIN_SCALE * (1 - monochrome),
    maxScale: monochrome === 1 ? 0 : MAX_SCALE * developing,
    // Black and white has no hue to guard.
    skinGuardDegrees: monochrome > 0.5 ? 180 : SKIN_GUARD_DEGREES,
    paleness: 1 + (LOGARITHMIC_PALENESS - 1) * logarithmic,
  };
}

function rangeOf(percentiles: readonly number[]): number {
  return Math.max(1, percentiles[19]! - percentiles[1]!);
}

/** Share of the colours of a cloud that `grade` moves out of the RGB gamut. */
export function outOfGamutShare(grade: Grade, cloud: Float64Array): number {
  const [lab, rgb] = [new Float64Array(3), new Float64Array(3)];
  let [samples, outsiders] = [0, 0];
  for (let at = 0; at < cloud.length; at += 3) {
    labToRgb(cloud[at]!, cloud[at + 1]!, cloud[at + 2]!, rgb);
    if (isOutside(rgb)) continue;
    samples++;
    gradeLab(grade, cloud[at]!, cloud[at + 1]!, cloud[at + 2]!, lab);
    labToRgb(lab[0]!, lab[1]!, lab[2]!, rgb);
    if (isOutside(rgb)) outsiders++;
  }
  return samples === 0 ? 0 : outsiders / samples;
}

/** 1 when (a, b) hardly varies (black and white, or toned), 0 from a faintly coloured picture on. */
function flatness(covariance: Symmetric): number {
  return smoothstep(2.2, 1, Math.sqrt(Math.max(0, eigenvalues(covariance)[0])));
}

/** 0..1: how far a source is a logarithmic recording, to be developed: neither black nor white nor colour in it. */
function logarithmicShare({ lightnessPercentiles, medianChroma }: ColourStatistics): number {
  const [darkest, brightest] = [lightnessPercentiles[0]!, lightnessPercentiles.at(-1)!];
  return smoothstep(-16, -26, -darkest) * smoothstep(88, 78, brightest) * smoothstep(9, 5, medianChroma);
}

function isOutside(rgb: Float64Array): boolean {
  return (
    Math.min(rgb[0]!, rgb[1]!, rgb[2]!) < -GAMUT_SLACK ||
    Math.max(rgb[0]!, rgb[1]!, rgb[2]!) > 1 + GAMUT_SLACK
  );
}
