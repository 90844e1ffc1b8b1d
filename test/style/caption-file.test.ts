import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../src/domain/errors.ts';
import { decodeText } from '../../src/style/captions/encoding.ts';
import { cuesAt, MAX_CAPTION_BYTES, parseCaptionFile, writeSubRip } from '../../src/style/captions/file.ts';
import { plainText } from '../../src/style/captions/markup.ts';
import { withoutSigns } from '../../src/style/captions/signs.ts';

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

describe('segments of HLS, whose times count from a moment of the MPEG clock', () => {
  const segment = (map: string, time: string, text: string) =>
    `WEBVTT\nX-TIMESTAMP-MAP=${map}\n\n${time}.000 --> ${time}.900\n${text}\n\n`;
  const timesIn = (text: string, startSeconds: number | null) =>
    cuesAt(parseCaptionFile(bytes(text)), startSeconds).map((cue) => [
      Number(cue.startSeconds.toFixed(3)),
      cue.text,
    ]);
  for (const [what, text, start, expected] of [
    ['the video starts then', segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:01', 'A'), 10, [[1, 'A']]],
    ['the video starts before', segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:01', 'A'), 8.6, [[2.4, 'A']]],
    ['the video starts later', segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:03', 'A'), 12, [[1, 'A']]],
    ['local time first', segment('LOCAL:01:00:00.000,MPEGTS:900000', '01:00:01', 'A'), 10, [[1, 'A']]],
    ['without hours', segment('LOCAL:00:05.000,MPEGTS:900000', '00:06', 'A'), 10, [[1, 'A']]],
    [
      'across the end of the 33 bits',
      segment('MPEGTS:90000,LOCAL:00:00:00.000', '00:01', 'A'),
      2 ** 33 / 90_000 - 1,
      [[3, 'A']],
    ],
    [
      'the video has no such clock',
      segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:01', 'A'),
      null,
      [[1, 'A']],
    ],
    ['a map of another form', segment('MPEGTS:x,LOCAL:0', '00:01', 'A'), 10, [[1, 'A']]],
    [
      'joined, each with its own map',
      segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:01', 'A') +
        segment('MPEGTS:1440000,LOCAL:00:00:00.000', '00:01', 'B'),
      10,
      [
        [1, 'A'],
        [7, 'B'],
      ],
    ],
    [
      'joined, for a video without such a clock',
      segment('MPEGTS:900000,LOCAL:00:00:00.000', '00:01', 'A') +
        segment('MPEGTS:1440000,LOCAL:00:00:00.000', '00:01', 'B'),
      null,
      [
        [1, 'A'],
        [7, 'B'],
      ],
    ],
  ] as const)
    test(what, () => assert.deepEqual(timesIn(text, start), expected));
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
    ['nothing', '', [['line 1', /has no cue/]]],
    ['prose', 'Once upon a time\nthere was no cue', [['line 1', /has no cue/]]],
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
            assert.equal(error.fields[index].path, path);
            assert.match(error.fields[index].message, message);
          }
          return true;
        },
      );
    });
  }

  test('twenty at most', () => {
    assert.throws(
      () => parseCaptionFile(bytes('1\nx --> y\n\n'.repeat(500))),
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
    assert.equal(parseCaptionFile(bytes(text)).cues[0].text, 'a\nb');
  });

  test('the same of ASS', () => {
    assert.equal(plainText('{\\p1}m 0 0 l 9 9', 'ass'), '');
    const started = process.cpuUsage();
    plainText('{\\p1 '.repeat(300_000), 'ass');
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  });
});

