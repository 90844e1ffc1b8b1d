import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STAGE_NAMES } from '../../src/domain/stage.ts';
import { recentPace, secondsLeft } from '../../src/jobs/lists/job-outlook.ts';
import { claimJob, completeJob } from '../../src/jobs/model/job-store.ts';
import { doneShares, progressPercent } from '../../src/jobs/model/progress.ts';
import { aJob, aPublication, aVideo, openService } from '../support/jobs.ts';

/** A job that draws four times as long as it measures. */
const WORK = { measured: 8, planned: 0.4, drawn: 32 };
const WHOLE = 40.4;
const DRAWING = progressPercent('rendering', 0);

test('every stage begins at its share of the whole', () => {
  const begins = STAGE_NAMES.map((stage) => [stage, progressPercent(stage, 0)]);
  assert.deepEqual(begins, [
    ['video_analysis', 0],
    ['audio_analysis', 25],
    ['motion_analysis', 31],
    ['style_extraction', 49],
    ['style_application', 51],
    ['rendering', 54],
  ]);
  assert.equal(progressPercent('video_analysis', 1 / 3), 8.3);
  assert.equal(progressPercent('rendering', 44 / 46), 98);
  for (const fraction of [1, 1.5]) assert.equal(progressPercent('video_analysis', fraction), 25);
  assert.equal(progressPercent('rendering', 1), 99);
  for (const [percent, measured, planned, drawn] of [
    [0, 0, 0, 0],
    [24.5, 0.5, 0, 0],
    [49, 1, 0, 0],
    [51.5, 1, 0.5, 0],
    [54, 1, 1, 0],
    [77, 1, 1, 0.5],
    [100, 1, 1, 1],
  ] as const)
    assert.deepEqual(doneShares(percent), { measured, planned, drawn }, `${percent} %`);
});

describe('seconds left of a job', () => {
  test('at its begin are those that are expected', () => {
    assert.equal(secondsLeft(WORK, 0, 0), Math.round(WHOLE));
  });

  test('follow the work and not the percents, at the expected pace', () => {
    // 54 of 100 percent have passed when drawing begins, but a fifth of the time.
    assert.equal(secondsLeft(WORK, DRAWING, 8.4), 32);
    assert.equal(secondsLeft(WORK, progressPercent('rendering', 0.5), 8.4 + 16), 16);
    assert.equal(secondsLeft(WORK, 99, WHOLE), Math.round((32 * (100 - 99)) / (100 - DRAWING)));
  });

  test('approach the true ones as the pace becomes known', () => {
    // A machine of half the speed: from a guess that is half of the truth towards the truth.
    const ratios = [0, 0.25, 0.5, 0.75].map((fraction) => {
      const done = 8.4 + 32 * fraction;
      return secondsLeft(WORK, progressPercent('rendering', fraction), 2 * done) / (2 * (WHOLE - done));
    });
    assert.deepEqual(
      [...ratios].sort((a, b) => a - b),
      ratios,
    );
    assert.ok(ratios[0] > 0.65 && ratios.at(-1)! > 0.85, `${ratios}`);
  });

  test('weight the expected pace as a quarter of the whole work', () => {
    // Nothing done in 20 s, and half of it in no time.
    assert.equal(secondsLeft(WORK, 0, 20), Math.round((WHOLE * (20 + WHOLE / 4)) / (WHOLE / 4)));
    const half = { measured: 0, planned: 0, drawn: WHOLE };
    assert.equal(secondsLeft(half, 77, 0), Math.round((WHOLE / 2) * (0.25 / 0.75)));
  });

  test('of a clip that was measured before do not vanish', () => {
    const left = secondsLeft(WORK, DRAWING, 0.5);
    assert.ok(left > 16 && left < 32, `${left} s`);
  });

  test('fall from stage to stage, and end with nothing', () => {
    const all = STAGE_NAMES.flatMap((stage) => [0, 0.5].map((part) => progressPercent(stage, part)));
    const left = all.map((percent) => secondsLeft(WORK, percent, 10));
    assert.deepEqual(
      left,
      [...left].sort((a, b) => b - a),
    );
    assert.equal(secondsLeft(WORK, 100, 10), 0);
  });
});

test('the pace is the median of the last five jobs of an hour, at most 20', async () => {
  await using service = await openService();
  const { database } = service;
  assert.equal(await recentPace(database), 1);
  const video = aVideo();
  await service.jobs.videos.insert(video, null);
  // A hundred seconds of 720 lines: .2 s of planning, 32 s of drawing.
  const output = { width: 1280, height: 720, frame_rate: 30, duration_seconds: 100 };
  // [seconds that a job took, seconds since then, the pace after it]
  for (const [seconds, agoSeconds, expected] of [
    [1e6, 3700, 1],
    [3200, 700, 20],
    [161, 3500, 20],
    [32, 600, 5],
    [65, 800, 5],
    [129, 100, 4],
    [97, 500, 3],
  ]) {
    const { jobId } = await service.jobs.service.create(aJob(video.videoId), null);
    await claimJob(database, jobId);
    await completeJob(database, jobId, 1, { publication: aPublication(jobId, 1), warnings: [] });
    await database.query(
      `update jobs set publication = $2, created_at = now() - $4::double precision * interval '1 s',
         started_at = now() - $3::double precision * interval '1 s', completed_at = now() where job_id = $1`,
      [jobId, JSON.stringify({ summary: { output } }), seconds, agoSeconds],
    );
    const pace = await recentPace(database);
    assert.ok(Math.abs(pace - expected!) < 0.05 * expected!, `${pace} after ${seconds} s`);
  }
});
