/** Storage that goes away for 20 s while jobs wait and run: a bucket behind a connection that is cut, a disk that answers EIO. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type pg from 'pg';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mountFailingDisk } from '../support/failing-disk.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { openPool, type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, filesUnder, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** As many as fill the queue during the outage, and more of one cause. */
const FEWER_JOBS = IS_FULL ? 28 : 10;
const ENDED_BEFORE = 2;
const QUEUED_DURING = 4;
const JOBS = IS_FULL ? 60 : FEWER_JOBS;
const WORKERS = 2;
const AWAY_MS = 20_000;
/** Until then a worker may use its last check. */
const NOTICED_MS = 3_500;
const ALL_ENDED_MS = 240_000;

const folder = temporaryFolder();
const clip = await makeClip(folder, {
  name: 'clip',
  durationSeconds: 0.6,
  width: 160,
  height: 90,
  silent: true,
});

interface Row {
  readonly job_id: string;
  readonly status: string;
  readonly attempt: number;
  readonly started_at: Date | null;
  readonly error: { readonly code: string } | null;
}

interface Place {
  readonly service: Service;
  readonly database: pg.Pool;
  readonly hook: Receiver;
  readonly jobs: number;
  readonly fail: () => void;
  readonly mend: () => void;
  /** Names of files below `jobs/`. */
  readonly stored: () => Promise<readonly string[]>;
}

const rowsOf = async ({ database }: Place) =>
  (
    await database.query<Row>(
      'select job_id, status, attempt, started_at, error from jobs order by created_at',
    )
  ).rows;

async function createJobs({ service, hook, jobs }: Place): Promise<void> {
  const video_id = await uploaded(service, clip);
  for (let seed = 0; seed < jobs; seed++) {
    const json = { video_id, webhook_url: hook.url, config: { quality: 'low', seed } };
    const { status } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
    assert.equal(status, 201);
  }
}

/** Watches until the time is over; returns the time until health reported it. */
async function watched(place: Place, failedAtMs: number): Promise<number> {
  const { service } = place;
  let noticedMs = Number.NaN;
  while (performance.now() - failedAtMs < AWAY_MS) {
    const { status } = await call(service.baseUrl, 'GET', '/api/v1/health');
    if (status === 503 && Number.isNaN(noticedMs)) noticedMs = performance.now() - failedAtMs;
    if (!Number.isNaN(noticedMs)) assert.equal(status, 503, 'health says so as long as it lasts');
    const rows = await rowsOf(place);
    assert.deepEqual(
      rows.filter(({ status: now }) => now === 'failed'),
      [],
    );
    await sleep(500);
  }
  return noticedMs;
}

/** Cancels one that waits and one that runs while the storage is away; returns them. */
async function cancelTwo(place: Place): Promise<readonly string[]> {
  const rows = await rowsOf(place);
  const running = rows.find(({ status }) => status === 'processing')!.job_id;
  const queued = rows.findLast(({ status }) => status === 'queued')!.job_id;
  for (const jobId of [running, queued]) {
    const { body } = await call(place.service.baseUrl, 'POST', `/api/v1/jobs/${jobId}/cancel`);
    assert.equal(body.data.status, 'cancelled');
  }
  await waitFor('their webhooks, whatever the storage does', () =>
    [running, queued].every((id) => place.hook.calls.some(({ body }) => body.data.job_id === id)),
  );
  return [running, queued];
}

async function storageAway(t: TestContext, place: Place, name: string): Promise<void> {
  await createJobs(place);
  await waitFor(
    'some are over and some run',
    async () => {
      const now = await rowsOf(place);
      const count = (expected: string) => now.filter(({ status }) => status === expected).length;
      return count('completed') >= ENDED_BEFORE && count('processing') >= WORKERS;
    },
    60_000,
  );
  place.fail();
  const failedAt = new Date();
  const failedAtMs = performance.now();
  const watching = watched(place, failedAtMs);
  await sleep(5_000);
  const cancelled = await cancelTwo(place);
  const noticedMs = await watching;
  const during = await rowsOf(place);
  place.mend();
  const mendedAt = new Date();
  const claimed = during.filter(
    ({ started_at: at }) => at !== null && at.getTime() > failedAt.getTime() + NOTICED_MS,
  );
  assert.deepEqual(claimed, [], 'nothing is taken meanwhile');
  assert.ok(
    during.some(({ status }) => status === 'processing'),
    'running jobs wait',
  );
  assert.ok(
    during.filter(({ status }) => status === 'queued').length >= QUEUED_DURING,
    'queued ones stay queued',
  );
  await waitFor(
    'all are over',
    async () =>
      (await rowsOf(place)).every(
        ({ status }) => status === 'completed' || status === 'cancelled' || status === 'failed',
      ),
    ALL_ENDED_MS,
    250,
  );
  const rows = await rowsOf(place);
  assert.deepEqual(
    rows.filter(
      ({ job_id: id, status, attempt }) =>
        (status !== 'completed' && !(status === 'cancelled' && cancelled.includes(id))) || attempt > 1,
    ),
    [],
  );
  assert.equal(rows.length, place.jobs);
  const first = rows.map(({ started_at: at }) => at?.getTime() ?? 0).filter((at) => at > mendedAt.getTime());
  // What could not be removed meanwhile goes with the first look at the storage.
  await call(place.service.baseUrl, 'GET', '/api/v1/health');
  let left: readonly string[] = [];
  await waitFor('the files of what was cancelled are gone', async () => {
    left = (await place.stored()).filter((file) => cancelled.includes(file.split('/')[0]));
    return left.length === 0;
  }).catch((error) => assert.fail(`${error.message}: ${left}`));
  const stored = await place.stored();
  const outputs = stored.filter((file) => file.endsWith('output.mp4')).map((file) => file.split('/')[0]);
  const completed = rows.filter(({ status }) => status === 'completed').map(({ job_id: id }) => id);
  assert.deepEqual(outputs.toSorted(), completed.toSorted(), 'each completed job has its output');
  await waitFor('every webhook', () =>
    rows.every(({ job_id: id }) => place.hook.calls.some(({ body }) => body.data.job_id === id)),
  );
  assert.equal(new Set(place.hook.calls.map(({ webhookId }) => webhookId)).size, place.jobs);
  let untidy: unknown = null;
  await waitFor('nothing is left of the work', async () => {
    // The storage is checked on request only; an orchestrator requests health every few seconds. Late failures remain until then.
    await call(place.service.baseUrl, 'GET', '/api/v1/health');
    try {
      assertTidy(place.service);
      return true;
    } catch (error) {
      untidy = error;
      return false;
    }
  }).catch(() => assert.fail(String(untidy)));
  tellFigures(t, `storage away for 20 s during ${place.jobs} jobs: ${name}`, {
    tried: 1,
    slowestMs: noticedMs,
    lost: 0,
    seen: `health 503 after ${Math.round(noticedMs)} ms; taken again ${Math.min(...first) - mendedAt.getTime()} ms after it was back`,
  });
}