describe('markup is removed, text is not', () => {
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
    test(what, () =>
      assert.deepEqual(decodeText(data), { text, encoding, isGuessed: encoding === 'windows-1252' }),
    );
  }

  // No zeros as evidence: only the byte order mark.
  const greek = 'Ωμέγα';
  const utf16 = (little: boolean, units: readonly number[]) =>
    Uint8Array.from(units.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
  const unitsOf = (characters: string) => [...characters].map((character) => character.charCodeAt(0));
  for (const little of [true, false]) {
    const encoding = little ? 'utf-16le' : 'utf-16be';
    test(`${encoding} by its mark alone`, () => {
      const decoded = decodeText(utf16(little, unitsOf(`\ufeff${greek}`)));
      assert.deepEqual(decoded, { text: greek, encoding, isGuessed: false });
    });

    test(`${encoding} without a mark: recognised if more than .3 of the bytes are zeros`, () => {
      const mostly = (latin: number) => utf16(little, unitsOf('a'.repeat(latin) + 'Ω'.repeat(100 - latin)));
      assert.equal(decodeText(mostly(31)).encoding, encoding);
      assert.notEqual(decodeText(mostly(29)).encoding, encoding);
    });
  }

  test('half of a mark is a letter, of no UTF-16', () => {
    for (const text of ['ÿA', 'Aÿ'])
      assert.deepEqual(decodeText(Uint8Array.from(unitsOf(text))), {
        ...{ text, encoding: 'windows-1252', isGuessed: true },
      });
    // Two of 0xFF are Cyrillic, 0xFE is Turkish: more often in captions than in French or Icelandic ones.
    for (const [text, read] of [
      ['ÿÿ', 'яя'],
      ['þA', 'şA'],
      ['Aþ', 'Aş'],
    ] as const)
      assert.equal(decodeText(Uint8Array.from(unitsOf(text))).text, read);
  });

  test('nothing', () =>
    assert.deepEqual(decodeText(new Uint8Array(0)), { text: '', encoding: 'utf-8', isGuessed: false }));
});

