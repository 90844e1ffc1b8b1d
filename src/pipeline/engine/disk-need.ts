import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import type { Quality } from '../../domain/job-choices.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { fileBytes } from '../../domain/work-estimate.ts';
import { type Timeline, timelineDurationSeconds } from '../../style/model/timeline.ts';

/** Share of the expected size that is certainly needed: the least of 25 real clips had .26 (docs/notebook/costs.md). */
const CERTAIN_SHARE = 0.2;

interface RoomOptions {
  readonly quality: Quality;
  readonly comparison: boolean;
  readonly outputFile?: string;
}

/**
 * Throws `Failure` INSUFFICIENT_STORAGE before the work if the disk of a folder certainly cannot hold the output of a timeline.
 * `outputFile`: the file that a person named in that folder, for the message; left out: a working folder, whose path is not shown.
 */
export async function assertRoom(
  folder: string,
  timeline: Timeline,
  { quality, comparison, outputFile }: RoomOptions,
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
  const disk = outputFile === undefined ? 'the disk' : `the disk of ${dirname(outputFile)}`;
  throw new Failure(
    'INSUFFICIENT_STORAGE',
    `The output will take about ${inMegabytes(bytes)} (${timeline.width}×${timeline.height}, ${Math.round(clip.durationSeconds)} s, quality "${quality}"), and ${disk} has ${inMegabytes(free)} free: free some space, or choose a lower quality or resolution`,
    { retryAfterSeconds: 60, file: outputFile },
  );
}

function inMegabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
