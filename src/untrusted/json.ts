/** Reads JSON that others wrote. Without Node: browsers load it too. */

export interface JsonLimits {
  /** Levels of arrays and objects. Recursion over much deeper values overflows stacks. */
  readonly depth: number;
  /** All values and keys. A value of one byte takes 8 to 40 bytes as JavaScript. */
  readonly values: number;
  /** Keys of one object; default: `values`. */
  readonly keys?: number;
}

/**
 * Of a request or a Style DNA of 1 MiB, which have a few levels, and at most 70,000 beats, those of four hours. A config of 16 KiB has at
 * most 2,000 keys. A mebibyte of `[],` has 350,000 values and takes 130 ms.
 */
export const DOCUMENT_LIMITS: JsonLimits = { depth: 64, values: 100_000, keys: 5000 };

/** The message continues the name of the text: "The body …". */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly kind: 'syntax' | 'depth' | 'values' | 'keys';

  constructor(kind: JsonFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Parses JSON whose levels, values and keys are counted first, in one pass of 2 to 8 ms a megabyte: `JSON.parse` builds a million zeros
 * before anyone can count them. Throws `JsonFault`, whose message contains nothing of the text, which can hold a secret.
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  assertBounded(text, limits);
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonFault('syntax', 'is not valid JSON');
  }
}

/** Does not check the syntax. */
function assertBounded(
  text: string,
  { depth: maxDepth, values: maxValues, keys: maxKeys = maxValues }: JsonLimits,
): void {
  const keys = new Uint32Array(maxDepth + 2);
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === COMMA || unit === COLON) {
      if (unit === COLON && ++keys[depth] > maxKeys)
        throw new JsonFault('keys', `has an object of more than ${maxKeys} keys`);
      if (++values > maxValues) throw new JsonFault('values', `has more than ${maxValues} values and keys`);
    } else if (isOpening(unit)) {
      if (++depth > maxDepth) throw new JsonFault('depth', `is nested deeper than ${maxDepth} levels`);
      keys[depth] = 0;
    } else if (isClosing(unit) && depth > 0) depth--;
  }
}

function isOpening(unit: number): boolean {
  return unit === 0x5b || unit === 0x7b;
}

function isClosing(unit: number): boolean {
  return unit === 0x5d || unit === 0x7d;
}

/** The place of the quote that ends a string, before which there is an even number of backslashes. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
