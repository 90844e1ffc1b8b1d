import type { ColourStatistics } from '../../analysis/facts.ts';
import { clamp, smoothstep } from '../../signal/interpolation.ts';
import { dialTargets, tonalEnds } from '../model/colour-dials.ts';
import type { Style } from '../model/schema.ts';
import type { ColourTransform, Pair, TransformLimits } from './grade-form.ts';
import { fitToneCurve } from './tone-curve.ts';

type Dials = Style['color_grade'];

/** Dials below this ask for next to nothing: a dial at 0 leaves the source alone. */
const FULL_DIAL = 10;
/** Of a cast, what shadows, mid-tones and highlights take: the dials say what greys are like, and pink snow looks wrong. */
const TONE_SHARES = [0.8, 1, 0.6] as const;

/** The transform that brings a source to where six dials say that its style lies, within the limits. */
export function dialTransform(
  source: ColourStatistics,
  dials: Dials,
  limits: TransformLimits,
): ColourTransform {
  const wanted = dialTargets(dials);
  const { lightnessPercentiles: from, neutral } = source;
  const [p5, p95] = tonalEnds(source);
  const slope = (wanted.p95 - wanted.p5) / Math.max(1, p95 - p5);
  const tone = gate(dials.contrast, dials.highlights, dials.shadows);
  const to = from.map((value) => {
    const moved = Math.max(0, Math.min(100, wanted.p5 + (value - p5) * slope));
    return value + tone * (moved - value);
  });
  const asked = wanted.medianChroma / Math.max(1, source.medianChroma);
  const monochrome = monochromeOfDials(dials);
  const bounded = Math.max(limits.minScale, Math.min(limits.maxScale, asked));
  const scale = monochrome === 1 ? 0 : 1 + gate(dials.saturation) * (bounded - 1);
  // Where all colour goes, the rest of a shift left out would be a tint.
  const cast = Math.max(monochrome, gate(dials.temperature, dials.tint));
  const shifts = TONE_SHARES.map((share): Pair => {
    const part = Math.max(monochrome, share * cast);
    return [
      (1 - scale) * neutral.a + part * (wanted.neutral[0] - neutral.a),
      (1 - scale) * neutral.b + part * (wanted.neutral[1] - neutral.b),
    ];
  });
  return {
    lightness: fitToneCurve(from, to, limits),
    map: [scale, 0, scale],
    shifts: shifts as unknown as ColourTransform['shifts'],
  };
}

/** 0..1: how far the dials ask for black and white. */
export function monochromeOfDials({ saturation }: Dials): number {
  return clamp((-saturation - 80) / 15, 0, 1);
}

function gate(...dials: readonly number[]): number {
  return smoothstep(0, FULL_DIAL, Math.hypot(...dials));
}
