import type { Logger } from 'pino';
import { NIL, v7 as newId } from 'uuid';
import type { Database } from '../database/database.ts';
import { countBusy } from '../database/shares.ts';
import type { ResolveName } from '../network/vetted-address.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { inSpan, type Span, type Tracing } from '../telemetry/tracing.ts';
import type { AllowedNetworks } from './allowed-networks.ts';
import {
  type DueDelivery,
  deleteOrphans,
  dropAllLeases,
  dropLease,
  dropUnconfirmed,
  leaseDue,
  type NextStep,
  nextDueMs,
  recordTry,
  WEBHOOK_DUE_CHANNEL,
} from './delivery-store.ts';
import { type PostOutcome, post } from './post.ts';
import { retryDelayMs } from './schedule.ts';
import { signedHeaders } from './sign.ts';

export interface SenderParts {
  readonly database: Database;
  readonly logger: Logger;
  readonly secrets: readonly string[];
  readonly networks: AllowedNetworks;
  readonly retryDelaysMs: readonly number[];
  readonly timeoutMs: number;
  readonly resolveName?: ResolveName;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** Each try costs a socket and little memory. Receivers that hang must not delay the others. */
const MAX_AT_ONCE = 64;

/** Notifications can be lost, and leases of other processes expire, so due deliveries are also polled. */
const POLL_INTERVAL_MS = 5_000;

/** Delay after an error of the database; most of its outages are short. */
const ERROR_DELAY_MS = 1_000;

/**
 * Time for active tries to finish at the end of a process. Kubernetes allows 30 s between signal and kill
 * (`terminationGracePeriodSeconds`), of which jobs use up to 25 s (`DRAIN_SECONDS`).
 */
const STOP_GRACE_MS = 2_000;

const ORPHANS_AT_ONCE = 500;

/** HTTP 410: the receiver does not accept this webhook any more. */
const GONE = 410;

/**
 * Sends due deliveries. The table is the outbox: a delivery is leased for the duration of a try, and its
 * result is stored afterwards. A crash in between sends the same bytes under the same id again, which
 * receivers recognize.
 */
export class Sender {
  readonly #parts: SenderParts;
  readonly #stopping = new AbortController();
  readonly #interrupting = new AbortController();
  readonly #holder = newId();
  /** By webhook id. */
  readonly #sending = new Map<string, Promise<void>>();
  readonly #busyHosts = new Map<string, number>();
  /** Whether the outcome of a lease or of a stored result is unknown. */
  #hasUnconfirmed = false;
  #unlisten: () => Promise<void> = async () => {};
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #polling: Promise<void> | null = null;
  #pollAgain = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { database } = this.#parts;
    if (database.kind === 'pglite') await dropAllLeases(database);
    this.#sweeping = this.#sweepOrphans();
    this.#unlisten = await database.listen(WEBHOOK_DUE_CHANNEL, () => this.#wake());
    this.#wake();
  }

  /**
   * Waits for active tries, so that their receivers do not get them twice. Slow ones are interrupted and
   * remain due.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    const interrupting = setTimeout(() => this.#interrupting.abort(), STOP_GRACE_MS);
    await this.#unlisten();
    await this.#polling;
    await this.#sweeping;
    await Promise.all(this.#sending.values());
    clearTimeout(interrupting);
  }

  /** In batches: deleting a million rows takes seconds. */
  async #sweepOrphans(): Promise<void> {
    const { database, logger } = this.#parts;
    try {
      for (let last: string | null = NIL; last !== null && !this.#stopping.signal.aborted; )
        last = await deleteOrphans(database, last, ORPHANS_AT_ONCE);
    } catch (error) {
      logger.warn({ err: error }, 'webhooks of deleted jobs were not removed');
    }
  }

