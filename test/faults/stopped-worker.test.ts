/**
 * Workers that are suspended and continue, as on a machine that slept or a virtual one that was moved: another takes their
 * job over, and their late writes change nothing.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { childrenOf, waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService, startWorker } from '../support/service.ts';

/** A heartbeat is missed after ten seconds and looked for each second; the rest is a busy machine's. */
const TAKEN_OVER_MS = 30_000;
/** Longer than a lease. */
const STOPPED_MS = IS_FULL ? 60_000 : 15_000;
const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 8 });
let hook: Receiver;
before(async () => {
  hook = await openReceiver();
});
after(() => hook?.[Symbol.asyncDispose]());

type Worker = Awaited<ReturnType<typeof startWorker>>;

/** With the media child it has, which is a group of its own, or without. */
function signal(worker: Pick<Worker, 'pid'>, name: NodeJS.Signals, withChildren: boolean): void {
  for (const child of withChildren ? childrenOf(worker.pid) : []) process.kill(-child, name);
  process.kill(worker.pid, name);
}

/** One output of that attempt, one announcement. */
async function assertEndedOnce(service: Service, job: RunningJob, attempt: number): Promise<void> {
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  assert.equal(result.attempt, attempt);
  await waitFor('only that attempt’s files are left', () =>
    [...filesUnder(service, `blobs/jobs/${job.jobId}`).keys()].every((name) =>
      name.startsWith(`${attempt}/`),
    ),
  );
  const mine = () => hook.calls.filter(({ body }) => body.data.job_id === job.jobId);
  await waitFor('the webhook', () => mine().length > 0);
  assert.equal(new Set(mine().map(({ webhookId }) => webhookId)).size, 1);
  const answer = await call(service.baseUrl, 'GET', `/api/v1/jobs/${job.jobId}/webhooks`);
  assert.equal(answer.body.data.webhooks.length, 1);
}

describe('a worker of several', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  let service: Service;
  let videoId: string;
  before(async () => {
    server = await startPostgres();
    service = await startService({ DATABASE_URL: server.url, WORKER_CONCURRENCY: '0' });
    videoId = await uploaded(service, clip);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  const work = () => startWorker({ DATABASE_URL: server.url, DRAIN_SECONDS: '0' }, service.dataDir);

  /** A job that `worker` is drawing. A request for the job's children returns the worker's. */
  async function drawnBy(worker: Worker): Promise<RunningJob> {
    const observed = Object.create(service, { pid: { get: () => worker.pid } }) as Service;
    const request = { video_id: videoId, webhook_url: hook.url, config: { quality: 'ultra' } };
    const job = await createJob(observed, request);
    await job.childDrawing();
    return job;
  }

  const takenBy = (worker: Worker, { jobId }: RunningJob) =>
    waitFor(
      'the other takes it',
      () => worker.log.find((line) => line['msg'] === 'job taken' && line['jobId'] === jobId),
      TAKEN_OVER_MS,
    );

  const cases = [
    {
      name: 'that is suspended while its media child continues, until another has its job',
      stoppedMs: 0,
      withChild: false,
    },
    {
      name: `that stands still for ${STOPPED_MS / 1000} s, child and all`,
      stoppedMs: STOPPED_MS,
      withChild: true,
    },
  ];
  for (const { name, stoppedMs, withChild } of cases) {
    test(name, async (t) => {
      await using stopped = await work();
      await using job = await drawnBy(stopped);
      signal(stopped, 'SIGSTOP', withChild);
      const stoppedAtMs = performance.now();
      await using other = await work();
      await takenBy(other, job);
      const noticedMs = performance.now() - stoppedAtMs;
      await sleep(Math.max(0, stoppedMs - noticedMs));
      const lines = stopped.log.length;
      signal(stopped, 'SIGCONT', withChild);
      await assertEndedOnce(service, job, 2);
      const refused = await waitFor('its late writes are refused', () =>
        stopped.log.slice(lines).find(({ msg }) => msg === 'job stopped'),
      );
      assert.deepEqual([refused['attempt'], refused['why']], [1, 'lost']);
      // It still runs, and works.
      assert.equal(await other.stop(), 0);
      await using next = await createJob(service, { video_id: videoId, webhook_url: hook.url });
      await assertEndedOnce(service, next, 1);
      assertTidy(service);
      tellFigures(t, `worker ${name}`, { tried: 1, slowestMs: noticedMs, lost: 0 });
    });
  }
});

test('the only worker is suspended for longer than its lease and continues its own job', async (t) => {
  await using service = await startService();
  const video_id = await uploaded(service, clip);
  const request = { video_id, webhook_url: hook.url, config: { quality: 'ultra' } };
  await using job = await createJob(service, request);
  await job.childDrawing();
  process.kill(service.pid, 'SIGSTOP');
  await sleep(STOPPED_MS);
  process.kill(service.pid, 'SIGCONT');
  await assertEndedOnce(service, job, 1);
  assertTidy(service);
  tellFigures(t, `the only worker stopped for ${STOPPED_MS / 1000} s`, { tried: 1, lost: 0 });
});
