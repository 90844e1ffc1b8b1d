import { http, https } from '../node-http.ts';
import { vetTarget } from './address-guard.ts';
import { readRetryAfter } from './schedule.ts';
import { type Address, pinnedTo, type ResolveName, resolveByDns, vettedAddresses } from './vetted-address.ts';

/** What one try came to. */
export interface PostOutcome {
  readonly statusCode: number | null;
  /** Why it failed, in words; null when it succeeded. */
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
 * Sends one request and waits for the answer's head. The name is resolved once, every address it has is vetted, and
 * the connection goes to one that was vetted: a name that changes in between ("DNS rebinding") gains nothing.
 * `networks`: those within the service's own that may be called. Redirects are not followed and the proxy settings of the environment are not used, as both would lead elsewhere.
 * Never throws: whatever happens is an outcome.
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
    const url = vetTarget(request.url, networks);
    const addresses = await vettedAddresses(url, networks, signal, { resolveName, forbidden: nameForbidden });
    const { statusCode, retryAfter } = await send(url, addresses, request, signal);
    if (statusCode >= 200 && statusCode < 300) return outcome(statusCode, null);
    const redirected = statusCode >= 300 && statusCode < 400;
    const error = redirected
      ? `answered ${statusCode}; redirects are not followed`
      : `answered ${statusCode}`;
    return outcome(statusCode, error, readRetryAfter(retryAfter, new Date()));
  } catch (error) {
    return outcome(null, signal.aborted ? reasonText(signal) : errorText(error));
  }
}

function nameForbidden(): Error {
  return new Error('the name resolves to an address that is not allowed (see WEBHOOK_ALLOWED_NETWORKS)');
}

function send(
  url: URL,
  addresses: readonly Address[],
  { headers, body }: PostRequest,
  signal: AbortSignal,
): Promise<{ statusCode: number; retryAfter: string | undefined }> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'StyleDNA-Webhooks/1',
        ...headers,
      },
      lookup: pinnedTo(addresses),
      // Without an agent of its own a request could use the process's proxy settings or a kept connection.
      agent: false,
      signal,
    });
    request.on('response', (response) => {
      // The head decides; the rest is not waited for, however slowly it comes.
      resolve({ statusCode: response.statusCode!, retryAfter: response.headers['retry-after'] });
      response.destroy();
    });
    // Trouble after the head, such as our own closing, comes when the promise is settled and changes nothing.
    request.on('error', reject);
    request.end(bytes);
  });
}

function reasonText(signal: AbortSignal): string {
  return signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
    ? 'timed out'
    : 'interrupted';
}

/** For the delivery log, which clients read: no addresses, since a name's may be nobody's business. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be resolved now',
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
