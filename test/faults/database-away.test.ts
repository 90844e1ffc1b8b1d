/** A PostgreSQL server that crashes, or falls silent, while clients create jobs and workers run them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Reply } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, percentile, tellFigures } from '../support/figures.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, filesUnder, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const CLIENTS = 4;
const JOBS = IS_FULL ? 100 : 12;
const JOBS_IN_SILENCE = IS_FULL ? 30 : 12;
/** A client that gets no answer for so long has gone. */
const PATIENCE_MS = 20_000;
const RECOVERED_MS = 30_000;

const clip = await makeClip(temporaryFolder(), {
  name: 'clip',
  durationSeconds: 0.6,
  width: 160,
  height: 90,
  silent: true,
});

interface Seen {
  readonly ids: string[];
  readonly statuses: Map<number, number>;
  slowestMs: number;
}

/** Repeats the request until the job is acknowledged; a retry carries the same key. */
async function create(service: Service, seen: Seen, key: string, request: object): Promise<void> {
  for (;;) {
    const startedMs = performance.now();
    const reply = await post(service, key, request);
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedMs);
    seen.statuses.set(reply.status, (seen.statuses.get(reply.status) ?? 0) + 1);
    if (reply.status === 201) {
      seen.ids.push(reply.body.data.job_id);
      return;
    }
    await sleep(250);
  }
}

function post(service: Service, key: string, json: object): Promise<Reply> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  return Promise.race([
    call(service.baseUrl, 'POST', '/api/v1/jobs', { json, headers: { 'idempotency-key': key } }),
    new Promise<never>((_resolve, reject) => {
      late.addEventListener('abort', () => reject(new Error('no answer within 20 s')));
    }),
  ]);
}

describe('the database is away', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  let service: Service;
  let hook: Receiver;
  let video_id: string;
  before(async () => {
    server = await startPostgres();
    hook = await openReceiver();
    service = await startService({ DATABASE_URL: server.url, WORKER_CONCURRENCY: '2' });
    video_id = await uploaded(service, clip);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await hook?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** Creates this many jobs while `trouble` happens; resolves when all have ended. */
  async function jobsMeanwhile(name: string, jobs: number, trouble: () => Promise<void>): Promise<Seen> {
    const seen: Seen = { ids: [], statuses: new Map(), slowestMs: 0 };
    const request = { video_id, webhook_url: hook.url, config: { quality: 'low', labels: { name } } };
    let next = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (next < jobs) {
        await create(service, seen, `${name}-${next++}`, request);
        await sleep(100);
      }
    });
    await waitFor('some jobs are there', () => seen.ids.length >= jobs / 4);
    await trouble();
    await Promise.all(clients);
    return seen;
  }

  async function health(): Promise<number> {
    return (await call(service.baseUrl, 'GET', '/api/v1/health')).status;
  }

  /** Nothing lost, nothing twice. */
  async function assertEachOnce({ ids, statuses }: Seen, jobs: number): Promise<void> {
    assert.equal(new Set(ids).size, jobs);
    const foreseen = [201, 409, 503];
    assert.deepEqual(
      [...statuses.keys()].filter((status) => !foreseen.includes(status)),
      [],
    );
    for (const id of ids) {
      const result = `/api/v1/jobs/${id}/result?wait=60`;
      const { data } = (
        await waitFor(
          'its end',
          async () => {
            const reply = await call(service.baseUrl, 'GET', result);
            return reply.status === 200 && reply;
          },
          180_000,
        )
      ).body;
      assert.equal(data.status, 'completed', JSON.stringify(data));
      const outputs = [...filesUnder(service, `blobs/jobs/${id}`).keys()].filter((file) =>
        file.endsWith('output.mp4'),
      );
      assert.deepEqual(outputs, [`${data.attempt}/output.mp4`]);
    }
    const idsOf = (id: string) =>
      new Set(hook.calls.filter(({ body }) => body.data.job_id === id).map(({ webhookId }) => webhookId));
    await waitFor('every webhook', () => ids.every((id) => idsOf(id).size > 0));
    assert.ok(ids.every((id) => idsOf(id).size === 1));
    assertTidy(service);
  }

  test(`it crashes and is gone for 30 s during ${JOBS} jobs`, async (t) => {
    let [noticedMs, recoveredMs] = [0, 0];
    const seen = await jobsMeanwhile('gone', JOBS, async () => {
      await server.stop('crash');
      const goneMs = performance.now();
      await waitFor('health says so', async () => (await health()) === 503, 5_000);
      noticedMs = performance.now() - goneMs;
      await sleep(30_000 - noticedMs);
      await server.start();
      const backMs = performance.now();
      await waitFor('it recovers by itself', async () => (await health()) === 200, RECOVERED_MS);
      recoveredMs = performance.now() - backMs;
    });
    await assertEachOnce(seen, JOBS);
    const { data } = (await call(service.baseUrl, 'GET', '/api/v1/jobs')).body;
    assert.equal(data.total, JOBS);
    tellFigures(t, `database away for 30 s during ${JOBS} jobs`, {
      tried: 1,
      slowestMs: noticedMs,
      lost: 0,
      seen: `answers ${[...seen.statuses].map(([status, times]) => `${status}: ${times}`).join(', ')}; well ${Math.round(recoveredMs)} ms after it was back`,
    });
  });

  test('it is silent for 30 s: clients still get an answer', async (t) => {
    const ages: number[] = [];
    const seen = await jobsMeanwhile('silent', JOBS_IN_SILENCE, async () => {
      const thaw = server.freeze();
      try {
        const untilMs = performance.now() + 30_000;
        while (performance.now() < untilMs) {
          const startedMs = performance.now();
          assert.equal(await health(), 503);
          ages.push(performance.now() - startedMs);
          await sleep(1_000);
        }
      } finally {
        thaw();
      }
      await waitFor('it recovers by itself', async () => (await health()) === 200, RECOVERED_MS);
    });
    await assertEachOnce(seen, JOBS_IN_SILENCE);
    tellFigures(t, 'database silent for 30 s', {
      tried: 1,
      slowestMs: seen.slowestMs,
      lost: 0,
      seen: `health answered 503 within ${Math.round(percentile(ages, 1))} ms`,
    });
  });
});