/** Words as files of before Unicode hold them, in base64: TextEncoder writes UTF-8 alone. */
const LEGACY = [
  [
    'windows-1251',
    'Привет мир, это проверка\nкак у вас дела',
    'z/Do4uXyIOzo8Cwg/fLuIO/w7uLl8OrgCurg6iDzIOLg8SDk5evg',
  ],
  [
    'koi8-r',
    'Привет мир, это проверка\nкак у вас дела',
    '8NLJ18XUIM3J0iwg3NTPINDSz9fF0svBCsvByyDVINfB0yDExczB',
  ],
  [
    'windows-1251',
    'Я не знаю, что тебе сказать.\n- Ты серьёзно?',
    '3yDt5SDn7eD+LCD38u4g8uXh5SDx6uDn4PL8LgotINL7IPHl8Py45+3uPw==',
  ],
  [
    'koi8-r',
    'Я не знаю, что тебе сказать.\n- Ты серьёзно?',
    '8SDOxSDazsHALCDe1M8g1MXCxSDTy8HawdTYLgotIPTZINPF0tij2s7PPw==',
  ],
  ['windows-1251', 'ПОМОГИТЕ! Кто-нибудь!', 'z87MzsPI0sUhIMry7i3t6OHz5Pwh'],
  ['koi8-r', 'ПОМОГИТЕ! Кто-нибудь!', '8O/t7+fp9OUhIOvUzy3OycLVxNgh'],
  ['windows-1251', 'Да', 'xOA='],
  ['koi8-r', 'Да', '5ME='],
  [
    'windows-1251',
    'Привіт, як справи? Я тебе чекав цілий день.',
    'z/Do4rPyLCD/6iDx7/Dg4ug/IN8g8uXh5SD35erg4iD2s+vo6SDk5e38Lg==',
  ],
  ['windows-1251', 'Ми йдемо додому, вже пізно', 'zOgg6eTl7O4g5O7k7uzzLCDi5uUg77Pn7e4='],
  [
    'windows-1251',
    'Здравей, как си? Не знам какво да правя.',
    'x+Tw4OLl6Swg6uDqIPHoPyDN5SDn7eDsIOrg6uLuIOTgIO/w4OL/Lg==',
  ],
  [
    'windows-1253',
    'Γεια σου, τι κάνεις σήμερα;\nΔεν ξέρω τι να πω.',
    'w+Xp4SDz7/UsIPTpIOrc7eXp8iDz3uzl8eE7CsTl7SDu3fH5IPTpIO3hIPD5Lg==',
  ],
  ['windows-1253', 'Πού πας;', '0O/9IPDh8js='],
  [
    'windows-1255',
    'שלום, מה שלומך היום?\nאני לא יודע מה להגיד',
    '+ezl7Swg7uQg+ezl7uog5Onl7T8K4PDpIOzgIOnl4/Ig7uQg7OTi6eM=',
  ],
  ['windows-1255', 'שלום עולם, מה שלומך היום', '+ezl7SDy5eztLCDu5CD57OXu6iDk6eXt'],
  [
    'windows-1256',
    'مرحبا كيف حالك اليوم؟\nلا أعرف ماذا أقول',
    '49HNyMcg3+3dIM3H4d8gx+Ht5uO/CuHHIMPa0d0g48fQxyDD3ubh',
  ],
  [
    'windows-1254',
    'Merhaba, nasılsın? Bugün çok güzel bir gün.\nSeni görmek istiyorum, değil mi?',
    'TWVyaGFiYSwgbmFz/Wxz/W4/IEJ1Z/xuIOdvayBn/HplbCBiaXIgZ/xuLgpTZW5pIGf2cm1layBpc3RpeW9ydW0sIGRl8GlsIG1pPw==',
  ],
  [
    'windows-1250',
    'Cześć, jak się masz?\nNie wiem, co powiedzieć, może później.',
    'Q3plnOYsIGphayBzaeogbWFzej8KTmllIHdpZW0sIGNvIHBvd2llZHppZeYsIG1vv2UgcPOfbmllai4=',
  ],
  [
    'windows-1250',
    'Ahoj, jak se máš?\nNevím, co říct, možná později. Příště.',
    'QWhvaiwgamFrIHNlIG3hmj8KTmV27W0sIGNvIPjtY3QsIG1vnm7hIHBvemTsamkuIFD47Zp07C4=',
  ],
  [
    'windows-1250',
    'Szia, hogy vagy? Nem tudom, mit mondjak. Később beszélünk, jó?',
    'U3ppYSwgaG9neSB2YWd5PyBOZW0gdHVkb20sIG1pdCBtb25kamFrLiBL6XP1YmIgYmVzeuls/G5rLCBq8z8=',
  ],
  [
    'iso-8859-2',
    'Cześć, jak się masz?\nNie wiem, co powiedzieć, może później.',
    'Q3pltuYsIGphayBzaeogbWFzej8KTmllIHdpZW0sIGNvIHBvd2llZHppZeYsIG1vv2UgcPO8bmllai4=',
  ],
  [
    'windows-1250',
    'Bună seara, ce mai faci? Şi eu ştiu că n-ai greşit.',
    'QnVu4yBzZWFyYSwgY2UgbWFpIGZhY2k/IKppIGV1ILp0aXUgY+Mgbi1haSBncmW6aXQu',
  ],
  [
    'iso-8859-2',
    'Ahoj, jak se máš?\nNevím, co říct, možná později. Příště.',
    'QWhvaiwgamFrIHNlIG3huT8KTmV27W0sIGNvIPjtY3QsIG1vvm7hIHBvemTsamkuIFD47bl07C4=',
  ],
  [
    'windows-1252',
    'Où étais-tu cet été ? J’ai déjà vu ça à la télé.',
    'T/kg6XRhaXMtdHUgY2V0IOl06SA/IEqSYWkgZOlq4CB2dSDnYSDgIGxhIHTpbOku',
  ],
  ['windows-1252', 'Ça va, être ou ne pas être', 'x2EgdmEsIOp0cmUgb3UgbmUgcGFzIOp0cmU='],
  [
    'windows-1252',
    'Schöne Grüße aus München, wir müssen gehen.',
    'U2No9m5lIEdy/N9lIGF1cyBN/G5jaGVuLCB3aXIgbfxzc2VuIGdlaGVuLg==',
  ],
  ['windows-1252', 'Natürlich.', 'TmF0/HJsaWNoLg=='],
  [
    'windows-1252',
    '¿Dónde está el niño? ¡Mañana será otro día!',
    'v0TzbmRlIGVzdOEgZWwgbmnxbz8goU1h8WFuYSBzZXLhIG90cm8gZO1hIQ==',
  ],
  [
    'windows-1252',
    'Hej, hur mår du? Jag förstår inte vad du säger, på riktigt.',
    'SGVqLCBodXIgbeVyIGR1PyBKYWcgZvZyc3TlciBpbnRlIHZhZCBkdSBz5GdlciwgcOUgcmlrdGlndC4=',
  ],
  [
    'windows-1252',
    'Não sei o que dizer, então até amanhã. É verdade.',
    'TuNvIHNlaSBvIHF1ZSBkaXplciwgZW50428gYXTpIGFtYW5o4y4gySB2ZXJkYWRlLg==',
  ],
  [
    'windows-1252',
    'Perché non è così? Città più bella, però già.',
    'UGVyY2jpIG5vbiDoIGNvc+w/IENpdHTgIHBp+SBiZWxsYSwgcGVy8iBnaeAu',
  ],
  ['windows-1252', 'It’s “fine”… don’t worry – really', 'SXSScyCTZmluZZSFIGRvbpJ0IHdvcnJ5IJYgcmVhbGx5'],
  ['windows-1252', 'café', 'Y2Fm6Q=='],
  [
    'windows-1252',
    'Jeg ved ikke, hvad jeg skal gøre. Er du på vej? Sådan er det, kære.',
    'SmVnIHZlZCBpa2tlLCBodmFkIGplZyBza2FsIGf4cmUuIEVyIGR1IHDlIHZlaj8gU+VkYW4gZXIgZGV0LCBr5nJlLg==',
  ],
  [
    'shift_jis',
    'こんにちは、元気ですか。\n私は日本語を話します。',
    'grGC8YLJgr+CzYFBjLOLQ4LFgreCqYFCCo6Egs2T+pZ7jOqC8JhigrWC3IK3gUI=',
  ],
  [
    'euc-jp',
    'こんにちは、元気ですか。\n私は日本語を話します。',
    'pLOk86TLpMGkz6GiuLW1pKTHpLmkq6GjCrvkpM/G/MvcuOyk8s/DpLek3qS5oaM=',
  ],
  ['shift_jis', 'どこへ行くの？', 'gseCsYLWjXOCrYLMgUg='],
  ['euc-jp', 'どこへ行くの？', 'pMmks6TYudSkr6TOoak='],
  ['shift_jis', 'ありがとう', 'gqCC6IKqgsaCpA=='],
  ['euc-jp', 'ありがとう', 'pKKk6qSspMikpg=='],
  [
    'gb18030',
    '你好，今天天气怎么样？\n我不知道该说什么。',
    'xOO6w6OsvfHM7MzsxvjU9cO00fmjvwrO0rK71qq1wLjDy7XKssO0oaM=',
  ],
  ['gb18030', '你在哪里？', 'xOPU2sTEwO+jvw=='],
  ['gb18030', '我爱你', 'ztKwrsTj'],
  [
    'big5',
    '你好，今天天氣怎麼樣？\n我不知道該說什麼。',
    'p0GmbqFBpLWk0aTRrvCr57vyvMuhSAqn2qSjqr65RLjTu6GksLvyoUM=',
  ],
  ['big5', '你在哪裡？', 'p0GmYq3+uMyhSA=='],
  [
    'euc-kr',
    '안녕하세요, 오늘 기분이 어때요?\n나는 모르겠어요.',
    'vsiz58fPvLy/5Cwgv8C0wyCx4rrQwMwgvu62p7/kPwqzqrTCILjwuKOw2r7uv+Qu',
  ],
  ['euc-kr', '어디 가?', 'vu618CCwoT8='],
] as const;

