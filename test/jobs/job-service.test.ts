import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { editSchema } from '../../src/domain/edit-options.ts';
import { type ErrorCode, isFailure } from '../../src/domain/errors.ts';
import type { Product } from '../../src/domain/stage.ts';
import {
  drawingSeconds,
  likelyOutput,
  measuringSeconds,
  PLANNING_SECONDS,
} from '../../src/domain/work-estimate.ts';
import type { IdempotencyKey } from '../../src/idempotency/idempotency.ts';
import { etaSeconds, secondsLeft } from '../../src/jobs/lists/job-outlook.ts';
import type { Job } from '../../src/jobs/model/job.ts';
import { JobChanges } from '../../src/jobs/model/job-changes.ts';
import { jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import {
  advanceJob,
  claimJob,
  completeJob,
  failJob,
  JOB_CHANGED_CHANNEL,
  writeProgress,
} from '../../src/jobs/model/job-store.ts';
import { nextTurns } from '../../src/jobs/queue/fair-queue.ts';
import type { VideoFilter } from '../../src/videos/video.ts';
import {
  aJob,
  aPublication,
  aVideo,
  type JobsService,
  newJob,
  openService,
  openShared,
} from '../support/jobs.ts';
import { selectEntries } from '../support/queue-entries.ts';

const failsWith = (code: ErrorCode) => (error: unknown) => isFailure(error, code);

let service: JobsService;
/** For services of their own. */
let place: Awaited<ReturnType<typeof openShared>>;
let shared: (typeof place)['shared'];
before(async () => {
  service = await openService();
  place = await openShared();
  shared = place.shared;
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await place?.[Symbol.asyncDispose]();
});

async function complete(jobId: string): Promise<void> {
  await claimJob(service.database, jobId);
  const publication = aPublication(jobId, 1);
  await completeJob(service.database, jobId, 1, { publication, warnings: [] });
}

async function fail(jobId: string): Promise<void> {
  await claimJob(service.database, jobId);
  const error = jobErrorOf(new Error('bug'), 'rendering', 1, new Date());
  await failJob(service.database, jobId, 1, { error, warnings: [] });
}

async function queueEntries(jobId: string): Promise<number> {
  return (await selectEntries(service.database)).filter(({ id }) => id === jobId).length;
}

describe('creating', () => {
  test('a new job matches the specification, and is read unchanged', async () => {
    const { service: jobService } = service.jobs;
    const video = aVideo();
    await service.jobs.videos.insert(video, null);
    const request = aJob(video.videoId, {
      templateVideoId: video.videoId,
      givenStyle: { version: '1.0.0' },
      config: { labels: { name: '\u0000 ü \ud800' } },
      webhookUrl: 'https://example.com/hook',
      warnings: [{ code: 'UNKNOWN_CONFIG_KEY', message: 'x' }],
    });
    const job = await jobService.create(request, null);
    assert.equal(job.status, 'queued');
    assert.equal(job.progressPercent, 0);
    assert.equal(job.attempt, 0);
    assert.deepEqual(job.config, request.config);
    assert.deepEqual(job.givenStyle, request.givenStyle);
    assert.deepEqual(job.warnings, request.warnings);
    assert.ok(Math.abs(job.createdAt.getTime() - Date.now()) < 5_000);
    assert.deepEqual(await jobService.get(job.jobId), job);
    assert.equal(await queueEntries(job.jobId), 1);
  });

  test('a request without an existing video is refused', async () => {
    const { videoId } = await newJob(service);
    const cases: [ErrorCode, string, string | null][] = [
      ['VIDEO_NOT_FOUND', newId(), null],
      ['VIDEO_NOT_FOUND', 'x', null],
      ['TEMPLATE_VIDEO_NOT_FOUND', videoId, newId()],
      ['TEMPLATE_VIDEO_NOT_FOUND', videoId, "'; drop table jobs; --"],
    ];
    for (const [code, source, templateVideoId] of cases) {
      const made = service.jobs.service.create(aJob(source, { templateVideoId }), null);
      await assert.rejects(made, failsWith(code));
    }
  });

  test('an expired video is refused', async () => {
    const { videoId } = await newJob(service);
    await service.database.query('update videos set expired_at = now() where video_id = $1', [videoId]);
    await assert.rejects(service.jobs.service.create(aJob(videoId), null), failsWith('VIDEO_EXPIRED'));
    assert.equal((await service.jobs.videos.get(videoId)).state, 'expired');
  });

  test('a creation that fails at its last step leaves no job, no queue entry and no answer', async () => {
    const video = aVideo();
    await service.jobs.videos.insert(video, null);
    const key = { key: newId(), requestHash: 'a' };
    const made: Job[] = [];
    const response = (job: Job) => {
      made.push(job);
      throw new Error('no answer');
    };
    await assert.rejects(service.jobs.service.create(aJob(video.videoId), { key, response }), /no answer/);
    const { jobId } = made[0];
    assert.equal(await service.jobs.service.get(jobId), null);
    assert.equal(await queueEntries(jobId), 0);
    assert.equal((await service.jobs.idempotency.begin(key)).state, 'new');
  });

  test('a full queue refuses', async () => {
    await using small = await openService({ shared, settings: { maxQueued: 2 } });
    await newJob(small);
    await newJob(small);
    await assert.rejects(newJob(small), failsWith('QUEUE_FULL'));
  });
});

describe('invalid ids', () => {
  for (const id of ['', 'x', "' or 1=1", '\u0000', newId()]) {
    test(JSON.stringify(id.length > 30 ? 'an unknown id' : id), async () => {
      const { service: jobService, videos } = service.jobs;
      assert.equal(await jobService.get(id), null);
      assert.equal((await videos.get(id)).state, 'unknown');
      for (const ask of ['cancel', 'retry', 'remove'] as const) {
        await assert.rejects(jobService[ask](id), failsWith('JOB_NOT_FOUND'));
      }
      await assert.rejects(videos.remove(id), failsWith('VIDEO_NOT_FOUND'));
      await assert.rejects(service.webhooks.service.list(id), failsWith('JOB_NOT_FOUND'));
      assert.equal((await jobService.list({ filter: { videoId: id }, page: 1, pageSize: 5 })).total, 0);
    });
  }
});

describe('idempotency', () => {
  const keyOf = (requestHash = 'hash'): IdempotencyKey => ({ key: newId(), requestHash });

  test('a key is new, running or answered; another request with the key is distinguished', async () => {
    const { idempotency, service: jobService } = service.jobs;
    const key = keyOf();
    assert.deepEqual(await idempotency.begin(key), { state: 'new' });
    assert.deepEqual(await idempotency.begin(key), { state: 'running' });
    assert.deepEqual(await idempotency.begin({ ...key, requestHash: 'other' }), { state: 'other_request' });
    const { videoId } = await newJob(service);
    const job = await jobService.create(aJob(videoId), {
      key,
      response: ({ jobId }) => ({ status: 201, body: { jobId } }),
    });
    const response = { status: 201, body: { jobId: job.jobId } };
    assert.deepEqual(await idempotency.begin(key), { state: 'answered', response });
    assert.deepEqual(await idempotency.begin({ ...key, requestHash: 'other' }), { state: 'other_request' });
  });

  test('a released key is new again; an answered one is not released', async () => {
    const { idempotency, videos } = service.jobs;
    const key = keyOf();
    await idempotency.begin(key);
    await idempotency.release(key);
    assert.equal((await idempotency.begin(key)).state, 'new');
    await videos.insert(aVideo(), { key, response: { status: 201, body: null } });
    await idempotency.release(key);
    assert.equal((await idempotency.begin(key)).state, 'answered');
  });

  test('an old answer is forgotten', async () => {
    await using forgetful = await openService({ shared, settings: { keepKeysSeconds: 0 } });
    const { idempotency, videos } = forgetful.jobs;
    const key = keyOf();
    await idempotency.begin(key);
    await videos.insert(aVideo(), { key, response: { status: 201, body: null } });
    await sleep(10);
    assert.equal((await idempotency.begin(key)).state, 'new');
  });

  test('another process claims an expired key, and its first owner cannot store an answer', async () => {
    const { idempotency, service: jobService } = service.jobs;
    const key = keyOf();
    await idempotency.begin(key);
    await service.database.query(
      `update idempotency_keys set claimed_at = now() - interval '1 minute', owner = $2 where key = $1`,
      [key.key, newId()],
    );
    const { videoId } = await newJob(service);
    const response = () => ({ status: 201, body: null });
    await assert.rejects(
      jobService.create(aJob(videoId), { key, response }),
      failsWith('IDEMPOTENCY_IN_PROGRESS'),
    );
    assert.equal((await idempotency.begin(key)).state, 'new');
  });

  test('200 equal keys at once make one job', async () => {
    const { idempotency, service: jobService } = service.jobs;
    const { videoId } = await newJob(service);
    const key = keyOf();
    const states = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { state } = await idempotency.begin(key);
        if (state === 'new')
          await jobService.create(aJob(videoId), { key, response: () => ({ status: 201, body: {} }) });
        return state;
      }),
    );
    assert.equal(states.filter((state) => state === 'new').length, 1);
    const { total } = await jobService.list({ filter: { videoId }, page: 1, pageSize: 1 });
    assert.equal(total, 2);
  });
});

