import { BadResponse } from '../network/guarded-http.ts';
import { responseHead } from '../network/response-head.ts';
import { type ResolveName, resolveByDns, vettedAddresses } from '../network/vetted-address.ts';
import { readRetryAfter } from './schedule.ts';
import { vetWebhook } from './webhook-target.ts';

/** The outcome of one try. */
export interface PostOutcome {
  readonly statusCode: number | null;
  /** Why it failed; null when it succeeded. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one request and waits for the head of the answer. The name is resolved once, all its addresses are
 * vetted, and the connection uses one of them, which prevents DNS rebinding. `networks`: private networks
 * that may be called. Redirects and the proxy settings of the environment are ignored, since both could lead
 * to a forbidden address. Never throws: each error is an outcome.
 */
export async function post(
  request: PostRequest,
  networks: readonly string[],
  signal: AbortSignal,
  resolveName: ResolveName = resolveByDns,
): Promise<PostOutcome> {
  const startedMs = performance.now();
  const outcome = (statusCode: number | null, error: string | null, retryAfterMs: number | null = null) => ({
    statusCode,
    error,
    retryAfterMs,
    durationMs: Math.round(performance.now() - startedMs),
  });
  try {
    const url = vetWebhook(request.url, networks);
    const addresses = await vettedAddresses(url, networks, signal, { resolveName, forbidden: nameForbidden });
    const body = Buffer.from(request.body);
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'StyleDNA-Webhooks/1',
      ...request.headers,
    };
    const response = await responseHead({ url, addresses, headers, body }, { head: signal, whole: signal });
    // The status in the head decides: the body is not read.
    response.on('error', () => {}).destroy();
    const statusCode = response.statusCode!;
    const retryAfter = response.headers['retry-after'];
    if (statusCode >= 200 && statusCode < 300) return outcome(statusCode, null);
    const redirected = statusCode >= 300 && statusCode < 400;
    const error = redirected
      ? `answered ${statusCode}; redirects are not followed`
      : `answered ${statusCode}`;
    return outcome(statusCode, error, readRetryAfter(retryAfter, new Date()));
  } catch (error) {
    if (signal.aborted) return outcome(null, reasonText(signal));
    return outcome(error instanceof BadResponse ? error.statusCode : null, errorText(error));
  }
}

function nameForbidden(): Error {
  return new Error('the name resolves to an address that is not allowed (see WEBHOOK_ALLOWED_NETWORKS)');
}

function reasonText(signal: AbortSignal): string {
  return signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
    ? 'timed out'
    : 'interrupted';
}

/** Texts for the delivery log, which clients read. They contain no addresses, since these may be internal. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  HPE_INVALID_CONSTANT: 'the answer is not HTTP',
  WEBHOOK_URL_FORBIDDEN: 'the target is not allowed (see WEBHOOK_ALLOWED_NETWORKS)',
};

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const code = 'code' in error ? String(error.code) : '';
  const known = ERROR_TEXTS[code];
  if (known !== undefined) return known;
  return code === '' ? error.message : `failed (${code})`;
}
