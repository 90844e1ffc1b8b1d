import type { ColourStatistics } from '../analysis/facts.ts';
import { chromaMap, eigenvalues, type Symmetric } from './chroma-map.ts';
import { dialTargets, tonalEnds } from './colour-dials.ts';
import type { Style } from './schema.ts';

type Pair = readonly [number, number];

/** What a style asks of one source, at full strength and before anything is limited to what looks right. */
export interface GradeTarget {
  /** Where the source's 21 lightness percentiles should come to lie. */
  readonly percentiles: readonly number[];
  readonly map: Symmetric;
  readonly centre: Pair;
  /** Shift of (a, b) wanted for the source's shadows, mid-tones and highlights, about `centre`. */
  readonly shifts: readonly [Pair, Pair, Pair];
  /** 0..1: how far the style is black and white (or toned). */
  readonly monochrome: number;
}

const LIMITS = { ridge: 12, leastScale: 0.5, mostScale: 1.4 } as const;
/**
 * How far a tone's own mean may depart from the common shift. Shadows and highlights are small samples whose
 * colour is mostly content (dark trees, a bright sky), split toning only in part.
 */
const TONE_SHARE = 0.8;
/** Means say what a template shows, neutrals how it is graded: the look is some of both. */
const NEUTRAL_SHARE = 0.1;
/** Shifts flatten towards this length in (a, b): beyond it is no look but a coloured sheet of glass. */
const MOST_SHIFT = 60;
/** Dials below this ask for next to nothing: a dial at 0 leaves the source alone. */
const FULL_DIAL = 10;

/** The target by measured statistics when the style carries them, else by its six dials. */
export function gradeTarget(source: ColourStatistics, style: Style): GradeTarget {
  return style.color_statistics === undefined
    ? targetOfDials(source, style.color_grade)
    : targetOfStatistics(source, style.color_statistics);
}

function targetOfStatistics(
  source: ColourStatistics,
  target: NonNullable<Style['color_statistics']>,
): GradeTarget {
  const monochrome = flatness(target.covariance_ab);
  const limitedMap = chromaMap(source.covariance, target.covariance_ab, {
    ...LIMITS,
    leastScale: LIMITS.leastScale * (1 - monochrome),
  });
  const map: Symmetric = monochrome === 1 ? [0, 0, 0] : limitedMap;
  const centre: Pair = [source.meanA, source.meanB];
  const mapped = ([a, b]: Pair): Pair => {
    const [da, db] = difference([a, b], centre);
    return [centre[0] + map[0] * da + map[1] * db, centre[1] + map[1] * da + map[2] * db];
  };
  const neutral: Pair = [source.neutral.a, source.neutral.b];
  const ofMeans = difference(target.mean_ab, centre);
  const ofNeutrals = target.neutral_ab === undefined ? ofMeans : difference(target.neutral_ab, neutral);
  const share = NEUTRAL_SHARE * (1 - monochrome);
  // Film without colour is toned, not painted.
  const damped = 1 - 0.3 * flatness(source.covariance) * (1 - monochrome);
  // Where all colour goes, the rest of a shift left out would be a tint.
  const limit = (shift: Pair) => mix(limited(shift, damped), shift, monochrome);
  const common = limit(mix(ofMeans, ofNeutrals, share));
  const sourceTones = [source.tones.shadows, source.tones.midtones, source.tones.highlights];
  const shifts = sourceTones.map((tone, index): Pair => {
    const wanted = target.tones_ab?.[index];
    if (tone === null || wanted === null || wanted === undefined) return common;
    return mix(common, limit(difference(wanted, mapped(tone))), TONE_SHARE);
  }) as unknown as GradeTarget['shifts'];
  return {
    percentiles: target.lightness_percentiles,
    map,
    centre,
    shifts,
    monochrome,
  };
}

function targetOfDials(source: ColourStatistics, dials: Style['color_grade']): GradeTarget {
  const wanted = dialTargets(dials);
  const { lightnessPercentiles: from, neutral } = source;
  const [p5, p95] = tonalEnds(source);
  const slope = (wanted.p95 - wanted.p5) / Math.max(1, p95 - p5);
  const tone = gate(dials.contrast, dials.highlights, dials.shadows);
  const cast = gate(dials.temperature, dials.tint);
  const ratio = wanted.medianChroma / Math.max(1, source.medianChroma);
  const monochrome = Math.max(0, Math.min(1, (-dials.saturation - 80) / 15));
  const least = LIMITS.leastScale * (1 - monochrome);
  const asked = Math.max(least, Math.min(LIMITS.mostScale, ratio));
  const scale = monochrome === 1 ? 0 : 1 + gate(dials.saturation) * (asked - 1);
  const wantedShift = difference(wanted.neutral, [neutral.a, neutral.b]);
  const shift = mix(limited(wantedShift, cast), wantedShift, monochrome);
  return {
    percentiles: from.map((value) => {
      const moved = Math.max(0, Math.min(100, wanted.p5 + (value - p5) * slope));
      return value + tone * (moved - value);
    }),
    map: [scale, 0, scale],
    centre: [neutral.a, neutral.b],
    shifts: [shift, shift, shift],
    monochrome,
  };
}

/** 1 when (a, b) hardly varies (black and white, or toned), 0 from a faintly coloured picture on. */
export function flatness(covariance: Symmetric): number {
  const deviation = Math.sqrt(Math.max(0, eigenvalues(covariance)[0]));
  const t = Math.max(0, Math.min(1, (2.2 - deviation) / 1.2));
  return t * t * (3 - 2 * t);
}

function gate(...dials: readonly number[]): number {
  const t = Math.min(1, Math.hypot(...dials) / FULL_DIAL);
  return t * t * (3 - 2 * t);
}

function limited([a, b]: Pair, scale: number): Pair {
  const length = Math.hypot(a, b);
  if (length < 1e-9) return [0, 0];
  const factor = (scale * MOST_SHIFT * Math.tanh(length / MOST_SHIFT)) / length;
  return [a * factor, b * factor];
}

function difference(to: Pair, from: Pair): Pair {
  return [to[0] - from[0], to[1] - from[1]];
}

function mix(one: Pair, other: Pair, share: number): Pair {
  return [one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])];
}
