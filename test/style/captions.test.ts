import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TextCue } from '../../src/domain/footage.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { breakText, breakWords } from '../../src/style/captions/lines.ts';
import { firstBaseline, subtitleStyleOf } from '../../src/style/captions/look.ts';
import { toOutputTime, withoutOverlaps, withReadingTime } from '../../src/style/captions/timing.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { FaceMetrics, MetricsOf } from '../../src/style/model/caption-face.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { planCaptions, type SourceCaptions, wantsCaptions } from '../../src/style/plan/captions.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt, LEADING_FACE } from '../support/clip-facts.ts';
import { noiseSource } from '../support/moving-picture.ts';

type Times = readonly (readonly [start: number, end: number, text: string])[];
const cues = (times: Times): TextCue[] =>
  times.map(([startSeconds, endSeconds, text]) => ({ startSeconds, endSeconds, text }));
const times = (list: readonly TextCue[]) =>
  list.map((cue) => [round(cue.startSeconds), round(cue.endSeconds), cue.text]);
const round = (value: number) => Math.round(value * 1000) / 1000;

/** Half an em for each character of Latin, a whole one for Japanese in the other face, nothing else. */
const metricsOf: MetricsOf = (face): FaceMetrics => ({
  capHeightEm: 0.7,
  advanceEm: (codePoint) => {
    if (codePoint < 0x250) return 0.5;
    return face === 'dela-gothic' && codePoint >= 0x3000 && codePoint < 0xa000 ? 1 : null;
  },
});

describe('cues one after the other', () => {
  for (const [what, input, expected] of [
    [
      'apart: as they are',
      [
        [0, 1, 'a'],
        [2, 3, 'b'],
      ],
      [
        [0, 1, 'a'],
        [2, 3, 'b'],
      ],
    ],
    [
      'a careless overlap: the earlier gives way',
      [
        [0, 2.1, 'a'],
        [2, 4, 'b'],
      ],
      [
        [0, 2, 'a'],
        [2, 4, 'b'],
      ],
    ],
    [
      'two speakers: both lines',
      [
        [0, 4, 'a'],
        [1, 3, 'b'],
      ],
      [
        [0, 1, 'a'],
        [1, 3, 'a\nb'],
        [3, 4, 'a'],
      ],
    ],
    [
      'two speakers from the first word',
      [
        [0, 2, 'a'],
        [0, 3, 'b'],
      ],
      [
        [0, 2, 'a\nb'],
        [2, 3, 'b'],
      ],
    ],
    [
      'a third at once has no place',
      [
        [0, 4, 'a'],
        [0, 4, 'b'],
        [0, 4, 'c'],
      ],
      [[0, 4, 'a\nb']],
    ],
    [
      'the same again: once',
      [
        [0, 2, 'a'],
        [1, 4, 'a'],
      ],
      [[0, 4, 'a']],
    ],
    ...(
      [
        // Three tenths of the shorter are .6 s here.
        ['an overlap of just less than three tenths', [1.41, 4], true],
        ['of just more', [1.39, 4], false],
        // Of half a second three tenths are less than a quarter of a second.
        ['of a short one: just less than a quarter of a second', [1.76, 2.26], true],
        ['of just more than that', [1.74, 2.24], false],
      ] as [string, [number, number], boolean][]
    ).map(([what, [start, end], careless]): [string, Times, Times] => [
      what,
      [
        [9, 11, 'a'],
        [9 + start, 9 + end, 'b'],
      ],
      careless
        ? [
            [9, 9 + start, 'a'],
            [9 + start, 9 + end, 'b'],
          ]
        : [
            [9, 9 + start, 'a'],
            [9 + start, 11, 'a\nb'],
            [11, 9 + end, 'b'],
          ],
    ]),
    [
      'one that starts with another and soon ends is no careless one',
      [
        [0, 2, 'a'],
        [0, 0.1, 'b'],
      ],
      [
        [0, 0.1, 'a\nb'],
        [0.1, 2, 'a'],
      ],
    ],
    [
      'the same text, repeated at once',
      [
        [0, 2, 'a'],
        [2, 4, 'a'],
      ],
      [
        [0, 2, 'a'],
        [2, 4, 'a'],
      ],
    ],
    ['without length', [[1, 1, 'a']], []],
    ['nothing', [], []],
  ] as [string, Times, Times][]) {
    test(what, () => assert.deepEqual(times(withoutOverlaps(cues(input))), expected));
  }

  test('cues never overlap', () => {
    const noise = noiseSource(7);
    const random = () => noise() / 2 + 0.5;
    const many = Array.from({ length: 2000 }, (_, i): [number, number, string] => {
      const start = 60 * random();
      return [start, start + 8 * random(), String(i)];
    }).sort(([a], [b]) => a - b);
    let last = 0;
    for (const { startSeconds, endSeconds } of withoutOverlaps(cues(many))) {
      assert.ok(startSeconds >= last - 1e-9 && endSeconds > startSeconds);
      last = endSeconds;
    }
  });
});

