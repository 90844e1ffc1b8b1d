/** The request for a result with other parts of a talk: restored ones are kept, proposed ones left out, all else is as it was. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobDetail } from '../../src/client/api-types.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { jobWithTalk, type TalkPart } from '../../web/src/state/talk-choices.ts';
import { spanOf } from '../../web/src/words/sub-rip.ts';
import { excerptsOf } from '../../web/src/words/talk-excerpt.ts';
import { foldsOf, labelsOf, placeAt } from '../../web/src/words/talk-layout.ts';

const part = (start: number, end: number, reason: TalkPart['reason']): TalkPart => ({
  start_seconds: start,
  end_seconds: end,
  at_seconds: start,
  reason,
  certainty: 0.9,
});

function jobOf(talk: unknown, look: Partial<JobDetail> = { preset: 'noir' }): JobDetail {
  return {
    video_id: 'source',
    ...{ template_video_id: null, style_id: null, preset: null, style_json: null, ...look },
    config: { quality: 'low', talk },
  } as JobDetail;
}

describe('parts of a talk', () => {
  const [pause, attempt, requested, proposal] = [
    part(2, 3, 'pause'),
    part(5, 7.5, 'retake'),
    part(20, 21, 'requested'),
    part(30, 32, 'retake'),
  ];
  for (const [name, before, restored, removed, talk] of [
    [
      'as they were',
      { mode: 'on', keep: [[0, 1]], remove: [] },
      [],
      [],
      { mode: 'on', keep: [[0, 1]], remove: [] },
    ],
    [
      'restored',
      { mode: 'on' },
      [pause, attempt],
      [],
      {
        mode: 'on',
        keep: [
          [2, 3],
          [5, 7.5],
        ],
        remove: [],
      },
    ],
    [
      'restored after a request',
      {
        remove: [
          [20, 21],
          [25, 26],
        ],
      },
      [requested],
      [],
      { mode: 'auto', keep: [], remove: [[25, 26]] },
    ],
    ['left out', undefined, [], [proposal], { mode: 'auto', keep: [], remove: [[30, 32]] }],
  ] as const)
    test(name, () => {
      const request = jobWithTalk(jobOf(before), restored, removed);
      assert.deepEqual(request, { video_id: 'source', preset: 'noir', config: { quality: 'low', talk } });
      assert.ok(jobConfigSchema.safeParse(request.config).success);
    });

  for (const look of [{ template_video_id: 'template' }, { style_id: 'saved' }, { preset: 'noir' }])
    test(`keep the look ${Object.keys(look)[0]}`, () => {
      const { config: _, ...request } = jobWithTalk(jobOf('on', look), [pause], []);
      assert.deepEqual(request, { video_id: 'source', ...look });
    });
});

describe('places of times with folded parts', () => {
  const folds = foldsOf([
    { startSeconds: 2, endSeconds: 6 },
    { startSeconds: 3, endSeconds: 4 },
    { startSeconds: 8, endSeconds: 9.5 },
    { startSeconds: 9, endSeconds: 10 },
  ]);
  for (const [seconds, place] of [
    [0, 0],
    [2, 2],
    [4, 2.5],
    [6, 3],
    [8, 5],
    [10, 5.5],
    [12, 7.5],
  ] as const)
    test(`${seconds} s`, () => assert.equal(placeAt(seconds, folds), place));
});

describe('a part is played with and without it', () => {
  const at = (one: TalkPart, isRemoved: boolean) =>
    excerptsOf(one, isRemoved).map(({ side, isWithPart, from, to }) => [side, isWithPart, from, to]);

  test('from the source, then the join of the result', () => {
    assert.deepEqual(at({ ...part(5, 7, 'pause'), at_seconds: 4 }, true), [
      ['source', true, 3.5, 8.5],
      ['output', false, 2.5, 5.5],
    ]);
  });

  test('a proposal is skipped in the source', () => {
    assert.deepEqual(at(part(1, 2, 'retake'), false), [
      ['source', true, 0, 3.5],
      ['source', false, 0, 1],
      ['source', false, 2, 3.5],
    ]);
  });

  test('of a long part its beginning', () => {
    assert.deepEqual(at(part(10, 70, 'requested'), true)[0], ['source', true, 8.5, 14.5]);
  });
});

describe('words below the voice', () => {
  test('have the room up to the next one that is shown', () => {
    const labels = [0, 0.1, 0.2, 0.5, 0.9].map((place) => ({ place }));
    assert.deepEqual(
      labelsOf(labels).map(({ place, width }) => [place, Number(width.toFixed(3))]),
      [
        [0, 0.2],
        [0.2, 0.3],
        [0.5, 0.5],
      ],
    );
  });

  test('have the times of their captions', () => {
    assert.deepEqual(spanOf({ times: '01:02:03,500 --> 01:02:04,250', text: '' }), {
      startSeconds: 3723.5,
      endSeconds: 3724.25,
    });
  });
});
