import { validate as isUuid } from 'uuid';
import type { Database } from '../database/database.ts';
import { Failure } from '../domain/errors.ts';
import type { AllowedNetworks } from './allowed-networks.ts';
import { jobExists, resetDelivery, selectDeliveries } from './delivery-store.ts';
import { sharesSecrets } from './secret-agreement.ts';
import type { WebhookDelivery, WebhookService } from './webhook.ts';
import { vetWebhook } from './webhook-target.ts';

export class DatabaseWebhookService implements WebhookService {
  readonly #database: Database;
  readonly #networks: AllowedNetworks;
  readonly #secrets: readonly string[];

  constructor(database: Database, networks: AllowedNetworks, secrets: readonly string[]) {
    this.#database = database;
    this.#networks = networks;
    this.#secrets = secrets;
  }

  async vet(url: string): Promise<void> {
    vetWebhook(url, await this.#networks.current());
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

  sharesSecrets(): Promise<boolean> {
    return sharesSecrets(this.#database, this.#secrets);
  }

  async #requireJob(jobId: string): Promise<void> {
    if (isUuid(jobId) && (await jobExists(this.#database, jobId))) return;
    throw new Failure('JOB_NOT_FOUND', `There is no job ${jobId}.`);
  }
}
