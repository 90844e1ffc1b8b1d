/** When titles are shown: each one in the edit, or named in a warning. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditOptions } from '../../src/domain/edit-options.ts';
import type { Warning } from '../../src/domain/stage.ts';
import { presetNamed } from '../../src/presets/presets.ts';
import type { MetricsOf } from '../../src/style/model/caption-face.ts';
import { planTitles, titleCues } from '../../src/style/plan/edit-titles.ts';

const { style: STYLE } = presetNamed('noir');

type At = EditOptions['titles'][number]['at'];
/** `text start–end`, in hundredths. */
type Shown = readonly (readonly [text: string, startSeconds: number, endSeconds: number])[];

const titlesAt = (ats: readonly At[]) => ats.map((at, index) => ({ at, text: 'abcdefgh'[index]! }));
const round = (seconds: number) => Math.round(100 * seconds) / 100;
const shownOf = (ats: readonly At[], totalSeconds: number): Shown =>
  titleCues(titlesAt(ats), totalSeconds).cues.map(({ text, startSeconds, endSeconds }) => [
    text,
    round(startSeconds),
    round(endSeconds),
  ]);

describe('times of titles', () => {
  const rows: readonly (readonly [string, readonly At[], number, Shown])[] = [
    ['one at the start', ['start'], 12, [['a', 0.2, 3.2]]],
    ['one at the end', ['end'], 12, [['a', 8.8, 11.8]]],
    ['one at a time', [5], 12, [['a', 5, 8]]],
    ['one on the first frame', [0], 12, [['a', 0, 3]]],
    [
      'one that the next one ends',
      [2, 4],
      12,
      [
        ['a', 2, 4],
        ['b', 4, 7],
      ],
    ],
    [
      'in the order of time',
      [4, 2],
      12,
      [
        ['b', 2, 4],
        ['a', 4, 7],
      ],
    ],
    [
      'two at one time follow each other',
      [5, 5],
      12,
      [
        ['a', 5, 5.83],
        ['b', 5.83, 8.83],
      ],
    ],
    [
      'two at the start',
      ['start', 'start'],
      12,
      [
        ['a', 0.2, 1.03],
        ['b', 1.03, 4.03],
      ],
    ],
    [
      'two at the end',
      ['end', 'end'],
      12,
      [
        ['a', 8.8, 9.63],
        ['b', 9.63, 11.8],
      ],
    ],
    [
      'two nearly at one time',
      [5, 5.1],
      12,
      [
        ['a', 5, 5.83],
        ['b', 5.83, 8.83],
      ],
    ],
    [
      'start and end in an edit that is as long as both',
      ['start', 'end'],
      6.4,
      [
        ['a', 0.2, 3.2],
        ['b', 3.2, 6.2],
      ],
    ],
    [
      'start and end in a short edit',
      ['start', 'end'],
      3,
      [
        ['a', 0.2, 1.03],
        ['b', 1.03, 2.8],
      ],
    ],
    [
      'end before start in a short edit',
      ['end', 'start'],
      2.1,
      [
        ['b', 0.2, 1.03],
        ['a', 1.03, 1.9],
      ],
    ],
    [
      'start, end and one between',
      ['start', 1, 'end'],
      4,
      [
        ['a', 0.2, 1.03],
        ['b', 1.03, 1.87],
        ['c', 1.87, 3.8],
      ],
    ],
    ['in the last moment', [11.9], 12, [['a', 10.97, 11.8]]],
    [
      'two in the last moment',
      [11.9, 11.95],
      12,
      [
        ['a', 10.13, 10.97],
        ['b', 10.97, 11.8],
      ],
    ],
    [
      'one after the end title',
      ['end', 11],
      12,
      [
        ['b', 10.13, 10.97],
        ['a', 10.97, 11.8],
      ],
    ],
    [
      'three with just enough time',
      ['start', 1, 'end'],
      2.9,
      [
        ['a', 0.2, 1.03],
        ['b', 1.03, 1.87],
        ['c', 1.87, 2.7],
      ],
    ],
    ['after the end', [12], 12, []],
    ['in an edit of a second', ['start'], 1, [['a', 0, 1]]],
    ['just too short for margins', ['start'], 5 / 6 + 0.39, [['a', 0, 1.22]]],
    ['just long enough for margins', ['start'], 5 / 6 + 2 * 0.2, [['a', 0.2, 1.03]]],
    ['in an edit without margins', ['end'], 0.5, [['a', 0, 0.5]]],
  ];
  for (const [what, ats, totalSeconds, shown] of rows)
    test(what, () => assert.deepEqual(shownOf(ats, totalSeconds), shown));

  test('a long text is shown for its reading time, as far as there is time', () => {
    const text = 'x'.repeat(102);
    for (const [at, totalSeconds, expected] of [
      ['start', 12, [0.2, 6.2]],
      ['end', 12, [5.8, 11.8]],
      ['end', 5, [0.2, 4.8]],
      [8, 12, [8, 11.8]],
    ] as const) {
      const [{ startSeconds, endSeconds }] = titleCues([{ at, text }], totalSeconds).cues;
      assert.deepEqual([startSeconds, endSeconds].map(round), expected, `${at} of ${totalSeconds}`);
    }
  });

  test('any titles in any edit: in order, apart, within the edit, and each shown or reported', () => {
    const places: readonly At[] = ['start', 'end', 0, 0.5, 1, 1.9, 3, 40];
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let round = 0; round < 2000; round++) {
      const totalSeconds = 0.3 + next(600) / 100;
      const ats = Array.from({ length: 1 + next(6) }, () => places[next(places.length)]!);
      const { cues, leftOut } = titleCues(titlesAt(ats), totalSeconds);
      const what = `${ats.join(' ')} in ${totalSeconds}`;
      assert.equal(cues.length + leftOut.length, ats.length, what);
      for (const [index, { startSeconds, endSeconds }] of cues.entries()) {
        assert.ok(startSeconds >= (cues[index - 1]?.endSeconds ?? 0) - 1e-9, what);
        assert.ok(endSeconds <= totalSeconds, what);
        assert.ok(endSeconds - startSeconds > Math.min(0.8, totalSeconds - 1e-9), what);
      }
    }
  });
});