describe('through the edit', () => {
  const whole = { startSeconds: 0, endSeconds: 10, outputSeconds: 0 };
  const trimmed = [
    { startSeconds: 0, endSeconds: 4, outputSeconds: 0 },
    { startSeconds: 6, endSeconds: 10, outputSeconds: 4 },
  ];
  for (const [what, runs, input, expected] of [
    [
      'nothing left out',
      [whole],
      [
        [1, 3, 'a'],
        [9, 12, 'b'],
      ],
      [
        [1, 3, 'a'],
        [9, 10, 'b'],
      ],
    ],
    ['after a part left out: earlier', trimmed, [[7, 9, 'a']], [[5, 7, 'a']]],
    ['inside a part left out: gone', trimmed, [[4.2, 5.8, 'a']], []],
    ['across its beginning: ended by it', trimmed, [[3, 5, 'a']], [[3, 4, 'a']]],
    ['across all of it: one caption', trimmed, [[3, 8, 'a']], [[3, 6, 'a']]],
    ['hardly any of it left: gone', trimmed, [[3.8, 5.8, 'a']], []],
    ...(
      [
        // .4 s of a cue that was longer than twice that.
        ['.39 s left', [3.61, 5.8], null],
        ['.41 s left', [3.59, 5.8], [3.59, 4]],
        // A shorter one has to show half of it.
        ['less than half of a short one', [3.71, 4.31], null],
        ['more than half of it', [3.69, 4.29], [3.69, 4]],
      ] as [string, [number, number], [number, number] | null][]
    ).map(([what, cue, left]) => [what, trimmed, [[...cue, 'a']], left === null ? [] : [[...left, 'a']]]),
    ...(
      [
        ['a gap of less than .08 s', 4.07, [[3, 6.07, 'a']]],
        [
          'of more',
          4.09,
          [
            [3, 4, 'a'],
            [4.09, 6.09, 'a'],
          ],
        ],
      ] as [string, number, Times][]
    ).map(([what, outputSeconds, expected]) => [
      what,
      [trimmed[0], { ...trimmed[1], outputSeconds }],
      [[3, 8, 'a']],
      expected,
    ]),
    ['short, but whole: stays', trimmed, [[2, 2.3, 'a']], [[2, 2.3, 'a']]],
  ] as [string, typeof trimmed, Times, Times][]) {
    test(what, () => assert.deepEqual(times(toOutputTime(cues(input), runs)), expected));
  }
});

