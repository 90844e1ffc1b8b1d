import type { Grade } from '../../src/style/model/timeline.ts';

/** Leaves every color as it is. */
export const IDENTITY_GRADE: Grade = {
  lightness: [
    { in: 0, out: 0 },
    { in: 100, out: 100 },
  ],
  matrix: [1, 0, 0, 1],
  centre: [0, 0],
  offsets: [{ at: 0, a: 0, b: 0 }],
  skinGuardDegrees: 10,
};
