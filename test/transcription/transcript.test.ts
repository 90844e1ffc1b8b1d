import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { TranscriptionFailure } from '../../src/domain/transcription.ts';
import { answerLimits } from '../../src/transcription/answer-limits.ts';
import { transcriptOf } from '../../src/transcription/transcript.ts';
import { mediaPath } from '../support/media.ts';

type Row = readonly [text: string, start: number, end: number];
const SECONDS = 8;
const transcript = (answer: unknown, seconds = SECONDS) =>
  transcriptOf(typeof answer === 'string' ? answer : JSON.stringify(answer), answerLimits(seconds));
const heard = (answer: unknown): Row[] =>
  transcript(answer).words.map(({ text, startSeconds, endSeconds }) => [
    text,
    Number(startSeconds.toFixed(3)),
    Number(endSeconds.toFixed(3)),
  ]);
const texts = (answer: unknown) => transcript(answer).words.map(({ text }) => text);
const words = (...rows: Row[]) => rows.map(([word, start, end]) => ({ word, start, end }));
/** Words of .1 s, one after the other. */
const row = (...all: string[]) => ({
  words: all.map((word, n) => ({ word, start: n / 10, end: (n + 1) / 10 })),
});
const segments = (...all: string[]) => ({ segments: all.map((text, n) => ({ text, start: n, end: n + 1 })) });

describe('words of an answer', () => {
  test('are in time order, without empty ones, and end in the sound', () => {
    const given = words(['late', 7, 1e99], ['[BLANK_AUDIO]', 0, 1], ['early', 1, 0.9], ['\u202e\n', 1, 2]);
    assert.deepEqual(heard({ words: given }), [
      ['early', 1, 1],
      ['late', 7, 8],
    ]);
  });

  const WILD: Readonly<Record<string, string>> = {
    'whisperx-word-without-times': 'In 2014 we met.',
    'segment-words-null': 'hello there',
    'music-two-words': 'Hello there.',
    'music-in-segment': 'Hello there.',
    'split-utf8-tokens': 'Größe zählt.',
    'japanese-segment-148-characters': `${'あいうえおかきくけこさしすせそたちつてとなにぬねの'.repeat(6)}終わり。`,
  };
  const file = mediaPath('wild/engine-answers.json');
  const skip = file === null && 'the shared media are not here';
  for (const [name, expected] of Object.entries(WILD))
    test(`of ${name}`, { skip }, () => {
      const found = texts(JSON.parse(readFileSync(file!, 'utf8'))[name]);
      assert.equal(found.join(name.startsWith('japanese') ? '' : ' '), expected);
    });
});

describe('marks of music and noise', () => {
  for (const [given, expected] of [
    [['(upbeat', 'music)', 'Hi'], 'Hi'],
    [['[MUSIC', 'PLAYING', 'LOUDLY]', 'Hi'], 'Hi'],
    [['Hi', '(door', 'creaks)', 'there'], 'Hi there'],
    [['Hi', '(maybe)', 'there'], 'Hi (maybe) there'],
    [['Hi', '(as', 'I', 'said)', 'there'], 'Hi (as I said) there'],
    [['Ask', 'the', '(CIA)'], 'Ask the (CIA)'],
    [['Go', '(I', 'love', 'that', 'music)', 'there'], 'Go (I love that music) there'],
    [['(DRAMATIC', 'STING)', 'Hi'], 'Hi'],
    [['*sighs*', 'Well'], 'Well'],
    [['♪', 'piano', 'music', '♪', 'Hi'], 'Hi'],
    [['♪', 'Happy', 'birthday', '♪'], 'Happy birthday'],
    [['♪♪♪'], ''],
    [['（拍手）', '【音楽】', 'はい'], 'はい'],
    [['Hi.[MUSIC]', 'there'], 'Hi. there'],
    [['[no', 'end', 'of', 'it'], '[no end of it'],
    [['five', '<', 'six', '>', 'two'], 'five < six > two'],
    [['<|endoftext|>', '<unk>', 'Hi'], 'Hi'],
    [['(speaking', 'in', 'foreign', 'language)', 'Hi'], 'Hi'],
    [['(Musik)', '(Музыка)', '(Applaus)', 'Ja'], 'Ja'],
  ] as const)
    test(`in "${given.join(' ')}"`, () => {
      assert.equal(texts(row(...given)).join(' '), expected);
      assert.equal(texts(segments(given.join(' '))).join(' '), expected);
    });
});

describe('a text without spaces', () => {
  for (const text of [
    'これはテストです。とても長い文章なので、いくつかに分けます！',
    '我们今天去公园，然后回家。你觉得怎么样？',
    'สวัสดีครับวันนี้อากาศดีมาก',
    'iPhone15を買いました。',
    '𠮷野家で𠮷田さんと会う',
    `${'漢'.repeat(9)}字`.repeat(9),
  ])
    test(`is divided, and nothing is lost: ${text}`, () => {
      const { words: found } = transcript({ segments: [{ text, start: 1, end: 5 }] });
      assert.equal(found.map((word) => word.text).join(''), text);
      assert.ok(found.length > 2);
      assert.equal(found[0].startSeconds, 1);
      assert.ok(Math.abs(found.at(-1)!.endSeconds - 5) < 1e-9);
      for (const { text: word } of found) assert.doesNotMatch(word, /^[。、！？，]/u);
    });

  test('is complete if its segment ends after the sound', () => {
    const text = 'あいうえおかきくけこさしすせそ。';
    const { words: found, omitted } = transcript({ segments: [{ text, start: 0, end: 30 }] });
    assert.equal(found.map((word) => word.text).join(''), text);
    assert.equal(found.at(-1)!.endSeconds, SECONDS);
    assert.deepEqual(omitted, { looped: 0, afterEnd: 0 });
    const late = transcript({ segments: [{ text, start: 9, end: 30 }] });
    assert.equal(late.words.length, 0);
    assert.ok(late.omitted.afterEnd > 0);
  });

  test('has no space before its punctuation, whatever its engine sends', () => {
    assert.deepEqual(texts(row('今日', '、', '明日', ' 。', 'iPhone', '！')), [
      '今日、',
      '明日。',
      'iPhone！',
    ]);
  });
});