const real = {
  endpoint: process.env['TEST_S3_ENDPOINT'],
  accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'],
};
const withoutS3 = Object.values(real).includes(undefined)
  ? 'needs TEST_S3_ENDPOINT and its credentials'
  : null;

for (const how of ['closed', 'silent'] as const) {
  const isLong =
    how === 'silent' && !IS_FULL ? 'takes two minutes: FAULT_TRIES=full npm run test:faults' : null;
  describe(`a bucket whose server is ${how}`, {
    skip: withoutS3 ?? postgresMissing() ?? isLong ?? false,
  }, () => {
    const bucket = `away-${randomUUID()}`;
    let server: PostgresServer;
    let proxy: TcpProxy;
    let service: Service;
    let hook: Receiver;
    let database: pg.Pool;
    let client: S3Client;
    before(async () => {
      const region = process.env['TEST_S3_REGION'] ?? 'us-east-1';
      const credentials = { accessKeyId: real.accessKeyId!, secretAccessKey: real.secretAccessKey! };
      client = new S3Client({ endpoint: real.endpoint!, region, forcePathStyle: true, credentials });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      [server, proxy, hook] = await Promise.all([
        startPostgres(),
        startTcpProxy(real.endpoint!),
        openReceiver(),
      ]);
      database = openPool(server.url);
      service = await startService({
        DATABASE_URL: server.url,
        S3_ENDPOINT: proxy.url,
        S3_BUCKET: bucket,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: real.accessKeyId!,
        S3_SECRET_ACCESS_KEY: real.secretAccessKey!,
        WORKER_CONCURRENCY: String(WORKERS),
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      });
    });
    after(async () => {
      client?.destroy();
      await service?.[Symbol.asyncDispose]();
      await database?.end();
      for (const one of [hook, proxy, server]) await one?.[Symbol.asyncDispose]();
    });

    test('for 20 s', async (t) => {
      const stored = async () => {
        const names: string[] = [];
        for (let token: string | undefined; ; ) {
          const page = await client.send(
            new ListObjectsV2Command({ Bucket: bucket, Prefix: 'jobs/', ContinuationToken: token }),
          );
          names.push(...(page.Contents ?? []).map(({ Key }) => Key!.slice('jobs/'.length)));
          token = page.NextContinuationToken;
          if (!page.IsTruncated) return names;
        }
      };
      const jobs = how === 'closed' ? JOBS : FEWER_JOBS;
      const place = {
        service,
        database,
        hook,
        jobs,
        stored,
        fail: () => proxy.cut(how),
        mend: () => proxy.mend(),
      };
      await storageAway(t, place, `S3, ${how}`);
    });
  });
}

const disk = mountFailingDisk(1 << 30);
after(() => disk?.[Symbol.dispose]());
const withoutDisk = disk === null ? 'needs the right to mount an ext4 file system' : null;

describe('a disk that answers EIO', { skip: withoutDisk ?? postgresMissing() ?? false }, () => {
  let server: PostgresServer;
  let service: Service;
  let hook: Receiver;
  let database: pg.Pool;
  before(async () => {
    server = await startPostgres();
    hook = await openReceiver();
    database = openPool(server.url);
    const dataDir = join(disk!.folder, 'data');
    mkdirSync(dataDir);
    // Files and working folders, all on that disk.
    service = await startService(
      {
        DATABASE_URL: server.url,
        WORKER_CONCURRENCY: String(WORKERS),
        DISK_RESERVE_BYTES: '0',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
      dataDir,
    );
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await database?.end();
    for (const one of [hook, server]) await one?.[Symbol.asyncDispose]();
  });

  test('for 20 s', async (t) => {
    const stored = async () => [...filesUnder(service, 'blobs/jobs').keys()];
    await storageAway(
      t,
      { service, database, hook, jobs: FEWER_JOBS, stored, fail: disk!.fail, mend: disk!.mend },
      'a disk that answers EIO',
    );
  });
});
