/** The colors of a style after dials for warmth, contrast and saturation. */
import type { Adjustments } from '../../domain/adjustment-names.ts';
import { clamp } from '../../signal/interpolation.ts';
import { castOfWarmth, type Dials, dialsOfLook, lookOfDials } from './color-dials.ts';
import type { Look } from './look.ts';
import type { Style } from './schema.ts';

/** Lab units of a full dial at a mid-grey: half of the strongest casts of the presets. */
const WARMTH_UNITS = 15;
/** Of the range of lightness, at a full dial a quarter of it from either end. The curve stays ascending below .159; mid-tones get 1.5 times the contrast. */
const CONTRAST_BEND = 0.08;
/** `look.chroma` of a style. */
const MAX_CHROMA = 4;

type ColorFields = Pick<Style, 'look' | 'color_grade' | 'color_statistics'>;
type Statistics = NonNullable<Style['color_statistics']>;
type Pair = [number, number];

/** The fields of a style that these dials change; without such a dial they are equal. */
export function adjustedColor(
  { look: measured, color_grade: grade, color_statistics: statistics }: ColorFields,
  adjust: Adjustments,
): ColorFields {
  if (adjust.warmth === 0 && adjust.contrast === 0 && adjust.saturation === 0)
    return {
      color_grade: grade,
      ...(measured && { look: measured }),
      ...(statistics && { color_statistics: statistics }),
    };
  const look = measured ?? lookOfDials(grade);
  const changed = adjustedLook(look, adjust);
  const [before, after] = [dialsOfLook(look), dialsOfLook(changed)];
  const names = Object.keys(before) as (keyof Dials)[];
  const moved = names.map((name) => [name, clamp(grade[name] + after[name] - before[name], -100, 100)]);
  return {
    look: { ...measured, chroma: changed.chroma, greys: changed.greys.map((grey) => ({ ...grey })) },
    color_grade: { ...grade, ...Object.fromEntries(moved) },
    ...(statistics && { color_statistics: adjustedStatistics(statistics, adjust) }),
  };
}

function adjustedLook({ greys, chroma }: Look, { warmth, contrast, saturation }: Adjustments): Look {
  return {
    greys: greys.map((grey) => {
      const [a, b] = castOfWarmth(warmth * WARMTH_UNITS, grey.in);
      return { ...grey, out: bent(grey.out, contrast), a: grey.a + a, b: grey.b + b };
    }),
    chroma: Math.min(MAX_CHROMA, chroma * (1 + saturation)),
  };
}

/** The palette of the template moves with its look: a strong style follows both. */
function adjustedStatistics(
  { mean_ab: mean, covariance_ab: covariance, tones_ab: tones, neutral_ab: neutral, ...rest }: Statistics,
  { warmth, contrast, saturation }: Adjustments,
): Statistics {
  const factor = 1 + saturation;
  const moved = ([a, b]: readonly [number, number], lightness: number, scale = factor): Pair => {
    const [castA, castB] = castOfWarmth(warmth * WARMTH_UNITS, lightness);
    return [scale * a + castA, scale * b + castB];
  };
  const [aa, ab, bb] = covariance;
  const toneAt = (index: number, lightness: number): Pair | null => {
    const tone = tones?.[index] ?? null;
    return tone === null ? null : moved(tone, lightness);
  };
  return {
    ...rest,
    lightness_percentiles: rest.lightness_percentiles.map((lightness) => bent(lightness, contrast)),
    mean_ab: moved(mean, 50),
    covariance_ab: [factor ** 2 * aa, factor ** 2 * ab, factor ** 2 * bb],
    // Below 35, from there to 70, and above: in the middle of each.
    ...(tones && { tones_ab: [toneAt(0, 18), toneAt(1, 50), toneAt(2, 85)] }),
    ...(neutral && { neutral_ab: moved(neutral, 50, 1) }),
  };
}

/** Lightness after a dial for contrast: black, white and the mid-grey stay. */
function bent(lightness: number, contrast: number): number {
  return clamp(
    lightness - contrast * CONTRAST_BEND * 100 * Math.sin((2 * Math.PI * lightness) / 100),
    0,
    100,
  );
}