describe('a loop', () => {
  const phrase = ['I', "don't", 'know,', 'really.'];
  for (const [what, given, expected, looped] of [
    ['of ten phrases', Array(10).fill(phrase).flat(), 4, 36],
    ['of nine phrases is spoken', Array(9).fill(phrase).flat(), 36, 0],
    ['of one word', [...Array(40).fill('no'), 'yes'], 2, 39],
    ['with its last phrase cut off', [...Array(12).fill(phrase).flat(), 'I', "don't"], 4, 46],
    ['with other punctuation', Array(10).fill(['No,', 'no.', 'NO']).flat(), 1, 29],
    ['within speech', ['Well', ...Array(11).fill(['thank', 'you']).flat(), 'bye'], 4, 20],
  ] as const)
    test(what, () => {
      const { words: found, omitted } = transcript(row(...given), 60);
      assert.equal(found.length, expected);
      assert.deepEqual(omitted, { looped, afterEnd: 0 });
    });

  test('of Japanese', () => {
    const text = 'ご視聴ありがとうございました'.repeat(20);
    const { words: found, omitted } = transcript({ segments: [{ text, start: 0, end: 8 }] });
    assert.equal(found.map((word) => word.text).join(''), 'ご視聴ありがとうございました');
    assert.ok(omitted.looped > 19);
  });
});

describe('spelling', () => {
  const bare = (text: string, ...all: string[]) => texts({ ...row(...all), ...segments(text) });
  for (const [text, given, expected] of [
    ['“Oh,” said she: “don’t!”', ['oh', 'said', 'she', "don't"], ['“Oh,”', 'said', 'she:', '“don’t!”']],
    ['It costs $5.', ['It', 'costs', '5'], ['It', 'costs', '$5.']],
    ['Twenty of 20.', ['twenty', 'of', 'twenty'], ['Twenty', 'of', 'twenty']],
    ['¿Qué? No.', ['Qué', 'No'], ['¿Qué?', 'No.']],
    ['Not in words. Here.', ['Here'], ['Here.']],
    [
      `${'Nobody gave this sentence any times. '.repeat(4)}Here, too.`,
      ['well', 'Here', 'too'],
      ['well', 'Here,', 'too.'],
    ],
  ] as const)
    test(`of "${text}"`, () => {
      assert.deepEqual(bare(text, ...given), expected);
    });

  test('of letters that are divided and whose text is unknown: without them', () => {
    assert.deepEqual(texts(row(' Gr\ufffd', '\ufffdße', ' ja')), ['Grße', 'ja']);
  });
});

describe('refused', () => {
  const zeros = (count: number) => `[${Array(count).fill(0).join(',')}]`;
  for (const [what, text, reason] of [
    ['no JSON', 'busy', /^its answer is not valid JSON$/],
    ['no words', '{"text": "Good morning"}', /neither words nor segments/],
    [
      'a text whose segments are lost',
      '{"text": "Hi", "words": null, "segments": []}',
      /has a text, but no times/,
    ],
    ['a list', '[]', /not verbose_json \(answer: /],
    ['words without any time', '{"words": [{"word": "a"}, {"word": "b"}]}', /has a text, but no times/],
    ['words that are none', '{"words": [{"word": 7, "start": 0, "end": 1}]}', /words\.0\.word/],
    ['words without text', '{"words": [{"start": 0, "end": 1}]}', /words\.0\.word: is required/],
    ['times that are none', '{"words": [{"word": "a", "start": "soon", "end": 1}]}', /words\.0\.start/],
    ['numbers for words', `{"words": ${zeros(50_000)}}`, /words\.0: /],
    ['more values than words have', `{"words": ${zeros(100_000)}}`, /more than 91200 values/],
    ['deep nesting', '['.repeat(600_000), /nested deeper than 16 levels/],
    [
      'more words than are spoken',
      JSON.stringify(row(...Array(2281).fill('a').map(String))),
      /more than 2280, 10 times/,
    ],
    [
      'more letters than are spoken',
      JSON.stringify(segments('a'.repeat(22_801))),
      /22801 letters, more than 22800/,
    ],
    ['text without end', JSON.stringify(segments(' a'.repeat(5000))), /5000 words, more than 2280/],
  ] as const)
    test(`${what}`, () => {
      assert.throws(
        () => transcript(text),
        (error) => {
          assert.ok(error instanceof TranscriptionFailure && !error.isPassing, String(error));
          assert.match(error.message, reason);
          return error.message.length < 200;
        },
      );
    });
});
