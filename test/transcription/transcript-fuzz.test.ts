/** Random answers in the forms of engines: each is read or refused with a reason, and what is read can be shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TranscriptionFailure } from '../../src/domain/transcription.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { answerLimits } from '../../src/transcription/answer-limits.ts';
import { transcriptOf } from '../../src/transcription/transcript.ts';

const SEED = Number(process.env['ANSWER_FUZZ_SEED'] ?? 1);
const ANSWERS = 3000;
const SECONDS = 20;
const TEXTS = [
  ...[
    'a',
    ' a',
    ' word',
    'word.',
    ' ',
    '',
    ',',
    ' ,',
    '。',
    '、',
    ' 。',
    '今日',
    ' は',
    'ไป',
    'don’t',
    '20',
    ' $5',
    'twenty-five',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '(maybe)',
    ' (music',
    ' music)',
    '[MUSIC]',
    '♪',
    '*',
    '<',
    '>',
    '\ufffd',
    ' \ufffd',
    '\ufffdb',
    'Gr\ufffd\ufffdße',
  ],
  ...['\u202e', '\n', '\u0000', '\ud800', '👩‍👩‍👧', 'é', 'ß', 'a'.repeat(300), 'あ'.repeat(150)],
];

test(`${ANSWERS} random answers`, () => {
  const random = seededRandom(SEED);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const count = (most: number) => Math.floor(random() * (most + 1));
  const time = () =>
    pick([undefined, null, -1, 0, 1, random() * SECONDS, random() * SECONDS, 19.99, SECONDS, 40, 1e300]);
  const text = () => Array.from({ length: count(4) }, () => pick(TEXTS)).join('');
  const word = () => ({ [pick(['word', 'word', 'text'])]: pick(TEXTS), start: time(), end: time() });
  const words = () => pick([undefined, null, [], Array.from({ length: count(12) }, word)]);
  const segment = () => ({
    text: pick([text(), undefined, null]),
    start: time(),
    end: time(),
    words: words(),
  });
  const answer = () => ({
    text: text(),
    ...{ words: words(), word_segments: words(), result: words() },
    segments: pick([undefined, null, Array.from({ length: count(5) }, segment)]),
  });
  let read = 0;
  for (let n = 0; n < ANSWERS; n++) {
    const sent = JSON.stringify(answer());
    try {
      const transcript = transcriptOf(sent, answerLimits(SECONDS));
      read += transcript.words.length;
      let before = 0;
      for (const { text: shown, startSeconds, endSeconds } of transcript.words) {
        assert.ok(startSeconds >= before && endSeconds >= startSeconds && endSeconds <= SECONDS);
        assert.ok(startSeconds < SECONDS);
        assert.match(shown, /^\S(?:.*\S)?$/su);
        assert.doesNotMatch(shown, /[\ufffd\p{Cc}\s]/u);
        before = startSeconds;
      }
    } catch (error) {
      if (error instanceof TranscriptionFailure) continue;
      assert.fail(`ANSWER_FUZZ_SEED=${SEED}, answer ${n}: ${sent}\n${(error as Error).stack}`);
    }
  }
  assert.ok(read > ANSWERS, `${read} words were read`);
});