describe('time to read', () => {
  const long = 'x'.repeat(60);
  for (const [what, input, expected] of [
    ['enough: as it is', [[0, 2, 'short']], [[0, 2, 'short']]],
    ['too short: longer', [[0, 0.3, 'short']], [[0, 0.833, 'short']]],
    ['60 characters: three seconds', [[1, 2, long]], [[1, 4, long]]],
    [
      'as far as the next leaves it',
      [
        [1, 2, long],
        [3, 9, 'b'],
      ],
      [
        [1, 3, long],
        [3, 9, 'b'],
      ],
    ],
    ['as far as the video goes', [[9, 9.5, long]], [[9, 10, long]]],
    [
      'a gap of two frames: none',
      [
        [0, 2, 'a'],
        [2.05, 5, 'b'],
      ],
      [
        [0, 2.05, 'a'],
        [2.05, 5, 'b'],
      ],
    ],
    [
      'a gap of .09 s: stays',
      [
        [0, 2, 'a'],
        [2.09, 5, 'b'],
      ],
      [
        [0, 2, 'a'],
        [2.09, 5, 'b'],
      ],
    ],
    ['after the end: none', [[11, 12, 'a']], []],
    ['at the end: none', [[10, 12, 'a']], []],
  ] as [string, Times, Times][]) {
    test(what, () => assert.deepEqual(times(withReadingTime(cues(input), 10)), expected));
  }
});

describe('lines', () => {
  const rules = (lineWidth: number, maxLines: 1 | 2 = 2) => ({
    widthOf: (text: string) => text.length,
    lineWidth,
    maxLines,
  });
  for (const [what, text, width, expected] of [
    ['fits', 'one line', 20, [['one line']]],
    ['the author’s lines stay', 'one\nand two', 20, [['one', 'and two']]],
    ['balanced', 'aaaaa bbbbb ccccc ddddd', 20, [['aaaaa bbbbb', 'ccccc ddddd']]],
    ['not after an article', 'walking along to the riverside', 20, [['walking along', 'to the riverside']]],
    ['after a comma', 'when it was over, they all went', 26, [['when it was over,', 'they all went']]],
    ['lines too long are broken again', 'a line that is too long\nb', 16, [['a line that', 'is too long b']]],
    [
      'two screens alike, parted at a full stop',
      'They came from far away. Nobody knew the way back',
      18,
      [
        ['They came', 'from far away.'],
        ['Nobody knew', 'the way back'],
      ],
    ],
    ['no space comes between words that had none', 'ok 日本語の字幕です', 6, [['ok 日本語', 'の字幕です']]],
    ['no space comes into a word that is cut', `ab ${'x'.repeat(12)}`, 10, [['ab'], ['xxxxxxxxxx', 'xx']]],
    ['a word without end is cut', 'x'.repeat(25), 10, [['xxxxxxxxxx'], ['xxxxxxxxxx', 'xxxxx']]],
    [
      'Japanese breaks without spaces, not before a full stop',
      'これは日本語です。改行できます。',
      9,
      [['これは日本語です。', '改行できます。']],
    ],
    ['a family emoji is never cut', '👨‍👩‍👧'.repeat(2), 8, [['👨‍👩‍👧', '👨‍👩‍👧']]],
  ] as [string, string, number, string[][]][]) {
    test(what, () => assert.deepEqual(breakText(text, rules(width)), expected));
  }

  /** Words of so many letters, 3,: one of three that ends with a comma; too long by one for a single line. */
  const broken = (words: string) => {
    const text = words
      .split(' ')
      .map((length) => 'w'.repeat(Number.parseInt(length, 10)) + (length.endsWith(',') ? ',' : ''))
      .join(' ');
    const [screen, ...more] = breakText(text, rules(text.length - 1));
    assert.equal(more.length, 0);
    return screen!.map((line) => line.length);
  };
  // Each worth and cost from both sides: a tenth nearer or farther, and the line is broken at the other place.
  for (const [what, words, upper, lower] of [
    ['balanced, whatever the words', '24 25 50', 50, 50],
    ['a pause is worth nine hundredths of a line more', '40, 8 50', 41, 59],
    ['and no eleven', '38, 10 50', 50, 50],
    ['after a short word costs sixteen hundredths', '33 3 3 3 3 51', 33, 67],
    ['and no nineteen', '30 3 3 3 3 3 50', 50, 50],
    ['four letters are no short word', '33 3 3 3 4 50', 50, 50],
    ['the upper line shorter, for twelve thousandths', '483 21 495', 483, 517],
    ['and not for fifteen', '480 24 495', 505, 495],
  ] as const)
    test(`a break: ${what}`, () => assert.deepEqual(broken(words), [upper, lower]));

  test('any text fits, in order, and nothing is lost', () => {
    const noise = noiseSource(11);
    const random = () => noise() / 2 + 0.5;
    for (let round = 0; round < 300; round++) {
      const words = Array.from(
        { length: 1 + Math.floor(40 * random()) },
        () => 'w'.repeat(1 + Math.floor(14 * random())) + (random() < 0.2 ? ',' : ''),
      );
      for (const maxLines of [1, 2] as const) {
        const screens = breakText(words.join(' '), rules(16, maxLines));
        assert.equal(screens.flat().join(' '), words.join(' '));
        for (const lines of screens)
          assert.ok(
            lines.length <= maxLines && lines.every((line) => line.length <= 16),
            JSON.stringify(lines),
          );
      }
    }
  });

  test('single words', () => {
    assert.deepEqual(breakWords('It’s a\nlong-ish word', rules(30, 1)), ['It’s', 'a', 'long-ish', 'word']);
    const japanese = breakWords('（これ）は日本語です。', rules(30, 1));
    assert.deepEqual(japanese, ['（これ）', 'は', '日本語', 'です。']);
  });

  test('a line of 100,000 words takes no longer than its size', () => {
    const started = process.cpuUsage();
    breakText('word '.repeat(100_000).trim(), rules(40));
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  });
});

