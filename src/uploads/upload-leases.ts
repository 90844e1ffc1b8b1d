import { setTimeout as sleep } from 'node:timers/promises';
import { validate as isUuid, v7 as newId } from 'uuid';
import type { Database } from '../database/database.ts';
import { Lease } from '../database/lease.ts';
import { Failure } from '../domain/errors.ts';
import type { UploadProgress } from '../storage/partial-blobs.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  LEASE_SECONDS,
  leaseUpload,
  releaseAllUploads,
  releaseUpload,
  renewUpload,
  requestUpload,
  selectUpload,
  UPLOAD_REQUESTED_CHANNEL,
  type Upload,
  type UploadLease,
} from './upload-store.ts';

/** An upload whose lease this process holds. */
export interface HeldUpload {
  readonly upload: Upload;
  /** Records progress with the next renewal of the lease. */
  recordAtRenewal(arrived: UploadProgress): void;
  /**
   * Records progress now and returns the upload's new state. Throws SERVICE_UNAVAILABLE when another request
   * may hold it.
   */
  record(arrived: UploadProgress): Promise<Upload>;
  /** Throws SERVICE_UNAVAILABLE when another request may hold it. */
  assertHeld(): void;
}

/** `waitedMs`: how long another request has been waiting; null: the lease is lost, or the service stops. */
export type Interrupt = (waitedMs: number | null) => void;

interface Holding {
  readonly interrupt: Interrupt;
  requestedSinceMs: number | null;
}

const RENEW_MS = 2_000;
/** Work ends this long after the last confirmed renewal, before another process may get the lease. */
const OWN_LEASE_MS = (LEASE_SECONDS - 2) * 1_000;
const REQUEST_INTERVAL_MS = 100;
/** The lease of a process that has ended expires after `LEASE_SECONDS`; finishing a large file may take longer than a client waits. */
const MAX_WAIT_MS = 60_000;

/**
 * Allows one request at a time for each upload, in any process, by a lease in the upload's row. A process may
 * not notice a broken connection, so the next request asks it to yield.
 */
export class UploadLeases {
  readonly #database: Database;
  readonly #metrics: Metrics;
  readonly #holdings = new Map<string, Holding>();
  #unlisten: () => Promise<void> = async () => {};

  constructor(database: Database, metrics: Metrics) {
    this.#database = database;
    this.#metrics = metrics;
  }

  async start(): Promise<void> {
    if (this.#database.kind === 'pglite') await releaseAllUploads(this.#database);
    this.#unlisten = await this.#database.listen(UPLOAD_REQUESTED_CHANNEL, (uploadId) =>
      this.#onRequest(uploadId),
    );
  }

  async stop(): Promise<void> {
    await this.#unlisten();
  }

  /**
   * Runs `work` with the lease. `interrupt` makes `work` end soon; it may be called at any time and more than
   * once. Throws UPLOAD_NOT_FOUND, and SERVICE_UNAVAILABLE when the holder does not yield.
   */
  async hold<T>(uploadId: string, interrupt: Interrupt, work: (held: HeldUpload) => Promise<T>): Promise<T> {
    if (!isUuid(uploadId)) throw unknownUpload(uploadId);
    const holder = newId();
    const leased = await this.#acquire(uploadId, holder);
    const holding: Holding = { interrupt, requestedSinceMs: null };
    this.#holdings.set(uploadId, holding);
    const held = new LeasedUpload(this.#database, leased, holder, this.#metrics);
    held.onLost(() => interrupt(null));
    try {
      return await work(held);
    } finally {
      this.#holdings.delete(uploadId);
      await held.end();
    }
  }

  interruptAll(): void {
    for (const { interrupt } of this.#holdings.values()) interrupt(null);
  }

  async #acquire(uploadId: string, holder: string): Promise<UploadLease> {
    const deadlineMs = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const leased = this.#isHeldHere(uploadId) ? null : await leaseUpload(this.#database, uploadId, holder);
      if (leased !== null) return leased;
      if ((await selectUpload(this.#database, uploadId)) === null) throw unknownUpload(uploadId);
      if (performance.now() > deadlineMs) {
        throw new Failure('SERVICE_UNAVAILABLE', 'Another request is using this upload', {
          retryAfterSeconds: 5,
        });
      }
      await requestUpload(this.#database, uploadId);
      await sleep(REQUEST_INTERVAL_MS);
    }
  }

  /**
   * An embedded database has one process, so no other one can have taken a lease that is held here. The age of its last
   * renewal does not matter: a disk may stall for longer than a lease lasts.
   */
  #isHeldHere(uploadId: string): boolean {
    return this.#database.kind === 'pglite' && this.#holdings.has(uploadId);
  }

  #onRequest(uploadId: string): void {
    const holding = this.#holdings.get(uploadId);
    if (holding === undefined) return;
    holding.requestedSinceMs ??= performance.now();
    holding.interrupt(performance.now() - holding.requestedSinceMs);
  }
}

export function unknownUpload(uploadId: string): Failure {
  return new Failure('UPLOAD_NOT_FOUND', `There is no upload ${JSON.stringify(uploadId.slice(0, 100))}`);
}

class LeasedUpload implements HeldUpload {
  readonly upload: Upload;
  readonly #database: Database;
  readonly #holder: string;
  readonly #lease: Lease;
  #progress: UploadProgress;
  #expiresAt: Date;

  constructor(database: Database, { upload, isTakenOver }: UploadLease, holder: string, metrics: Metrics) {
    this.upload = upload;
    this.#database = database;
    this.#holder = holder;
    this.#progress = upload.arrived;
    this.#expiresAt = upload.info.expiresAt;
    this.#lease = new Lease({
      ...{ of: 'upload', isTakenOver, metrics },
      renew: () => this.#renew(),
      renewMs: RENEW_MS,
      ownMs: database.kind === 'pglite' ? Number.POSITIVE_INFINITY : OWN_LEASE_MS,
    });
  }

  onLost(listener: () => void): void {
    this.#lease.signal.addEventListener('abort', listener);
  }

  recordAtRenewal(arrived: UploadProgress): void {
    this.#progress = arrived;
  }

  async record(arrived: UploadProgress): Promise<Upload> {
    this.#progress = arrived;
    await this.#lease.renewNow();
    this.assertHeld();
    return { ...this.upload, arrived, info: { ...this.upload.info, expiresAt: this.#expiresAt } };
  }

  assertHeld(): void {
    if (this.#lease.isHeld) return;
    throw new Failure('SERVICE_UNAVAILABLE', 'Another request has taken over the upload', {
      retryAfterSeconds: 1,
    });
  }

  async #renew(): Promise<boolean> {
    const expiresAt = await renewUpload(this.#database, this.upload.uploadId, this.#holder, this.#progress);
    if (expiresAt !== null) this.#expiresAt = expiresAt;
    return expiresAt !== null;
  }

  async end(): Promise<void> {
    await this.#lease.end();
    // While the database is down, the lease expires.
    await releaseUpload(this.#database, this.upload.uploadId, this.#holder).catch(() => {});
  }
}
