import { guessEncoding, type LegacyEncoding } from './legacy-encoding.ts';

export interface DecodedText {
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | LegacyEncoding;
  /** The encoding was guessed from the letters that it gives. */
  readonly isGuessed: boolean;
}

/** Bytes searched for the zeros of UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 2000;
const MIN_ZEROS = 0.3;

/**
 * Decodes text of unknown encoding. Tries its byte order mark, the zeros of digits and spaces in UTF-16, and
 * valid UTF-8. Otherwise it is the encoding (WHATWG) that gives the usual letters of a language.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = markOf(bytes) ?? zerosOf(bytes);
  if (marked !== null)
    return { text: new TextDecoder(marked).decode(bytes), encoding: marked, isGuessed: false };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, encoding: 'utf-8', isGuessed: false };
  } catch {
    const encoding = guessEncoding(bytes);
    return { text: new TextDecoder(encoding).decode(bytes), encoding, isGuessed: true };
  }
}

/** Warning for the sender of a file whose encoding was guessed. */
export function guessedEncodingMessage(encoding: DecodedText['encoding']): string {
  const name = encoding.replace(/^windows/, 'Windows');
  return `The caption file is not UTF-8: it was read as ${name}; save it as UTF-8 where letters come out wrong`;
}

function markOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function zerosOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = Math.min(bytes.length, SAMPLE_BYTES) >> 1;
  const zeros = [0, 0];
  for (let i = 0; i < 2 * pairs; i++) if (bytes[i] === 0) zeros[i & 1]++;
  const [even, odd] = zeros;
  if (odd > MIN_ZEROS * pairs && even === 0) return 'utf-16le';
  return even > MIN_ZEROS * pairs && odd === 0 ? 'utf-16be' : null;
}
