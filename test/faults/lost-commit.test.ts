/**
 * PostgreSQL commits, and its answer is lost, late, or lost together with the server: at each transaction after
 * which something is deleted, repeated or acknowledged. Afterwards nothing that was acknowledged is missing.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/database/postgres.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { Failure } from '../../src/domain/errors.ts';
import type { RunStage } from '../../src/domain/stage.ts';
import { captionsBlobKey, jobBlobPrefix, videoBlobKey } from '../../src/storage/blob-names.ts';
import { call, type Reply, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type CommitFault, type CommitProxy, startCommitProxy } from '../support/commit-proxy.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { type HttpService, openHttp } from '../support/http.ts';
import { aPublication } from '../support/jobs.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';

/**
 * How often each transaction's answer is lost, how often late, and how often the server is away after it. Lateness is real
 * time, eight minutes in all: only with `FAULT_TRIES=full` every transaction waits for it, else those marked `central`.
 */
const LOST = IS_FULL ? 12 : 4;
const LATE = 2;
const AWAY = 1;
const LATE_MS = 10_000;
/** Longer than a request waits to learn what became of its transaction. */
const AWAY_MS = 12_000;

const bytes = readFileSync(
  await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 0.6, width: 160, height: 90 }),
);
const CAPTIONS = '1\n00:00:00,000 --> 00:00:00,400\nhello\n';
const TUS = { 'tus-resumable': '1.0.0' };

/** Stages that leave an output as the real ones do; `label` decides how the job ends. */
function stagesOver(service: HttpService): RunStage {
  return async ({ jobId, attempt, stage, config, signal }) => {
    const { labels } = config as { labels: { how?: string } };
    if (stage === 'video_analysis' && labels.how === 'failed') throw new Failure('INPUT_CORRUPT', 'broken');
    if (stage === 'video_analysis' && labels.how === 'waits') await sleep(60_000, undefined, { signal });
    if (stage !== 'rendering') return { warnings: [] };
    const publication = aPublication(jobId, attempt);
    await service.blobs.put(publication.output.blobKey, Readable.from(['an output']));
    return { warnings: [], publication };
  };
}

