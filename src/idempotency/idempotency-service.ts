import { v7 as newId } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import { Failure } from '../domain/errors.ts';
import type { IdempotencyKey, IdempotencyService, IdempotencyState, StoredResponse } from './idempotency.ts';
import {
  CLAIM_SECONDS,
  claimKey,
  deleteOldKeys,
  dropAllClaims,
  releaseKey,
  renewClaims,
  selectKey,
  storeResponse,
} from './store.ts';

/** Stores an answer within another service's transaction. */
export interface StoredResponses {
  /** Throws IDEMPOTENCY_IN_PROGRESS when the claim was lost, which undoes the transaction. */
  store(transaction: Queryable, key: IdempotencyKey, response: StoredResponse): Promise<void>;
  /** Call after the commit: the claim needs no more renewals. */
  committed(key: IdempotencyKey): void;
}

/**
 * Idempotency keys. The process that claimed a key renews its claim, so that a slow upload holds its key and
 * a crash releases it.
 */
export class DatabaseIdempotencyService implements IdempotencyService, StoredResponses {
  readonly #database: Database;
  readonly #retentionSeconds: number;
  readonly #owner = newId();
  readonly #claimed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, retentionSeconds: number) {
    this.#database = database;
    this.#retentionSeconds = retentionSeconds;
  }

  async start(): Promise<void> {
    if (this.#database.kind === 'pglite') await dropAllClaims(this.#database);
    this.#timer = setInterval(() => this.#renew(), (CLAIM_SECONDS * 1000) / 3);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async begin(key: IdempotencyKey): Promise<IdempotencyState> {
    if (await this.#claim(key)) return { state: 'new' };
    const known = await selectKey(this.#database, key.key);
    // Released between the two statements: the client's next try gets it as a new key.
    if (known === null) return { state: 'running' };
    if (known.requestHash !== key.requestHash) return { state: 'other_request' };
    return known.response === null ? { state: 'running' } : { state: 'answered', response: known.response };
  }

  /**
   * A claim of this process that is only in the database is one whose confirmation was lost: the client
   * repeats its request.
   */
  async #claim(key: IdempotencyKey): Promise<boolean> {
    const isHeld = this.#claimed.has(key.key);
    const by = { owner: this.#owner, isHeld };
    // Before the database answers, since another request with the key may arrive in the meantime.
    this.#claimed.add(key.key);
    let isClaimed = false;
    try {
      isClaimed = await claimKey(this.#database, key, by, this.#retentionSeconds);
    } finally {
      if (!isClaimed && !isHeld) this.#claimed.delete(key.key);
    }
    return isClaimed;
  }

  async release(key: IdempotencyKey): Promise<void> {
    this.#claimed.delete(key.key);
    await releaseKey(this.#database, key, this.#owner);
  }

  async store(transaction: Queryable, key: IdempotencyKey, response: StoredResponse): Promise<void> {
    if (await storeResponse(transaction, key, this.#owner, response)) return;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'Another request has claimed this Idempotency-Key.', {
      retryAfterSeconds: 1,
    });
  }

  committed(key: IdempotencyKey): void {
    this.#claimed.delete(key.key);
  }

  sweep(): Promise<void> {
    return deleteOldKeys(this.#database, this.#retentionSeconds);
  }

  #renew(): void {
    if (this.#claimed.size === 0) return;
    // After an outage of the database that is longer than a claim, storing the answer fails cleanly.
    renewClaims(this.#database, this.#owner, [...this.#claimed]).catch(() => {});
  }
}
