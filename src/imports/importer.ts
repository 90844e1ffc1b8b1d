import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { v7 as newId } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import { Lease } from '../database/lease.ts';
import { UnknownOutcome } from '../database/outcome.ts';
import { countBusy } from '../database/shares.ts';
import { Failure, isFailure, REQUEST_ERRORS, type RequestErrorCode } from '../domain/errors.ts';
import type { ResolveName } from '../network/vetted-address.ts';
import { videoBlobKey } from '../storage/blob-names.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { newVideo, probeStored, type RegistrationParts } from '../uploads/video-registration.ts';
import {
  endImport,
  failImport,
  IMPORT_DUE_CHANNEL,
  IMPORT_LEASE_SECONDS,
  postponeImport,
  releaseAllImports,
  renewImport,
  type TakenImport,
  takeDueImports,
} from '../videos/import-store.ts';
import type { Video } from '../videos/video.ts';
import { insertVideo } from '../videos/video-store.ts';
import type { AllowedNetworks } from '../webhooks/allowed-networks.ts';
import { FetchError, fetchUrl } from './fetch-url.ts';

export interface ImporterParts extends RegistrationParts {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly networks: AllowedNetworks;
  /** Yields the bytes of an answer. Throws when it is too slow or the disk too full. */
  readonly limited: (body: Readable) => AsyncIterable<Buffer>;
  /** Called in the transaction that ends an import, with or without success. */
  readonly importEnded: (transaction: Queryable, videoId: string) => Promise<void>;
  /** Delays before a URL is requested again. */
  readonly retryDelaysMs: readonly number[];
  /** Replaces the system's resolver. */
  readonly resolveName?: ResolveName;
}

/** Imports mostly wait for the network. With S3 a fast one uses 24 MiB of memory. */
const MAX_AT_ONCE = 32;
/**
 * A slow server may use a slot for this multiple of the idle limit, plus a second for each 16 KiB that it
 * sent. That is 10 minutes by default. Attacks send 1.5 kB/s; a domestic uplink sends at least 30 kB/s.
 */
const SLOW_IDLE_TIMES = 20;
const SLOW_BYTES_PER_SECOND = 16 << 10;
/** Notifications can be lost, and expired leases release imports, so due imports are also polled. */
const POLL_INTERVAL_MS = 2_000;
const RENEW_MS = 1_000;
/** An import whose lease has not been renewed for this long may belong to another process. */
const OWN_LEASE_MS = (IMPORT_LEASE_SECONDS - 2) * 1_000;
/** Delay after errors of the service itself, such as a storage that is down; they do not count as a try. */
const UNAVAILABLE_DELAY_MS = 10_000;
/** The time for which jobs wait for an import. */
const MAX_AGE_MS = 12 * 3_600_000;

/** Progress of an import. */
interface Received {
  receivedBytes: number;
  totalBytes: number | null;
}

/** Thrown if another process has claimed the import, or its video was deleted. */
class ImportLost extends Error {
  override readonly name = 'ImportLost';
}

/**
 * Runs due imports, several at a time. Each row is leased: when a process ends, another one, or this one
 * after a restart, repeats its imports.
 */
export class Importer {
  readonly #parts: ImporterParts;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #busy = { hosts: new Map<string, number>(), clients: new Map<string, number>() };
  #unlisten: () => Promise<void> = async () => {};
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(parts: ImporterParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { database } = this.#parts;
    if (database.kind === 'pglite') await releaseAllImports(database);
    this.#unlisten = await database.listen(IMPORT_DUE_CHANNEL, () => this.#wake());
    this.#timer = setInterval(() => this.#wake(), POLL_INTERVAL_MS);
    this.#timer.unref();
    this.#wake();
  }