describe('the answer to a COMMIT is lost', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  let proxy: CommitProxy;
  let database: QueueDatabase;
  let direct: QueueDatabase;
  let service: HttpService;
  let hook: Receiver;
  let videoId: string;
  before(async () => {
    server = await startPostgres();
    proxy = await startCommitProxy(server.url);
    database = await openPostgres(proxy.url);
    direct = await openPostgres(server.url);
    hook = await openReceiver();
    service = await openHttp(
      {},
      { database, webhooks: { allowedNetworks: ['127.0.0.0/8'] }, settings: { retentionDays: 30 } },
    );
    await service.jobs.startWorker(stagesOver(service), { concurrency: 4 });
    await service.webhooks.startSender();
    videoId = (await uploaded()).videoId;
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await direct?.close();
    await hook?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** Repeats the request as clients do, until the answer is no temporary failure. */
  async function insisted(ask: () => Promise<Reply>): Promise<Reply> {
    return waitFor('an answer', async () => {
      const reply = await ask();
      if (reply.body.success || !reply.body.error.retryable) return reply;
      await sleep(200);
      return false;
    });
  }

  async function uploaded(key?: string): Promise<{ videoId: string }> {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const reply = await insisted(() => upload(service.baseUrl, new Uint8Array(bytes), { headers }));
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return { videoId: reply.body.data.video_id };
  }

  async function created(how: string, key?: string): Promise<string> {
    const json = {
      video_id: videoId,
      webhook_url: hook.url,
      config: { labels: { how, key: key ?? 'none' } },
    };
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const reply = await insisted(() => call(service.baseUrl, 'POST', '/api/v1/jobs', { json, headers }));
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body.data.job_id;
  }

  async function ended(jobId: string, status: string): Promise<void> {
    const path = `/api/v1/jobs/${jobId}/result?wait=20`;
    const { data } = (await insisted(() => call(service.baseUrl, 'GET', path))).body;
    assert.equal(data.status, status, JSON.stringify(data));
    assert.equal(data.attempt, 1, 'no worker was lost');
    const files = await Array.fromAsync(service.blobs.list(jobBlobPrefix(jobId)));
    assert.equal(files.length, status === 'completed' ? 1 : 0, `files of a job that is ${status}: ${files}`);
    await assertToldOnce(jobId, `job.${status}`);
  }

  async function assertToldOnce(jobId: string, event: string): Promise<void> {
    const mine = () => hook.calls.filter(({ body }) => body.data.job_id === jobId);
    await waitFor('the webhook', () => mine().length > 0);
    assert.equal(new Set(mine().map(({ webhookId }) => webhookId)).size, 1);
    assert.equal(mine()[0].event, event);
  }

  async function assertKept(id: string): Promise<void> {
    const found = await waitFor('the video', () => service.jobs.videos.get(id).catch(() => false as const));
    assert.equal(found.state, 'present');
    assert.equal((await service.blobs.head(videoBlobKey(id)))?.sizeBytes, bytes.length);
  }

  async function resumed(): Promise<string> {
    const headers = { ...TUS, 'upload-length': String(bytes.length) };
    const started = await call(service.baseUrl, 'POST', '/api/v1/uploads', { headers });
    const path = new URL(started.headers.get('location')!, service.baseUrl);
    return waitFor('the video of a resumable upload', async () => {
      const head = await fetch(path, { method: 'HEAD', headers: TUS });
      const offset = head.headers.get('upload-offset');
      if (head.headers.get('x-video-id') !== null) return head.headers.get('x-video-id')!;
      if (!head.ok || Number(offset) === bytes.length) return false;
      const piece = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': offset! };
      await fetch(path, { method: 'PATCH', headers: piece, body: bytes.subarray(Number(offset)) });
      return false;
    });
  }

  /** A video that has expired for the sweeps. */
  async function expiring(): Promise<string> {
    const { videoId: id } = await uploaded();
    await direct.query(`update videos set expires_at = now() - interval '1 hour' where video_id = $1`, [id]);
    return id;
  }

  /** Each: an action with a transaction that contains the statement `at`, and its checks. */
  const cases: readonly {
    name: string;
    at: RegExp;
    act: (key: string) => Promise<void>;
    prepared?: boolean;
    central?: boolean;
  }[] = [
    {
      name: 'a job is created with a key',
      at: /^insert into jobs/,
      act: async (key) => {
        const jobId = await created('completed', key);
        assert.equal(await created('completed', key), jobId);
        const rows = await direct.query(`select 1 from jobs where config -> 'labels' ->> 'key' = $1`, [key]);
        assert.equal(rows.length, 1, 'one key, one job');
        await ended(jobId, 'completed');
      },
    },
    {
      name: 'a job is created without a key',
      at: /^insert into jobs/,
      act: async () => ended(await created('completed'), 'completed'),
    },
    {
      name: 'a key is claimed',
      at: /^insert into idempotency_keys as known \(key, request_hash, owner, claimed_at, created_at\)/,
      act: async (key) => ended(await created('completed', key), 'completed'),
    },
    {
      name: 'a video is registered with a key',
      at: /^insert into videos/,
      act: async (key) => {
        const { videoId: id } = await uploaded(key);
        assert.equal((await uploaded(key)).videoId, id);
        await assertKept(id);
      },
    },
    {
      name: 'a video is registered without a key',
      central: true,
      at: /^insert into videos/,
      act: async () => assertKept((await uploaded()).videoId),
    },
    {
      name: 'a resumable upload becomes a video',
      at: /^insert into videos/,
      act: async () => assertKept(await resumed()),
    },
    {
      name: 'a worker takes a job',
      at: /update jobs set\s+status = 'processing'/,
      act: async () => ended(await created('completed'), 'completed'),
    },
    {
      name: 'a job continues with its next stage',
      at: /^update jobs set stage =/,
      act: async () => ended(await created('completed'), 'completed'),
    },
    {
      name: 'a job is completed',
      central: true,
      at: /^update jobs set status = 'completed'/,
      act: async () => ended(await created('completed'), 'completed'),
    },
    {
      name: 'a job fails',
      at: /^update jobs set status = 'failed'/,
      act: async () => ended(await created('failed'), 'failed'),
    },
    {
      name: 'a job is cancelled',
      at: /update jobs set status = 'cancelled'/,
      act: async () => {
        const jobId = await created('waits');
        await insisted(() => call(service.baseUrl, 'POST', `/api/v1/jobs/${jobId}/cancel`));
        await assertToldOnce(jobId, 'job.cancelled');
      },
    },
    {
      name: 'a job is deleted',
      at: /^delete from jobs/,
      act: async () => {
        const jobId = await created('completed');
        await ended(jobId, 'completed');
        const reply = await insisted(() => call(service.baseUrl, 'DELETE', `/api/v1/jobs/${jobId}`));
        assert.ok(reply.status === 200 || reply.status === 404);
        assert.deepEqual(await direct.query('select 1 from jobs where job_id = $1', [jobId]), []);
      },
    },
    {
      name: 'a video is deleted',
      at: /^delete from videos/,
      act: async () => {
        const { videoId: id } = await uploaded();
        const reply = await insisted(() => call(service.baseUrl, 'DELETE', `/api/v1/videos/${id}`));
        assert.ok(reply.status === 200 || reply.status === 404);
        await waitFor(
          'it is gone',
          async () => (await service.jobs.videos.get(id).catch(() => null))?.state === 'unknown',
        );
      },
    },
    {
      name: 'captions are uploaded and removed',
      at: /^select \* from videos where video_id = \$1 for update/,
      act: async () => {
        const { videoId: id } = await uploaded();
        const path = `/api/v1/videos/${id}/captions`;
        const headers = { 'content-type': 'application/x-subrip' };
        const put = await insisted(() => call(service.baseUrl, 'PUT', path, { body: CAPTIONS, headers }));
        assert.equal(put.status, 200, JSON.stringify(put.body));
        assert.ok(await service.blobs.head(captionsBlobKey(id)));
        await insisted(() => call(service.baseUrl, 'DELETE', path));
        assert.equal(await service.blobs.head(captionsBlobKey(id)), null);
        await assertKept(id);
      },
    },
    {
      name: 'a video expires',
      at: /^update videos set expired_at/,
      act: async () => {
        const id = await expiring();
        await service.jobs.retention.sweepExpired().catch(() => {});
        await assertKept(videoId);
        await waitFor(
          'it has expired',
          async () => (await service.jobs.videos.get(id).catch(() => null))?.state === 'expired',
        );
      },
    },
    {
      name: 'a webhook is claimed',
      at: /^update webhook_deliveries set leased_until = now\(\)/,
      act: async () => ended(await created('completed'), 'completed'),
    },
    {
      name: 'a webhook is recorded',
      at: /insert into webhook_attempts/,
      act: async () => ended(await created('completed'), 'completed'),
    },
  ];

  async function meet(
    at: RegExp,
    times: number,
    fault: CommitFault,
    act: (key: string) => Promise<void>,
    name: string,
  ) {
    using armed = proxy.arm(at, times, fault);
    let round = 0;
    const work = async () => {
      while (armed.met < times && round < times * 3) await act(`${name}-${JSON.stringify(fault)}-${round++}`);
    };
    await Promise.all(typeof fault === 'object' ? Array.from({ length: times }, work) : [work()]);
    assert.ok(armed.met >= times, `the fault was met ${armed.met} times of ${times}`);
    return armed.met;
  }

  /** All that was acknowledged to a client is complete. */
  async function assertNothingLost(): Promise<void> {
    const videos = await direct.query<{ video_id: string }>(
      'select video_id from videos where expired_at is null',
    );
    for (const { video_id: id } of videos)
      assert.ok(await service.blobs.head(videoBlobKey(id)), `the bytes of video ${id}`);
    const jobs = await direct.query<{ job_id: string; publication: { output: { blobKey: string } } }>(
      `select job_id, publication from jobs where status = 'completed'`,
    );
    for (const { job_id: id, publication } of jobs) {
      assert.ok(await service.blobs.head(publication.output.blobKey), `the output of job ${id}`);
    }
  }

  for (const { name, at, act, central = false } of cases) {
    const key = name.replaceAll(' ', '-');
    const slow = IS_FULL || central;
    test(`when ${name}`, async (t) => {
      let met = await meet(at, LOST, 'lost', act, key);
      if (slow) {
        met += await meet(at, LATE, { lateMs: LATE_MS }, act, key);
        met += await meet(at, AWAY, { awayMs: AWAY_MS }, act, key);
      } else t.diagnostic('late answers and a server that is away: FAULT_TRIES=full');
      await assertNothingLost();
      tellFigures(t, `the answer to a COMMIT is lost or late when ${name}`, { tried: met, lost: 0 });
    });
  }
});
