/** Casts where there are people in the picture. */
import { rounded } from '../../signal/rounding.ts';
import type { Grade } from '../model/timeline.ts';
import { gradeLab } from './grade.ts';
import { TYPICAL_SKIN } from './skin.ts';

/**
 * Where there are people, casts are only so strong that skin is held back by no more than this, in (a, b). Beyond, what lies between
 * skin and grey is torn apart: a beige shirt gets blue blotches, and a blue room people who seem pasted in.
 */
const MAX_HELD_BACK = 15;
/** Lightness of skin, from dark skin in shadow to fair skin in the sun. */
const SKIN_LIGHTNESS = [25, 40, 55, 70, 85] as const;

/** Share of a grade's casts, 0..1, with which skin is held back by no more than `MAX_HELD_BACK`. */
export function bearableCastShare(grade: Grade): number {
  const [held, free] = [new Float64Array(3), new Float64Array(3)];
  const heldBack = SKIN_LIGHTNESS.map((lightness) => {
    gradeLab(grade, lightness, ...TYPICAL_SKIN, held);
    gradeLab({ ...grade, skinGuardDegrees: 180, colorGuard: 0 }, lightness, ...TYPICAL_SKIN, free);
    return Math.hypot(held[1] - free[1], held[2] - free[2]);
  });
  return Math.min(1, MAX_HELD_BACK / Math.max(...heldBack));
}

export function withPartOfCasts(grade: Grade, share: number): Grade {
  const part = ({ at, a, b }: Grade['offsets'][number]) => ({
    at,
    a: rounded(share * a, 4),
    b: rounded(share * b, 4),
  });
  return {
    ...grade,
    offsets: grade.offsets.map(part),
    ...(grade.heldCasts && { heldCasts: grade.heldCasts.map(part) }),
  };
}