describe('an encoding is guessed by the letters that it gives', () => {
  for (const [encoding, words, base64] of LEGACY)
    test(`${encoding}: ${words.split('\n')[0]}`, () => {
      const head = '1\n00:00:01,000 --> 00:00:03,000\n';
      const decoded = decodeText(Buffer.concat([Buffer.from(head), Buffer.from(base64, 'base64')]));
      assert.equal(decoded.text, head + words);
      assert.ok(decoded.isGuessed);
    });
});

const LATER = '\n2\n00:00:04,000 --> 00:00:06,000\nsecond\n';
const FIRST = '1\n00:00:01,000 --> 00:00:03,000\n';
describe('arrows', () => {
  for (const arrow of ['->', '—>', '=>', '→', '>', '--', '-', '--->', '->>'])
    test(`"${arrow}" between two stamps is no timing, and no text either`, () => {
      const text = `${FIRST}first\n${LATER.replace('-->', arrow)}`;
      assert.throws(
        () => parseCaptionFile(bytes(text)),
        (error) =>
          error instanceof Failure &&
          error.fields.length === 1 &&
          error.fields[0].path === 'line 6' &&
          error.fields[0].message.startsWith(`"00:00:04,000 ${arrow} 00:00:06,000" is no timing; write`),
      );
    });

  for (const words of [
    'go --> there',
    '-->',
    'A -> B',
    'from 10:30 to 11:00',
    'it was 3:1 -> 4:1',
    '10 --> 20',
    '<-- left | right -->',
  ])
    test(`${words}: words of a dialogue`, () =>
      assert.deepEqual(cuesOf(`${FIRST}${words}\nand on\n${LATER}`), [
        [1, 3, `${words}\nand on`],
        [4, 6, 'second'],
      ]));
});