describe('ending by hand', () => {
  test('a queued job is cancelled once, with its queue entry, and stays so', async () => {
    const { jobId } = await newJob(service);
    const cancelled = await service.jobs.service.cancel(jobId);
    assert.equal(cancelled.status, 'cancelled');
    assert.equal(await queueEntries(jobId), 0);
    assert.deepEqual(await service.jobs.service.cancel(jobId), cancelled);
  });

  test('an ended job cannot be cancelled', async () => {
    for (const end of [complete, fail]) {
      const { jobId } = await newJob(service);
      await end(jobId);
      await assert.rejects(service.jobs.service.cancel(jobId), failsWith('JOB_NOT_CANCELLABLE'));
    }
  });

  test('a failed or cancelled job is retried as a new job', async () => {
    const first = await newJob(service, { priority: 77, config: { seed: 3 } });
    await fail(first.jobId);
    const second = await service.jobs.service.retry(first.jobId);
    assert.equal(second.retryOf, first.jobId);
    assert.notEqual(second.jobId, first.jobId);
    assert.deepEqual(second.config, first.config);
    await assert.rejects(service.jobs.service.retry(second.jobId), failsWith('JOB_NOT_RETRYABLE'));
    await service.jobs.service.cancel(second.jobId);
    assert.equal((await service.jobs.service.retry(second.jobId)).retryOf, second.jobId);
    const rows = await service.database.query(
      'select priority from jobs where video_id = $1 group by priority',
      [first.videoId],
    );
    assert.deepEqual(rows, [{ priority: 77 }]);
  });

  test('a deleted job is removed with its files; an active one is not', async () => {
    const { jobId } = await newJob(service);
    const key = `jobs/${jobId}/1/output.mp4`;
    await service.blobs.put(key, Readable.from(['bytes']));
    await assert.rejects(service.jobs.service.remove(jobId), failsWith('JOB_NOT_TERMINAL'));
    await complete(jobId);
    await service.jobs.service.remove(jobId);
    assert.equal(await service.jobs.service.get(jobId), null);
    assert.equal(await queueEntries(jobId), 0);
    assert.equal(await service.blobs.head(key), null);
    await assert.rejects(service.jobs.service.remove(jobId), failsWith('JOB_NOT_FOUND'));
  });

  test('a video is removed with its bytes, but not while a job needs it, and not if another video shares them', async () => {
    const { videos, service: jobService } = service.jobs;
    const video = aVideo();
    const twin = aVideo({ blobKey: video.blobKey });
    await service.blobs.put(video.blobKey, Readable.from(['bytes']));
    await videos.insert(video, null);
    await videos.insert(twin, null);
    const asTemplate = await newJob(service, { templateVideoId: video.videoId });
    await assert.rejects(videos.remove(video.videoId), failsWith('VIDEO_IN_USE'));
    await jobService.cancel(asTemplate.jobId);
    await videos.remove(video.videoId);
    assert.equal((await videos.get(video.videoId)).state, 'unknown');
    assert.notEqual(await service.blobs.head(video.blobKey), null);
    await videos.remove(twin.videoId);
    assert.equal(await service.blobs.head(video.blobKey), null);
    await assert.rejects(jobService.retry(asTemplate.jobId), failsWith('TEMPLATE_VIDEO_NOT_FOUND'));
  });
});

