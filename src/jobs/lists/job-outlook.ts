import type { Queryable } from '../../database/database.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import { editVideoIds } from '../../domain/edit-takes.ts';
import type { Size } from '../../domain/footage.ts';
import type { Quality } from '../../domain/job-choices.ts';
import { countingSeconds, type TimeRange } from '../../domain/time-range.ts';
import {
  drawingSeconds,
  likelyOutput,
  measuringSeconds,
  PLANNING_SECONDS,
  type WorkClip,
} from '../../domain/work-estimate.ts';
import { type StoredVideo, selectUsedVideos, selectVideo } from '../../videos/video-store.ts';
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
  // The database's clock, which is not this machine's, has set `startedAt`.
  const elapsedSeconds = Math.max(0, (now.getTime() - job.startedAt.getTime()) / 1000);
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
  return Math.round((whole - done) * pace);
}

/** Number of recent jobs for the mean pace. */
const RECENT_JOBS = 5;
/** A larger factor means that the machine slept. */
const MAX_PACE = 20;

/**
 * Median of the time that recent jobs took over the expected time of planning and rendering. It covers a slow or busy machine; where jobs
 * also measure their videos, it is somewhat too large.
 */
export async function recentPace(db: Queryable): Promise<number> {
  const rows = await db.query<{ config: RecentConfig; output: RecentOutput | null; seconds: string }>(
    `select config, publication->'summary'->'output' as output, extract(epoch from completed_at - started_at) as seconds
     from jobs where status = 'completed' and product is null and created_at > now() - interval '1 hour'
     order by created_at desc, job_id desc limit ${RECENT_JOBS}`,
  );
  const paces = rows.flatMap(({ config, output, seconds }) => {
    if (output === null) return [];
    const { duration_seconds: durationSeconds, frame_rate: frameRate } = output;
    const drawn = drawingSeconds({ durationSeconds, frameRate }, output, config);
    return [Number(seconds) / (PLANNING_SECONDS + drawn)];
  });
  const middle = paces.toSorted((one, other) => one - other)[paces.length >> 1] ?? 1;
  return Math.min(MAX_PACE, middle);
}

interface RecentConfig {
  readonly quality: Quality;
  readonly comparison: boolean;
}

interface RecentOutput extends Size {
  readonly duration_seconds: number;
  readonly frame_rate: number;
}

async function expectedWork(db: Queryable, job: Job): Promise<ExpectedWork | null> {
  const { quality, resolution, comparison, source_range, template_range } = job.config as {
    readonly quality: Quality;
    readonly resolution: string;
    readonly comparison: boolean;
    readonly source_range?: TimeRange | null;
    readonly template_range?: TimeRange | null;
  };
  const counting = (found: StoredVideo | null, range: TimeRange | null | undefined) =>
    found && { ...found.video, durationSeconds: countingSeconds(found.video.durationSeconds, range) };
  const source = counting(await selectVideo(db, job.videoId), source_range);
  if (source === null) return null;
  const template = job.templateVideoId === null ? null : await selectVideo(db, job.templateVideoId);
  const look = counting(template, template_range);
  const output = likelyOutput(source, { quality, resolution }, look && Math.min(look.width, look.height));
  const others = job.edit === null ? [] : await otherVideos(db, job.edit, job.videoId);
  const measured = [source, ...(look === null ? [] : [look]), ...others].map(measuringSeconds);
  const drawn = job.edit === null ? source : { durationSeconds: editSeconds(job.edit, others, source, look) };
  return {
    measured: measured.reduce((sum, seconds) => sum + seconds, 0),
    planned: PLANNING_SECONDS,
    drawn: drawingSeconds(drawn, output, { quality, comparison }),
  };
}

/** Takes and music of an edit besides its source. */
async function otherVideos(db: Queryable, edit: EditOptions, sourceId: string): Promise<OtherVideo[]> {
  const named = editVideoIds(edit).filter(({ videoId }) => videoId !== sourceId);
  const ids = named.map(({ videoId }) => videoId);
  const videos = await selectUsedVideos(db, ids);
  return named.flatMap(({ role, videoId }) => {
    const video = videos.get(videoId);
    return video === undefined ? [] : [{ role, durationSeconds: video.durationSeconds }];
  });
}

interface OtherVideo extends WorkClip {
  readonly role: 'take' | 'music';
}

/** Expected length of the output: as requested, at most as long as all takes. */
function editSeconds(
  { duration }: EditOptions,
  others: readonly OtherVideo[],
  source: WorkClip,
  template: WorkClip | null,
): number {
  const takes = others.filter(({ role }) => role === 'take');
  const material = takes.reduce((sum, take) => sum + take.durationSeconds, source.durationSeconds);
  const song = others.find(({ role }) => role === 'music')?.durationSeconds;
  const wanted = duration === 'template' ? template?.durationSeconds : duration === 'music' ? song : duration;
  return Math.min(wanted ?? material, material);
}
