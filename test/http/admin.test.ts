/** Steering: who may, and what pause, drain, requeue and priority do to jobs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/domain/errors.ts';
import type { StageWork } from '../../src/domain/stage.ts';
import { call } from '../support/client.ts';
import { commandWith } from '../support/command.ts';
import { type HttpService, openHttp } from '../support/http.ts';
import { newJob, stagesThat } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';

const TOKEN = 'a-token-of-at-least-24-characters';
const ADMIN = '/api/v1/admin';

const asAdmin = (service: HttpService, method: string, path: string, json?: unknown) =>
  call(service.baseUrl, method, ADMIN + path, {
    headers: { authorization: `Bearer ${TOKEN}` },
    ...(json === undefined ? {} : { json }),
  });

/** Stages of which each waits until it is let go. */
function heldStages() {
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const run = stagesThat(async ({ jobId, stage, signal }: StageWork) => {
    if (stage !== 'video_analysis') return;
    started.push(jobId);
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => aborted.reject(signal.reason));
    await Promise.race([gate.promise, aborted.promise]);
  });
  return { started, run, letGo: gate.resolve };
}

const statusOf = async ({ jobs }: HttpService, jobId: string) => (await jobs.service.get(jobId))?.status;

test('without ADMIN_TOKEN the routes do not exist', async () => {
  await using service = await openHttp();
  for (const [method, path] of [
    ['GET', '/queue'],
    ['POST', '/queue/pause'],
    ['PUT', '/jobs/x/priority'],
    ['DELETE', '/queue'],
  ] as const) {
    const { status, body } = await asAdmin(service, method, path);
    assert.deepEqual([status, body.error.code], [404, 'ROUTE_NOT_FOUND'], path);
  }
});