describe('looking', () => {
  test('pages and cursors walk all jobs once, newest first, also those of one millisecond', async () => {
    const { service: jobService, videos } = service.jobs;
    const video = aVideo();
    await videos.insert(video, null);
    const made: Job[] = [];
    for (let count = 0; count < 7; count++) made.push(await jobService.create(aJob(video.videoId), null));
    await service.database.query('update jobs set created_at = $2 where video_id = $1', [
      video.videoId,
      new Date(0),
    ]);
    const expected = made
      .map(({ jobId }) => jobId)
      .sort()
      .reverse();
    const filter = { videoId: video.videoId };
    const paged: string[] = [];
    for (let page = 1; page <= 3; page++) {
      const { items, total } = await jobService.list({ filter, page, pageSize: 3 });
      assert.equal(total, 7);
      paged.push(...items.map(({ jobId }) => jobId));
    }
    assert.deepEqual(paged, expected);
    const walked: string[] = [];
    let next: string | null = null;
    do {
      const listing = await jobService.list({
        filter,
        page: 1,
        pageSize: 3,
        ...(next === null ? {} : { cursor: next }),
      });
      walked.push(...listing.items.map(({ jobId }) => jobId));
      next = listing.nextCursor;
    } while (next !== null);
    assert.deepEqual(walked, expected);
    const past = await jobService.list({ filter, page: 99, pageSize: 3 });
    assert.deepEqual([past.items.length, past.total, past.nextCursor], [0, 7, null]);
    await jobService.cancel(expected[0]);
    const ended = await jobService.list({
      filter: { ...filter, status: ['cancelled'] },
      page: 1,
      pageSize: 9,
    });
    assert.deepEqual(
      ended.items.map(({ jobId }) => jobId),
      [expected[0]],
    );
  });

  test('jobs and videos are found by parts of their names, in any case, and nothing in a name is special', async () => {
    await using quiet = await openService({ shared });
    const { service: jobService, videos } = quiet.jobs;
    // The letter and its accent apart, as macOS sends them.
    const named = ['Beach 100%.MP4', 'E\u0301T\u00C9_dans_l_eau.mov', 'look.png', "it's.mp4"];
    const stored = named.map((filename) =>
      aVideo({
        filename,
        ...(filename === 'look.png' ? { contentType: 'image/png', durationSeconds: 0 } : {}),
      }),
    );
    for (const video of stored) await videos.insert(video, null);
    const [beach, summer, look, its] = stored.map(({ videoId }) => videoId);
    const made: Job[] = [];
    for (const changes of [
      aJob(beach!, { templateVideoId: look! }),
      aJob(summer!, { preset: 'noir' }),
      aJob(its!, { templateVideoId: beach! }),
    ])
      made.push(await jobService.create(changes, null));
    const [first, second, third] = made;
    assert.deepEqual(
      [first!.sourceFilename, first!.templateFilename, second!.preset],
      ['Beach 100%.MP4', 'look.png', 'noir'],
    );
    assert.deepEqual(await jobService.get(second!.jobId), second);
    const idsOf = async (text: string) => {
      const { items, total } = await jobService.list({ filter: { text }, page: 1, pageSize: 9 });
      assert.equal(items.length, total);
      return items.map(({ jobId }) => made.findIndex((job) => job.jobId === jobId)).sort();
    };
    for (const [text, expected] of [
      ['beach', [0, 2]],
      ['BEACH 100', [0, 2]],
      ['100%', [0, 2]],
      ['\u00E9t\u00E9', [1]],
      ['%', [0, 2]],
      ['_', [1]],
      ['look', [0]],
      ["it's", [2]],
      ["'; drop table jobs; --", []],
      ['mp4\nlook', [0]],
      ['\\', []],
    ] as const)
      assert.deepEqual(await idsOf(text), expected, text);
    const inStyle = await jobService.list({ filter: { preset: 'noir' }, page: 1, pageSize: 9 });
    assert.deepEqual([inStyle.total, inStyle.items.map(({ jobId }) => jobId)], [1, [second!.jobId]]);
    const inOther = await jobService.list({ filter: { preset: 'neon-night' }, page: 1, pageSize: 9 });
    assert.equal(inOther.total, 0);
    await jobService.cancel(third!.jobId);
    const several = { filter: { text: 'beach', status: ['queued', 'cancelled'] as const } };
    assert.equal((await jobService.list({ ...several, page: 1, pageSize: 1 })).total, 2);
    const two = await jobService.list({ filter: { status: ['cancelled', 'failed'] }, page: 1, pageSize: 9 });
    assert.deepEqual([two.total, two.items.map(({ jobId }) => jobId)], [1, [third!.jobId]]);
    const retried = await jobService.retry(third!.jobId);
    assert.deepEqual([retried.sourceFilename, retried.templateFilename], ["it's.mp4", 'Beach 100%.MP4']);
    // The longest names, in four bytes a letter, because they are in an index.
    const long = [aVideo({ filename: '𝔸'.repeat(255) }), aVideo({ filename: '𝔹'.repeat(255) })];
    for (const video of long) await videos.insert(video, null);
    const [one, other] = long.map(({ videoId }) => videoId);
    const longest = await jobService.create(aJob(one!, { templateVideoId: other! }), null);
    const found = await jobService.list({ filter: { text: '𝔹'.repeat(50) }, page: 1, pageSize: 9 });
    assert.deepEqual(
      found.items.map(({ jobId }) => jobId),
      [longest.jobId],
    );
    const videosOf = async (filter: VideoFilter) =>
      (await videos.list({ filter, page: 1, pageSize: 9 })).items.map(({ filename }) => filename).sort();
    assert.deepEqual(await videosOf({ kind: 'image' }), ['look.png']);
    assert.deepEqual(await videosOf({ kind: 'video', text: 'MP4' }), ['Beach 100%.MP4', "it's.mp4"]);
    assert.deepEqual(await videosOf({ text: 'dans' }), [named[1]]);
  });

  for (const cursor of ['', 'x', '////', Buffer.from('1 x').toString('base64url')]) {
    test(`the cursor ${JSON.stringify(cursor)} is a wrong field`, async () => {
      const list = service.jobs.service.list({ filter: {}, page: 1, pageSize: 1, cursor });
      await assert.rejects(list, failsWith('VALIDATION_ERROR'));
    });
  }

  test('videos are listed newest first', async () => {
    const videos = [1, 3, 2].map((day) => aVideo({ createdAt: new Date(Date.UTC(2090, 0, day)) }));
    for (const video of videos) await service.jobs.videos.insert(video, null);
    const first = await service.jobs.videos.list({ filter: {}, page: 1, pageSize: 2 });
    assert.deepEqual(first.items, [videos[1], videos[2]]);
    const rest = await service.jobs.videos.list({
      filter: {},
      page: 1,
      pageSize: 1,
      cursor: first.nextCursor!,
    });
    assert.deepEqual(rest.items, [videos[0]]);
  });

  test('the place in the queue follows priority, then age', async () => {
    await using quiet = await openService({ shared });
    const low = await newJob(quiet, { priority: 1 });
    const high = await newJob(quiet, { priority: 99 });
    const later = await newJob(quiet, { priority: 99 });
    const positions = [];
    for (const job of [high, later, low])
      positions.push((await quiet.jobs.service.outlook(job)).queuePosition);
    assert.deepEqual(positions, [1, 2, 3]);
    const { queued, processing, workers, oldestQueuedSeconds } = await quiet.jobs.service.figures();
    assert.deepEqual([queued, processing, workers], [3, 0, 0]);
    assert.ok(oldestQueuedSeconds !== null && oldestQueuedSeconds >= 0);
    assert.equal(
      (await quiet.jobs.service.outlook(await quiet.jobs.service.cancel(low.jobId))).queuePosition,
      null,
    );
  });

  test('clients alternate, independent of the order and number of their jobs', async () => {
    await using quiet = await openService({ shared });
    const many = [];
    for (let n = 0; n < 20; n++) many.push(await newJob(quiet, { client: 'many' }));
    const few = await newJob(quiet, { client: 'few' });
    const urgent = await newJob(quiet, { client: 'many', priority: 99 });
    const second = await newJob(quiet, { client: 'few' });
    const placeOf = async ({ jobId }: Job) =>
      (await quiet.jobs.service.outlook((await quiet.jobs.service.get(jobId))!)).queuePosition;
    assert.equal(await placeOf(urgent), 1);
    assert.equal(await placeOf(many[0]), 2);
    assert.equal(await placeOf(few), 3);
    assert.equal(await placeOf(many[1]), 4);
    assert.equal(await placeOf(second), 5);
    assert.equal(await placeOf(many[19]), 23);
    // Finished jobs do not count against a client that returns.
    for (const job of [urgent, many[0], few]) await quiet.jobs.service.cancel(job.jobId);
    const third = await newJob(quiet, { client: 'few' });
    assert.equal(await placeOf(third), 4);
  });

  test('jobs that are created together have turns one after the other, by client and priority', async () => {
    await using quiet = await openService({ shared });
    for (let n = 0; n < 3; n++) await newJob(quiet, { client: 'many', priority: 50 });
    await newJob(quiet, { client: 'other', priority: 99 });
    const of = (client: string, priority: number) => ({ client, priority });
    const requested = [
      ...[of('many', 50), of('many', 50), of('new', 50), of('new', 50)],
      ...[of('many', 99), of('other', 99), of('other', 50), of('new', 50), of('new', 1)],
    ];
    assert.deepEqual(await nextTurns(quiet.database, requested), [3, 4, 0, 1, 0, 1, 0, 2, 0]);
    // The first of those that wait has its turn now: a newcomer has the same.
    await quiet.database.query(`update jobs set turn = turn + 7 where client = 'many'`);
    assert.deepEqual(await nextTurns(quiet.database, [of('many', 50), of('new', 50)]), [10, 7]);
    await quiet.database.query(`update jobs set status = 'cancelled', completed_at = now()`);
    assert.deepEqual(await nextTurns(quiet.database, [of('many', 50), of('new', 50)]), [0, 0]);
  });

  test('a job that runs is a turn of its client, and holds none of the others back', async () => {
    await using quiet = await openService({ shared });
    const running = await newJob(quiet, { client: 'many', priority: 50 });
    await newJob(quiet, { client: 'waiting', priority: 50 });
    await quiet.database.query(
      `update jobs set status = 'processing', stage = 'rendering', started_at = now(), attempt = 1, turn = 4 where job_id = $1`,
      [running.jobId],
    );
    const of = (client: string) => ({ client, priority: 50 });
    assert.deepEqual(await nextTurns(quiet.database, [of('many'), of('new')]), [5, 0]);
  });

  test('the newest analysis of a video is no job of another kind, nor of another video', async () => {
    await using quiet = await openService({ shared });
    const { service: jobService, videos } = quiet.jobs;
    const [video, other] = [aVideo(), aVideo()];
    for (const one of [video, other]) await videos.insert(one, null);
    const latest = async () => (await jobService.products.latest('analysis', video))?.jobId;
    const make = async (of: typeof video, product: Product | null) => {
      const { jobId } = await jobService.create(aJob(of.videoId, { product }), null);
      return jobId;
    };
    await make(other, { kind: 'analysis' });
    await make(video, null);
    const draft = await make(video, { kind: 'draft', startSeconds: 0, durationSeconds: 4 });
    assert.equal(await latest(), undefined);
    const first = await make(video, { kind: 'analysis' });
    assert.equal(await latest(), first);
    const second = await make(video, { kind: 'analysis' });
    await make(video, null);
    assert.equal(await latest(), second);
    // Products other than styled videos are not among the jobs.
    assert.equal(await jobService.get(draft), null);
    assert.equal((await jobService.products.get(draft))?.jobId, draft);
    await assert.rejects(
      jobService.retry((await jobService.cancel(draft)).jobId),
      failsWith('JOB_NOT_FOUND'),
    );
    assert.equal(await jobService.products.latest('analysis', { videoId: 'x' }), null);
  });

  test('the remaining time of a job is reported during its work, with the template’s analysis', async () => {
    await using quiet = await openService({ shared });
    const { service: jobService, videos } = quiet.jobs;
    const [source, look] = [aVideo(), aVideo({ width: 1280, height: 720, durationSeconds: 40 })];
    for (const video of [source, look]) await videos.insert(video, null);
    const config = { quality: 'medium', resolution: 'source', comparison: false } as const;
    const measured = measuringSeconds(source);
    for (const [template, expected] of [
      [null, measured],
      [look, measured + measuringSeconds(look)],
    ] as const) {
      const request = aJob(source.videoId, { templateVideoId: template?.videoId ?? null, config });
      const queued = await jobService.create(request, null);
      assert.equal((await jobService.outlook(queued)).etaSeconds, null);
      const { job } = (await claimJob(quiet.database, queued.jobId))!;
      const output = likelyOutput(source, config, template && Math.min(template.width, template.height));
      const work = {
        ...{ measured: expected, planned: PLANNING_SECONDS },
        drawn: drawingSeconds(source, output, config),
      };
      const after = async (seconds: number) =>
        etaSeconds(quiet.database, job, new Date(job.startedAt.getTime() + seconds * 1000));
      assert.equal(await after(0), secondsLeft(work, 0, 0));
      assert.equal(await after(60), secondsLeft(work, 0, 60));
      assert.equal(await after(-3600), secondsLeft(work, 0, 0), 'a clock behind the database’s');
      await jobService.cancel(job.jobId);
    }
    const { job } = (await claimJob(quiet.database, (await newJob(quiet)).jobId))!;
    assert.equal(await etaSeconds(quiet.database, { ...job, videoId: newId() }, new Date()), null);
  });

  test('the remaining time of an edit counts all of its takes, its song, and its length, at most all takes', async () => {
    await using quiet = await openService({ shared });
    const { service: jobService, videos } = quiet.jobs;
    const source = aVideo();
    const take = aVideo({ durationSeconds: 60 });
    const song = aVideo({ durationSeconds: 50, audioCodec: 'mp3' });
    const look = aVideo({ durationSeconds: 40 });
    for (const video of [source, take, song, look]) await videos.insert(video, null);
    const config = { quality: 'medium', resolution: 'source', comparison: false } as const;
    const withSong = { music: { video_id: song.videoId } };
    const counted = [{ video_id: take.videoId }, { video_id: source.videoId }];
    // [duration, song, look, seconds that are drawn of 12.5 and 60 s of takes]
    for (const [duration, music, template, drawnSeconds] of [
      [30, withSong, null, 30],
      [100, withSong, null, 72.5],
      ['music', withSong, look, 50],
      ['template', withSong, look, 40],
      ['template', withSong, null, 72.5],
    ] as const) {
      const edit = editSchema.parse({ takes: counted, ...music, duration });
      const request = aJob(source.videoId, { edit, config, templateVideoId: template?.videoId ?? null });
      const { job } = (await claimJob(quiet.database, (await jobService.create(request, null)).jobId))!;
      const lines = template && Math.min(template.width, template.height);
      const parts = [source, ...(template === null ? [] : [template])].map(measuringSeconds);
      const others = [take, song].map(({ durationSeconds }) => measuringSeconds({ durationSeconds }));
      const work = {
        ...{ measured: [...parts, ...others].reduce((sum, one) => sum + one), planned: PLANNING_SECONDS },
        drawn: drawingSeconds({ durationSeconds: drawnSeconds }, likelyOutput(source, config, lines), config),
      };
      assert.equal(
        await etaSeconds(quiet.database, job, job.startedAt),
        secondsLeft(work, 0, 0),
        `${duration}`,
      );
      await jobService.cancel(job.jobId);
    }
  });

  test('waiting ends with the job, with its time, or with its signal', async () => {
    const { service: jobService } = service.jobs;
    const { jobId } = await newJob(service);
    const never = new AbortController().signal;
    assert.equal((await jobService.waitForEnd(jobId, 30, never))?.status, 'queued');
    assert.equal((await jobService.waitForEnd(jobId, 60_000, AbortSignal.timeout(30)))?.status, 'queued');
    const waiting = jobService.waitForEnd(jobId, 60_000, never);
    await jobService.cancel(jobId);
    assert.equal((await waiting)?.status, 'cancelled');
    assert.equal(await jobService.waitForEnd(newId(), 60_000, never), null);
  });

  test('watching reports every status, and ends', async () => {
    const { service: jobService } = service.jobs;
    const { jobId } = await newJob(service);
    const { database } = service;
    const frame = { sequence: 1, atSeconds: 0 };
    // Each changes one property only.
    const steps: (readonly [string, () => Promise<unknown>])[] = [
      ['queued', () => claimJob(database, jobId)],
      ['processing', () => writeProgress(database, jobId, 1, { percent: 7, frame: null })],
      ['processing', () => writeProgress(database, jobId, 1, { percent: 7, frame })],
      [
        'processing',
        () => advanceJob(database, jobId, 1, { stage: 'rendering', progressPercent: 7, warnings: [] }),
      ],
      ['processing', () => claimJob(database, jobId)],
      ['processing', () => jobService.cancel(jobId)],
      ['cancelled', async () => {}],
    ];
    const observed: string[] = [];
    for await (const job of jobService.watch(jobId, AbortSignal.timeout(5_000))) {
      observed.push(job.status);
      await steps[observed.length - 1]?.[1]();
    }
    assert.deepEqual(
      observed,
      steps.map(([status]) => status),
    );
  });

  test('an unchanged state is not reported, and the signal ends the watch', async () => {
    const { service: jobService } = service.jobs;
    const { jobId } = await newJob(service);
    const stop = new AbortController();
    const observed: string[] = [];
    for await (const job of jobService.watch(jobId, stop.signal)) {
      observed.push(job.status);
      // A notification without a change.
      await service.database.query('select pg_notify($1, $2)', [JOB_CHANGED_CHANNEL, `${jobId} queued`]);
      setTimeout(() => stop.abort(), 50);
    }
    assert.deepEqual(observed, ['queued']);
    assert.deepEqual(await Array.fromAsync(jobService.watch(newId(), AbortSignal.timeout(5_000))), []);
  });

  test('changes are sent to watchers of that job only, until they stop watching', async () => {
    const changes = new JobChanges();
    await changes.start(service.database);
    const [{ jobId }, other] = [await newJob(service), await newJob(service)];
    const heard: string[][] = [[], [], []];
    const first = changes.watch(jobId, (status) => heard[0].push(status));
    const second = changes.watch(jobId, (status) => heard[1].push(status));
    using _other = changes.watch(other.jobId, (status) => heard[2].push(status));
    const until = async (count: number) => {
      for (let looks = 0; heard[1].length < count && looks < 500; looks++) await sleep(5);
    };
    await claimJob(service.database, jobId);
    await until(1);
    first[Symbol.dispose]();
    await service.jobs.service.cancel(jobId);
    await until(2);
    second[Symbol.dispose]();
    await changes.stop();
    await service.jobs.service.cancel(other.jobId);
    await sleep(20);
    assert.deepEqual(heard, [['processing'], ['processing', 'cancelled'], []]);
  });
});
