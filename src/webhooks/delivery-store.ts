/** One function for each statement about webhook deliveries. */
import type { Queryable, Row } from '../database/database.ts';
import { type Busy, busyArrays, hostOf } from '../database/shares.ts';
import type { TraceContext } from '../telemetry/trace-context.ts';
import type { WebhookEvent } from './event.ts';
import type { WebhookDelivery } from './webhook.ts';

export const WEBHOOK_DUE_CHANNEL = 'styledna_webhook_due';

/** A sender that took a delivery and died frees it after this long: more than a try may last. */
const LEASE_SECONDS = 60;

const NOTIFY = `pg_notify('${WEBHOOK_DUE_CHANNEL}', '')`;

/** A delivery that a sender has taken. */
export interface DueDelivery {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  /** By which it has a share of the places. */
  readonly host: string;
  readonly body: string;
  /** Tries that failed before this one. */
  readonly tries: number;
  /** The end of the lease, by which its holder is known. */
  readonly leasedUntil: Date;
  readonly jobId: string;
  /** In which it was ended what is told of. */
  readonly trace: TraceContext | null;
}

export async function insertDelivery(
  db: Queryable,
  webhookId: string,
  target: { readonly jobId: string; readonly url: string },
  event: WebhookEvent,
  trace: TraceContext | null,
): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (webhook_id, job_id, event, url, body, state, trace, created_at, next_attempt_at)
     values ($1, $2, $3, $4, $5, 'pending', $6, now(), now()) returning ${NOTIFY}`,
    [
      webhookId,
      target.jobId,
      event.name,
      target.url,
      event.body,
      trace === null ? null : JSON.stringify(trace),
    ],
  );
}

/** A receiver that hangs holds each of its places for a whole time-out: 8 leave 56 of a sender's 64 to the others. */
export const MAX_PER_HOST = 8;

/** So many of those that are due the longest compete for places: what ranking a backlog of a million would cost is bounded. */
const CANDIDATES = 2_000;

const DUE = `state = 'pending' and next_attempt_at <= now() and (leased_until is null or leased_until < now())`;

/**
 * Takes up to `limit` deliveries that are due for the sender `holder`, for as long as a try lasts. Hosts take turns, the one with the
 * fewest at work first. `busy`: the tries of this sender that are under way, by host.
 */
export async function takeDue(
  db: Queryable,
  holder: string,
  limit: number,
  busy: Busy = new Map(),
): Promise<DueDelivery[]> {
  const rows = await db.query<{
    webhook_id: string;
    event: string;
    url: string;
    host: string;
    body: string;
    tries: number;
    leased_until: Date;
    job_id: string;
    trace: TraceContext | null;
  }>(
    `update webhook_deliveries set leased_until = now() + $2 * interval '1 second', holder = $3
     where webhook_id in (
       select webhook_id from webhook_deliveries where ${DUE} and webhook_id in (
         select webhook_id from (
           select webhook_id, next_attempt_at,
             row_number() over (partition by host order by next_attempt_at) + coalesce(busy, 0) as turn
           from (
             select webhook_id, next_attempt_at, ${hostOf('url')} as host, busy
             from webhook_deliveries left join unnest($4::text[], $5::integer[]) as hosts (name, busy) on name = ${hostOf('url')}
             where ${DUE} and coalesce(busy, 0) < $6 order by next_attempt_at limit $7) as candidates
         ) as ranked where turn <= $6 order by turn, next_attempt_at limit $1)
       for update skip locked)
     returning webhook_id, job_id, event, url, ${hostOf('url')} as host, body, tries, leased_until, trace`,
    [limit, LEASE_SECONDS, holder, ...busyArrays(busy), MAX_PER_HOST, CANDIDATES],
  );
  return rows.map(({ webhook_id: webhookId, leased_until: leasedUntil, job_id: jobId, ...rest }) => ({
    webhookId,
    leasedUntil,
    jobId,
    ...rest,
  }));
}

/** Milliseconds until the next delivery is due to a host that has a free place; null when none waits. */
export async function nextDueMs(db: Queryable, busy: Busy = new Map()): Promise<number | null> {
  const full = [...busy.keys()].filter((host) => busy.get(host)! >= MAX_PER_HOST);
  const [row] = await db.query<{ due_ms: number | null }>(
    `select extract(epoch from min(greatest(next_attempt_at, leased_until)) - now())::double precision * 1000 as due_ms
     from webhook_deliveries where state = 'pending' and ${hostOf('url')} <> all($1::text[])`,
    [full],
  );
  return row?.due_ms ?? null;
}

/** What becomes of a delivery after a try. */
export type NextStep =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly delayMs: number };

/**
 * One transaction's worth: the log entry and the next step. The try of a sender that stood still past its lease is
 * logged and decides nothing: another has taken the delivery, or it was asked for again.
 */
export async function recordTry(
  db: Queryable,
  { webhookId, leasedUntil }: Pick<DueDelivery, 'webhookId' | 'leasedUntil'>,
  attempt: { readonly statusCode: number | null; readonly error: string | null; readonly durationMs: number },
  next: NextStep,
): Promise<void> {
  await db.query(
    `with logged as (
       insert into webhook_attempts (webhook_id, attempted_at, status_code, error, duration_ms)
       values ($1, now() - $4 * interval '1 millisecond', $2, $3, $4))
     update webhook_deliveries set state = $5, tries = tries + 1, leased_until = null, holder = null,
       next_attempt_at = now() + $6::double precision * interval '1 millisecond'
     where webhook_id = $1 and leased_until = $7`,
    [
      webhookId,
      attempt.statusCode,
      attempt.error,
      attempt.durationMs,
      next.state,
      next.state === 'pending' ? next.delayMs : null,
      leasedUntil,
    ],
  );
}

/** Due again, at once, with the whole schedule before it. Null when the job has no such delivery. */
export async function resetDelivery(
  db: Queryable,
  jobId: string,
  webhookId: string,
): Promise<WebhookDelivery | null> {
  const rows = await db.query(
    `update webhook_deliveries set state = 'pending', tries = 0, next_attempt_at = now(), leased_until = null, holder = null
     where webhook_id = $1 and job_id = $2 returning webhook_id, ${NOTIFY}`,
    [webhookId, jobId],
  );
  if (rows.length === 0) return null;
  const deliveries = await selectDeliveries(db, jobId);
  return deliveries.find((delivery) => delivery.webhookId === webhookId) ?? null;
}

/** In one statement: between two a try may be recorded, which would be seen without what follows from it. */
export async function selectDeliveries(db: Queryable, jobId: string): Promise<WebhookDelivery[]> {
  const rows = await db.query<DeliveryRow>(
    `select webhook_id, event, url, state, created_at, next_attempt_at, attempted_at, status_code,
       webhook_attempts.error, duration_ms
     from webhook_deliveries left join webhook_attempts using (webhook_id)
     where job_id = $1 order by created_at, webhook_id, attempted_at`,
    [jobId],
  );
  return [...Map.groupBy(rows, (row) => row.webhook_id).values()].map(deliveryOf);
}

/** `rows`: one for each try, or one without a try. */
function deliveryOf(rows: DeliveryRow[]): WebhookDelivery {
  const [row] = rows;
  return {
    webhookId: row!.webhook_id,
    event: row!.event,
    url: row!.url,
    state: row!.state,
    createdAt: row!.created_at,
    nextAttemptAt: row!.next_attempt_at,
    attempts: rows.flatMap(({ attempted_at, status_code, error, duration_ms }) =>
      attempted_at === null
        ? []
        : [{ attemptedAt: attempted_at, statusCode: status_code, error, durationMs: duration_ms }],
    ),
  };
}

interface DeliveryRow extends Row {
  readonly webhook_id: string;
  readonly event: string;
  readonly url: string;
  readonly state: WebhookDelivery['state'];
  readonly created_at: Date;
  readonly next_attempt_at: Date | null;
  /** Null: no try yet. */
  readonly attempted_at: Date | null;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export async function jobExists(db: Queryable, jobId: string): Promise<boolean> {
  return (await db.query('select 1 from jobs where job_id = $1', [jobId])).length > 0;
}

/** The try was interrupted by its sender's end. */
export async function dropLease(
  db: Queryable,
  { webhookId, leasedUntil }: Pick<DueDelivery, 'webhookId' | 'leasedUntil'>,
): Promise<void> {
  await db.query(
    `update webhook_deliveries set leased_until = null, holder = null where webhook_id = $1 and leased_until = $2
     returning ${NOTIFY}`,
    [webhookId, leasedUntil],
  );
}

/**
 * Frees what `holder` has, but for what it is `sending`: deliveries that it took, or whose try it recorded, and the
 * database's answer was lost.
 */
export async function dropUnconfirmed(
  db: Queryable,
  holder: string,
  sending: readonly string[],
): Promise<void> {
  await db.query(
    `update webhook_deliveries set leased_until = null, holder = null
     where state = 'pending' and holder = $1 and webhook_id <> all($2)`,
    [holder, sending],
  );
}

/** For an embedded database, which no other process can be using: every lease in it is a dead sender's. */
export async function dropAllLeases(db: Queryable): Promise<void> {
  await db.query(
    'update webhook_deliveries set leased_until = null, holder = null where leased_until is not null',
  );
}

/**
 * Removes ended deliveries of jobs that were deleted, among the next `limit` after an id; returns the last that it looked at, null
 * when there are no more.
 */
export async function deleteOrphans(db: Queryable, after: string, limit: number): Promise<string | null> {
  const [row] = await db.query<{ last: string | null }>(
    `with looked as (
       select webhook_id, job_id, state from webhook_deliveries where webhook_id > $1 order by webhook_id limit $2
     ), removed as (
       delete from webhook_deliveries using looked where webhook_deliveries.webhook_id = looked.webhook_id
         and looked.state <> 'pending' and not exists (select 1 from jobs where jobs.job_id = looked.job_id)
     )
     select webhook_id as last from looked order by webhook_id desc limit 1`,
    [after, limit],
  );
  return row?.last ?? null;
}
