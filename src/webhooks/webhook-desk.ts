import { validate as isUuid } from 'uuid';
import type { Database } from '../database/database.ts';
import { Failure } from '../errors.ts';
import type { WebhookDelivery, WebhookDesk } from '../jobs/job.ts';
import { type AddressPolicy, vetTarget } from './address-guard.ts';
import { jobExists, resetDelivery, selectDeliveries } from './delivery-store.ts';

export class DatabaseWebhookDesk implements WebhookDesk {
  readonly #database: Database;
  readonly #policy: AddressPolicy;

  constructor(database: Database, policy: AddressPolicy) {
    this.#database = database;
    this.#policy = policy;
  }

  vet(url: string): void {
    vetTarget(url, this.#policy);
  }

  async list(jobId: string): Promise<readonly WebhookDelivery[]> {
    await this.#requireJob(jobId);
    return selectDeliveries(this.#database, jobId);
  }

  async redeliver(jobId: string, webhookId: string): Promise<WebhookDelivery> {
    await this.#requireJob(jobId);
    const delivery = isUuid(webhookId) ? await resetDelivery(this.#database, jobId, webhookId) : null;
    if (delivery === null) {
      throw new Failure('WEBHOOK_NOT_FOUND', `The job ${jobId} has no webhook ${webhookId}.`);
    }
    return delivery;
  }

  async #requireJob(jobId: string): Promise<void> {
    if (isUuid(jobId) && (await jobExists(this.#database, jobId))) return;
    throw new Failure('JOB_NOT_FOUND', `There is no job ${jobId}.`);
  }
}