  #wake(): void {
    this.#pollAgain = true;
    if (this.#polling !== null || this.#stopping.signal.aborted) return;
    this.#polling = this.#poll()
      .catch((error) => {
        this.#parts.logger.warn({ err: error }, 'webhooks could not be looked up');
        this.#wakeIn(ERROR_DELAY_MS);
      })
      .finally(() => {
        this.#polling = null;
        if (this.#pollAgain) this.#wake();
      });
  }

  #wakeIn(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.#wake(), Math.min(POLL_INTERVAL_MS, Math.max(0, delayMs)));
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    const { database, networks } = this.#parts;
    while (this.#pollAgain && !this.#stopping.signal.aborted) {
      this.#pollAgain = false;
      const freeSlots = MAX_AT_ONCE - this.#sending.size;
      if (freeSlots <= 0) return;
      // Read before leasing: a delivery whose try cannot start would stay leased.
      const allowed = await networks.current();
      const leased = await this.#lease(freeSlots);
      for (const delivery of leased) this.#begin(delivery, allowed);
      // Due deliveries of other hosts may not have been among the candidates.
      if (leased.length > 0) this.#pollAgain = true;
    }
    const dueMs = await nextDueMs(database, this.#busyHosts);
    this.#wakeIn(dueMs ?? POLL_INTERVAL_MS);
  }

  /**
   * Leases deliveries. After an unknown outcome it first releases what this sender holds but does not send, which would otherwise wait
   * for its expiry.
   */
  async #lease(limit: number): Promise<DueDelivery[]> {
    const { database } = this.#parts;
    const hadUnconfirmed = this.#hasUnconfirmed;
    this.#hasUnconfirmed = false;
    try {
      if (hadUnconfirmed) await dropUnconfirmed(database, this.#holder, [...this.#sending.keys()]);
      return await leaseDue(database, this.#holder, limit, this.#busyHosts);
    } catch (error) {
      this.#hasUnconfirmed = true;
      throw error;
    }
  }

  #begin(delivery: DueDelivery, allowed: readonly string[]): void {
    const { tries, trace, event, webhookId, jobId, host } = delivery;
    countBusy(this.#busyHosts, host, 1);
    const start = {
      kind: 'client',
      parent: trace,
      attributes: {
        'http.request.method': 'POST',
        'http.request.resend_count': tries,
        'styledna.webhook.id': webhookId,
        'styledna.job.id': jobId,
      },
    } as const;
    const sending = inSpan(this.#parts.tracing, `webhook ${event}`, start, (span) =>
      this.#deliver(delivery, allowed, span),
    )
      .catch((error) => {
        this.#hasUnconfirmed = true;
        this.#parts.logger.warn({ err: error }, 'webhook could not be recorded');
      })
      .finally(() => {
        this.#sending.delete(webhookId);
        countBusy(this.#busyHosts, host, -1);
        this.#wake();
      });
    this.#sending.set(webhookId, sending);
  }

  async #deliver(delivery: DueDelivery, allowed: readonly string[], span: Span): Promise<void> {
    const { database, secrets, timeoutMs, resolveName, logger } = this.#parts;
    const { webhookId, jobId, event, url, body } = delivery;
    const headers = {
      ...signedHeaders(webhookId, body, secrets, new Date()),
      'webhook-event': event,
      ...span.context,
    };
    const signal = AbortSignal.any([this.#interrupting.signal, AbortSignal.timeout(timeoutMs)]);
    const outcome = await post({ url, headers, body }, allowed, signal, resolveName);
    // Not the receiver's fault: it does not count as a try, and another sender may take it at once.
    if (this.#interrupting.signal.aborted && outcome.statusCode === null)
      return dropLease(database, delivery);
    const next = this.#nextStep(delivery, outcome);
    this.#count(outcome, span);
    await recordTry(database, delivery, outcome, next);
    if (next.state !== 'pending') this.#parts.metrics.webhooksEnded.inc({ event, state: next.state });
    const { statusCode, error } = outcome;
    logger.info({ webhookId, jobId, event, statusCode, error, state: next.state }, 'webhook sent');
  }

  #count({ statusCode, error, durationMs }: PostOutcome, span: Span): void {
    const { metrics } = this.#parts;
    const outcome = error === null ? 'delivered' : statusCode === null ? 'unanswered' : 'refused';
    metrics.webhookTries.inc({ outcome });
    metrics.webhookSeconds.observe(durationMs / 1000);
    if (statusCode !== null) span.set({ 'http.response.status_code': statusCode });
    if (error !== null) span.fail(statusCode === null ? outcome : String(statusCode));
  }

  #nextStep({ tries }: DueDelivery, outcome: PostOutcome): NextStep {
    if (outcome.error === null) return { state: 'delivered' };
    if (outcome.statusCode === GONE) return { state: 'failed' };
    const { retryDelaysMs } = this.#parts;
    const delayMs = retryDelayMs(tries + 1, outcome.retryAfterMs, Math.random(), retryDelaysMs);
    return delayMs === null ? { state: 'failed' } : { state: 'pending', delayMs };
  }
}
