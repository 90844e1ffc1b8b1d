import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../src/errors.ts';
import { decodeText } from '../../src/style/captions/encoding.ts';
import { MAX_CAPTION_BYTES, parseCaptionFile, writeSubRip } from '../../src/style/captions/file.ts';
import { plainText } from '../../src/style/captions/markup.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const cuesOf = (text: string) =>
  parseCaptionFile(bytes(text)).cues.map((cue) => [cue.startSeconds, cue.endSeconds, cue.text]);

const PLAIN = '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:01:00,000 --> 00:01:02,000\nworld\nagain\n';
const READ = [
  [1, 2.5, 'Hello'],
  [60, 62, 'world\nagain'],
];

describe('SubRip as it is found', () => {
  for (const [what, text, expected = READ] of [
    ['as it should be', PLAIN],
    ['Windows line ends and a byte order mark', `\ufeff${PLAIN.replaceAll('\n', '\r\n')}`],
    ['old Macintosh line ends', PLAIN.replaceAll('\n', '\r')],
    ['no numbers', PLAIN.replace(/^\d\n/gm, '')],
    ['no blank lines between cues', PLAIN.replace('\n\n', '\n')],
    ['blank lines in front and many between', `\n\n${PLAIN.replace('\n\n', '\n\n \n\n')}`],
    [
      'points for commas, and coordinates behind',
      PLAIN.replaceAll(',000', '.000').replace('02,500', '02.5 X1:0 Y1:9'),
    ],
    ['short stamps', '0:1,0-->0:2.5\nHello\n\n1:0 --> 1:2\nworld\nagain', READ],
    [
      'a number as text',
      '1\n00:00:01,000 --> 00:00:02,000\n1984\n\n2\n00:00:03,000 --> 00:00:04,000\nYo',
      [
        [1, 2, '1984'],
        [3, 4, 'Yo'],
      ],
    ],
    [
      'a blank line inside a text',
      '1\n00:00:01,000 --> 00:00:02,000\none\n\ntwo\n\n2\n00:00:03,000 --> 00:00:04,000\nYo',
      [
        [1, 2, 'one\ntwo'],
        [3, 4, 'Yo'],
      ],
    ],
    ['a last number without a cue', `${PLAIN}\n3\n`],
    ['a number as the last text', '1\n00:00:01,000 --> 00:00:02,000\nsince\n1984', [[1, 2, 'since\n1984']]],
    [
      'cues out of order',
      '2\n00:00:03,000 --> 00:00:04,000\nB\n\n1\n00:00:01,000 --> 00:00:02,000\nA',
      [
        [1, 2, 'A'],
        [3, 4, 'B'],
      ],
    ],
    [
      'overlapping cues',
      '00:00:01,000 --> 00:00:05,000\nA\n\n00:00:02,000 --> 00:00:03,000\nB',
      [
        [1, 5, 'A'],
        [2, 3, 'B'],
      ],
    ],
    ['a start before the beginning', '-00:00:01,000 --> 00:00:02,000\nA', [[0, 2, 'A']]],
    [
      'an end before the beginning, no length, no words: left out',
      '-0:0:9,0 --> -0:0:2,0\nA\n\n0:0:3,0 --> 0:0:3,0\nB\n\n0:0:4,0 --> 0:0:5,0\n<i> </i>\n\n0:0:6,0 --> 0:0:7,0\nC',
      [[6, 7, 'C']],
    ],
    ['hours beyond a day', '99:59:59,999 --> 100:00:01,000\nlate', [[359999.999, 360001, 'late']]],
  ] as const) {
    test(what, () => assert.deepEqual(cuesOf(text), expected));
  }
});

test('WebVTT: header, notes, styles, regions, identifiers, settings and voices', () => {
  const text = [
    'WEBVTT - a title',
    'X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0',
    '',
    'STYLE',
    '::cue { color: red }',
    '',
    'NOTE a remark',
    'over two lines',
    '',
    'intro',
    '00:01.000 --> 00:02.500 line:0 position:20% align:start',
    '<v Roger Bingham>Hello',
    '',
    '00:01:00.000 --> 00:01:02.000',
    'w<00:01:00.500>or<c.yellow>ld</c>',
    'again',
    '',
    '00:01:03.000 --> 00:01:04.000',
    '',
    'NOTE behind a cue without words',
    '',
    'no cue',
  ].join('\n');
  const file = parseCaptionFile(bytes(text));
  assert.equal(file.format, 'vtt');
  assert.deepEqual(
    file.cues.map((cue) => [cue.startSeconds, cue.endSeconds, cue.text]),
    READ,
  );
});

