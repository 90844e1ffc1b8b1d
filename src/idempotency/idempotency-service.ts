import { v7 as newId } from 'uuid';
import type { Database, Queryable } from '../database/database.ts';
import { Failure } from '../domain/errors.ts';
import type { IdempotencyKey, IdempotencyService, IdempotencyState, StoredAnswer } from './idempotency.ts';
import {
  CLAIM_SECONDS,
  claimKey,
  deleteOldKeys,
  dropAllClaims,
  releaseKey,
  renewClaims,
  selectKey,
  storeAnswer,
} from './store.ts';

/** Stores an answer within another service's transaction. */
export interface IdempotencyAnswers {
  /** Throws IDEMPOTENCY_IN_PROGRESS when the claim was lost, which undoes the transaction. */
  store(transaction: Queryable, key: IdempotencyKey, answer: StoredAnswer): Promise<void>;
  /** Call after the commit: the claim needs no more renewals. */
  committed(key: IdempotencyKey): void;
}

/** Idempotency keys. The service that claimed a key renews its claim, so that a slow upload keeps its key and a crash frees it. */
export class DatabaseIdempotencyService implements IdempotencyService, IdempotencyAnswers {
  readonly #database: Database;
  readonly #keepSeconds: number;
  readonly #owner = newId();
  readonly #claimed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, keepSeconds: number) {
    this.#database = database;
    this.#keepSeconds = keepSeconds;
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
    // Released between the two statements: the client's next try finds it new.
    if (known === null) return { state: 'running' };
    if (known.requestHash !== key.requestHash) return { state: 'other_request' };
    return known.answer === null ? { state: 'running' } : { state: 'answered', answer: known.answer };
  }

  /** A claim in the database that is not known here is one whose answer was lost: the client sends its request again. */
  async #claim(key: IdempotencyKey): Promise<boolean> {
    const isHeld = this.#claimed.has(key.key);
    const by = { owner: this.#owner, isHeld };
    // Before the database answers: another request with the key may arrive meanwhile.
    this.#claimed.add(key.key);
    let isClaimed = false;
    try {
      isClaimed = await claimKey(this.#database, key, by, this.#keepSeconds);
    } finally {
      if (!isClaimed && !isHeld) this.#claimed.delete(key.key);
    }
    return isClaimed;
  }

  async release(key: IdempotencyKey): Promise<void> {
    this.#claimed.delete(key.key);
    await releaseKey(this.#database, key, this.#owner);
  }

  async store(transaction: Queryable, key: IdempotencyKey, answer: StoredAnswer): Promise<void> {
    if (await storeAnswer(transaction, key, this.#owner, answer)) return;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'Another request took this Idempotency-Key over.', {
      retryAfterSeconds: 1,
    });
  }

  committed(key: IdempotencyKey): void {
    this.#claimed.delete(key.key);
  }

  sweep(): Promise<void> {
    return deleteOldKeys(this.#database, this.#keepSeconds);
  }

  #renew(): void {
    if (this.#claimed.size === 0) return;
    // When the database is away for longer than a claim lasts, storing the answer fails cleanly.
    renewClaims(this.#database, this.#owner, [...this.#claimed]).catch(() => {});
  }
}
