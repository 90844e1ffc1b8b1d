/** The public types of webhooks for other modules. */

export interface WebhookDelivery {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly {
    readonly attemptedAt: Date;
    readonly statusCode: number | null;
    readonly error: string | null;
    readonly durationMs: number;
  }[];
}

export interface WebhookService {
  /** Throws WEBHOOK_URL_FORBIDDEN for a URL that is refused by its text. */
  vet(url: string): Promise<void>;
  /** Throws JOB_NOT_FOUND. */
  list(jobId: string): Promise<readonly WebhookDelivery[]>;
  /** Sends the same bytes under the same id again. Throws JOB_NOT_FOUND, WEBHOOK_NOT_FOUND. */
  redeliver(jobId: string, webhookId: string): Promise<WebhookDelivery>;
  /** Whether this process shares a signing secret with the process on its database that started last. */
  sharesSecrets(): Promise<boolean>;
}
