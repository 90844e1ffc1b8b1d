import type { Readable } from 'node:stream';
import { Failure } from '../../domain/errors.ts';
import { collectAfterChunk } from '../../storage/received-memory.ts';

export interface PaceLimits {
  readonly idleSeconds: number;
  readonly minBytesPerSecond: number;
}

/**
 * The chunks of a request's body while its sender is fast enough. Only time of waiting for the sender counts,
 * so that slow storage has no effect. Throws REQUEST_TIMEOUT, or MALFORMED_REQUEST when the connection ends
 * early. Does not destroy the request: its socket still transports the answer.
 */
export async function* pacedBody(body: Readable, limits: PaceLimits): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false });
  const idleMs = limits.idleSeconds * 1000;
  let windowMs = 0;
  let windowBytes = 0;
  for (;;) {
    const waitingSince = performance.now();
    const next = await nextWithin(chunks, idleMs, limits);
    if (next.done === true) return;
    windowMs += performance.now() - waitingSince;
    windowBytes += next.value.length;
    if (windowMs >= idleMs) {
      if (windowBytes < (limits.minBytesPerSecond * windowMs) / 1000) throw tooSlow(limits);
      windowMs = 0;
      windowBytes = 0;
    }
    yield next.value;
    collectAfterChunk(next.value.length);
  }
}

async function nextWithin(
  chunks: AsyncIterator<Buffer>,
  idleMs: number,
  limits: PaceLimits,
): Promise<IteratorResult<Buffer>> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(idle(limits)), idleMs);
  try {
    return await Promise.race([nextChunk(chunks), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await chunks.next();
  } catch (error) {
    throw new Failure('MALFORMED_REQUEST', 'The connection ended before the body did', { cause: error });
  }
}

function idle(limits: PaceLimits): Failure {
  return new Failure('REQUEST_TIMEOUT', `No byte of the body arrived for ${limits.idleSeconds} seconds`);
}

function tooSlow(limits: PaceLimits): Failure {
  return new Failure(
    'REQUEST_TIMEOUT',
    `The body arrived at less than ${limits.minBytesPerSecond} bytes a second over ${limits.idleSeconds} seconds`,
  );
}
