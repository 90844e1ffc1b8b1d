import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TranscriptionFailure } from '../../src/domain/transcription.ts';
import { answerText } from '../../src/transcription/answer-text.ts';

const TEXT = '{"text":"Grüße"}';
const LITTLE = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
const JSON_TYPE = 'application/json';

describe('the encoding of an answer', () => {
  for (const [what, bytes, contentType, expected] of [
    ['UTF-8', Buffer.from(TEXT), JSON_TYPE, TEXT],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`), '', TEXT],
    ['UTF-16, little-endian', LITTLE, JSON_TYPE, TEXT],
    ['UTF-16, big-endian', Buffer.from(LITTLE).swap16(), `${JSON_TYPE}; charset=utf-16`, TEXT],
    ['UTF-16 by its type', LITTLE.subarray(2), `${JSON_TYPE};charset="UTF-16LE"`, TEXT],
    ['Latin-1 by its type', Buffer.from(TEXT, 'latin1'), 'text/plain; charset=iso-8859-1', TEXT],
    [
      'Shift_JIS by its type',
      Buffer.from([0x22, 0x82, 0xa0, 0x93, 0xfa, 0x22]),
      'text/json; charset=Shift_JIS',
      '"あ日"',
    ],
    ['a type that nobody knows', Buffer.from(TEXT), `${JSON_TYPE}; charset=none`, TEXT],
    ['letters divided over tokens', Buffer.from([0x22, 0xc3, 0x22]), '', '"\ufffd"'],
  ] as const) {
    test(what, () => assert.equal(answerText(bytes, contentType), expected));
  }

  for (const [what, bytes, contentType, message] of [
    ['nothing', Buffer.alloc(0), JSON_TYPE, /^its answer is empty$/],
    ['a page', Buffer.from('<html>'), 'text/html', /^its answer is not JSON, but text\/html$/],
    [
      'events',
      Buffer.from('event: x'),
      'text/event-stream',
      /^its answer is not JSON, but text\/event-stream$/,
    ],
    ['a hostile type', Buffer.from('x'), `a\n${'b'.repeat(999)}`, /^its answer is not JSON, but a b{58}$/],
  ] as const) {
    test(`${what} is refused`, () =>
      assert.throws(
        () => answerText(bytes, contentType),
        (error) => error instanceof TranscriptionFailure && message.test(error.message),
      ));
  }
});