test('with it, only its sender has access; the body of other requests is not read', async () => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  const refused: readonly (string | undefined)[] = [
    undefined,
    '',
    TOKEN,
    `Basic ${TOKEN}`,
    'Bearer',
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} ${TOKEN}`,
  ];
  for (const authorization of refused) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const [method, path] of [
      ['GET', '/queue'],
      ['POST', '/queue/pause'],
      ['PUT', '/jobs/x/priority'],
    ] as const) {
      const {
        status,
        body,
        headers: got,
      } = await call(service.baseUrl, method, ADMIN + path, {
        headers,
        ...(method === 'PUT' ? { json: { priority: 'high' } } : {}),
      });
      assert.deepEqual([status, body.error.code], [401, 'UNAUTHORIZED'], `${authorization} ${path}`);
      assert.match(got.get('www-authenticate')!, /^Bearer /);
      assert.doesNotMatch(JSON.stringify(body), new RegExp(TOKEN.slice(1, -1)));
    }
  }
  const { status, body } = await asAdmin(service, 'GET', '/queue');
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    ...{ paused: false, paused_at: null, queued: 0, processing: 0, oldest_queued_seconds: null },
    ...{ workers: [], running: [], next: [] },
  });
  // What needs no token still needs none.
  assert.equal((await call(service.baseUrl, 'GET', '/api/v1/jobs')).status, 200);
  assert.doesNotMatch(JSON.stringify(service.log), new RegExp(TOKEN));
});

test('a paused queue starts nothing, reports it, finishes running jobs, and continues after resume', async () => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  const { started, run, letGo } = heldStages();
  await service.jobs.startWorker(run, { concurrency: 2 });
  const running = await newJob(service);
  await waitFor('it runs', () => started.length === 1);
  const paused = await asAdmin(service, 'POST', '/queue/pause');
  assert.equal(paused.body.data.paused, true);
  // Again: it keeps its time.
  const again = await asAdmin(service, 'POST', '/queue/pause');
  assert.equal(again.body.data.paused_at, paused.body.data.paused_at);
  const waiting = await newJob(service);
  letGo();
  await waitFor('its end', async () => (await statusOf(service, running.jobId)) === 'completed');
  // Longer than the queue polls.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(await statusOf(service, waiting.jobId), 'queued');
  assert.deepEqual(started, [running.jobId]);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const health = await call(service.baseUrl, 'GET', '/api/v1/health');
  assert.deepEqual([health.body.data.checks.queue.paused, health.body.data.checks.queue.queued], [true, 1]);
  assert.match(
    await (await fetch(`${service.baseUrl}/metrics`)).text(),
    /^styledna_cluster_queue_paused 1$/m,
  );
  const listed = await asAdmin(service, 'GET', '/queue?limit=1');
  assert.deepEqual(
    listed.body.data.next.map(({ job_id }: { job_id: string }) => job_id),
    [waiting.jobId],
  );
  const resumed = await asAdmin(service, 'POST', '/queue/resume');
  assert.equal(resumed.body.data.paused, false);
  await waitFor('its end', async () => (await statusOf(service, waiting.jobId)) === 'completed');
});

test('a drained worker finishes its jobs and starts no other until it is resumed', async () => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  const { started, run, letGo } = heldStages();
  await service.jobs.startWorker(run, { concurrency: 1 });
  const first = await newJob(service);
  const second = await newJob(service);
  await waitFor('it runs', () => started.length === 1);
  const observed = (await asAdmin(service, 'GET', '/queue')).body.data;
  const { worker_id: workerId } = observed.workers[0];
  assert.deepEqual([observed.workers[0].running, observed.running[0].worker_id], [1, workerId]);
  const drained = await asAdmin(service, 'POST', `/workers/${workerId}/drain`);
  assert.equal(drained.body.data.workers[0].state, 'draining');
  letGo();
  await waitFor('its end', async () => (await statusOf(service, first.jobId)) === 'completed');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(await statusOf(service, second.jobId), 'queued');
  const { body } = await asAdmin(service, 'GET', '/queue');
  assert.deepEqual([body.data.workers[0].state, body.data.workers[0].running], ['drained', 0]);
  await asAdmin(service, 'POST', `/workers/${workerId}/resume`);
  await waitFor('its end', async () => (await statusOf(service, second.jobId)) === 'completed');
  const unknown = await asAdmin(service, 'POST', `/workers/nobody/drain`);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'WORKER_NOT_FOUND']);
  assert.match(unknown.body.error.detail, new RegExp(workerId));
});

test('resuming while jobs still run does not make a worker do more at a time', async () => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  const { started, run, letGo } = heldStages();
  await service.jobs.startWorker(run, { concurrency: 2 });
  await newJob(service);
  await waitFor('one runs', () => started.length === 1);
  await asAdmin(service, 'POST', '/queue/pause');
  for (let count = 0; count < 3; count++) await newJob(service);
  await asAdmin(service, 'POST', '/queue/resume');
  await waitFor('two run', () => started.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(started.length, 2);
  letGo();
  await waitFor('all ran', () => started.length === 4);
});

test('priority changes the order of queued jobs only', async () => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  const made = [];
  for (const priority of [50, 50, 10]) made.push(await newJob(service, { priority }));
  const [first, second, low] = made.map(({ jobId }) => jobId) as [string, string, string];
  const moved = await asAdmin(service, 'PUT', `/jobs/${low}/priority`, { priority: 100 });
  assert.deepEqual([moved.status, moved.body.data.queue_position], [200, 1]);
  await asAdmin(service, 'PUT', `/jobs/${first}/priority`, { priority: 0 });
  const { next } = (await asAdmin(service, 'GET', '/queue')).body.data;
  const order = [low, second, first];
  assert.deepEqual(
    next.map((job: { job_id: string; priority: number }) => [job.job_id, job.priority]),
    order.map((jobId, index) => [jobId, [100, 50, 0][index]]),
  );
  const claimed: string[] = [];
  const stages = stagesThat(({ jobId, stage }) => {
    if (stage === 'video_analysis') claimed.push(jobId);
  });
  await service.jobs.startWorker(stages, { concurrency: 1 });
  await waitFor('all are done', async () => (await statusOf(service, first)) === 'completed');
  assert.deepEqual(claimed, order);
  const table: readonly (readonly [string, unknown, number, string])[] = [
    [first, { priority: 50 }, 409, 'JOB_NOT_QUEUED'],
    ['nothing', { priority: 50 }, 404, 'JOB_NOT_FOUND'],
    [first, { priority: 101 }, 422, 'VALIDATION_ERROR'],
    [first, { priority: -1 }, 422, 'VALIDATION_ERROR'],
    [first, {}, 422, 'VALIDATION_ERROR'],
  ];
  for (const [jobId, json, status, code] of table) {
    const answer = await asAdmin(service, 'PUT', `/jobs/${jobId}/priority`, json);
    assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
  }
});

test('requeue creates a failed job again and does not change the old one', async () => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  let isBroken = true;
  const stages = stagesThat(() => {
    if (isBroken) throw new Failure('INPUT_CORRUPT', 'Broken.');
  });
  await service.jobs.startWorker(stages, { concurrency: 1 });
  const { jobId } = await newJob(service, { priority: 70 });
  await waitFor('its failure', async () => (await statusOf(service, jobId)) === 'failed');
  isBroken = false;
  const { status, body } = await asAdmin(service, 'POST', `/jobs/${jobId}/requeue`);
  assert.deepEqual([status, body.data.retry_of], [201, jobId]);
  await waitFor('its end', async () => (await statusOf(service, body.data.job_id)) === 'completed');
  assert.equal(await statusOf(service, jobId), 'failed');
  const again = await asAdmin(service, 'POST', `/jobs/${body.data.job_id}/requeue`);
  assert.deepEqual([again.status, again.body.error.code], [409, 'JOB_NOT_RETRYABLE']);
});

test('the command does the same, and reports errors', async (t) => {
  await using service = await openHttp({ ADMIN_TOKEN: TOKEN });
  const { jobId } = await newJob(service);
  const queue = (words: readonly string[], environment: Record<string, string> = { ADMIN_TOKEN: TOKEN }) =>
    commandWith(t, environment, 'queue', ...words, '--server', service.baseUrl);
  const listed = await queue(['list', '--json']);
  assert.equal(JSON.parse(listed.stdout).next[0].job_id, jobId);
  assert.match(
    (await queue(['pause'])).stdout,
    /^Paused since .*: 1 queued, the oldest for \d s, 0 processing/,
  );
  assert.match((await queue(['list'])).stdout, new RegExp(`Next\n  ${jobId}  priority 50  for \\d s`));
  assert.match((await queue(['resume'])).stdout, /^Running: 1 queued/);
  assert.match((await queue(['priority', jobId, '90'])).stdout, /is queued, number 1 of the queue/);
  const table: readonly (readonly [string[], Record<string, string> | undefined, number, RegExp])[] = [
    [[], undefined, 2, /Say what to do: list, pause/],
    [['lst'], undefined, 2, /There is no "queue lst".*list/],
    [['drain'], undefined, 2, /queue drain takes WORKER; it got 0/],
    [['priority', jobId, '101'], undefined, 2, /from 0 to 100; got 101/],
    [['drain', 'nobody'], undefined, 3, /no worker "nobody".*WORKER_NOT_FOUND/],
    [['requeue', jobId], undefined, 3, /JOB_NOT_RETRYABLE/],
    [['list'], {}, 2, /ADMIN_TOKEN is not set/],
    [
      ['list'],
      { ADMIN_TOKEN: 'another-token-of-24-characters' },
      3,
      /not the value of ADMIN_TOKEN.*UNAUTHORIZED/,
    ],
  ];
  for (const [words, environment, code, message] of table) {
    const done = await queue(words, environment);
    assert.deepEqual([done.code, message.test(done.stderr)], [code, true], `${words}: ${done.stderr}`);
  }
  await using off = await openHttp();
  const refused = await commandWith(t, { ADMIN_TOKEN: TOKEN }, 'queue', 'list', '--server', off.baseUrl);
  assert.deepEqual(
    [refused.code, /started without ADMIN_TOKEN/.test(refused.stderr)],
    [3, true],
    refused.stderr,
  );
});
