/** The request for a result with other parts of a talk: restored ones are kept, proposed ones left out, all else is as it was. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobDetail } from '../../src/client/api-types.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { jobWithTalk, type TalkPart } from '../../web/src/state/talk-choices.ts';
import { foldsOf, placeAt } from '../../web/src/words/talk-layout.ts';

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
