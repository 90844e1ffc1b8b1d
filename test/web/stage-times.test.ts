import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Job } from '../../src/client/api-types.ts';
import { STAGE_NAMES, type StageName } from '../../src/domain/stage.ts';
import { type JobClock, noteTimes } from '../../web/src/state/stage-times.ts';

const START = Date.parse('2026-01-10T12:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** An event this many seconds after the job was claimed. */
function event(jobId: string, stage: StageName | null, seconds: number, changes: Partial<Job> = {}): Job {
  const times = { started_at: at(0), progress_updated_at: at(seconds), completed_at: null };
  return { job_id: jobId, attempt: 1, current_stage: stage, ...times, ...changes } as Job;
}

function noted(...events: Job[]): JobClock {
  return events.map((one) => noteTimes(one, 0)).at(-1)!;
}

describe('times of stages, noted as events pass by', () => {
  test('who watches from the beginning sees all of them', () => {
    const clock = noted(
      event('all', null, 0, { started_at: null, attempt: 0 }),
      ...STAGE_NAMES.map((stage, index) => event('all', stage, index * 2 + 0.5)),
      event('all', 'rendering', 13),
      event('all', null, 14, { completed_at: at(15) }),
    );
    const [first, ...others] = STAGE_NAMES.map((stage) => clock.stageSeconds[stage]);
    assert.equal(first, 2.5, 'from when it was taken, not from its first event');
    assert.deepEqual(others, [2, 2, 2, 2, 4.5]);
  });

  test('the stage that runs counts up to the last event', () => {
    const events = [event('now', 'video_analysis', 1), event('now', 'audio_analysis', 3)];
    assert.equal(noted(...events).currentSeconds, 0);
    assert.equal(noted(event('now', 'audio_analysis', 4.5)).currentSeconds, 1.5);
  });

  test('what had begun before anybody looked is not guessed, however many events follow', () => {
    const clock = noted(event('late', 'rendering', 20), event('late', 'rendering', 25));
    assert.equal(clock.currentSeconds, null);
    assert.deepEqual(new Set(Object.values(clock.stageSeconds)), new Set([null]));
    assert.equal(
      noted(event('mid', 'audio_analysis', 5), event('mid', 'motion_analysis', 6)).currentSeconds,
      0,
    );
    assert.equal(noted(event('mid', 'motion_analysis', 8)).stageSeconds.audio_analysis, null);
  });

  test('a new attempt starts again', () => {
    noted(event('again', 'video_analysis', 1), event('again', 'rendering', 10));
    const clock = noted(
      event('again', 'rendering', 40, { attempt: 2 }),
      event('again', 'rendering', 43, { attempt: 2 }),
    );
    assert.equal(clock.currentSeconds, 3);
    assert.equal(clock.stageSeconds.video_analysis, null);
  });
});
