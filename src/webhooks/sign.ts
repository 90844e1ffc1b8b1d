import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A secret as Standard Webhooks writes it: `whsec_` and 24 to 64 random bytes in base64; here 32. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The headers of one delivery by Standard Webhooks 1.0 (standardwebhooks.com, "Signature scheme"): one signature for each
 * active secret, so that a receiver may hold the old or the new one.
 */
export function signedHeaders(
  webhookId: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(webhookId, now, body)).join(' '),
  };
}