describe('warnings about titles', () => {
  /** Half an em for each letter, nothing else. */
  const metricsOf: MetricsOf = () => ({
    capHeightEm: 0.7,
    advanceEm: (codePoint) => (codePoint < 0x250 ? 0.5 : null),
  });
  const planned = (titles: EditOptions['titles'], totalSeconds: number) => {
    const warnings: Warning[] = [];
    const request = { style: STYLE, output: { width: 640, height: 360 }, totalSeconds, metricsOf };
    const { captions, captionLook } = planTitles(titles, request, warnings);
    const shown = captions.map(({ startSeconds }) => startSeconds);
    return {
      shown,
      timing: captionLook?.timing,
      warned: warnings.map((one) => `${one.code}: ${one.message}`),
    };
  };
  const rows: readonly (readonly [string, readonly At[], number, readonly string[]])[] = [
    ['none for titles that are shown as requested', ['start', 5, 'end'], 12, []],
    [
      'after the end, the real one',
      [20, 13.5],
      12,
      [
        'TITLE_LEFT_OUT: Titles are not shown: "a" at 20 s: the edit ends at 12.00 s; "b" at 13.5 s: the edit ends at 12.00 s',
      ],
    ],
    [
      'moved',
      [11.9],
      12,
      [
        'TITLE_MOVED: Titles were moved, so that there is time to read them: "a" is shown at 10.97 s instead of 11.9 s',
      ],
    ],
    ['none for a shift of .04 s', [11.01], 12, []],
    [
      'one for a shift of .05 s',
      [11.02],
      12,
      [
        'TITLE_MOVED: Titles were moved, so that there is time to read them: "a" is shown at 10.97 s instead of 11.02 s',
      ],
    ],
    [
      'more than there is time for',
      ['start', 'end', 1],
      2.2,
      ['TITLE_LEFT_OUT: Titles are not shown: "c": an edit of 2.20 s has time for 2 of 3'],
    ],
  ];
  for (const [what, ats, totalSeconds, expected] of rows)
    test(what, () => assert.deepEqual(planned(titlesAt(ats), totalSeconds).warned, expected));

  test('a text of nothing that can be drawn, before one that can', () => {
    const none = { at: 2, text: '\u200b' } as const;
    const left = 'TITLE_LEFT_OUT: Titles are not shown: "\u200b": none of its characters can be drawn';
    const rows = [
      [[none], [], undefined],
      [[none, { at: 4, text: 'b' }], [4], 'lines'],
    ] as const;
    for (const [titles, shown, timing] of rows) {
      const plan = planned([...titles], 12);
      assert.deepEqual([plan.shown, plan.timing], [shown, timing]);
      assert.ok(plan.warned.includes(left), plan.warned.join());
    }
  });
});

describe('styles and places of titles', () => {
  const metricsOf: MetricsOf = () => ({ capHeightEm: 0.7, advanceEm: () => 0.5 });
  const output = { width: 720, height: 1280 };
  const planned = (title: Pick<EditOptions['titles'][number], 'text' | 'style' | 'place'>) => {
    const { captions } = planTitles(
      [{ at: 'start', ...title }],
      { style: STYLE, output, totalSeconds: 10, metricsOf },
      [],
    );
    return captions[0]!;
  };

  const rows = [
    ['clean', { face: 'inter-semibold', sizePixels: 54, ground: 'shadow', position: 'middle', anchorY: 0.5 }],
    [
      'bold',
      { face: 'inter-extrabold', sizePixels: 83, ground: 'outline', position: 'middle', anchorY: 0.5 },
    ],
    ['box', { face: 'inter-semibold', sizePixels: 43, ground: 'box', position: 'bottom', anchorY: 0.78 }],
    ['small', { face: 'inter-medium', sizePixels: 32, ground: 'shadow', position: 'top', anchorY: 0.14 }],
  ] as const;
  for (const [style, expected] of rows)
    test(style, () => {
      const { face, sizePixels, ground, position, anchorY } = planned({ text: 'Lisbon', style }).look!;
      assert.deepEqual({ face, sizePixels, ground, position, anchorY }, expected);
    });

  test('without a style it has that of the template’s captions', () => {
    assert.deepEqual(planned({ text: 'Lisbon' }), planned({ text: 'Lisbon', style: 'look' }));
  });

  test('a title has two lines where its text has', () => {
    assert.deepEqual(planned({ text: 'Lisbon\nMay', style: 'clean' }).lines, ['Lisbon', 'May']);
  });

  test('a place is the middle of the text', () => {
    const { centerX, baselineY } = planned({ text: 'Lisbon', style: 'clean', place: { x: 0.4, y: 0.25 } });
    // Capitals of 38 pixels around line 320.
    assert.deepEqual([centerX, baselineY], [288, 339]);
  });

  for (const [x, centerX] of [
    [0, 117],
    [1, 603],
    [0.5, 360],
  ] as const)
    test(`at ${x} of the width the text stays inside the margins`, () => {
      // Six letters of half an em: 81 pixels to each side, and 36 of margin.
      assert.equal(planned({ text: 'Lisbon', style: 'clean', place: { x, y: 0.5 } }).centerX, centerX);
    });
});
