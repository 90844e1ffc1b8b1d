/**
 * Answers in the documented forms of transcription engines, with what those engines are known to send, and the words that are right:
 * OpenAI (API reference, "Create transcription", verbose_json), whisper.cpp (examples/server, verbose_json), faster-whisper and Speaches
 * (`Segment` and `Word` with null for what was not requested), WhisperX (`AlignedTranscriptionResult`), Vosk (`KaldiRecognizer.Result`).
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerLimits } from '../../src/transcription/answer-limits.ts';
import { transcriptOf } from '../../src/transcription/transcript.ts';

type Row = readonly [text: string, start: number, end: number];
interface Answer {
  readonly answer: unknown;
  readonly seconds?: number;
  readonly words: readonly Row[];
  readonly omitted?: { readonly looped?: number; readonly afterEnd?: number };
}

const openAi = (text: string, words: readonly Row[] | undefined, segments?: readonly object[]) => ({
  ...{ task: 'transcribe', language: 'english', duration: 8, text, usage: { type: 'duration', seconds: 8 } },
  ...(words === undefined ? {} : { words: words.map(([word, start, end]) => ({ word, start, end })) }),
  ...(segments === undefined ? {} : { segments }),
});
const segment = (text: string, start: number, end: number, more: object = {}) => ({
  ...{ id: 0, seek: 0, start, end, text, tokens: [50364, 2425, 50414], temperature: 0, avg_logprob: -0.2 },
  ...{ compression_ratio: 0.8, no_speech_prob: 0.01, ...more },
});
const cpp = (text: string, start: number, end: number, tokens: readonly Row[]) => ({
  ...{ id: 0, text, start, end, tokens: [50364], temperature: 0, avg_logprob: -0.3, no_speech_prob: 0.02 },
  words: tokens.map(([word, from, to]) => ({ word, start: from, end: to, t_dtw: -1, probability: 0.9 })),
});
const faster = (text: string, start: number, end: number, words: readonly Row[] | null) =>
  segment(text, start, end, {
    words: words?.map(([word, from, to]) => ({ start: from, end: to, word, probability: 0.98 })) ?? null,
  });
const aligned = (word: string, start?: number, end?: number) =>
  start === undefined ? { word } : { word, start, end, score: 0.8, speaker: 'SPEAKER_00' };

const ANSWERS: Readonly<Record<string, Answer>> = {
  'OpenAI: words have no punctuation, segments do': {
    answer: openAi(
      'Well, twenty-five of them? Yes.',
      [
        ['Well', 0, 0.4],
        ['twenty', 0.5, 0.8],
        ['five', 0.8, 1.1],
        ['of', 1.1, 1.2],
        ['them', 1.2, 1.5],
        ['Yes', 2, 2.3],
      ],
      [segment(' Well, twenty-five of them?', 0, 1.6), segment(' Yes.', 2, 2.4)],
    ),
    words: [
      ['Well,', 0, 0.4],
      ['twenty-five', 0.5, 1.1],
      ['of', 1.1, 1.2],
      ['them?', 1.2, 1.5],
      ['Yes.', 2, 2.3],
    ],
  },
  'OpenAI: only words were requested': {
    answer: openAi('Good morning, all.', [
      ['Good', 0.1, 0.3],
      ['morning', 0.3, 0.8],
      ['all', 0.9, 1.2],
    ]),
    words: [
      ['Good', 0.1, 0.3],
      ['morning,', 0.3, 0.8],
      ['all.', 0.9, 1.2],
    ],
  },
  'OpenAI: nobody speaks': { answer: openAi('', [], []), words: [] },
  'OpenAI: words after the end of a short sound': {
    seconds: 2,
    answer: openAi('Hello. Thanks for watching!', [
      ['Hello', 0.5, 1],
      ['Thanks', 1.8, 2.4],
      ['for', 2.4, 2.6],
      ['watching', 29, 29.98],
    ]),
    words: [
      ['Hello.', 0.5, 1],
      ['Thanks', 1.8, 2],
    ],
    omitted: { afterEnd: 2 },
  },
  'whisper.cpp: tokens, with punctuation and contractions of their own, that begin words with a space': {
    answer: {
      ...{ task: 'transcribe', language: 'english', duration: 6.38, text: " That's one small step.\n" },
      segments: [
        cpp(" That's one small step.", 0, 5, [
          [' That', 0.16, 0.31],
          ["'s", 0.38, 0.49],
          [' one', 0.5, 0.8],
          [' sm', 0.8, 1],
          ['all', 1, 1.2],
          [' step', 1.3, 1.7],
          ['.', 1.7, 1.75],
        ]),
      ],
    },
    words: [
      ["That's", 0.16, 0.49],
      ['one', 0.5, 0.8],
      ['small', 0.8, 1.2],
      ['step.', 1.3, 1.75],
    ],
  },
  'whisper.cpp: letters divided over tokens': {
    answer: {
      segments: [
        cpp(' Größe zählt', 0.2, 2, [
          [' Gr', 0.2, 0.4],
          ['\ufffd', 0.4, 0.5],
          ['\ufffd', 0.5, 0.6],
          ['ße', 0.6, 0.9],
          [' zählt.', 1, 1.5],
        ]),
      ],
    },
    words: [
      ['Größe', 0.2, 0.9],
      ['zählt.', 1, 1.5],
    ],
  },
  'whisper.cpp: Japanese tokens, divided letters among them, no space anywhere': {
    answer: {
      segments: [
        cpp('今日は良い天気、ですね！', 0, 3, [
          ['今日', 0, 0.4],
          ['は', 0.4, 0.6],
          ['\ufffd', 0.6, 0.7],
          ['\ufffd', 0.7, 0.8],
          ['い', 0.8, 1],
          ['天気', 1, 1.6],
          ['、', 1.6, 1.6],
          ['です', 1.8, 2.2],
          ['ね', 2.2, 2.4],
          ['！', 2.4, 2.4],
        ]),
      ],
    },
    words: [
      ['今日', 0, 0.4],
      ['は', 0.4, 0.6],
      ['良', 0.6, 0.8],
      ['い', 0.8, 1],
      ['天気、', 1, 1.6],
      ['です', 1.8, 2.2],
      ['ね！', 2.2, 2.4],
    ],
  },
  'whisper.cpp: a mark of music of several tokens, and silence': {
    answer: {
      segments: [
        cpp(' (upbeat music)', 0, 2, [
          [' (', 0, 0.1],
          ['up', 0.1, 0.5],
          ['beat', 0.5, 1],
          [' music', 1, 1.9],
          [')', 1.9, 2],
        ]),
        cpp(' [BLANK_AUDIO]', 2, 3, [[' [BLANK_AUDIO]', 2, 3]]),
        cpp(' We (maybe) go.', 3, 4, [
          [' We', 3, 3.2],
          [' (', 3.2, 3.2],
          ['maybe', 3.2, 3.6],
          [')', 3.6, 3.6],
          [' go', 3.6, 3.9],
          ['.', 3.9, 4],
        ]),
      ],
    },
    words: [
      ['We', 3, 3.2],
      ['(maybe)', 3.2, 3.6],
      ['go.', 3.6, 4],
    ],
  },
  'whisper.cpp: a decoder in a loop': {
    seconds: 30,
    answer: {
      segments: [
        cpp(' It ends.', 0, 1, [
          [' It', 0, 0.4],
          [' ends.', 0.5, 1],
        ]),
        ...Array.from({ length: 10 }, (_, n) =>
          cpp(' Thank you.', 2 + 2 * n, 4 + 2 * n, [
            [' Thank', 2 + 2 * n, 3 + 2 * n],
            [' you.', 3 + 2 * n, 4 + 2 * n],
          ]),
        ),
        cpp(' Bye.', 25, 26, [[' Bye.', 25, 26]]),
      ],
    },
    words: [
      ['It', 0, 0.4],
      ['ends.', 0.5, 1],
      ['Thank', 2, 3],
      ['you.', 3, 4],
      ['Bye.', 25, 26],
    ],
    omitted: { looped: 18 },
  },
  'whisper.cpp: only text of segments, in which music is marked': {
    answer: { segments: [segment(' [MUSIC PLAYING]', 0, 2), segment(' Hello there.', 3, 4.2)] },
    words: [
      ['Hello', 3, 3.545],
      ['there.', 3.545, 4.2],
    ],
  },
  'faster-whisper: words in segments, with spaces, a start before 0': {
    answer: {
      segments: [
        faster(' Hello there.', -0.1, 1.2, [
          [' Hello', -0.08, 0.5],
          [' there.', 0.5, 1.2],
        ]),
      ],
    },
    words: [
      ['Hello', 0, 0.5],
      ['there.', 0.5, 1.2],
    ],
  },
  'faster-whisper: a Chinese segment without words': {
    answer: { segments: [faster('今天天气很好，我们去公园吧。', 0, 2.8, null)] },
    words: [
      ['今天', 0, 0.4],
      ['天气', 0.4, 0.8],
      ['很好，', 0.8, 1.4],
      ['我们', 1.4, 1.8],
      ['去', 1.8, 2],
      ['公园', 2, 2.4],
      ['吧。', 2.4, 2.8],
    ],
  },
  'faster-whisper: probabilities that are no numbers, as Python writes them': {
    answer:
      '{"segments": [{"text": " NaN is \\"NaN\\".", "start": 0, "end": 1, "avg_logprob": NaN, "words": [{"word": " NaN", "start": 0, "end": 0.5, "probability": -Infinity}, {"word": " is", "start": 0.5, "end": 0.7}, {"word": " \\"NaN\\".", "start": 0.7, "end": NaN}]}]}',
    words: [
      ['NaN', 0, 0.5],
      ['is', 0.5, 0.7],
      ['"NaN".', 0.7, 1],
    ],
  },
  'Speaches: words are null beside and within the segments': {
    answer: { ...openAi('hello there', undefined, [faster(' hello there', 0.2, 2, null)]), words: null },
    words: [
      ['hello', 0.2, 1.1],
      ['there', 1.1, 2],
    ],
  },
  'Speaches: words beside the segments, which are empty': {
    answer: openAi(
      'One two.',
      [
        [' One', 0, 0.4],
        [' two.', 0.4, 0.9],
      ],
      [],
    ),
    words: [
      ['One', 0, 0.4],
      ['two.', 0.4, 0.9],
    ],
  },
  'Speaches: the same words beside and within the segments': {
    answer: openAi(
      'Yes, ok.',
      [
        [' Yes,', 0, 0.4],
        [' ok.', 0.5, 0.9],
      ],
      [
        faster(' Yes, ok.', 0, 1, [
          [' Yes,', 0, 0.4],
          [' ok.', 0.5, 0.9],
        ]),
      ],
    ),
    words: [
      ['Yes,', 0, 0.4],
      ['ok.', 0.5, 0.9],
    ],
  },
  'WhisperX: numbers have no times, also at both ends and in a row': {
    answer: {
      segments: [
        {
          ...{ start: 0.2, end: 4, text: ' 3 In 20 14 we met 58.', speaker: 'SPEAKER_00' },
          words: [
            aligned('3'),
            aligned('In', 0.4, 0.6),
            aligned('20'),
            aligned('14'),
            aligned('we', 1.4, 1.6),
            aligned('met', 1.6, 2),
            aligned('58.'),
          ],
        },
      ],
      word_segments: [aligned('3'), aligned('In', 0.4, 0.6)],
      language: 'en',
    },
    words: [
      ['3', 0.2, 0.4],
      ['In', 0.4, 0.6],
      ['20', 0.6, 1],
      ['14', 1, 1.4],
      ['we', 1.4, 1.6],
      ['met', 1.6, 2],
      ['58.', 2, 4],
    ],
  },
  'WhisperX: a segment that could not be aligned': {
    answer: {
      segments: [
        { start: 1, end: 2, text: ' Um.', words: [] },
        {
          start: 2,
          end: 3,
          text: ' (laughs) Right.',
          words: [aligned('(laughs)', 2, 2.4), aligned('Right.', 2.5, 3)],
        },
      ],
    },
    words: [
      ['Um.', 1, 2],
      ['Right.', 2.5, 3],
    ],
  },
  'Vosk: words in lower case, without punctuation': {
    answer: {
      result: [
        { conf: 1, end: 1.02, start: 0.36, word: 'one' },
        { conf: 0.9, end: 1.5, start: 1.02, word: 'zero' },
      ],
      text: 'one zero',
    },
    words: [
      ['one', 0.36, 1.02],
      ['zero', 1.02, 1.5],
    ],
  },
  'Vosk: nobody speaks': { answer: { text: '' }, words: [] },
  'Vosk: the first of several alternatives': {
    answer: {
      alternatives: [
        { confidence: 240, result: [{ end: 1, start: 0.5, word: 'yes' }], text: 'yes' },
        { confidence: 239, result: [{ end: 1, start: 0.5, word: 'yeast' }], text: 'yeast' },
      ],
    },
    words: [['yes', 0.5, 1]],
  },
  'AssemblyAI: milliseconds': {
    answer: {
      ...{ id: '9ea68fd3', status: 'completed', text: 'Hello world.' },
      words: [
        { text: 'Hello', start: 250, end: 650, confidence: 0.97, speaker: null },
        { text: 'world.', start: 730, end: 1022, confidence: 0.99, speaker: null },
      ],
    },
    words: [
      ['Hello', 0.25, 0.65],
      ['world.', 0.73, 1.022],
    ],
  },
  'whisper.cpp: its own JSON, in full': {
    answer: {
      ...{ systeminfo: 'AVX = 1', model: { type: 'base' }, result: { language: 'en' } },
      transcription: [
        {
          ...{ timestamps: { from: '00:00:00,000', to: '00:00:02,000' }, offsets: { from: 0, to: 2000 } },
          text: ' Ask not.',
          tokens: [
            { text: '[_BEG_]', offsets: { from: 0, to: 0 }, id: 50364, p: 0.9, t_dtw: -1 },
            { text: ' Ask', offsets: { from: 300, to: 600 }, id: 1, p: 0.9, t_dtw: -1 },
            { text: ' not', offsets: { from: 600, to: 900 }, id: 2, p: 0.9, t_dtw: -1 },
            { text: '.', offsets: { from: 900, to: 950 }, id: 3, p: 0.9, t_dtw: -1 },
          ],
        },
        { offsets: { from: 2000, to: 3200 }, text: ' Fellow Americans' },
      ],
    },
    words: [
      ['Ask', 0.3, 0.6],
      ['not.', 0.6, 0.95],
      ['Fellow', 2, 2.48],
      ['Americans', 2.48, 3.2],
    ],
  },
  'Transformers: chunks; the last one has no end': {
    answer: {
      text: ' Hi there',
      chunks: [
        { text: ' Hi', timestamp: [0.2, 0.5] },
        { text: ' there', timestamp: [0.5, null] },
      ],
    },
    words: [
      ['Hi', 0.2, 0.5],
      ['there', 0.5, 8],
    ],
  },
  'numbers as text': {
    answer: {
      words: [
        { word: 'a', start: '0.5', end: '0.9s' },
        { word: 'b', start: 'NaN', end: 2 },
      ],
    },
    words: [
      ['a', 0.5, 0.9],
      ['b', 0.9, 2],
    ],
  },
  'numbers that no float holds': {
    answer: '{"words": [{"word": "a", "start": -1e999, "end": 1}, {"word": "b", "start": 1, "end": 1e999}]}',
    words: [
      ['a', 0, 1],
      ['b', 1, 8],
    ],
  },
  'joiners within words': {
    answer: { segments: [segment(' می\u200cخواهم 👨\u200d👩\u200d👧', 0, 2)] },
    words: [
      ['می\u200cخواهم', 0, 1],
      ['👨\u200d👩\u200d👧', 1, 2],
    ],
  },
};

describe('answers of engines', () => {
  for (const [name, { answer, seconds = 8, words, omitted = {} }] of Object.entries(ANSWERS)) {
    test(name, () => {
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      const transcript = transcriptOf(text, answerLimits(seconds));
      const rows = transcript.words.map((word) => [
        word.text,
        ...[word.startSeconds, word.endSeconds].map((time) => Number(time.toFixed(3))),
      ]);
      assert.deepEqual(rows, words);
      assert.deepEqual(transcript.omitted, { looped: 0, afterEnd: 0, ...omitted });
    });
  }
});
