import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Failure } from '../../domain/errors.ts';
import { DOCUMENT_LIMITS, JsonFault, parseJson } from '../../untrusted/json.ts';
import { invalid } from '../contract/operation.ts';

const LIMIT_BYTES = 1 << 20;
const LIMIT_MS = 30_000;

/**
 * Reads and parses a JSON body (RFC 8259, UTF-8). Undefined for an empty one. Throws INVALID_JSON,
 * BODY_TOO_LARGE, VALIDATION_ERROR, REQUEST_TIMEOUT, and MALFORMED_REQUEST when the client closes the
 * connection.
 */
export async function readJson(body: Readable): Promise<unknown> {
  const bytes = await readBody(body);
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure('INVALID_JSON', 'The body is not UTF-8', { cause: error });
  }
  const value = parsed(text);
  assertStorable(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, DOCUMENT_LIMITS);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (error.kind === 'values')
      throw new Failure(
        'BODY_TOO_LARGE',
        `A JSON body may have at most ${DOCUMENT_LIMITS.values} values and keys`,
      );
    if (error.kind === 'keys') throw invalid([{ path: 'body', message: `${error.message}, the maximum` }]);
    throw new Failure('INVALID_JSON', `The body ${error.message}`);
  }
}

async function readBody(body: Readable): Promise<Buffer> {
  const announced = Number((body as IncomingMessage).headers?.['content-length'] ?? 0);
  if (announced > LIMIT_BYTES) throw tooLarge();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        new Failure('REQUEST_TIMEOUT', `The body did not arrive within ${LIMIT_MS / 1000} seconds`),
      ),
    LIMIT_MS,
  );
  try {
    return await Promise.race([collect(body), late.promise]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('MALFORMED_REQUEST', 'The connection ended before the body did', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not destroy the request: its socket still transports the answer.
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Failure {
  return new Failure('BODY_TOO_LARGE', `A JSON body may have at most ${LIMIT_BYTES} bytes`);
}

/**
 * Refuses values that PostgreSQL's jsonb cannot store (NUL, lone surrogates), and the key `__proto__`, which sets the prototype in
 * code that copies objects by assignment.
 */
function assertStorable(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') assertStorableText(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        assertStorableText(key);
        if (key === '__proto__') throw new Failure('INVALID_JSON', 'The body has a key __proto__');
        open.push(item);
      }
    }
  }
}

function assertStorableText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new Failure('INVALID_JSON', 'The body contains a NUL character or half of a surrogate pair');
  }
}
