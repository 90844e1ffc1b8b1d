import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** A secret in the form of Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64; here 32. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64');
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
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = `${webhookId}.${timestamp}.${body}`;
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signature(secret, signed)).join(' '),
  };
}

/** HMAC-SHA256 in base64, with the version of the scheme. */
function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
