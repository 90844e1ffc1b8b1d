/** Requests that may be sent again: what is known of a key, and who asks. */

/** Replays of a request. `requestHash` covers method, path and body. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
}

/** What a request answered, kept for a replay of the same key. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What `begin` found out about an idempotency key. */
export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'running' }
  | { readonly state: 'other_request' }
  | { readonly state: 'answered'; readonly answer: StoredAnswer };

/** Idempotency keys, kept for 24 h. */
export interface IdempotencyService {
  /** Claims the key for this request if it is new (or its claim is stale). */
  begin(key: IdempotencyKey): Promise<IdempotencyState>;
  /** Gives a claimed key up, when the request failed and may be tried again. */
  release(key: IdempotencyKey): Promise<void>;
}
