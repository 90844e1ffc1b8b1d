import type { ColourStatistics } from '../analysis/facts.ts';
import { NEUTRAL_PRIOR } from '../style/model/colour-dials.ts';

type Pair = readonly [number, number];

/** A colour look as a colourist would say it; in CIELAB (D65), lightness 0..100. */
export interface Look {
  /** Lightness of the 5th, 50th and 95th percentile. */
  readonly tones: readonly [number, number, number];
  /** (a, b) that greys take on in shadows, mid-tones and highlights: split toning. */
  readonly shadows: Pair;
  readonly midtones: Pair;
  readonly highlights: Pair;
  /** Typical chroma, in Lab units; 0: black and white or toned; neutral: see `NEUTRAL_PRIOR`. */
  readonly chroma: number;
}

/** How far ordinary scenes' colour lies from their greys, in (a, b): foliage and skin weigh more than sky. */
const SCENE_CAST: Pair = [1, 5];
/** Scenes vary more between blue and yellow than between green and red, and along the line from cyan to orange. */
const SCENE_SPREAD = { along: 1.25, across: 0.75, angle: Math.PI / 3 } as const;

/** The statistics that a scene of average content would show in this look. */
export function statisticsOf(look: Look): ColourStatistics {
  const { tones, shadows, midtones, highlights, chroma } = look;
  const content = Math.min(1, chroma / NEUTRAL_PRIOR.medianChroma);
  const seen = ([a, b]: Pair): Pair => [
    rounded(a + SCENE_CAST[0] * content),
    rounded(b + SCENE_CAST[1] * content),
  ];
  const mean = (axis: 0 | 1) => 0.3 * shadows[axis] + 0.5 * midtones[axis] + 0.2 * highlights[axis];
  const [meanA, meanB] = seen([mean(0), mean(1)]);
  const long = (chroma * SCENE_SPREAD.along) ** 2;
  const short = (chroma * SCENE_SPREAD.across) ** 2;
  const [cos, sin] = [Math.cos(SCENE_SPREAD.angle), Math.sin(SCENE_SPREAD.angle)];
  return {
    lightnessPercentiles: Array.from({ length: 21 }, (_, index) => rounded(lightnessAt(tones, index / 20))),
    meanA,
    meanB,
    covariance: [
      rounded(long * cos * cos + short * sin * sin),
      rounded((long - short) * cos * sin),
      rounded(long * sin * sin + short * cos * cos),
    ],
    tones: { shadows: seen(shadows), midtones: seen(midtones), highlights: seen(highlights) },
    neutral: { a: midtones[0], b: midtones[1], share: 1 },
    medianChroma: chroma,
    skin: null,
    clipped: [0, 0],
  };
}

/** A monotone curve through the three tones, its ends at three quarters of the way to black and white. */
function lightnessAt([low, middle, high]: Look['tones'], share: number): number {
  const knots = [
    [0, low * 0.25],
    [0.05, low],
    [0.5, middle],
    [0.95, high],
    [1, high + (100 - high) * 0.75],
  ] as const;
  const next = knots.findIndex(([at]) => at >= share);
  if (next <= 0) return knots[0][1];
  const [from, to] = [knots[next - 1]!, knots[next]!];
  return from[1] + ((share - from[0]) / (to[0] - from[0])) * (to[1] - from[1]);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