describe('signs', () => {
  test('of a SubRip file are left out and counted; \\an8 alone is dialogue at the top', () => {
    const text = `${FIRST}{\\an8}Up here\n${LATER.replace('second', '{\\pos(100,20)}A SIGN')}`;
    const { cues, signCount } = parseCaptionFile(bytes(text));
    assert.deepEqual([cues.map(({ text: words }) => words), signCount], [['Up here'], 1]);
  });

  const cue = (text: string, styleName: string | null = 'Default') => ({ text, styleName });
  for (const [what, stored, signs] of [
    ['\\pos', cue('{\\an8\\pos(10,20)}SIGN'), 1],
    ['\\move', cue('{\\fad(1,1)\\move(1,2,3,4)}SIGN'), 1],
    ['a style of signs', cue('SIGN', 'Signs_Top'), 1],
    ['a style of signs in capitals', cue('SIGN', 'EP1 SIGN'), 1],
    ['\\an8', cue('{\\an8}Up here'), 0],
    ['karaoke', cue('{\\k20}Ka{\\k30}ra'), 0],
    ['a style that only sounds like signs', cue('words', 'Design'), 0],
    ['\\p that is part of a name, and \\pos as words', cue('{\\pbo3}words \\pos(1,2)'), 0],
  ] as const)
    test(`${what}: ${signs === 1 ? 'a sign' : 'dialogue'}`, () => {
      const { dialogue, signCount } = withoutSigns([cue('words'), stored]);
      assert.deepEqual([dialogue.length, signCount], [2 - signs, signs]);
    });

  test('where all is placed, it is the dialogue', () => {
    const cues = [cue('{\\an7}{\\pos(38,229)}>> HI'), cue('{\\pos(38,245)}THERE')];
    assert.deepEqual(withoutSigns(cues), { dialogue: cues, signCount: 0 });
  });

  for (const [raw, text] of [
    ['{\\p1}m 0 0 l 100 0 100 100{\\p0}', ''],
    ['{\\p1}m 0 0 l 100 0{\\p0}words', 'words'],
    ['words{\\p4\\b1}m 0 0{\\r\\p0} again', 'words again'],
    ['{\\k20}Ka{\\k30}ra{\\k50}o{\\k20}ke\\Nsecond, with comma', 'Karaoke\nsecond, with comma'],
  ] as const)
    test(`${raw}: ${JSON.stringify(text)}`, () => assert.equal(plainText(raw, 'ass'), text));
});
