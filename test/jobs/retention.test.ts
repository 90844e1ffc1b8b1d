import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { Readable } from 'node:stream';
import { after, beforeEach, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import { editSchema } from '../../src/domain/edit-options.ts';
import { type ErrorCode, isFailure } from '../../src/domain/errors.ts';
import { jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import { claimJob, completeJob, failJob } from '../../src/jobs/model/job-store.ts';
import { BlobProxyService } from '../../src/pipeline/previews/proxy-service.ts';
import { Results } from '../../src/pipeline/stages/results.ts';
import { captionsBlobKey } from '../../src/storage/blob-names.ts';
import { Retention } from '../../src/videos/retention.ts';
import type { Video } from '../../src/videos/video.ts';
import { aJob, aPublication, aVideo, openService, SILENT } from '../support/jobs.ts';
import { storeProxy } from '../support/stored-proxy.ts';

const DAY_MS = 86_400_000;
const ROOTS = ['videos/', 'styles/', 'jobs/', 'results/', 'previews/', 'segments/'];
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const service = await openService({ settings: { retentionDays: 2, clock } });
after(() => service[Symbol.asyncDispose]());
const { blobs, database, jobs } = service;
const results = new Results(blobs);
beforeEach(async () => {
  aheadMs = 0;
  for (const root of ROOTS) await blobs.removeAll(root);
});

const failsWith = (code: ErrorCode) => (error: unknown) => isFailure(error, code);
const put = (key: string) => blobs.put(key, Readable.from(['bytes']));
const stored = async () => (await Promise.all(ROOTS.map((root) => Array.fromAsync(blobs.list(root))))).flat();

/** A video with its bytes, its captions and its measurements. */
async function keptVideo(changes: Partial<Video> = {}): Promise<Video> {
  const sha256 = newId().replaceAll('-', '').repeat(2);
  const video = aVideo({ sha256, expiresAt: new Date(Date.now() + 2 * DAY_MS), ...changes });
  await put(video.blobKey);
  await put(captionsBlobKey(video.videoId));
  await results.save('video', video.sha256, { shots: [] });
  await results.save('plan', `${video.sha256}-${'ef'.repeat(32)}`, {});
  await jobs.videos.insert(video, null);
  return video;
}

async function completedJob(videoId: string): Promise<string> {
  const { jobId } = await jobs.service.create(aJob(videoId), null);
  await claimJob(database, jobId);
  const publication = aPublication(jobId, 1);
  await put(publication.output.blobKey);
  assert.ok(await completeJob(database, jobId, 1, { publication, warnings: [], keepDays: 2 }));
  return jobId;
}

test('a video and a result expire by the clock, and the sweep removes their files', async () => {
  const { videoId } = await keptVideo();
  const jobId = await completedJob(videoId);
  aheadMs = 1.9 * DAY_MS;
  await jobs.retention.sweepExpired();
  assert.equal((await stored()).length, 5);
  assert.equal((await jobs.videos.get(videoId)).state, 'present');
  const retained = await jobs.service.get(jobId);
  assert.ok(retained?.status === 'completed' && retained.publication !== null);
  assert.equal(retained.expiresAt!.getTime() - retained.completedAt.getTime(), 2 * DAY_MS);

  aheadMs = 2.1 * DAY_MS;
  for (const swept of [false, true]) {
    assert.equal((await jobs.videos.get(videoId)).state, 'expired');
    assert.equal((await jobs.videos.list({ filter: {}, page: 1, pageSize: 10 })).total, 0);
    await assert.rejects(jobs.service.create(aJob(videoId), null), failsWith('VIDEO_EXPIRED'));
    await assert.rejects(jobs.videos.remove(videoId), failsWith('VIDEO_EXPIRED'));
    const job = await jobs.service.get(jobId);
    assert.ok(job?.status === 'completed' && job.publication === null, `swept: ${swept}`);
    await jobs.retention.sweepExpired();
    assert.deepEqual(await stored(), []);
  }
});

test('a proxy outlives its job, and expires with the last video of its content', async () => {
  const first = await keptVideo();
  const { sha256 } = first;
  await keptVideo({ sha256, expiresAt: new Date(Date.now() + 4 * DAY_MS) });
  const proxy = await storeProxy(blobs, sha256);
  const { jobId } = await jobs.service.create(aJob(first.videoId, { product: { kind: 'proxy' } }), null);
  await claimJob(database, jobId);
  const publication = { style: null, output: proxy.file, artifacts: [] };
  assert.ok(await completeJob(database, jobId, 1, { publication, warnings: [], keepDays: 2 }));
  const proxies = new BlobProxyService({ blobs });
  for (const [days, isStored] of [
    [1.1, true],
    [2.1, true],
    [4.1, false],
  ] as const) {
    aheadMs = days * DAY_MS;
    await jobs.retention.sweepExpired();
    assert.equal(await jobs.service.products.get(jobId), null);
    assert.deepEqual(await proxies.load({ sha256 }), isStored ? proxy : null, `after ${days} days`);
  }
  assert.deepEqual(await stored(), []);
});

test('previews, drafts and analyses are stored for a day, and are in no list of jobs', async () => {
  const { videoId, sha256 } = await keptVideo();
  const listed = async () => (await jobs.service.list({ filter: {}, page: 1, pageSize: 10 })).total;
  const counts = async () =>
    (await database.query('select coalesce(sum(jobs), 0)::integer as count from job_counts'))[0]['count'];
  const { queued } = await jobs.service.figures();
  const [total, counted] = [await listed(), await counts()];
  const product = { kind: 'draft', startSeconds: 0, durationSeconds: 5 } as const;
  const { jobId } = await jobs.service.create(aJob(videoId, { product }), null);
  assert.equal(await jobs.service.get(jobId), null);
  assert.deepEqual((await jobs.service.products.get(jobId))?.product, product);
  assert.deepEqual([await listed(), (await jobs.service.figures()).queued], [total, queued + 1]);
  await claimJob(database, jobId);
  assert.deepEqual([await listed(), (await jobs.service.figures()).processing], [total, 1]);
  const publication = aPublication(jobId, 1);
  await put(publication.output.blobKey);
  assert.ok(await completeJob(database, jobId, 1, { publication, warnings: [], keepDays: null }));
  await put(`previews/${sha256.slice(0, 32)}/${'ab'.repeat(16)}/preview.jpg`);
  const files = (await stored()).length;

  aheadMs = 0.9 * DAY_MS;
  await jobs.retention.sweepExpired();
  assert.equal((await stored()).length, files);
  assert.ok((await jobs.service.products.get(jobId)) !== null);
  aheadMs = 1.1 * DAY_MS;
  await jobs.retention.sweepExpired();
  assert.equal((await stored()).length, files - 2);
  assert.equal(await jobs.service.products.get(jobId), null);
  assert.equal(await counts(), counted);
});

test('rendered segments of edits are stored for a week, or until their take is deleted', async () => {
  const soon = await keptVideo();
  const { sha256 } = await keptVideo({ expiresAt: new Date(Date.now() + 9 * DAY_MS) });
  const segmentOf = (content: string) => `segments/${content.slice(0, 32)}/${'ab'.repeat(32)}.mp4`;
  await put(segmentOf(soon.sha256));
  await put(segmentOf(sha256));
  for (const [days, left] of [
    [1.9, [soon.sha256, sha256]],
    [2.1, [sha256]],
    [6.9, [sha256]],
    [7.1, []],
  ] as const) {
    aheadMs = days * DAY_MS;
    await jobs.retention.sweepExpired();
    const found = (await stored()).filter((key) => key.startsWith('segments/'));
    assert.deepEqual(found.sort(), left.map(segmentOf).sort(), `${days} days`);
  }
});

test('a job that has not ended protects its videos', async () => {
  const source = await keptVideo();
  const template = await keptVideo();
  const { jobId } = await jobs.service.create(
    aJob(source.videoId, { templateVideoId: template.videoId }),
    null,
  );
  aheadMs = 3 * DAY_MS;
  await jobs.retention.sweepExpired();
  assert.equal((await stored()).length, 8);
  await claimJob(database, jobId);
  await jobs.retention.sweepExpired();
  assert.equal((await stored()).length, 8);
  const error = jobErrorOf(new Error('bug'), 'rendering', 1, new Date());
  await failJob(database, jobId, 1, { error, warnings: [] });
  await jobs.retention.sweepExpired();
  assert.deepEqual(await stored(), []);
  await assert.rejects(jobs.service.retry(jobId), failsWith('VIDEO_EXPIRED'));
});

test('an edit that has not ended keeps its takes and its music', async () => {
  const [source, take, music] = [
    await keptVideo(),
    await keptVideo(),
    await keptVideo({ audioCodec: 'aac' }),
  ];
  const edit = editSchema.parse({
    takes: [{ video_id: take.videoId }],
    music: { video_id: music.videoId },
  });
  const { jobId } = await jobs.service.create(aJob(source.videoId, { edit }), null);
  aheadMs = 3 * DAY_MS;
  await jobs.retention.sweepExpired();
  assert.equal((await stored()).length, 12);
  for (const { videoId } of [take, music])
    await assert.rejects(jobs.videos.remove(videoId), failsWith('VIDEO_EXPIRED'));
  await jobs.service.cancel(jobId);
  await jobs.retention.sweepExpired();
  assert.deepEqual(await stored(), []);
  await assert.rejects(jobs.service.retry(jobId), failsWith('VIDEO_EXPIRED'));
  await jobs.service.remove(jobId);
  assert.deepEqual(await database.query('select * from job_videos'), []);
});

test('measurements persist until the last video with the same bytes is deleted', async () => {
  const first = await keptVideo();
  const second = await keptVideo({ sha256: first.sha256 });
  await jobs.videos.remove(first.videoId);
  assert.ok(await results.load('video', first.sha256));
  await jobs.videos.remove(second.videoId);
  assert.equal(await results.has('video', first.sha256), false);
  assert.deepEqual(await stored(), []);
});

test('files without an owner are removed once they are old; others stay', async () => {
  const { videoId, sha256 } = await keptVideo();
  const jobId = await completedJob(videoId);
  const { jobId: queued } = await jobs.service.create(aJob(videoId), null);
  await put(`jobs/${queued}/1/output.mp4`);
  const owned = await stored();
  assert.equal(
    owned.filter((key) => key.includes(videoId) || key.includes(jobId) || key.includes(sha256)).length,
    5,
  );
  const orphans = [
    `videos/${newId()}`,
    `styles/${newId()}.jpg`,
    captionsBlobKey(newId()),
    `jobs/${newId()}/1/output.mp4`,
    `results/ab/${'ab'.repeat(32)}/sound-1.json`,
  ];
  for (const key of orphans) await put(key);
  await jobs.retention.sweepOrphans();
  assert.equal((await stored()).length, owned.length + orphans.length);
  // Owned files have the same age as the others: age alone removes nothing.
  for (const key of [...owned, ...orphans]) {
    await using file = await blobs.localPath(key);
    utimesSync(file.path, new Date(), new Date(Date.now() - 2 * 3_600_000));
  }
  await jobs.retention.sweepOrphans();
  assert.deepEqual(await stored(), owned);
});

test('a removal that fails does not stop the others, and is reported', async () => {
  const videos = [await keptVideo(), await keptVideo(), await keptVideo()];
  await put('jobs/0195e0a0-0000-7000-8000-000000000001/output.mp4');
  await put('jobs/0195e0a0-0000-7000-8000-000000000002/output.mp4');
  const isBroken = { video: true, orphan: true };
  const failing = new Proxy(blobs, {
    get(target, name) {
      if (name !== 'remove') {
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return async (key: string) => {
        if (isBroken.video && key === videos[0].blobKey) throw new Error(`EIO ${key}`);
        if (isBroken.orphan && key.includes('000000000001')) throw new Error(`EIO ${key}`);
        await target.remove(key);
      };
    },
  });
  const retention = new Retention({ database, blobs: failing, logger: SILENT, clock });
  const reported = { name: 'AggregateError', message: /^1 step of a sweep failed.*EIO/ };
  aheadMs = 2.1 * DAY_MS;
  await assert.rejects(retention.sweepExpired(), reported);
  for (const { videoId } of videos) assert.equal((await jobs.videos.get(videoId)).state, 'expired');
  const left = await stored();
  assert.ok(!left.includes(videos[1].blobKey) && !left.includes(videos[2].blobKey), left.join());
  isBroken.video = false;
  await assert.rejects(retention.sweepOrphans(), reported);
  assert.deepEqual(await stored(), ['jobs/0195e0a0-0000-7000-8000-000000000001/output.mp4']);
  isBroken.orphan = false;
  await retention.sweepOrphans();
  assert.deepEqual(await stored(), []);
});

describe('a step of a sweep that fails stops no other:', () => {
  /** The same object with one method that throws while `isBroken` returns true. */
  function failing<T extends object>(target: T, method: string, isBroken: (text: string) => boolean): T {
    return new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return name !== method
          ? value.bind(target)
          : (text: string, ...rest: unknown[]) => {
              if (isBroken(text)) throw new Error(`EIO ${text}`);
              return value.call(target, text, ...rest);
            };
      },
    });
  }
  const old = async (key: string) => {
    await put(key);
    await using file = await blobs.localPath(key);
    utimesSync(file.path, new Date(), new Date(Date.now() - 2 * 3_600_000));
  };
  const preview = `previews/${'a'.repeat(32)}/${'ab'.repeat(16)}/preview.jpg`;

  for (const [step, table] of [
    ['videos', /from videos where expires_at/],
    ['results', /update jobs set expired_at/],
    ['imports', /delete from imports/],
    ['products', /delete from jobs/],
  ] as const)
    test(`${step} that cannot be read`, async () => {
      const video = await keptVideo();
      const jobId = await completedJob(video.videoId);
      await put(preview);
      const broken = failing(database, 'query', (sql) => table.test(sql));
      const retention = new Retention({ database: broken, blobs, logger: SILENT, clock });
      aheadMs = 2.1 * DAY_MS;
      await assert.rejects(retention.sweepExpired(), /1 step of a sweep failed, the first: Error: EIO/);
      const left = await stored();
      assert.equal(left.includes(preview), false);
      assert.equal(left.includes(video.blobKey), step === 'videos');
      assert.equal(
        left.some((key) => key.includes(jobId)),
        step === 'results',
      );
      await jobs.retention.sweepExpired();
      assert.deepEqual(await stored(), []);
    });

  test('previews that cannot be listed, and a file that cannot be removed', async () => {
    const video = await keptVideo();
    const unlisted = failing(blobs, 'list', (prefix) => prefix === 'previews/');
    const broken = failing(unlisted, 'remove', (key) => key === video.blobKey);
    const retention = new Retention({ database, blobs: broken, logger: SILENT, clock });
    aheadMs = 2.1 * DAY_MS;
    await assert.rejects(retention.sweepExpired(), (error) => {
      assert.ok(error instanceof AggregateError);
      assert.match(error.errors.join(), new RegExp(`EIO ${video.blobKey}.*EIO previews/`));
      return true;
    });
  });

  test('orphans of one kind that cannot be listed', async () => {
    const orphans = [`videos/${newId()}`, `jobs/${newId()}/1/a`, `results/ab/${'ab'.repeat(32)}/a.json`];
    for (const key of orphans) await old(key);
    const retention = new Retention({
      ...{ database, logger: SILENT, clock },
      blobs: failing(blobs, 'list', (prefix) => prefix === 'videos/'),
    });
    await assert.rejects(retention.sweepOrphans(), /1 step of a sweep failed.*EIO videos/);
    assert.deepEqual(await stored(), orphans.slice(0, 1));
  });
});
