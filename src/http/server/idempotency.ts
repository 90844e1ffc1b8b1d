import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import type { IdempotencyKey, IdempotencyService, StoredResponse } from '../../idempotency/idempotency.ts';
import { invalid } from '../contract/operation.ts';

const HEADER = 'Idempotency-Key';

/** The request's idempotency key, or null. A replay must have the same `payload`. Throws VALIDATION_ERROR. */
export function idempotencyKey(request: FastifyRequest, payload: unknown): IdempotencyKey | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header);
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    throw invalid([{ path: HEADER, message: 'must be 1 to 255 printable ASCII characters' }]);
  }
  const subject = [request.method, request.routeOptions.url, withSortedKeys(payload)];
  return { key, requestHash: createHash('sha256').update(JSON.stringify(subject)).digest('hex') };
}

/** Claims a key. Null: the request is new and must be processed; else the answer to replay. */
export async function claim(
  service: IdempotencyService,
  key: IdempotencyKey,
): Promise<StoredResponse | null> {
  const known = await service.begin(key);
  switch (known.state) {
    case 'new':
      return null;
    case 'answered':
      return known.response;
    case 'running':
      throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key has no answer yet', {
        retryAfterSeconds: 1,
      });
    case 'other_request':
      throw keyReused();
  }
}

export function keyReused(): Failure {
  return new Failure('IDEMPOTENCY_KEY_REUSED', `Send a new ${HEADER} with a different request`);
}

/** Runs `work` under a claimed key and releases the key when it fails, so that the client may try again. */
export async function releaseOnFailure<T>(
  responses: IdempotencyService,
  key: IdempotencyKey | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // While the database is down, the claim expires by itself.
    if (key !== null) await responses.release(key).catch(() => {});
    throw error;
  }
}

export function sendReplay(reply: FastifyReply, response: StoredResponse, location: string): void {
  void reply
    .code(response.status)
    .header('idempotent-replayed', 'true')
    .header('location', location)
    .send(response.body);
}

/** The same value with the keys of all objects sorted. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, withSortedKeys(item)]),
  );
}
