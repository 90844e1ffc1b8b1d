import { statfs } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';
import type { Quality } from '../../domain/job-choices.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { fileBytes } from '../../domain/work-estimate.ts';
import { type Timeline, timelineDurationSeconds } from '../../style/model/timeline.ts';

/** Share of the expected size that is certainly needed: the least of 25 real clips had .26 (docs/notebook/costs.md). */
const CERTAIN_SHARE = 0.2;

/**
 * Throws `Failure` INSUFFICIENT_STORAGE before the work if the disk of a working folder certainly cannot hold the output of a timeline.
 */
export async function assertRoom(
  folder: string,
  timeline: Timeline,
  { quality, comparison }: { readonly quality: Quality; readonly comparison: boolean },
): Promise<void> {
  const clip = {
    durationSeconds: timelineDurationSeconds(timeline),
    frameRate: framesPerSecond(timeline.frameRate),
    hasAudio: timeline.audio !== null,
  };
  // A comparison is as high, and at least as wide.
  const bytes = fileBytes(clip, timeline, quality) * (comparison ? 2 : 1);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= CERTAIN_SHARE * bytes) return;
  throw new Failure(
    'INSUFFICIENT_STORAGE',
    `The output will take about ${inMegabytes(bytes)} (${timeline.width}×${timeline.height}, ${Math.round(clip.durationSeconds)} s, quality "${quality}"), and the disk has ${inMegabytes(free)} free: free some space, or choose a lower quality or resolution`,
    { retryAfterSeconds: 60 },
  );
}

function inMegabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
