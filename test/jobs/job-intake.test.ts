import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v7 as newId } from 'uuid';
import { rangeFromNearerEnd } from '../../src/database/listing.ts';
import type { Failure } from '../../src/domain/errors.ts';
import type { IdempotencyKey } from '../../src/idempotency/idempotency.ts';
import type { JobRefusal } from '../../src/jobs/lists/new-job-check.ts';
import type { Job } from '../../src/jobs/model/job.ts';
import { claimJob } from '../../src/jobs/model/job-store.ts';
import { aJob, aVideo, openService } from '../support/jobs.ts';

test('a page is reached from the nearer end, and is the same', () => {
  for (const [offset, limit, total, expected] of [
    [0, 11, 5, { offset: 0, limit: 11, direction: 'desc' }],
    [20, 11, 100, { offset: 20, limit: 11, direction: 'desc' }],
    [80, 11, 100, { offset: 9, limit: 11, direction: 'asc' }],
    [90, 11, 100, { offset: 0, limit: 10, direction: 'asc' }],
    [100, 11, 100, { offset: 100, limit: 11, direction: 'desc' }],
  ] as const) {
    assert.deepEqual(rangeFromNearerEnd(offset, limit, total), expected);
  }
});

test('jobs in one transaction are created independently; totals follow every move', async () => {
  await using service = await openService();
  const { service: jobService, videos } = service.jobs;
  const total = async (...status: Job['status'][]) =>
    (await jobService.list({ filter: status.length === 0 ? {} : { status }, page: 1, pageSize: 1 })).total;
  const video = aVideo();
  await videos.insert(video, null);
  const good = aJob(video.videoId);
  const stale: IdempotencyKey = { key: newId(), requestHash: 'a' };
  await service.jobs.idempotency.begin({ ...stale, requestHash: 'b' });
  const response = () => ({ status: 201, body: {} });
  const results = await Promise.allSettled([
    jobService.create(good, null),
    jobService.create(aJob(newId()), null),
    jobService.create(good, { key: stale, response }),
    jobService.create(aJob(video.videoId, { webhookUrl: 'nul \u0000' }), null),
    ...Array.from({ length: 20 }, () => jobService.create(good, null)),
  ]);
  const states = results.map(({ status }) => (status === 'fulfilled' ? 1 : 0));
  assert.deepEqual(states, [1, 0, 0, 0, ...Array(20).fill(1)]);
  const jobs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  assert.deepEqual([await total(), await total('queued'), (await jobService.figures()).queued], [21, 21, 21]);
  await jobService.cancel(jobs[0].jobId);
  await claimJob(service.database, jobs[1].jobId);
  assert.deepEqual([await total('queued'), await total('processing'), await total('cancelled')], [19, 1, 1]);
  await jobService.remove(jobs[0].jobId);
  assert.deepEqual([await total(), await total('cancelled')], [20, 0]);
});

test('jobs that this service cannot process, and files that are not videos, are refused at the request', async () => {
  const sizes: unknown[] = [];
  const refusal: JobRefusal = (_request, source, template) => {
    sizes.push([source.width, source.height, template === null ? null : [template.width, template.height]]);
    return template === null ? null : 'Too large together.';
  };
  await using service = await openService({ settings: { refusal } });
  const { service: jobService, videos } = service.jobs;
  const [video, look] = [
    aVideo(),
    aVideo({ contentType: 'image/png', durationSeconds: 0, width: 800, height: 600 }),
  ];
  for (const one of [video, look]) await videos.insert(one, null);
  const requested = (source: string, template: string | null, changes = {}) =>
    jobService.create(aJob(source, { templateVideoId: template, ...changes }), null).then(
      () => 'made',
      (error: Failure) => error.detail,
    );
  assert.equal(await requested(video.videoId, null), 'made');
  assert.equal(await requested(video.videoId.toUpperCase(), look.videoId), 'Too large together.');
  assert.deepEqual(sizes, [
    [1920, 1080, null],
    [1920, 1080, [800, 600]],
  ]);
  assert.match(await requested(look.videoId, null), /^video_id: is an image; the source must be a video/);
  assert.equal(await requested(look.videoId, null, { product: { kind: 'analysis' } }), 'made');
});
