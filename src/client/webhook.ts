import { answerJson } from './answer-json.ts';
import type { JobDetail } from './api-types.ts';
import { StyleDnaError } from './error.ts';

/** The body of a webhook: the envelope of a result, and what happened when. */
export interface WebhookEvent {
  readonly success: true;
  readonly message: string;
  readonly type: 'job.completed' | 'job.failed' | 'job.cancelled';
  /** When the job ended, RFC 3339. */
  readonly timestamp: string;
  readonly data: JobDetail;
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Allowed difference between the sender's clock and this one; default 300, as in Standard Webhooks. */
  readonly toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * The event of a webhook, after its signature was verified (standardwebhooks.com 1.0) with any of the secrets. `body` must
 * be the received bytes, not JSON that was parsed and written again. A repeated delivery has the `webhook-id` of the first.
 * Throws WEBHOOK_REFUSED: answer it with 400.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const apart = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || apart > toleranceSeconds) {
    throw refused(
      `webhook-timestamp ${JSON.stringify(timestamp)} is not within ${toleranceSeconds} s of now`,
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const secret of [secrets].flat() as string[]) {
    const key = await keyOf(secret);
    for (const signature of signatures.split(' ')) {
      const digest = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : null;
      // The comparison within takes the same time whatever differs.
      if (digest !== null && (await crypto.subtle.verify('HMAC', key, digest, signed))) return eventOf(text);
    }
  }
  throw refused('no signature matches any secret; the body must be verified as it came, byte for byte');
}

function eventOf(text: string): WebhookEvent {
  const event = answerJson(text);
  if (typeof event === 'object' && event !== null) return event as WebhookEvent;
  throw refused('its body is no JSON object');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = Array.isArray(found) ? found[0] : found;
  if (typeof value !== 'string' || value === '') throw refused(`the header ${name} is missing`);
  return value;
}

async function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0)
    throw new TypeError(`A secret is ${PREFIX} and base64; see GET /api/v1/webhook-secret`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function refused(detail: string): StyleDnaError {
  return new StyleDnaError({ code: 'WEBHOOK_REFUSED', message: 'The webhook is not to be trusted', detail });
}
