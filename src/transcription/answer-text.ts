import { TranscriptionFailure } from '../domain/transcription.ts';

/** Encodings by their byte order marks. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** The beginning of a JSON text. */
const JSON_START = /^\s*[[{"\dtfn-]/;

/**
 * The text of an answer, in the encoding of its byte order mark or `Content-Type`, else in UTF-8. Bytes that are no letters become U+FFFD,
 * because whisper.cpp divides letters over tokens. Throws `TranscriptionFailure` for an answer that cannot be JSON.
 */
export function answerText(bytes: Uint8Array, contentType: string): string {
  if (bytes.length === 0) throw new TranscriptionFailure('its answer is empty');
  const text = decoded(bytes, contentType);
  if (JSON_START.test(text)) return text;
  const type = contentType === '' ? 'without a content type' : `but ${onOneLine(contentType).slice(0, 60)}`;
  throw new TranscriptionFailure(`its answer is not JSON, ${type}`);
}

function decoded(bytes: Uint8Array, contentType: string): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const declared = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(marked ?? declared).decode(bytes);
  } catch {
    // A name that no standard has: most likely UTF-8, the only encoding of JSON (RFC 8259, 8.1).
    return new TextDecoder().decode(bytes);
  }
}

/** For messages: no control characters, and spaces as one. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