test('captions of an output are written as SubRip, and read back', () => {
  const captions = [
    { startSeconds: 1, endSeconds: 2.5, lines: ['Hello'], face: 'inter-semibold' as const, baselineY: 9 },
    {
      startSeconds: 3661.9996,
      endSeconds: 3662.5,
      lines: ['world', 'again'],
      face: 'inter-semibold' as const,
      baselineY: 9,
    },
  ];
  const text = writeSubRip(captions);
  assert.match(
    text,
    /^1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n01:01:02,000 --> 01:01:02,500\nworld\nagain\n$/,
  );
  assert.deepEqual(cuesOf(text), [
    [1, 2.5, 'Hello'],
    [3662, 3662.5, 'world\nagain'],
  ]);
});

describe('a fault names its line', () => {
  for (const [what, text, faults] of [
    ['nothing', '', [['line 1', /no cue was found/]]],
    ['prose', 'Once upon a time\nthere was no cue', [['line 1', /no cue was found/]]],
    ['ASS', '[Script Info]\nTitle: x', [['line 1', /is ASS/]]],
    [
      'a broken stamp',
      PLAIN.replace('00:01:00,000', '00:O1:00,000'),
      [['line 6', /"00:O1:00,000 --> 00:01:02,000" is no timing/]],
    ],
    ['61 minutes', PLAIN.replace('00:01:00,000', '00:61:00,000'), [['line 6', /59 minutes/]]],
    ['a million hours', PLAIN.replace('00:01:02', '123456:01:02'), [['line 6', /1000 hours/]]],
    [
      'backwards',
      PLAIN.replace('00:00:02,500', '00:00:00,500'),
      [['line 2', /ends at 0.5 s, before it starts at 1 s/]],
    ],
    [
      'two of them',
      PLAIN.replaceAll('-->', '--> x'),
      [
        ['line 2', /no timing/],
        ['line 6', /no timing/],
      ],
    ],
    ['a line without end', `1\n${'9'.repeat(100_000)} --> 1\n`, [['line 2', /^"9{60}" is no timing/]]],
  ] as const) {
    test(what, () => {
      assert.throws(
        () => parseCaptionFile(bytes(text)),
        (error) => {
          assert.ok(error instanceof Failure && error.code === 'INVALID_CAPTIONS');
          assert.equal(error.fields.length, faults.length);
          for (const [index, [path, message]] of faults.entries()) {
            assert.equal(error.fields[index]!.path, path);
            assert.match(error.fields[index]!.message, message);
          }
          return true;
        },
      );
    });
  }

  test('twenty at most', () => {
    assert.throws(
      () => parseCaptionFile(bytes('x --> y\n'.repeat(500))),
      (error) => error instanceof Failure && error.fields.length === 20,
    );
  });
});

describe('hostile files take time in line with their size', () => {
  for (const [what, text] of [
    [
      '100,000 cues',
      Array.from(
        { length: 100_000 },
        (_, i) => `${i}\n00:00:0${i % 10},000 --> 00:00:59,000\n<b>Hi</b> &amp; ${i}\n`,
      ).join('\n'),
    ],
    ['open tags', `00:00:01,000 --> 00:00:02,000\n${'<b '.repeat(300_000)}`],
    ['open braces', `00:00:01,000 --> 00:00:02,000\n${'{\\p1'.repeat(300_000)}`],
    ['open ruby', `00:00:01,000 --> 00:00:02,000\nx${'<rt>'.repeat(300_000)}`],
    ['arrows', `00:00:01,000 --> 00:00:02,000\n${'a\n'.repeat(400_000)}`],
    ['spaces in a timing', `00:00:01,000${' '.repeat(900)}--> 00:00:02,000\n${' \n'.repeat(500_000)}x`],
    ['zeros', `00:00:01,000 --> 00:00:02,000\nA${'\0'.repeat(1_000_000)}B`],
  ] as const) {
    test(what, () => {
      const started = process.cpuUsage();
      parseCaptionFile(bytes(text));
      const { user } = process.cpuUsage(started);
      // About 0.3 s where it is slowest; what grows with the square would take minutes.
      assert.ok(user < 5_000_000, `${user / 1e6} s`);
    });
  }

  for (const [what, text, why] of [
    ['newlines', '\n'.repeat(MAX_CAPTION_BYTES), /line 1000001: is one more than the 1000000 lines/],
    ['CRLF', '\r\n'.repeat(MAX_CAPTION_BYTES / 2), /1000000 lines/],
    ['a cue and newlines', `00:00:01,000 --> 00:00:02,000\na${'\n'.repeat(4_000_000)}`, /1000000 lines/],
    ['WebVTT and newlines', `WEBVTT\n\n00:01.000 --> 00:02.000\na${'\r'.repeat(4_000_000)}`, /1000000 lines/],
    ['cues', '00:00:01,000 --> 00:00:02,000\na\n'.repeat(120_000), /than the 100000 cues that .* may have/],
  ] as const) {
    test(`${what} beyond the limit are refused, which is named`, () => {
      const started = process.cpuUsage();
      assert.throws(
        () => parseCaptionFile(bytes(text)),
        (error) => error instanceof Failure && why.test(error.detail),
      );
      assert.ok(process.cpuUsage(started).user < 2_000_000);
    });
  }

  test('a million lines are read', () => {
    const text = `00:00:01,000 --> 00:00:02,000\na${'\n'.repeat(999_997)}b`;
    assert.equal(parseCaptionFile(bytes(text)).cues[0]!.text, 'a\nb');
  });

  test('the same of ASS', () => {
    assert.equal(plainText('{\\p1}m 0 0 l 9 9', 'ass'), '');
    const started = process.cpuUsage();
    plainText('{\\p1 '.repeat(300_000), 'ass');
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  });
});

