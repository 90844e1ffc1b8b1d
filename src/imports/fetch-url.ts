import type { IncomingMessage } from 'node:http';
import { Failure } from '../domain/errors.ts';
import { vetTarget } from '../network/address-guard.ts';
import { BadResponse } from '../network/guarded-http.ts';
import { responseHead } from '../network/response-head.ts';
import { type ResolveName, vettedAddresses } from '../network/vetted-address.ts';

/** Fewer than the default of browsers and curl, which is enough for addresses of videos. */
const MAX_REDIRECTS = 5;

const HEADERS = { 'user-agent': 'StyleDNA-Import/1', accept: '*/*', 'accept-encoding': 'identity' };

/** The URL did not return a file. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Whether a later request may succeed. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

export interface FetchOptions {
  /** Private networks that may be called. */
  readonly networks: readonly string[];
  /** Deadline for the head of an answer. */
  readonly headMs: number;
  readonly signal: AbortSignal;
  /** Replaces the system's resolver. */
  readonly resolveName?: ResolveName;
}

export interface Fetched {
  /** The caller must destroy it. */
  readonly body: IncomingMessage;
  /** `Content-Length`; null: unknown. */
  readonly totalBytes: number | null;
}

/** The error for a URL that must not be fetched. */
export function urlForbidden(reason: string): Failure {
  return new Failure('IMPORT_URL_FORBIDDEN', `url: ${reason}`);
}

/**
 * Requests a file and resolves with the head of the answer. Redirects are followed, and each target is vetted like the first. Nothing
 * is decompressed, so byte counts are those of the network. Throws `Failure` IMPORT_URL_FORBIDDEN, `FetchError`, the signal's reason.
 */
export async function fetchUrl(address: string, options: FetchOptions): Promise<Fetched> {
  let next = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const url = vetTarget(next, options.networks, urlForbidden);
    const body = await requestHead(url, options);
    const { statusCode = 0, headers } = body;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      body.destroy();
      const target = URL.parse(headers.location, url.href);
      if (target === null) throw new FetchError('it redirects to an invalid address', false);
      next = target.href;
      continue;
    }
    try {
      return { body, totalBytes: fileLength(body) };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }
  throw new FetchError(`it redirects more than ${MAX_REDIRECTS} times`, false);
}

/** Throws `FetchError` for an answer that is not a file. */
function fileLength({ statusCode = 0, headers }: IncomingMessage): number | null {
  if (statusCode !== 200)
    throw new FetchError(
      `it answered ${statusCode}`,
      statusCode >= 500 || [408, 425, 429].includes(statusCode),
    );
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new FetchError(
      `it answered in the content coding ${JSON.stringify(coding.slice(0, 40))}, which was not requested`,
      false,
    );
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

async function requestHead(
  url: URL,
  { networks, headMs, signal, resolveName }: FetchOptions,
): Promise<IncomingMessage> {
  const head = AbortSignal.timeout(headMs);
  const both = AbortSignal.any([signal, head]);
  try {
    const addresses = await vettedAddresses(url, networks, both, {
      ...(resolveName === undefined ? {} : { resolveName }),
      forbidden: () =>
        urlForbidden(
          'Its name resolves to an address that is loopback or private, and WEBHOOK_ALLOWED_NETWORKS does not contain its network.',
        ),
    });
    return await responseHead({ url, addresses, headers: HEADERS }, { head: both, whole: signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Failure) throw error;
    if (error instanceof BadResponse) throw new FetchError(`it ${error.message}`, false);
    if (head.aborted) throw new FetchError(`it did not answer within ${headMs / 1000} s`, true);
    const { code } = error as NodeJS.ErrnoException;
    // Errors of Node's parser: the server will break the protocol again.
    if (code?.startsWith('HPE_')) throw new FetchError(`its answer is not HTTP (${code})`, false);
    throw new FetchError(`it cannot be reached (${code ?? (error as Error).message})`, true);
  }
}
