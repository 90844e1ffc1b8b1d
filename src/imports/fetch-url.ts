import type { IncomingMessage } from 'node:http';
import { Failure } from '../errors.ts';
import { http, https } from '../node-http.ts';
import { vetTarget } from '../webhooks/address-guard.ts';
import { pinnedTo, type ResolveName, vettedAddresses } from '../webhooks/vetted-address.ts';

/** As browsers and curl do by default, less: a video that lies behind more is not meant to be found. */
const MAX_REDIRECTS = 5;

/** The address gave no file. */
export class FetchTrouble extends Error {
  override readonly name = 'FetchTrouble';
  /** It may do so later. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean) {
    super(message);
    this.isPassing = isPassing;
  }
}

export interface FetchOptions {
  /** Within the service's own, those that may be called. */
  readonly networks: readonly string[];
  /** How long the head of an answer may take. */
  readonly headMs: number;
  readonly signal: AbortSignal;
  /** In place of the system's resolver. */
  readonly resolveName?: ResolveName;
}

export interface Fetched {
  /** To be destroyed by who reads it. */
  readonly body: IncomingMessage;
  /** As the address says; null: it does not. */
  readonly totalBytes: number | null;
}

/** What is thrown for an address that may not be fetched from. */
export function urlForbidden(why: string): Failure {
  return new Failure('IMPORT_URL_FORBIDDEN', `url: ${why}`);
}

/**
 * Asks an address for a file and resolves with its head. Redirects are followed, each target vetted anew as the first; nothing is
 * decompressed, so that what is counted is what came. Throws `Failure` IMPORT_URL_FORBIDDEN, `FetchTrouble`, the signal's reason.
 */
export async function fetchUrl(address: string, options: FetchOptions): Promise<Fetched> {
  let next = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const url = vetTarget(next, options.networks, urlForbidden);
    const body = await asked(url, options);
    const { statusCode = 0, headers } = body;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      body.destroy();
      const target = URL.parse(headers.location, url.href);
      if (target === null) throw new FetchTrouble('it redirects to what is no address', false);
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
  throw new FetchTrouble(`it redirects more than ${MAX_REDIRECTS} times`, false);
}

/** Throws `FetchTrouble` for an answer that is no file. */
function fileLength({ statusCode = 0, headers }: IncomingMessage): number | null {
  if (statusCode !== 200)
    throw new FetchTrouble(
      `it answered ${statusCode}`,
      statusCode >= 500 || [408, 425, 429].includes(statusCode),
    );
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new FetchTrouble(
      `it answered in the content coding ${JSON.stringify(coding.slice(0, 40))}, which was not asked for`,
      false,
    );
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

async function asked(
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
          'Its name resolves to an address that is loopback or private, and lies in none of the networks that WEBHOOK_ALLOWED_NETWORKS names.',
        ),
    });
    return await headOf(url, addresses, both, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Failure) throw error;
    if (head.aborted) throw new FetchTrouble(`it said nothing for ${headMs / 1000} s`, true);
    const { code } = error as NodeJS.ErrnoException;
    // Of Node's parser: a server that speaks otherwise will do so again.
    if (code?.startsWith('HPE_')) throw new FetchTrouble(`it answered what is no HTTP (${code})`, false);
    throw new FetchTrouble(`it cannot be reached (${code ?? (error as Error).message})`, true);
  }
}

/** `untilHead` ends the waiting for the head, `signal` the whole answer. */
function headOf(
  url: URL,
  addresses: Parameters<typeof pinnedTo>[0],
  untilHead: AbortSignal,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(url, {
      headers: { 'user-agent': 'StyleDNA-Import/1', accept: '*/*', 'accept-encoding': 'identity' },
      lookup: pinnedTo(addresses),
      // Without an agent of its own a request could use the process's proxy settings or a kept connection.
      agent: false,
      signal,
    });
    const late = () => request.destroy(new Error('no head in time'));
    untilHead.addEventListener('abort', late, { once: true });
    request.on('response', (response) => {
      untilHead.removeEventListener('abort', late);
      resolve(response);
    });
    // Trouble after the head is met by who reads the body.
    request.on('error', reject);
  });
}
