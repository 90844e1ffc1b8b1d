import { GREY_LEVELS, type Look, lookAt } from './look.ts';
import type { Style } from './schema.ts';

export type Dials = Pick<
  Style['color_grade'],
  'temperature' | 'tint' | 'saturation' | 'contrast' | 'highlights' | 'shadows'
>;

/** Dials of a clip without color findings. */
export const NEUTRAL_GRADE: Dials = {
  temperature: 0,
  tint: 0,
  saturation: 0,
  contrast: 0,
  highlights: 0,
  shadows: 0,
};

/** Typical ungraded picture: medians over clips of many kinds. */
export const NEUTRAL_PRIOR = { p5: 12, p95: 80, medianChroma: 14 } as const;

/**
 * Directions of warmth and magenta for a grey in (a, b): red up and blue down; green down. Together they are a
 * basis, so that a purely warm grade leaves the tint at 0 and a purely magenta one the temperature.
 */
const WARM = [0.3, 0.954] as const;
const MAGENTA = [0.82, -0.572] as const;
/** Lab units at which a dial reaches 76 (tanh 1). Beyond that it rises more and more slowly. */
const CAST_UNITS = 30;
const CONTRAST_UNITS = 35;
const TONE_UNITS = 30;
/** Largest dial, as a share of 100, that is inverted; larger ones count as this much. */
const MAX_INVERTED = 0.95;
/**
 * Part of a wider or narrower range that the contrast dial explains. P5 and P95 are two numbers for three dials
 * (contrast, highlights, shadows): if contrast explained all, the other two would only repeat each other.
 */
const CONTRAST_SHARE = 0.6;

/** Lightness of the grey that defines a cast. */
const MID_GREY = 50;
/** From this saturation dial on, the result is black and white. */
const MONOCHROME_DIAL = -95;
/** Share of a cast in shadows, mid-tones and highlights: pink snow looks wrong. */
const TONE_SHARES = [0.8, 1, 0.6] as const;
const [SHADOWS, LIGHTS] = [25, 75];

/** Measures of a picture that the dials change: all in Lab units. */
export interface DialTargets {
  /** The neutral grey, (a, b). */
  readonly neutral: readonly [number, number];
  /** Lightness at the 5th and the 95th percentile, 0..100. */
  readonly p5: number;
  readonly p95: number;
  readonly medianChroma: number;
}

/** The cast (a, b) of warmth, in Lab units of a mid-grey, on a grey of this lightness. */
export function castOfWarmth(units: number, lightness: number): [number, number] {
  const share = units * toneShare(lightness);
  return [share * WARM[0], share * WARM[1]];
}

function toneShare(lightness: number): number {
  return lightness < SHADOWS ? TONE_SHARES[0] : lightness > LIGHTS ? TONE_SHARES[2] : TONE_SHARES[1];
}

/** The six dials, -100..100, of a picture: its difference from the neutral prior. */
export function dialsOf({ neutral: [a, b], p5, p95, medianChroma }: DialTargets): Dials {
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

/** The six dials of a look, from a neutral picture with that look. */
export function dialsOfLook(look: Look): Dials {
  const { a, b } = lookAt(look, MID_GREY);
  const { p5, p95, medianChroma } = NEUTRAL_PRIOR;
  return dialsOf({
    neutral: [a, b],
    p5: lookAt(look, p5).out,
    p95: lookAt(look, p95).out,
    medianChroma: medianChroma * look.chroma,
  });
}

/** The look of six dials, as far as six numbers define one: a line of lightness and one cast. */
export function lookOfDials(dials: Dials): Look {
  const { p5, p95, neutral, medianChroma } = dialTargets(dials);
  const slope = (p95 - p5) / (NEUTRAL_PRIOR.p95 - NEUTRAL_PRIOR.p5);
  const isMonochrome = dials.saturation <= MONOCHROME_DIAL;
  return {
    greys: GREY_LEVELS.map((level) => {
      const share = toneShare(level);
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

/** Inverse of `dialsOf`. */
export function dialTargets(dials: Dials): DialTargets {
  const warmth = unbounded(dials.temperature) * CAST_UNITS;
  const magenta = unbounded(dials.tint) * CAST_UNITS;
  const explained = (CONTRAST_SHARE / 2) * unbounded(dials.contrast) * CONTRAST_UNITS;
  const saturation = Math.min(MAX_INVERTED, dials.saturation / 100);
  const clampLightness = (value: number) => Math.max(0, Math.min(100, value));
  return {
    neutral: [warmth * WARM[0] + magenta * MAGENTA[0], warmth * WARM[1] + magenta * MAGENTA[1]],
    p5: clampLightness(NEUTRAL_PRIOR.p5 - explained + unbounded(dials.shadows) * TONE_UNITS),
    p95: clampLightness(NEUTRAL_PRIOR.p95 + explained + unbounded(dials.highlights) * TONE_UNITS),
    medianChroma: (NEUTRAL_PRIOR.medianChroma * (1 + saturation)) / (1 - saturation),
  };
}

/** Inverse of tanh for a dial; a full dial means a strong grade, not an infinite one. */
function unbounded(value: number): number {
  return Math.atanh(Math.max(-MAX_INVERTED, Math.min(MAX_INVERTED, value / 100)));
}

/** Rounded to tenths; `+ 0` turns −0 into 0. */
function dial(share: number): number {
  return Math.round(Math.max(-1, Math.min(1, share)) * 1000) / 10 + 0;
}