  /** Interrupted imports are repeated by another process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#unlisten();
    await this.#polling;
    await Promise.all(this.#running);
  }

  #wake(): void {
    this.#polling = this.#polling
      .then(() => this.#poll())
      .catch((error) => this.#parts.logger.warn({ err: error }, 'imports could not be looked up'));
  }

  async #poll(): Promise<void> {
    for (;;) {
      const freeSlots = MAX_AT_ONCE - this.#running.size;
      if (freeSlots <= 0 || this.#stopping.signal.aborted) return;
      const leased = await takeDueImports(this.#parts.database, newId(), freeSlots, this.#busy);
      // Due imports of other hosts may not have been among the candidates: repeat until none is due.
      if (leased.length === 0) return;
      for (const due of leased) this.#begin(due);
    }
  }

  #begin(due: TakenImport): void {
    this.#count(due, 1);
    const running = this.#import(due)
      .catch((error) => this.#parts.logger.warn({ err: error }, 'import could not be recorded'))
      .finally(() => {
        this.#running.delete(running);
        this.#count(due, -1);
        this.#wake();
      });
    this.#running.add(running);
  }

  #count({ host, client }: TakenImport, change: 1 | -1): void {
    countBusy(this.#busy.hosts, host, change);
    countBusy(this.#busy.clients, client, change);
  }

  async #import(due: TakenImport): Promise<void> {
    const { videoId, tries } = due;
    this.#parts.logger.info({ videoId, tries }, 'import begins');
    const received: Received = { receivedBytes: 0, totalBytes: null };
    const startedMs = performance.now();
    const { metrics } = this.#parts;
    const lease = new Lease({
      ...{ of: 'import', isTakenOver: due.isTakenOver, metrics },
      renew: () => renewImport(this.#parts.database, due, received),
      renewMs: RENEW_MS,
      ownMs: OWN_LEASE_MS,
    });
    try {
      if (tries > this.#maxTries()) throw new FetchError('the processes that fetched it were lost', false);
      const video = await this.#fetchVideo(due, received, lease.signal);
      await this.#end(due, video);
      this.#parts.logger.info({ videoId }, 'imported');
      metrics.importTries.inc({ outcome: 'imported' });
      metrics.importSeconds.observe((performance.now() - startedMs) / 1000);
    } catch (error) {
      await lease.end();
      const outcome = await this.#endWithError(due, lease.signal.aborted ? new ImportLost() : error);
      metrics.importTries.inc({ outcome });
    } finally {
      await lease.end();
      metrics.importBytes.inc(received.receivedBytes);
    }
  }

  /** Downloads, stores and probes the file. Returns the video without inserting it. */
  async #fetchVideo(
    { videoId, url, filename }: TakenImport,
    received: Received,
    lost: AbortSignal,
  ): Promise<Video> {
    const { config, blobs, limited, networks, resolveName } = this.#parts;
    const signal = AbortSignal.any([this.#stopping.signal, lost]);
    const { body, totalBytes } = await fetchUrl(url, {
      networks: await networks.current(),
      headMs: config.UPLOAD_IDLE_SECONDS * 1000,
      signal,
      ...(resolveName === undefined ? {} : { resolveName }),
    });
    received.totalBytes = totalBytes;
    const most = config.MAX_UPLOAD_BYTES;
    const assertPace = slowServerLimit(config.UPLOAD_IDLE_SECONDS * SLOW_IDLE_TIMES);
    const hash = createHash('sha256');
    async function* counted(): AsyncGenerator<Buffer> {
      if ((totalBytes ?? 0) > most) throw tooLarge(most);
      for await (const chunk of limited(body)) {
        received.receivedBytes += chunk.length;
        if (received.receivedBytes > most) throw tooLarge(most);
        assertPace(received.receivedBytes);
        hash.update(chunk);
        yield chunk;
      }
      // Another process may have stored the same blob.
      lost.throwIfAborted();
    }
    const blobKey = videoBlobKey(videoId);
    try {
      await blobs.put(
        blobKey,
        Readable.from(counted(), { objectMode: false, highWaterMark: 1 << 18 }),
        signal,
      );
    } finally {
      body.destroy();
    }
    const sizeBytes = received.receivedBytes;
    if (sizeBytes === 0) throw new Failure('INVALID_VIDEO', 'The file is empty');
    await using local = await blobs.localPath(blobKey, signal);
    const probed = await probeStored(this.#parts, local.path, signal);
    return newVideo(config, videoId, { fileName: filename, sizeBytes, sha256: hash.digest('hex') }, probed);
  }

  async #end(due: TakenImport, video: Video): Promise<void> {
    const { database, importEnded } = this.#parts;
    await database.transaction(async (transaction) => {
      if (!(await endImport(transaction, due))) throw new ImportLost();
      await insertVideo(transaction, video);
      await importEnded(transaction, due.videoId);
    });
  }

  async #endWithError(due: TakenImport, error: unknown): Promise<'again' | 'failed' | 'stopped'> {
    const { database, logger } = this.#parts;
    const { videoId, tries } = due;
    // The video may have been inserted: the next process checks this.
    if (error instanceof UnknownOutcome) return 'stopped';
    if (this.#stopping.signal.aborted) {
      await postponeImport(database, due, 0, false);
      return 'stopped';
    }
    if (error instanceof ImportLost) {
      await this.#removeUnowned(videoId);
      return 'stopped';
    }
    const isServiceError = isFailure(error, 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE');
    const isRecent = Date.now() - due.createdAt.getTime() < MAX_AGE_MS;
    const delayMs = isServiceError ? UNAVAILABLE_DELAY_MS : this.#parts.retryDelaysMs[tries - 1];
    logger.warn({ err: error, videoId, tries }, 'import failed');
    if (delayMs !== undefined && isRecent && isTransientError(error)) {
      await postponeImport(database, due, delayMs, !isServiceError);
      return 'again';
    }
    await this.#fail(due, importError(error));
    return 'failed';
  }

  async #fail(due: TakenImport, error: ReturnType<typeof importError>): Promise<void> {
    const { database, importEnded, metrics } = this.#parts;
    await database.transaction(async (transaction) => {
      if (await failImport(transaction, due, error)) await importEnded(transaction, due.videoId);
    });
    metrics.importsFailed.inc({ code: error.code });
    await this.#parts.blobs.remove(videoBlobKey(due.videoId));
  }

  /** The video was deleted during the import, or another process inserted it. */
  async #removeUnowned(videoId: string): Promise<void> {
    if ((await this.#parts.videos.get(videoId)).state !== 'unknown') return;
    await this.#parts.blobs.remove(videoBlobKey(videoId));
  }

  #maxTries(): number {
    return this.#parts.retryDelaysMs.length + 1;
  }
}