const box = (y: number, height = 0.05) => ({ x: 0.2, y, width: 0.6, height });
const spans = (count: number, seconds: number, y: number) =>
  Array.from({ length: count }, (_, i) => ({
    startSeconds: i * seconds,
    endSeconds: (i + 1) * seconds,
    box: box(y),
  }));
const found = { position: 'bottom' as const, lineHeight: 0.05, color: '#ffe200', outlined: true };

describe('caption fields of a style', () => {
  for (const [what, facts, expected] of [
    [
      'lines near the bottom',
      { style: found, spans: spans(4, 2, 0.75) },
      { position: 'bottom', anchor_y: 0.8, timing: 'lines' },
    ],
    ['single words', { style: found, spans: spans(20, 0.4, 0.7) }, { anchor_y: 0.75, timing: 'words' }],
    [
      'at the top: their upper edge',
      { style: { ...found, position: 'top' as const }, spans: spans(4, 2, 0.08) },
      { anchor_y: 0.08 },
    ],
    [
      'in the middle: their middle',
      { style: { ...found, position: 'middle' as const }, spans: spans(4, 2, 0.5) },
      { anchor_y: 0.525 },
    ],
    [
      'a title above does not count',
      {
        style: found,
        spans: [...spans(3, 2, 0.75), { startSeconds: 9, endSeconds: 14, box: box(0.1, 0.2) }],
      },
      { anchor_y: 0.8 },
    ],
  ] as const) {
    test(what, () => {
      const style = subtitleStyleOf({ share: 0.5, confidence: 1, ...facts });
      assert.deepEqual({ ...style, ...expected }, style);
    });
  }
  test('none: nothing', () => {
    assert.equal(subtitleStyleOf({ share: 0, confidence: 1, spans: [], style: null }), undefined);
  });
});

const NOTHING_LEFT_OUT = { guessedEncoding: null, signCount: 0, isTelemetry: false };
const base = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
function captioned(subtitle: Partial<NonNullable<Style['subtitle_style']>> = {}): Style {
  const look = { position: 'bottom' as const, line_height: 0.05, color: '#ffffff', outlined: true };
  return { ...base, use_subtitles: true, subtitle_style: { ...look, ...subtitle } };
}
function planned(
  style: Style,
  captions: Partial<SourceCaptions> | null,
  config: object = {},
  source = clipFacts(),
) {
  const input =
    captions === null
      ? null
      : {
          origin: 'file' as const,
          ...NOTHING_LEFT_OUT,
          cues: cues([[3, 5, 'hello there']]),
          metricsOf,
          ...captions,
        };
  const { timeline, warnings } = planTimeline({
    source,
    style,
    template: null,
    config: jobConfigSchema.parse({ pacing: 'keep', ...config }),
    captions: input,
  });
  return {
    ...timeline,
    codes: warnings.map(({ code }) => code).filter((code) => /CAPTION/.test(code)),
    warnings,
  };
}

