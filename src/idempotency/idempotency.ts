/** Requests that may be repeated under one key. */

/** Identifies replays of a request. `requestHash` covers method, path and body. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
}

/** The answer to a request, stored for replays of its key. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The result of `begin`. */
export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'running' }
  | { readonly state: 'other_request' }
  | { readonly state: 'answered'; readonly response: StoredResponse };

/** Idempotency keys, stored for 24 h. */
export interface IdempotencyService {
  /** Claims the key for this request if it is new (or its claim is stale). */
  begin(key: IdempotencyKey): Promise<IdempotencyState>;
  /** Releases a claimed key after a failed request that may be tried again. */
  release(key: IdempotencyKey): Promise<void>;
}
