import { between, clamp, smoothstep } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';

type Pair = readonly [number, number];

const DEGREES = 180 / Math.PI;
/**
 * Skin of every tone, in CIELAB: a line of one hue in (a, b). Skin in little light is near the first chroma, skin in the sun
 * near the second. Colors within the distance `guarded` of the line are guarded, those beyond `free` are not. `free` is the
 * line's distance from grey. The distances differ much, because a narrow edge turns the chroma noise of a beige wall into
 * blotches. Redder colors count as nearer: from the second chroma of `flushed` on, their distance is multiplied by `redder`. A flushed face with
 * (36, 18) is 17 from the line, and became sunburnt.
 */
const SKIN = {
  hueDegrees: 52,
  chroma: [20, 44],
  guarded: 10,
  free: 20,
  redder: 0.7,
  flushed: [20, 36],
} as const;
const SKIN_DIRECTION = [Math.cos(SKIN.hueDegrees / DEGREES), Math.sin(SKIN.hueDegrees / DEGREES)] as const;
/**
 * Of the chroma that skin has this share stays at the least, below which people look dead; and it grows by no more than this: with 1.25
 * faces looked sunburnt under contrasty looks, with 1.12 one that was red already. Skin loses only this power of the chroma that a paler look leaves: with .8 and .3, faces in weak
 * light under looks that leave .37 were ashen. Under black and white they lose all.
 */
const [MIN_SKIN_CHROMA, MAX_SKIN_CHROMA] = [0.9, 1.04];
const PALE_SKIN = 0.2;

/** 0..1: how far a color counts as skin. */
export function skinWeight(a: number, b: number): number {
  const [x, y] = SKIN_DIRECTION;
  const along = clamp(a * x + b * y, ...SKIN.chroma);
  const flushed = a * y > b * x ? smoothstep(...SKIN.flushed, a * x + b * y) : 0;
  const distance = between(1, SKIN.redder, flushed) * Math.hypot(a - along * x, b - along * y);
  return clamp((SKIN.free - distance) / (SKIN.free - SKIN.guarded), 0, 1);
}

/**
 * Ranges of skin. Medians of the middle of detected faces in 34 of 48 clips and portraits: 17–71, 28–69, 8–41; the others are
 * drawings, black and white, in colored light, or hair and collars.
 */
const SEEN = { lightness: [12, 92], hueDegrees: [25, 72], chroma: [8, 46] } as const;

/** Whether a color may be skin: wood, sand and leather have it, too. */
export function isSkinColor(lightness: number, a: number, b: number): boolean {
  const within = (value: number, [least, most]: Pair) => value > least && value < most;
  return (
    within(lightness, SEEN.lightness) &&
    within(Math.atan2(b, a) * DEGREES, SEEN.hueDegrees) &&
    within(Math.hypot(a, b), SEEN.chroma)
  );
}

/** (a, b) of skin in even light. */
export const TYPICAL_SKIN = [SKIN.chroma[0] * SKIN_DIRECTION[0], SKIN.chroma[0] * SKIN_DIRECTION[1]] as const;

/**
 * Keeps skin's hue within the guard, and its chroma within the range of people: colors that would turn further lose chroma instead. All
 * other colors follow the light, as under a filter. Takes (a, b) before and after the grade, and writes the result to `out[1..2]`.
 */
export function guardSkin(
  grade: Pick<Grade, 'chroma' | 'paleness' | 'skinGuardDegrees' | 'skinShare'>,
  [a, b]: Pair,
  [gradedA, gradedB]: Pair,
  out: Float64Array,
): void {
  out[1] = gradedA;
  out[2] = gradedB;
  if (grade.skinGuardDegrees >= 180) return;
  const { paleness = 1, skinShare = 1 } = grade;
  const chroma = paleness * Math.hypot(a, b);
  const mapped = Math.hypot(grade.chroma * a, grade.chroma * b);
  // Pale skin is guarded in its mapped color, flushed skin in its own.
  const seen = chroma < 1e-6 ? 1 : (paleness * Math.max(chroma, mapped)) / chroma;
  const skin = skinShare * Math.max(skinWeight(paleness * a, paleness * b), skinWeight(seen * a, seen * b));
  if (skin === 0) return;
  const before = Math.atan2(b, a);
  let turned = Math.atan2(gradedB, gradedA) - before;
  if (turned > Math.PI) turned -= 2 * Math.PI;
  if (turned < -Math.PI) turned += 2 * Math.PI;
  const guard = grade.skinGuardDegrees / DEGREES;
  // Approaches the guard instead of stopping there, so that neighbouring hues stay apart; and goes back on the far side of grey, where either way round would do.
  const far = Math.abs(turned) > Math.PI / 2 ? Math.sin(Math.abs(turned)) : 1;
  const allowed = far * guard * Math.tanh(turned / guard);
  const kept = clamp(
    Math.hypot(gradedA, gradedB) * Math.max(0, Math.cos(turned - allowed)),
    MIN_SKIN_CHROMA * chroma * Math.min(1, mapped / Math.max(1e-6, chroma)) ** PALE_SKIN,
    MAX_SKIN_CHROMA * chroma,
  );
  out[1] = gradedA + skin * (kept * Math.cos(before + allowed) - gradedA);
  out[2] = gradedB + skin * (kept * Math.sin(before + allowed) - gradedB);
}
