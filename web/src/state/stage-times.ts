/** Duration of each stage of a job, recorded from its events: the service does not store it. */
import type { Job } from '../../../src/client/api-types.ts';
import { STAGE_NAMES, type StageName } from '../../../src/domain/stage.ts';

/** Times of the service's own clock, in milliseconds; the person's may be wrong. */
interface Noted {
  readonly attempt: number;
  /** The stage that was running when this page opened: its beginning is unknown. */
  readonly foundIn: StageName | null;
  readonly begins: Partial<Record<StageName, number>>;
}

export interface JobClock {
  /** Duration of a stage in seconds, or null if its beginning or its end is unknown. */
  readonly stageSeconds: Readonly<Record<StageName, number | null>>;
  /** Seconds of the running stage, up to the last event; null if its start is unknown. */
  readonly currentSeconds: number | null;
  /** Time of that event, by `performance.now()`. */
  readonly reportedAtMs: number;
}

const noted = new Map<string, Noted>();

/** `now`: time of the event, in milliseconds of `performance.now()`. */
export function noteTimes(job: Job, now = performance.now()): JobClock {
  const updatedMs = Date.parse(job.progress_updated_at);
  const next = withStage(knownOf(job), job, updatedMs);
  noted.set(job.job_id, next);
  const begun = job.current_stage === null ? undefined : next.begins[job.current_stage];
  return {
    stageSeconds: secondsOf(next, job),
    currentSeconds: begun === undefined ? null : Math.max(0, (updatedMs - begun) / 1000),
    reportedAtMs: now,
  };
}

function knownOf({ job_id: jobId, attempt, current_stage: stage, started_at: startedAt }: Job): Noted {
  const before = noted.get(jobId);
  if (before?.attempt === attempt) return before;
  const [first] = STAGE_NAMES;
  // A first attempt began with its first stage, at a time that the service reports.
  if (stage === first && attempt === 1 && startedAt !== null)
    return { attempt, foundIn: null, begins: { [first]: Date.parse(startedAt) } };
  return { attempt, foundIn: before === undefined ? stage : null, begins: {} };
}

function withStage(known: Noted, { current_stage: stage }: Job, updatedMs: number): Noted {
  if (stage === null || stage === known.foundIn || known.begins[stage] !== undefined) return known;
  return { ...known, begins: { ...known.begins, [stage]: updatedMs } };
}

function secondsOf({ begins }: Noted, job: Job): Record<StageName, number | null> {
  const end = job.completed_at === null ? undefined : Date.parse(job.completed_at);
  const entries = STAGE_NAMES.map((stage, index) => {
    const from = begins[stage];
    const following = STAGE_NAMES[index + 1];
    const to = following === undefined ? end : begins[following];
    return [stage, from === undefined || to === undefined ? null : Math.max(0, (to - from) / 1000)] as const;
  });
  return Object.fromEntries(entries) as Record<StageName, number | null>;
}