/**
 * Returns a check of the received bytes. It throws `FetchError` when a server exceeds `seconds` plus the time
 * for its bytes.
 */
function slowServerLimit(seconds: number): (receivedBytes: number) => void {
  const startedMs = performance.now();
  return (receivedBytes) => {
    const allowedSeconds = seconds + receivedBytes / SLOW_BYTES_PER_SECOND;
    if ((performance.now() - startedMs) / 1000 <= allowedSeconds) return;
    const detail = `it sent ${receivedBytes} bytes in ${Math.round(allowedSeconds)} s, less than an import allows`;
    throw new FetchError(detail, false);
  };
}

/** Whether the same URL may return a video later. */
function isTransientError(error: unknown): boolean {
  if (error instanceof FetchError) return error.isTransient;
  if (!isFailure(error) || !(error.code in REQUEST_ERRORS)) return true;
  // The error of a body that ends early or arrives too slowly.
  return error.code === 'MALFORMED_REQUEST' || REQUEST_ERRORS[error.code as RequestErrorCode].retryable;
}

/** The error for clients. An unexpected error may contain internal details, so its text is hidden. */
function importError(error: unknown): { readonly code: RequestErrorCode; readonly detail: string } {
  if (error instanceof FetchError)
    return { code: 'IMPORT_FAILED', detail: `The address did not return a file: ${error.message}` };
  if (isFailure(error, 'MALFORMED_REQUEST', 'REQUEST_TIMEOUT'))
    return { code: 'IMPORT_FAILED', detail: `The address did not return a complete file: ${error.detail}` };
  if (isFailure(error) && error.code in REQUEST_ERRORS)
    return { code: error.code as RequestErrorCode, detail: error.detail };
  return { code: 'IMPORT_FAILED', detail: 'An unexpected error' };
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('FILE_TOO_LARGE', `A file may have at most ${maxBytes} bytes; the address returns more`);
}
