/** More load than normal clients cause: long queues, one request two hundred times. Slow clients: test/faults/slow-clients.test.ts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, percentile, tellFigures } from '../support/figures.ts';
import { assertBounded, responseTimes } from '../support/response-bounds.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

/** A creation that read the whole queue would be seen with a thousand jobs. */
const QUEUED = IS_FULL ? 10_000 : 1_500;
const KEYS = 200;

let service: Service;
let video_id: string;
before(async () => {
  service = await startService({ WORKER_CONCURRENCY: '0' });
  const clip = { name: 'clip', durationSeconds: 0.6, width: 160, height: 90, silent: true };
  video_id = await uploaded(service, await makeClip(temporaryFolder(), clip));
});
after(() => service?.[Symbol.asyncDispose]());

const askHealth = async () => {
  assert.equal((await call(service.baseUrl, 'GET', '/api/v1/health')).status, 200);
};
const create = (headers: Record<string, string> = {}) =>
  call(service.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id }, headers });

describe('jobs', { concurrency: 1 }, () => {
  test(`${KEYS} equal idempotency keys at once make one job`, async (t) => {
    const headers = { 'idempotency-key': 'the same' };
    const replies = await Promise.all(Array.from({ length: KEYS }, () => create(headers)));
    const made = replies.filter(({ status }) => status === 201);
    for (const reply of replies) if (reply.status !== 201) assertError(reply, 'IDEMPOTENCY_IN_PROGRESS');
    const again = await create(headers);
    const ids = new Set([...made, again].map(({ body }) => body.data.job_id));
    assert.equal(ids.size, 1);
    const { data } = (await call(service.baseUrl, 'GET', `/api/v1/jobs?video_id=${video_id}`)).body;
    assert.equal(data.total, 1);
    tellFigures(t, '200 equal idempotency keys', {
      tried: KEYS,
      lost: data.total - 1,
      seen: `${made.length} answered with the job, the others asked to wait`,
    });
  });

  test(`with ${QUEUED} queued, another is created as fast`, async (t) => {
    const alone = await responseTimes(100, create);
    let left = QUEUED;
    const startedMs = performance.now();
    const client = async () => {
      while (left-- > 0) assert.equal((await create()).status, 201);
    };
    await Promise.all(Array.from({ length: 16 }, client));
    const seconds = (performance.now() - startedMs) / 1000;
    const loaded = await responseTimes(300, async () => assert.equal((await create()).status, 201));
    const health = await responseTimes(100, askHealth, 10);
    const p99 = assertBounded('create', loaded, alone);
    assertBounded('health', health, alone);
    const { data } = (await call(service.baseUrl, 'GET', '/api/v1/jobs?status=queued')).body;
    assert.ok(data.total >= QUEUED);
    tellFigures(t, `${QUEUED} queued jobs`, {
      tried: QUEUED,
      lost: 0,
      seen: `create p99 ${p99.toFixed(1)} ms, with an empty queue ${percentile(alone, 0.99).toFixed(1)} ms; ${Math.round(QUEUED / seconds)} created each second`,
    });
  });
});
