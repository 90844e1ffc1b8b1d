import { Failure } from '../../domain/errors.ts';
import { invalid } from '../contract/operation.ts';

/** StyleJSON and config have a few levels; recursion over much deeper values overflows stacks. */
export const LIMIT_DEPTH = 64;
/**
 * A body of 1 MiB has at most 70,000 beats, those of four hours. A mebibyte of `[],` has 350,000 values and
 * takes 130 ms.
 */
const LIMIT_VALUES = 100_000;
/** A config of 16 KiB has at most 2,000. */
const LIMIT_KEYS = 5000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Counts levels, values and keys of JSON text before it is parsed, in one pass of 2 ms. Refuses text whose
 * parsing and validation would cost much more. It does not check the syntax. Throws INVALID_JSON,
 * BODY_TOO_LARGE, VALIDATION_ERROR.
 */
export function assertParsable(bytes: Uint8Array): void {
  const keys = new Uint32Array(LIMIT_DEPTH + 2);
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA || byte === COLON) {
      if (byte === COLON && ++keys[depth] > LIMIT_KEYS) throw tooManyKeys();
      if (++values > LIMIT_VALUES) throw tooManyValues();
    } else if (isOpening(byte)) {
      if (++depth > LIMIT_DEPTH + 1) throw tooDeep();
      keys[depth] = 0;
    } else if (isClosing(byte) && depth > 0) depth--;
  }
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}

function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

export function tooDeep(): Failure {
  return new Failure('INVALID_JSON', `The body is nested deeper than ${LIMIT_DEPTH} levels`);
}

function tooManyValues(): Failure {
  return new Failure('BODY_TOO_LARGE', `A JSON body may have at most ${LIMIT_VALUES} values and keys`);
}

function tooManyKeys(): Failure {
  const message = `has an object of more than ${LIMIT_KEYS} keys, the maximum`;
  return invalid([{ path: 'body', message }]);
}
