import type { Logger } from 'pino';
import { v7 as newId } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import type { Job } from '../jobs/model/job.ts';
import type { ResolveName } from '../network/vetted-address.ts';
import { VERSION } from '../package/version.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { TraceContext } from '../telemetry/trace-context.ts';
import { NO_TRACING, type Tracing } from '../telemetry/tracing.ts';
import { type AllowedNetworks, joinAllowedNetworks } from './allowed-networks.ts';
import { insertDelivery } from './delivery-store.ts';
import { webhookEvent } from './event.ts';
import { RETRY_DELAYS_MS } from './schedule.ts';
import { compareSecrets } from './secret-agreement.ts';
import { ownSecret } from './secret-store.ts';
import { Sender } from './sender.ts';
import type { WebhookService } from './webhook.ts';
import { DatabaseWebhookService } from './webhook-service.ts';

const DEFAULTS = { retryDelaysMs: RETRY_DELAYS_MS, timeoutMs: 15_000 };

export interface WebhooksParts {
  readonly database: Database;
  readonly logger: Logger;
  /** Returns the job as a client would read it now (JobDetailResponse); called when it ends. */
  readonly describeJob: (job: Job) => object;
  /** Every webhook is signed with each of them. None: the service generates one and stores it in the database. */
  readonly secrets: readonly string[];
  /** Private networks that may be called, as configured for this process. Undefined: not configured. */
  readonly allowedNetworks: readonly string[] | undefined;
  /** Default: metrics without a reader. */
  readonly metrics?: Metrics;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
  readonly settings?: Partial<typeof DEFAULTS>;
  /** Replaces the system's resolver. */
  readonly resolveName?: ResolveName;
}

export interface Webhooks {
  readonly service: WebhookService;
  /** The private networks that may be called. */
  readonly networks: AllowedNetworks;
  /** Inserts the delivery in the transaction that ends a job, so that a crash loses nothing. */
  readonly jobEnded: (transaction: Queryable, job: Job, trace: TraceContext | null) => Promise<void>;
  /** The secrets receivers verify with. */
  readonly secrets: readonly string[];
  startSender(): Promise<void>;
  stop(): Promise<void>;
}

/** Connects the parts of the webhooks on a database that already has its tables (`migrate`). */
export async function openWebhooks(parts: WebhooksParts): Promise<Webhooks> {
  const { database, logger, describeJob, allowedNetworks, resolveName } = parts;
  const networks = await joinAllowedNetworks(database, allowedNetworks, logger);
  const secrets = parts.secrets.length > 0 ? parts.secrets : [await ownSecret(database)];
  await compareSecrets(database, secrets, logger);
  const sender = new Sender({
    ...DEFAULTS,
    ...parts.settings,
    database,
    logger,
    secrets,
    networks,
    metrics: parts.metrics ?? new Metrics(VERSION),
    tracing: parts.tracing ?? NO_TRACING,
    ...(resolveName === undefined ? {} : { resolveName }),
  });
  return {
    service: new DatabaseWebhookService(database, networks, secrets),
    networks,
    secrets,
    async jobEnded(transaction, job, trace) {
      if (job.webhookUrl === null) return;
      const target = { jobId: job.jobId, url: job.webhookUrl };
      await insertDelivery(transaction, newId(), target, webhookEvent(job, describeJob(job)), trace);
    },
    startSender: () => sender.start(),
    stop: () => sender.stop(),
  };
}
