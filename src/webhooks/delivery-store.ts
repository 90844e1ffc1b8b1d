/** One function for each SQL statement about webhook deliveries. */
import type { Queryable, Row } from '../database/database.ts';
import { type Busy, busyArrays, hostOf } from '../database/shares.ts';
import type { TraceContext } from '../telemetry/trace-context.ts';
import type { WebhookEvent } from './event.ts';
import type { WebhookDelivery } from './webhook.ts';

export const WEBHOOK_DUE_CHANNEL = 'styledna_webhook_due';

/** The lease of a sender that has ended expires after this time, which is longer than any try. */
const LEASE_SECONDS = 60;

const NOTIFY = `pg_notify('${WEBHOOK_DUE_CHANNEL}', '')`;

/** A delivery whose lease a sender holds. */
export interface DueDelivery {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  /** The host, for fair shares of the sender's slots. */
  readonly host: string;
  readonly body: string;
  /** Failed tries before this one. */
  readonly tries: number;
  /** End of the lease, which identifies its holder. */
  readonly leasedUntil: Date;
  readonly jobId: string;
  /** The trace in which the job ended. */
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

/** A receiver that hangs occupies its slots until the timeout: 8 leave 56 of a sender's 64 to others. */
const MAX_PER_HOST = 8;

/** The longest due deliveries that compete for slots. Bounds the cost of ranking a large backlog. */
const CANDIDATES = 2_000;

const DUE = `state = 'pending' and next_attempt_at <= now() and (leased_until is null or leased_until < now())`;

/**
 * Leases up to `limit` due deliveries to the sender `holder`. Hosts alternate, the one with the fewest active
 * tries first. `busy`: active tries of this sender by host.
 */
export async function leaseDue(
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

/** Milliseconds until the next delivery is due to a host that has a free slot; null when none is pending. */
export async function nextDueMs(db: Queryable, busy: Busy = new Map()): Promise<number | null> {
  const full = [...busy.keys()].filter((host) => busy.get(host)! >= MAX_PER_HOST);
  const [row] = await db.query<{ due_ms: number | null }>(
    `select extract(epoch from min(greatest(next_attempt_at, leased_until)) - now())::double precision * 1000 as due_ms
     from webhook_deliveries where state = 'pending' and ${hostOf('url')} <> all($1::text[])`,
    [full],
  );
  return row?.due_ms ?? null;
}

/** The state of a delivery after a try. */
export type NextStep =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly delayMs: number };

/**
 * Stores the log entry and the next step in one statement. A try whose lease has expired is logged but changes nothing else: another
 * sender has the delivery, or it was requested again.
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

/**
 * Makes the delivery due immediately, with its whole schedule again. Null when the job has no such delivery.
 */
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

/** One statement: between two, a try could be recorded and read without its new state. */
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

/** Releases a delivery whose try was interrupted by the end of its sender. */
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
 * Releases the deliveries of `holder` that it is not `sending`: their lease or result was stored, but the
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

/** For an embedded database, which no other process can use: all senders have ended. */
export async function dropAllLeases(db: Queryable): Promise<void> {
  await db.query(
    'update webhook_deliveries set leased_until = null, holder = null where leased_until is not null',
  );
}

/** Deletes ended deliveries of deleted jobs among the next `limit` after an id; returns the last id read, null when there are no more. */
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
