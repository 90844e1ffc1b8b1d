import type { Queryable } from '../../database/database.ts';
import type { Quality } from '../../domain/job-choices.ts';
import {
  drawingSeconds,
  likelyOutput,
  measuringSeconds,
  PLANNING_SECONDS,
} from '../../domain/work-estimate.ts';
import { selectVideo } from '../../videos/video-store.ts';
import type { Job } from '../model/job.ts';
import { doneShares } from '../model/progress.ts';

/** Weight of the expected pace against the measured one, as a share of the expected time of the whole job. */
const PRIOR_SHARE = 0.25;

/** Expected seconds of analysis, planning and rendering. */
export interface ExpectedWork {
  readonly measured: number;
  readonly planned: number;
  readonly drawn: number;
}

/** Null while a job is not running, and when its video has been removed. */
export async function etaSeconds(db: Queryable, job: Job, now: Date): Promise<number | null> {
  if (job.status !== 'processing') return null;
  const work = await expectedWork(db, job);
  if (work === null) return null;
  const elapsedSeconds = (now.getTime() - job.startedAt.getTime()) / 1000;
  return secondsLeft(work, job.progressPercent, elapsedSeconds);
}

/**
 * Returns the remaining expected work at the measured pace. Cached results and a faster or busier machine change the pace, the more the
 * further the job is.
 */
export function secondsLeft(work: ExpectedWork, percent: number, elapsedSeconds: number): number {
  const shares = doneShares(percent);
  const whole = work.measured + work.planned + work.drawn;
  const done = shares.measured * work.measured + shares.planned * work.planned + shares.drawn * work.drawn;
  const prior = PRIOR_SHARE * whole;
  const pace = (elapsedSeconds + prior) / (done + prior);
  return Math.max(0, Math.round((whole - done) * pace));
}

async function expectedWork(db: Queryable, job: Job): Promise<ExpectedWork | null> {
  const source = (await selectVideo(db, job.videoId))?.video;
  if (source === undefined) return null;
  const template = job.templateVideoId === null ? null : await selectVideo(db, job.templateVideoId);
  const look = template?.video ?? null;
  const { quality, resolution, comparison } = job.config as {
    readonly quality: Quality;
    readonly resolution: string;
    readonly comparison: boolean;
  };
  const output = likelyOutput(source, { quality, resolution }, look && Math.min(look.width, look.height));
  return {
    measured: measuringSeconds(source) + (look === null ? 0 : measuringSeconds(look)),
    planned: PLANNING_SECONDS,
    drawn: drawingSeconds(source, output, { quality, comparison }),
  };
}
