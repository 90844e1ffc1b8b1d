import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../src/client/api-types.ts';
import { madeOfJob } from '../../web/src/state/again.ts';
import { partOf } from '../../web/src/state/edit-parts.ts';

test('the parts of source and template that count come back with a job', () => {
  const job = {
    ...{ job_id: 'j', video_id: 'a', template_video_id: 'b', preset: null, edit_request: null },
    config: { source_range: [1.5, 4.033], template_range: [0, 8] },
  } as unknown as Job;
  const { takes, look } = madeOfJob(job, 6);
  assert.deepEqual(partOf(takes![0]!, 6), [1.5, 4.033]);
  assert.deepEqual(look, { kind: 'video', videoId: 'b', range: [0, 8] });
  // The length of a deleted video is not known.
  assert.deepEqual(madeOfJob(job).takes![0]!.exclude, []);
});

test('a song that is the look of its edit is named once', () => {
  const job = {
    ...{ job_id: 'j', video_id: 'a', template_video_id: 's', preset: null, config: {} },
    edit_request: { takes: [{ video_id: 'a' }], music: { video_id: 's' } },
  } as unknown as Job;
  const { look, song } = madeOfJob(job);
  assert.deepEqual([look, song?.source], [null, { kind: 'video', videoId: 's' }]);
});

test('roles of takes in a talk come back with a job', () => {
  const rolesOf = (...roles: readonly (string | undefined)[]) => {
    const takes = roles.map((role, at) => ({ video_id: `${at}`, ...(role === undefined ? {} : { role }) }));
    const job = { job_id: 'j', video_id: '0', template_video_id: 't', preset: null, config: {} };
    const { takes: made } = madeOfJob({ ...job, edit_request: { takes } } as unknown as Job);
    return made!.map(({ role }) => role);
  };
  assert.deepEqual(rolesOf('talk', 'b_roll', 'auto', undefined), ['talk', 'b_roll', undefined, undefined]);
  // Without a speaker by request the page's edit is no talk, which has no roles.
  assert.deepEqual(rolesOf('b_roll', undefined), [undefined, undefined]);
});
