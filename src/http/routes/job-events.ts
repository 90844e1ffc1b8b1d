import { Readable } from 'node:stream';
import type { Job } from '../../jobs/model/job.ts';
import { jobDetailResponse, jobResponse } from '../contract/job-response.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/operations.ts';
import { baseUrl, clientSignal, type HttpContext } from '../server/context.ts';
import { mustGet } from './jobs.ts';

/** Below the idle time-outs of common proxies (60 s). */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': still here\n\n';

/**
 * A job's life as server-sent events (WHATWG HTML, section 9.2). An event's id names a state of the job, so a
 * client that reconnects with `Last-Event-ID` gets new events only. After `done` it gets 204, which ends
 * reconnecting.
 */
export function watchJob(context: HttpContext): Handler<typeof operations.watchJob> {
  const { parts, watchers, closing } = context;
  return async ({ params, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const lastId = request.headers['last-event-id'];
    if (isEnded(job) && lastId === eventId(job)) {
      void reply.code(204).send();
      return undefined;
    }
    watchers.add(request, reply);
    const base = baseUrl(parts, request);
    const signal = AbortSignal.any([clientSignal(reply), closing]);
    const events = eventsOf(parts.jobs.watch(job.jobId, signal), base, lastId);
    void reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(Readable.from(withHeartbeats(events, signal)));
    return undefined;
  };
}

async function* eventsOf(
  jobs: AsyncIterable<Job>,
  base: string,
  lastId: string | string[] | undefined,
): AsyncGenerator<string> {
  let before: Job | undefined;
  for await (const job of jobs) {
    const known = before === undefined && lastId === eventId(job);
    if (!known) yield eventText(job, before, base);
    before = job;
    if (isEnded(job)) return;
  }
}

/** The newest text of each state of a job. All streams of a job get the same objects, and most send the same text. */
const texts = new WeakMap<
  Job,
  { readonly before: Job | undefined; readonly base: string; readonly text: string }
>();

function eventText(job: Job, before: Job | undefined, base: string): string {
  const known = texts.get(job);
  if (known !== undefined && known.before === before && known.base === base) return known.text;
  const [name, data] = eventOf(job, before, base);
  const text = `id: ${eventId(job)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  texts.set(job, { before, base, text });
  return text;
}

/** `status` and `done` contain the whole job, `progress` the changes since the previous event. */
function eventOf(job: Job, before: Job | undefined, base: string): [name: string, data: object] {
  if (isEnded(job)) return ['done', jobDetailResponse(job, base)];
  const now = jobResponse(job, base);
  if (before === undefined || !isSameStage(job, before)) return ['status', now];
  const then: Readonly<Record<string, unknown>> = jobResponse(before, base);
  const changed = Object.entries(now).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(then[key]),
  );
  return ['progress', { job_id: now.job_id, ...Object.fromEntries(changed) }];
}

function isSameStage(job: Job, before: Job): boolean {
  return before.status === job.status && stageOf(before) === stageOf(job) && before.attempt === job.attempt;
}

function stageOf(job: Job): string | null {
  return job.status === 'processing' ? job.stage : null;
}

function isEnded(job: Job): boolean {
  return 'completedAt' in job;
}

function eventId(job: Job): string {
  const frame = job.status === 'processing' ? (job.frame?.sequence ?? 0) : 0;
  return [job.status, stageOf(job) ?? '', job.attempt, job.progressPercent, frame].join('/');
}

/** The events, with a comment after a time without any; ends without an error when the signal aborts. */
async function* withHeartbeats(events: AsyncGenerator<string>, signal: AbortSignal): AsyncGenerator<string> {
  let next = events.next();
  try {
    for (;;) {
      const result = await orSilence(next);
      if (result === null) {
        yield HEARTBEAT;
        continue;
      }
      if (result.done === true) return;
      yield result.value;
      next = events.next();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    next.catch(() => {});
    // Returning waits for the pending `next`, which ends with the signal.
    events.return(undefined).catch(() => {});
  }
}

/** The next event, or null if none arrived within the heartbeat's time. */
async function orSilence<T>(next: Promise<T>): Promise<T | null> {
  const silence = Promise.withResolvers<null>();
  const timer = setTimeout(() => silence.resolve(null), HEARTBEAT_MS);
  try {
    return await Promise.race([next, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