describe('captions of a plan', () => {
  test('a guessed encoding and signs that were left out are reported', () => {
    const { codes } = planned(captioned(), { guessedEncoding: 'windows-1251', signCount: 2 });
    assert.deepEqual(codes, ['CAPTIONS_ENCODING_GUESSED', 'CAPTION_SIGNS_LEFT_OUT']);
  });

  test('a file is shown in a style without captions: plain, at the bottom', () => {
    const { captions, captionLook, codes } = planned({ ...base, use_subtitles: false }, {});
    assert.deepEqual(
      captions.map(({ lines }) => lines),
      [['hello there']],
    );
    assert.deepEqual(
      [captionLook!.position, captionLook!.color, captionLook!.ground],
      ['bottom', '#ffffff', 'outline'],
    );
    assert.deepEqual(codes, []);
  });

  test('in the style’s place and size, at the source’s times', () => {
    const { captions, captionLook, height } = planned(captioned({ anchor_y: 0.8 }), {});
    assert.deepEqual(
      captions.map(({ startSeconds, endSeconds, lines, face }) => ({
        startSeconds,
        endSeconds,
        lines,
        face,
      })),
      [{ startSeconds: 3, endSeconds: 5, lines: ['hello there'], face: 'inter-semibold' }],
    );
    // Letters of capitals' height end where the template's ink ended, a little lower with descenders.
    assert.ok(Math.abs(captions[0].baselineY - (0.8 * height - 0.12 * captionLook!.sizePixels)) <= 1);
    assert.ok(Math.abs(captionLook!.sizePixels / height - 0.05) < 0.006, String(captionLook!.sizePixels));
    assert.equal(captionLook!.ground, 'outline');
  });

  for (const [what, style, captions, config, expected] of [
    [
      'no style with captions: a track is not',
      { ...base, use_subtitles: false },
      { origin: 'track' },
      {},
      [],
    ],
    ['nothing to show', captioned(), null, {}, ['NO_CAPTION_TRACK']],
    ['an empty track', captioned(), { origin: 'track', cues: [] }, {}, ['NO_CAPTION_TRACK']],
    ['component off', captioned(), {}, { components: { subtitles: false } }, []],
    ['no strength', captioned(), {}, { style_strength: 0 }, []],
    [
      'another script',
      captioned(),
      {
        cues: cues([
          [1, 2, 'สวัสดี'],
          [3, 4, '안녕'],
        ]),
      },
      {},
      ['CAPTIONS_LEFT_OUT'],
    ],
  ] as [string, Style, Partial<SourceCaptions> | null, object, string[]][]) {
    test(`${what}: none shown`, () => {
      const made = planned(style, captions, config);
      assert.deepEqual([made.captions, made.captionLook, made.codes], [[], undefined, expected]);
    });
  }

  for (const [text, advice] of [
    ['안녕', 'Missing: Korean. To add: npm install @expo-google-fonts/noto-sans-kr'],
    [
      'مرحبا 안녕',
      'Missing: Arabic, Korean. To add: npm install @expo-google-fonts/noto-sans-arabic @expo-google-fonts/noto-sans-kr',
    ],
    [
      'สวัสดี',
      'Available: Latin, Greek, Cyrillic and Japanese; with optional packages Arabic, Hebrew, Devanagari, Chinese and Korean.',
    ],
  ] as const)
    test(`what ${text} needs`, () => {
      const { warnings } = planned(captioned(), { cues: cues([[1, 2, text]]) });
      const { message } = warnings.find(({ code }) => code === 'CAPTIONS_LEFT_OUT')!;
      const problem = '1 of 1 captions were left out, because no available typeface has their script. ';
      assert.equal(message, problem + advice);
    });

  test('captions in the picture already: a track is not shown, a file is, with a warning', () => {
    const source = clipFacts({
      video: { captions: { share: 0.5, spans: [], style: found, confidence: 1 } },
    });
    const track = planned(captioned(), { origin: 'track' }, {}, source);
    assert.deepEqual([track.captions, track.codes], [[], []]);
    const file = planned(captioned(), {}, {}, source);
    assert.deepEqual([file.captions.length, file.codes], [1, ['CAPTIONS_TWICE']]);
  });

  test('emoji and notes are left out and named; Japanese has its own face', () => {
    const { captions, warnings } = planned(captioned(), {
      cues: cues([
        [1, 3, '♪ la la 👨‍👩‍👧🏽 la ♪'],
        [4, 6, 'こんにちは'],
        [7, 8, '🎉'],
      ]),
    });
    assert.deepEqual(
      captions.map(({ lines, face }) => [lines, face]),
      [
        [['la la la'], 'inter-semibold'],
        [['こんにちは'], 'dela-gothic'],
      ],
    );
    const left = warnings.find(({ code }) => code === 'CAPTION_CHARACTERS_LEFT_OUT')!;
    assert.match(left.message, /^Captions were drawn without ♪ 👨 👩 👧 🎉, because/u);
  });

  test('an edit has a use for those of a file, or those that the style shows', () => {
    const config = (strength: number) => jobConfigSchema.parse({ style_strength: strength });
    const without = { ...base, use_subtitles: false };
    for (const [style, strength, origin, expected] of [
      [null, 1, 'file', false],
      [without, 1, 'file', true],
      [without, 1, 'track', false],
      [captioned(), 1, 'track', true],
      [captioned(), 0, 'file', false],
    ] as const)
      assert.equal(wantsCaptions(style, config(strength), origin), expected);
  });

  test('lines of a caption are unchanged, up to two; three are broken again', () => {
    for (const [text, screens] of [
      ['one\ntwo', [['one', 'two']]],
      ['one\ntwo\nthree', [['one two three']]],
    ] as const) {
      const { captions } = planned(captioned(), { cues: cues([[1, 6, text]]) });
      assert.deepEqual(
        captions.map(({ lines }) => lines),
        screens,
      );
    }
  });

  test('up to eight characters that cannot be drawn are named, of more that there are others', () => {
    for (const [text, named] of [
      ['a♔', '♔, because'],
      ['a♔♕♖♗♘♙♚♛', '♔ ♕ ♖ ♗ ♘ ♙ ♚ ♛, because'],
      ['a♔♕♖♗♘♙♚♛♜', '♔ ♕ ♖ ♗ ♘ ♙ ♚ ♛ and others, because'],
    ] as const) {
      const { warnings } = planned(captioned(), { cues: cues([[1, 3, text]]) });
      const left = warnings.find(({ code }) => code === 'CAPTION_CHARACTERS_LEFT_OUT')!;
      assert.equal(
        left.message.slice('Captions were drawn without '.length).startsWith(named),
        true,
        left.message,
      );
    }
  });

  test('each part of the source has its own time in the output', () => {
    const [style, output] = [captioned(), { width: 320, height: 180 }];
    const reason = 'trim' as const;
    const pieces = [
      { startFrame: 0, endFrame: 100, reason, isCloser: false },
      { startFrame: 100, endFrame: 150, reason, isCloser: true },
      { startFrame: 250, endFrame: 350, reason, isCloser: false },
      { startFrame: 500, endFrame: 600, reason, isCloser: false },
    ];
    const { captions } = planCaptions(
      {
        ...{ source: clipFacts(), style, output, pieces, clips: [], isRequested: false },
        grid: { rate: { numerator: 25, denominator: 1 }, frameCount: 1000 },
        captions: {
          ...{ origin: 'file' as const, metricsOf, ...NOTHING_LEFT_OUT },
          cues: cues([
            [1, 6, 'one'],
            [11, 13, 'two'],
            [21, 23, 'three'],
          ]),
        },
      },
      [],
    );
    assert.deepEqual(
      captions.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
      [
        [1, 6],
        [7, 9],
        [11, 13],
      ],
    );
  });

  test('word by word: in their time by their letters, none too short to be seen', () => {
    const { captions } = planned(captioned({ timing: 'words' }), {
      cues: cues([[2, 4, 'a b yesterday we were swimming']]),
    });
    assert.equal(captions.map(({ lines }) => lines.join()).join(' '), 'a b yesterday we were swimming');
    assert.ok(captions.length >= 3);
    assert.deepEqual([captions[0].startSeconds, captions.at(-1)!.endSeconds], [2, 4]);
    for (const [index, cue] of captions.entries()) {
      assert.ok(cue.endSeconds - cue.startSeconds >= 0.17, JSON.stringify(cue));
      if (index > 0) assert.equal(cue.startSeconds, captions[index - 1].endSeconds);
    }
  });

  test('a framing that changes does not part a caption; a trim moves those behind it', () => {
    const transitions = [10, 20, 30].map((time) => cutAt(time));
    const source = clipFacts({ video: { transitions, faces: [LEADING_FACE] } });
    const pace = {
      ...captioned(),
      cut_frequency: 1,
      shot_lengths: { p10: 1, p25: 1, p50: 1, p75: 1, p90: 1, mean: 1 },
    };
    const text = {
      cues: cues([
        [1, 9, 'one long caption'],
        [35, 38, 'the end'],
      ]),
    };
    const punched = planned(pace, text, { pacing: 'punch_in' }, source);
    assert.ok(punched.clips.length > 8);
    assert.deepEqual(
      punched.captions.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
      [
        [1, 9],
        [35, 38],
      ],
    );
    const trimmed = planned(pace, text, { pacing: 'trim' }, source);
    const total = trimmed.clips.reduce(
      (sum, clip) => sum + clip.sourceEndSeconds - clip.sourceStartSeconds,
      0,
    );
    assert.ok(
      total < 30 && trimmed.captions.every(({ endSeconds }) => endSeconds <= total + 1e-6),
      JSON.stringify(trimmed.captions),
    );
  });

  for (const [subtitle, face, ground] of [
    [{ stroke_width: 0.1 }, 'inter-medium', 'outline'],
    [{ stroke_width: 0.15 }, 'inter-semibold', 'outline'],
    [{ stroke_width: 0.2 }, 'inter-extrabold', 'outline'],
    [{ timing: 'words' }, 'inter-extrabold', 'outline'],
    [{ outlined: false, boxed: true }, 'inter-semibold', 'box'],
    [{ outlined: false }, 'inter-semibold', 'shadow'],
  ] as const) {
    test(`${JSON.stringify(subtitle)}: ${face} on ${ground}`, () => {
      const { captionLook } = planned(captioned(subtitle), {});
      assert.deepEqual([captionLook!.face, captionLook!.ground], [face, ground]);
    });
  }

  for (const [position, anchorY, lines] of [
    ['bottom', 0.99, 2],
    ['top', 0.001, 1],
    ['middle', 0.5, 2],
    ['bottom', 0.02, 2],
  ] as const) {
    test(`${lines} lines at ${position} ${anchorY}: inside the picture`, () => {
      const look = {
        timing: 'lines',
        face: 'inter-semibold',
        sizePixels: 40,
        pitchPixels: 49,
        lineEm: 20,
        position,
        anchorY,
        color: '#ffffff',
        ground: 'outline',
      } as const;
      const first = firstBaseline(look, lines, 0.7, 720);
      assert.ok(first - 0.7 * 40 >= 0.03 * 720 && first + (lines - 1) * 49 <= 0.97 * 720, String(first));
      if (position === 'middle') assert.ok(Math.abs(first + 24.5 - 14 - 360) <= 1);
    });
  }
});