describe('markup is taken off, text stays', () => {
  for (const [raw, text] of [
    ['<i>it</i> <font color="#ff0000">is</font> <u><b>so</b></u>', 'it is so'],
    ['a < b, b > c, I <3 you <-', 'a < b, b > c, I <3 you <-'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['{\\an8}above {not a tag}', 'above {not a tag}'],
    ['AT&amp;T &lt;3 &#x263A; &#9786; &#0; &bogus;', 'AT&T <3 ☺ ☺ &bogus;'],
    ['<ruby>漢<rt>kan</rt></ruby>字', '漢字'],
    ['one<br/>two<br>three', 'one\ntwo\nthree'],
    ['  much \t space\u00a0 ', 'much space'],
    ['e\u0301', 'é'],
    ['\u202edetrever\u202c \u200bhidden\ufeff', 'detrever hidden'],
    ['bell\u0007 and\u0000 zero \ud800', 'bell and zero'],
    ['\n\nlines\n\n', 'lines'],
  ] as const) {
    test(JSON.stringify(raw), () => assert.equal(plainText(raw, 'tags'), text));
  }
  for (const [raw, text] of [
    ['{\\i1}it{\\i0} is\\Nso\\hhere\\nnow', 'it is\nso here\nnow'],
    ['<i>no tag</i>', '<i>no tag</i>'],
    ['{\\fad(1,2)\\p1}m 0 0', ''],
  ] as const) {
    test(`ASS ${JSON.stringify(raw)}`, () => assert.equal(plainText(raw, 'ass'), text));
  }
});

describe('encodings', () => {
  const text = 'Größe, Œuvre – “ja”';
  const wide = (little: boolean, mark: boolean) => {
    const units = [...(mark ? '\ufeff' : ''), ...text].map((character) => character.charCodeAt(0));
    return Uint8Array.from(
      units.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
    );
  };
  const western = Uint8Array.from([
    0x47, 0x72, 0xf6, 0xdf, 0x65, 0x2c, 0x20, 0x8c, 0x75, 0x76, 0x72, 0x65, 0x20, 0x96, 0x20, 0x93, 0x6a,
    0x61, 0x94,
  ]);
  for (const [what, data, encoding] of [
    ['UTF-8', bytes(text), 'utf-8'],
    ['UTF-8 with a mark', bytes(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 little endian', wide(true, true), 'utf-16le'],
    ['UTF-16 big endian', wide(false, true), 'utf-16be'],
    ['UTF-16 little endian without a mark', wide(true, false), 'utf-16le'],
    ['UTF-16 big endian without a mark', wide(false, false), 'utf-16be'],
    ['Windows-1252', western, 'windows-1252'],
  ] as const) {
    test(what, () => assert.deepEqual(decodeText(data), { text, encoding }));
  }

  // No zeros that would tell: the mark alone does.
  const greek = 'Ωμέγα';
  const utf16 = (little: boolean, units: readonly number[]) =>
    Uint8Array.from(units.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
  const unitsOf = (characters: string) => [...characters].map((character) => character.charCodeAt(0));
  for (const little of [true, false]) {
    const encoding = little ? 'utf-16le' : 'utf-16be';
    test(`${encoding} by its mark alone`, () => {
      const decoded = decodeText(utf16(little, unitsOf(`\ufeff${greek}`)));
      assert.deepEqual(decoded, { text: greek, encoding });
    });

    test(`${encoding} without a mark: told where zeros are above three in ten`, () => {
      const mostly = (latin: number) => utf16(little, unitsOf('a'.repeat(latin) + 'Ω'.repeat(100 - latin)));
      assert.equal(decodeText(mostly(31)).encoding, encoding);
      assert.notEqual(decodeText(mostly(29)).encoding, encoding);
    });
  }

  test('half of a mark is a letter of Windows-1252', () => {
    for (const text of ['ÿA', 'þA', 'Aþ', 'Aÿ', 'ÿÿ', 'þþ'])
      assert.deepEqual(decodeText(Uint8Array.from(unitsOf(text))), { text, encoding: 'windows-1252' });
  });

  test('nothing', () => assert.deepEqual(decodeText(new Uint8Array(0)), { text: '', encoding: 'utf-8' }));
});
