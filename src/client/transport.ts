import { errorOfResponse, StyleDnaError } from './error.ts';
import { parsedJson } from './parsed-json.ts';
import { assertNoRedirect, followed } from './redirects.ts';
import { responseText, unexpectedResponse } from './response-text.ts';
import { sleep } from './sleep.ts';

/** The argument of `new Headers`. */
export type HeadersLike = NonNullable<ConstructorParameters<typeof Headers>[0]>;

export interface ClientOptions {
  /**
   * Address of the service, including a path prefix: `https://example.com/styledna`. In a page it may be
   * relative to the page.
   */
  readonly baseUrl: string | URL;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** For every request, as `Authorization` for a proxy; a function is called each time, so that a token can be renewed. */
  readonly headers?: HeadersLike | (() => HeadersLike | Promise<HeadersLike>);
  /** Number of retries of temporary failures of idempotent requests; default 4, with growing pauses from half a second on. */
  readonly retries?: number;
  /** Limit of one attempt of a request that is not a transfer; default 60. */
  readonly timeoutSeconds?: number;
  /** Time for which uploads, events and waiting continue while the service cannot be reached; default 300. */
  readonly patienceSeconds?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: HeadersLike | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Call {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/api/v1` on, its parameters filled in. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly json?: unknown;
  readonly body?: string | Blob | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: CallOptions | undefined;
  /** Whether a second request has no further effect. Always true of GET, HEAD, PUT and DELETE. */
  readonly isRepeatable?: boolean;
  /** A file, which may lie elsewhere: its redirects are followed. */
  readonly isFile?: boolean;
  /** Tried again until the client's patience ends, however often. */
  readonly isPatient?: boolean;
  /**
   * Limit of one attempt, until the data or the head of the response has arrived. Null: no limit, for
   * requests with a body.
   */
  readonly timeoutSeconds?: number | null;
}

const RETRIES = 4;
const TIMEOUT_SECONDS = 60;
const PATIENCE_SECONDS = 300;
const FIRST_PAUSE_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 8;
/** A longer `Retry-After` is left to the caller. */
const LONGEST_OBEYED_SECONDS = 60;
/** 409 and 410 may be retryable too, but not by the same request a moment later. */
const RETRIED_STATUSES = [0, 408, 429, 460, 500, 502, 503, 504, 507];
/** Answers sent before any work, so that every request may be repeated. */
const REFUSED_UNDONE = ['RATE_LIMITED', 'DRAINING', 'QUEUE_FULL'];

/** Sends requests, retries those that may be repeated, and throws failures as `StyleDnaError`. */
export class Transport {
  readonly #base: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const page = (globalThis as { location?: { href?: string } }).location?.href;
    const { origin, pathname } = new URL(options.baseUrl, page);
    this.#base = origin + pathname.replace(/\/+$/, '');
    this.#options = options;
  }

  get patienceMs(): number {
    return (this.#options.patienceSeconds ?? PATIENCE_SECONDS) * 1000;
  }

  url(path: string, query: Query = {}): string {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(
      pairs.map(([name, value]) => [name, String(value)] as [string, string]),
    ).toString();
    return this.#base + path + (search === '' ? '' : `?${search}`);
  }

  /** The `data` of the envelope. */
  data<T>(call: Call): Promise<T> {
    return this.#retrying(call, async (response) => {
      const data = dataOf(await responseText(response));
      if (data !== null) return data as T;
      throw unexpectedResponse(response, 'it has no data in JSON');
    });
  }

  /** The answer itself, its body unread: of files, streams and empty answers. */
  response(call: Call): Promise<Response> {
    return this.#retrying(call, async (response) => response);
  }

  async #retrying<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + this.patienceMs;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once(call, read);
      } catch (error) {
        call.options?.signal?.throwIfAborted();
        if (!(error instanceof StyleDnaError) || !mayRepeat(call, error)) throw error;
        const pause = pauseSeconds(tries, error.retryAfterSeconds);
        const isOver =
          call.isPatient === true
            ? Date.now() + pause * 1000 > giveUpAt
            : tries >= (this.#options.retries ?? RETRIES);
        if (isOver || pause > LONGEST_OBEYED_SECONDS) throw error;
        await sleep(pause * 1000, call.options?.signal);
      }
    }
  }

  async #once<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal } = call.options ?? {};
    signal?.throwIfAborted();
    const limit =
      call.timeoutSeconds === undefined
        ? (this.#options.timeoutSeconds ?? TIMEOUT_SECONDS)
        : call.timeoutSeconds;
    const deadline = new AbortController();
    const timer = limit === null ? undefined : setTimeout(() => deadline.abort(), limit * 1000);
    const signals = signal == null ? [deadline.signal] : [signal, deadline.signal];
    try {
      const response = await this.#send(call, AbortSignal.any(signals));
      if (!response.ok) throw errorOfResponse(response, await responseText(response));
      return await read(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StyleDnaError) throw error;
      throw deadline.signal.aborted ? timedOut(call, limit!, error) : noConnection(this.#base, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(call: Call, signal: AbortSignal): Promise<Response> {
    const extra = this.#options.headers;
    const headers = new Headers(typeof extra === 'function' ? await extra() : extra);
    for (const more of [call.headers, call.options?.headers])
      for (const [name, value] of new Headers(more)) headers.set(name, value);
    if (call.json !== undefined) headers.set('content-type', 'application/json');
    const body = call.json === undefined ? (call.body ?? null) : JSON.stringify(call.json);
    const send = this.#options.fetch ?? globalThis.fetch;
    const url = this.url(call.path, call.query);
    const response = await send(url, { method: call.method, headers, body, signal, redirect: 'manual' });
    if (call.isFile === true) return followed(send, response, { url, headers, signal });
    assertNoRedirect(response);
    return response;
  }
}

/** Null if the envelope has no data. */
function dataOf(text: string): object | null {
  try {
    const { data } = parsedJson(text) as { readonly data?: unknown };
    return typeof data === 'object' ? data : null;
  } catch {
    return null;
  }
}

function mayRepeat(
  { method, isRepeatable = method !== 'POST' && method !== 'PATCH' }: Call,
  error: StyleDnaError,
) {
  if (!error.retryable) return false;
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  return REFUSED_UNDONE.includes(error.code) || (isRepeatable && RETRIED_STATUSES.includes(error.status));
}

/** With jitter, so that clients that were refused together do not return together. */
function pauseSeconds(tries: number, retryAfterSeconds: number | null): number {
  const growing = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** tries);
  return Math.max(retryAfterSeconds ?? 0, growing * (0.5 + Math.random() / 2));
}

function noConnection(base: string, cause: unknown): StyleDnaError {
  return new StyleDnaError({
    code: 'CONNECTION_FAILED',
    message: `No connection to ${base}`,
    detail: reasonOf(cause),
    retryable: true,
    cause,
  });
}

/** Node's message is "fetch failed", with the reason as its cause. */
function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: { code?: unknown; message?: unknown } } | null)?.cause;
  return String(inner?.code ?? (inner?.message || (cause as Error | null)?.message) ?? cause);
}

function timedOut({ method, path }: Call, seconds: number, cause: unknown): StyleDnaError {
  const message = `No answer within ${seconds} s`;
  return new StyleDnaError({ code: 'TIMEOUT', message, detail: `${method} ${path}`, retryable: true, cause });
}
