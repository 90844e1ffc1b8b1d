/** Clips for which a child needs no limits of their own. */
import type { InspectedFile } from './tasks.ts';

/** Full HD, as pictures are stored: the size for which memory is planned where none is known (`memory-need.ts`). */
const MAX_PIXELS = 1920 * 1088;
/** Limits of `analyse`, which starts without knowing the file. */
export const ORDINARY_SECONDS = 60;

/**
 * How long a clip with a picture lasts, if it is no longer and no larger than what `analyse` has limits for; null: another child, with
 * limits of its own, must measure it, or there is nothing to measure.
 */
export function ordinaryDuration({ outline, probe }: InspectedFile): number | null {
  if (outline.video === null || probe === null || 'refusal' in probe) return null;
  const { width, height } = outline.video;
  const isCommon = width * height <= MAX_PIXELS && probe.durationSeconds <= ORDINARY_SECONDS;
  return isCommon ? probe.durationSeconds : null;
}
