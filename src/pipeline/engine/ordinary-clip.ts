/** Clips that fit into a child's default limits. */
import type { InspectedFile } from './tasks.ts';

/** Full HD as stored: the size for which memory is planned if the size is not known (`memory-need.ts`). */
const MAX_PIXELS = 1920 * 1088;
/** Limit of `analyse`, which starts before the file is known. */
export const ORDINARY_SECONDS = 60;

/**
 * Duration of a clip that is within the limits of `analyse`. Null: it has no picture, or it is longer or larger and needs
 * a child with its own limits.
 */
export function ordinaryDuration({ outline, probe }: InspectedFile): number | null {
  if (outline.video === null || probe === null || 'refusal' in probe) return null;
  const { width, height } = outline.video;
  const isCommon = width * height <= MAX_PIXELS && probe.durationSeconds <= ORDINARY_SECONDS;
  return isCommon ? probe.durationSeconds : null;
}
