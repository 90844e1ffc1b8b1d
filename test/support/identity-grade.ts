import type { Grade } from '../../src/style/model/timeline.ts';

/** Leaves every color as it is. */
export const IDENTITY_GRADE: Grade = {
  lightness: [
    { in: 0, out: 0 },
    { in: 100, out: 100 },
  ],
  chroma: 1,
  offsets: [{ at: 0, a: 0, b: 0 }],
  skinGuardDegrees: 10,
};
