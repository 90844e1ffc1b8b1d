import { setTimeout as sleep } from 'node:timers/promises';
import { validate as isUuid, v7 as newId } from 'uuid';
import type { Database } from '../database/database.ts';
import { Lease } from '../database/lease.ts';
import { Failure } from '../domain/errors.ts';
import type { Arrival } from '../storage/partial-blobs.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  LEASE_SECONDS,
  releaseAllUploads,
  releaseUpload,
  renewUpload,
  requestUpload,
  selectUpload,
  type TakenUpload,
  takeUpload,
  UPLOAD_WANTED_CHANNEL,
  type Upload,
} from './upload-store.ts';

/** An upload that this process works on, as long as nobody else may. */
export interface HeldUpload {
  readonly upload: Upload;
  /** Stored with the next renewal of the lease. */
  note(arrived: Arrival): void;
  /** Stores it now; returns the upload as it is then. Throws SERVICE_UNAVAILABLE when somebody else may hold it. */
  keep(arrived: Arrival): Promise<Upload>;
  /** Throws SERVICE_UNAVAILABLE when somebody else may hold it. */
  assertHeld(): void;
}

/** `wantedMs`: for how long somebody has been waiting; null: it is lost, or the service stops. */
export type Interrupt = (wantedMs: number | null) => void;

interface Holding {
  readonly interrupt: Interrupt;
  wantedSinceMs: number | null;
}

const RENEW_MS = 2_000;
/** Work ends before another process may take its place: so long after the last sign of life that was heard. */
const OWN_LEASE_MS = (LEASE_SECONDS - 2) * 1_000;
const REQUEST_INTERVAL_MS = 100;
/** A holder that dies frees it after `LEASE_SECONDS`; one that finishes a large file may take longer than a client waits. */
const MAX_WAIT_MS = 60_000;

/**
 * One piece of work at a time for each upload, whichever process does it: a lease in the upload's own row. A connection
 * that broke may look alive to the process that has it, so whoever comes next asks it to give way.
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
    this.#unlisten = await this.#database.listen(UPLOAD_WANTED_CHANNEL, (uploadId) => this.#wanted(uploadId));
  }

  async stop(): Promise<void> {
    await this.#unlisten();
  }

  /**
   * `interrupt` asks `work` to end soon; it may be called at any time before the end, and more than once. Throws UPLOAD_NOT_FOUND, and
   * SERVICE_UNAVAILABLE when its holder does not give way.
   */
  async hold<T>(uploadId: string, interrupt: Interrupt, work: (held: HeldUpload) => Promise<T>): Promise<T> {
    if (!isUuid(uploadId)) throw unknownUpload(uploadId);
    const holder = newId();
    const taken = await this.#take(uploadId, holder);
    const holding: Holding = { interrupt, wantedSinceMs: null };
    this.#holdings.set(uploadId, holding);
    const held = new LeasedUpload(this.#database, taken, holder, this.#metrics);
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

  async #take(uploadId: string, holder: string): Promise<TakenUpload> {
    const deadlineMs = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const taken = this.#isHeldHere(uploadId) ? null : await takeUpload(this.#database, uploadId, holder);
      if (taken !== null) return taken;
      if ((await selectUpload(this.#database, uploadId)) === null) throw unknownUpload(uploadId);
      if (performance.now() > deadlineMs) {
        throw new Failure('SERVICE_UNAVAILABLE', 'Another request is still at work at this upload', {
          retryAfterSeconds: 5,
        });
      }
      await requestUpload(this.#database, uploadId);
      await sleep(REQUEST_INTERVAL_MS);
    }
  }

  /**
   * An embedded database has one process, so that what is held here is nobody else's, however old its last sign of life is: a disk may
   * stall for longer than a lease lasts.
   */
  #isHeldHere(uploadId: string): boolean {
    return this.#database.kind === 'pglite' && this.#holdings.has(uploadId);
  }

  #wanted(uploadId: string): void {
    const holding = this.#holdings.get(uploadId);
    if (holding === undefined) return;
    holding.wantedSinceMs ??= performance.now();
    holding.interrupt(performance.now() - holding.wantedSinceMs);
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
  #noted: Arrival;
  #expiresAt: Date;

  constructor(database: Database, { upload, isTakenOver }: TakenUpload, holder: string, metrics: Metrics) {
    this.upload = upload;
    this.#database = database;
    this.#holder = holder;
    this.#noted = upload.arrived;
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

  note(arrived: Arrival): void {
    this.#noted = arrived;
  }

  async keep(arrived: Arrival): Promise<Upload> {
    this.#noted = arrived;
    await this.#lease.renewNow();
    this.assertHeld();
    return { ...this.upload, arrived, info: { ...this.upload.info, expiresAt: this.#expiresAt } };
  }

  assertHeld(): void {
    if (this.#lease.isHeld) return;
    throw new Failure('SERVICE_UNAVAILABLE', 'The upload was given to another request', {
      retryAfterSeconds: 1,
    });
  }

  async #renew(): Promise<boolean> {
    const expiresAt = await renewUpload(this.#database, this.upload.uploadId, this.#holder, this.#noted);
    if (expiresAt !== null) this.#expiresAt = expiresAt;
    return expiresAt !== null;
  }

  async end(): Promise<void> {
    await this.#lease.end();
    // Free by itself after its time, when the database is away.
    await releaseUpload(this.#database, this.upload.uploadId, this.#holder).catch(() => {});
  }
}
