/** The choices for a talk: forms that are accepted, and reasons why ranges do not fit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { talkErrors } from '../../src/domain/talk-options.ts';
import { talkSchema } from '../../src/domain/talk-schema.ts';
import { rangeErrors } from '../../src/domain/time-range.ts';

describe('a talk is requested', () => {
  for (const [request, options] of [
    ['on', { mode: 'on', keep: [], remove: [] }],
    [{}, { mode: 'auto', keep: [], remove: [] }],
    [{ remove: [[1, 2]] }, { mode: 'auto', keep: [], remove: [[1, 2]] }],
    [
      { mode: 'off', keep: [[0, 0.1]] },
      { mode: 'off', keep: [[0, 0.1]], remove: [] },
    ],
  ] as const)
    test(`as ${JSON.stringify(request)}`, () => {
      assert.deepEqual(talkSchema.parse(request), options);
      assert.deepEqual(talkSchema.parse(options), options);
    });

  for (const request of [
    'yes',
    true,
    { mode: 'maybe' },
    { keep: [[2, 1]] },
    { remove: [[-1, 2]] },
    { cut: [] },
  ])
    test(`but not as ${JSON.stringify(request)}`, () => assert.ok(!talkSchema.safeParse(request).success));
});

describe('ranges of a talk', () => {
  const errorsOf = (talk: unknown, { isEdit = false, durationSeconds = 10 as number | null } = {}) =>
    talkErrors(talkSchema.parse(talk), isEdit, durationSeconds).map(
      ({ path, message }) => `${path} ${message}`,
    );

  for (const [name, talk, options, found] of [
    ['fit', { mode: 'on', keep: [[1, 2]], remove: [[2, 10.05]] }, {}, null],
    [
      'are not checked against a length that is not known',
      { remove: [[0, 99]] },
      { durationSeconds: null },
      null,
    ],
    ['end with the video', { keep: [[1, 12]] }, {}, /\[1, 12\] reaches past the end .* 10\.00 s/],
    [
      'are not both kept and removed',
      { keep: [[1, 3]], remove: [[2, 4]] },
      {},
      /remove \[2, 4\] overlaps \[1, 3\] of keep/,
    ],
    [
      'leave half a second',
      {
        remove: [
          [0, 6],
          [5, 9.8],
        ],
      },
      {},
      /leaves 0\.20 s; at least 0\.5 s/,
    ],
    ['are not for an edit', { remove: [[1, 2]] }, { isEdit: true }, /are for a video of one source.*exclude/],
    ['and "auto" of an edit are accepted', 'auto', { isEdit: true }, null],
  ] as const)
    test(name, () => {
      const errors = errorsOf(talk, options);
      if (found === null) assert.deepEqual(errors, []);
      else assert.match(errors.join('; '), found);
    });

  test('are checked where those of the source are', () => {
    const source = { kind: 'video', durationSeconds: 5 } as const;
    const config = { talk: talkSchema.parse({ keep: [[1, 9]] }) };
    const errors = rangeErrors({ config, isEdit: false, source, template: undefined });
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['config.talk'],
    );
  });

  for (const [remove, found] of [
    [[[2.9, 5.1]], /remove leaves 0\.00 s of source_range/],
    [
      [
        [0, 3],
        [3.2, 9],
      ],
      /remove leaves 0\.20 s of source_range/,
    ],
    [[[0, 4]], null],
    [[[6, 10]], null],
  ] as const)
    test(`leave half a second of source_range: ${JSON.stringify(remove)}`, () => {
      const source = { kind: 'video', durationSeconds: 10 } as const;
      const config = { source_range: [3, 5] as const, talk: talkSchema.parse({ remove }) };
      const errors = rangeErrors({ config, isEdit: false, source, template: undefined });
      const text = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
      if (found === null) assert.equal(text, '');
      else assert.match(text, found);
    });
});
