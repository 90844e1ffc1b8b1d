import type { ColourStatistics } from '../../analysis/facts.ts';
import { GREY_LEVELS, type Look, lookAt } from './look.ts';
import type { Style } from './schema.ts';

export type Dials = Pick<
  Style['color_grade'],
  'temperature' | 'tint' | 'saturation' | 'contrast' | 'highlights' | 'shadows'
>;

/** What a clip without any finding on its colours has: dials at rest. */
export const NEUTRAL_GRADE: Dials = {
  temperature: 0,
  tint: 0,
  saturation: 0,
  contrast: 0,
  highlights: 0,
  shadows: 0,
};

/** What the neutral picture looks like: medians over ungraded clips of many kinds. */
export const NEUTRAL_PRIOR = { p5: 12, p95: 80, medianChroma: 14 } as const;

/**
 * What warmth and magenta do to a grey in (a, b): red up and blue down; green down. Together a basis, so that a
 * purely warm grade leaves the tint alone and a purely magenta one the temperature.
 */
const WARM = [0.3, 0.954] as const;
const MAGENTA = [0.82, -0.572] as const;
/** Lab units at which a dial reaches 76: beyond, it flattens instead of ending, so that more still reads as more. */
const CAST_UNITS = 30;
/** Share of near-neutral pixels at which half of a cast counts. */
const HALF_TRUST = 0.06;
const CONTRAST_UNITS = 35;
const TONE_UNITS = 30;
/** From here on a dial, as a share of 100, is taken for this much. */
const MAX_UNDONE = 0.95;
/**
 * The part of a wider or narrower range that the contrast dial explains. P5 and P95 are two numbers and the
 * dials contrast, highlights and shadows are three: with all of it explained, the other two could only repeat
 * each other.
 */
const CONTRAST_SHARE = 0.6;

/** A cast is what greys of this lightness take on. */
const MID_GREY = 50;
/** From here on the saturation dial asks for black and white. */
const MONOCHROME_DIAL = -95;
/** Of a cast, what shadows, mid-tones and highlights take: the dials say what greys are like, and pink snow looks wrong. */
const TONE_SHARES = [0.8, 1, 0.6] as const;
const [SHADOWS, LIGHTS] = [25, 75];

interface TonalStatistics extends Pick<ColourStatistics, 'lightnessPercentiles'> {
  /** The 5th and 95th percentile where no others are known. */
  readonly lightnessEnds?: readonly [number, number];
}
type DialStatistics = TonalStatistics & Pick<ColourStatistics, 'neutral' | 'medianChroma'>;

/** The six dials, -100..100, of measured statistics: how far they lie from the neutral prior. */
export function dialsOf(statistics: DialStatistics): Dials {
  const { neutral, medianChroma } = statistics;
  const [p5, p95] = tonalEnds(statistics);
  // A neutral that rests on next to no pixels says next to nothing.
  const trust = neutral.share ** 2 / (neutral.share ** 2 + HALF_TRUST ** 2);
  const [a, b] = [neutral.a * trust, neutral.b * trust];
  const determinant = WARM[0] * MAGENTA[1] - WARM[1] * MAGENTA[0];
  const warmth = (a * MAGENTA[1] - b * MAGENTA[0]) / determinant;
  const magenta = (WARM[0] * b - WARM[1] * a) / determinant;
  const ratio = medianChroma / NEUTRAL_PRIOR.medianChroma;
  const wider = p95 - p5 - (NEUTRAL_PRIOR.p95 - NEUTRAL_PRIOR.p5);
  const explained = (CONTRAST_SHARE * wider) / 2;
  return {
    temperature: dial(Math.tanh(warmth / CAST_UNITS)),
    tint: dial(Math.tanh(magenta / CAST_UNITS)),
    saturation: dial((ratio - 1) / (ratio + 1)),
    contrast: dial(Math.tanh(wider / CONTRAST_UNITS)),
    highlights: dial(Math.tanh((p95 - NEUTRAL_PRIOR.p95 - explained) / TONE_UNITS)),
    shadows: dial(Math.tanh((p5 - NEUTRAL_PRIOR.p5 + explained) / TONE_UNITS)),
  };
}

/** The six dials of a look: what a neutral picture shows in it. */
export function dialsOfLook(look: Look): Dials {
  const { a, b } = lookAt(look, MID_GREY);
  const { p5, p95, medianChroma } = NEUTRAL_PRIOR;
  return dialsOf({
    lightnessPercentiles: [],
    lightnessEnds: [lookAt(look, p5).out, lookAt(look, p95).out],
    neutral: { a, b, share: 1 },
    medianChroma: medianChroma * look.chroma,
  });
}

/** The look that six dials ask for, as far as six can say: one line of lightness, one cast. */
export function lookOfDials(dials: Dials): Look {
  const { p5, p95, neutral, medianChroma } = dialTargets(dials);
  const slope = (p95 - p5) / (NEUTRAL_PRIOR.p95 - NEUTRAL_PRIOR.p5);
  const isMonochrome = dials.saturation <= MONOCHROME_DIAL;
  return {
    greys: GREY_LEVELS.map((level) => {
      const share = level < SHADOWS ? TONE_SHARES[0] : level > LIGHTS ? TONE_SHARES[2] : TONE_SHARES[1];
      return {
        in: level,
        out: Math.max(0, Math.min(100, p5 + slope * (level - NEUTRAL_PRIOR.p5))),
        a: share * neutral[0],
        b: share * neutral[1],
      };
    }),
    chroma: isMonochrome ? 0 : medianChroma / NEUTRAL_PRIOR.medianChroma,
  };
}

/** The lightness at P5 and P95 that the tonal dials go by. */
export function tonalEnds({
  lightnessEnds,
  lightnessPercentiles,
}: TonalStatistics): readonly [number, number] {
  return lightnessEnds ?? [lightnessPercentiles[1]!, lightnessPercentiles[19]!];
}

/** What the dials ask for, in the statistics' own terms: the inverse of `dialsOf`. */
export function dialTargets(dials: Dials): {
  neutral: [number, number];
  p5: number;
  p95: number;
  medianChroma: number;
} {
  const warmth = unbounded(dials.temperature) * CAST_UNITS;
  const magenta = unbounded(dials.tint) * CAST_UNITS;
  const explained = (CONTRAST_SHARE / 2) * unbounded(dials.contrast) * CONTRAST_UNITS;
  const saturation = Math.min(0.95, dials.saturation / 100);
  const clampLightness = (value: number) => Math.max(0, Math.min(100, value));
  return {
    neutral: [warmth * WARM[0] + magenta * MAGENTA[0], warmth * WARM[1] + magenta * MAGENTA[1]],
    p5: clampLightness(NEUTRAL_PRIOR.p5 - explained + unbounded(dials.shadows) * TONE_UNITS),
    p95: clampLightness(NEUTRAL_PRIOR.p95 + explained + unbounded(dials.highlights) * TONE_UNITS),
    medianChroma: (NEUTRAL_PRIOR.medianChroma * (1 + saturation)) / (1 - saturation),
  };
}

/** The inverse of tanh, for a dial; a full dial means a strong grade, not an infinite one. */
function unbounded(value: number): number {
  return Math.atanh(Math.max(-MAX_UNDONE, Math.min(MAX_UNDONE, value / 100)));
}

function dial(share: number): number {
  return Math.round(Math.max(-1, Math.min(1, share)) * 1000) / 10 + 0;
}
