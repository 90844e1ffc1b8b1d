import { clamp, polylineAt } from '../signal/interpolation.ts';
import { rounded } from '../signal/rounding.ts';
import { NEUTRAL_PRIOR } from '../style/model/color-dials.ts';
import { GREY_LEVELS, type Look } from '../style/model/look.ts';

type Pair = readonly [number, number];

/** A look in a colorist's terms; in CIELAB (D65), lightness 0..100. */
export interface AuthoredLook {
  /** Lightness of the graded shadows, mid-tones and highlights of an ordinary picture (12, 48 and 80). */
  readonly tones: readonly [number, number, number];
  /** Tint (a, b) of greys in shadows, mid-tones and highlights: split toning. */
  readonly shadows: Pair;
  readonly midtones: Pair;
  readonly highlights: Pair;
  /** Typical chroma, in Lab units; 0: black and white or toned; neutral: see `NEUTRAL_PRIOR`. */
  readonly chroma: number;
}

/** Lightness of the median of natural pictures: 48.0 over 1,500. */
const NATURAL_MEDIAN = 48;
/** Share of the neighbouring tones' change that black and white receive. */
const END_SHARE = 0.4;

export function lookOfAuthored({ tones, shadows, midtones, highlights, chroma }: AuthoredLook): Look {
  const { p5, p95, medianChroma } = NEUTRAL_PRIOR;
  const lifts = [tones[0] - p5, tones[1] - NATURAL_MEDIAN, tones[2] - p95];
  const curves = [lifts, ...[0, 1].map((axis) => [shadows[axis], midtones[axis], highlights[axis]])];
  return {
    greys: GREY_LEVELS.map((level) => {
      const [lift, a, b] = curves.map((curve) => atLevel(curve, level)) as [number, number, number];
      return { in: level, out: rounded(clamp(level + lift, 0, 100), 2), a: rounded(a, 2), b: rounded(b, 2) };
    }),
    chroma: rounded(chroma / medianChroma, 2),
  };
}

/** The change of a grey of this lightness, linear between those of shadows, mid-tones and highlights. */
function atLevel([low, middle, high]: readonly number[], level: number): number {
  const knots = [
    [0, END_SHARE * low!],
    [NEUTRAL_PRIOR.p5, low!],
    [NATURAL_MEDIAN, middle!],
    [NEUTRAL_PRIOR.p95, high!],
    [100, END_SHARE * high!],
  ] as const;
  return polylineAt(knots, level);
}
