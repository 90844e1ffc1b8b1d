import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { NIL, v7 as newId } from 'uuid';
import { openPglite } from '../../src/database/pglite.ts';
import { Failure, isFailure } from '../../src/domain/errors.ts';
import {
  deleteOrphans,
  dropLease,
  dropUnconfirmed,
  leaseDue,
  nextDueMs,
  recordTry,
} from '../../src/webhooks/delivery-store.ts';
import type { WebhookDelivery } from '../../src/webhooks/webhook.ts';
import { seedCluster } from '../support/cluster.ts';
import {
  type JobsService,
  newJob,
  openService,
  openShared,
  stagesThat,
  temporaryDirectory,
} from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';

/** A sender. */
const HOLDER = newId();

let place: Awaited<ReturnType<typeof openShared>>;
let shared: (typeof place)['shared'];
before(async () => {
  place = await openShared();
  shared = place.shared;
});
after(() => place?.[Symbol.asyncDispose]());

interface Call {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver on this machine that answers the n-th call by the n-th of `answers`, the last one from then on. */
async function receiver(answers: readonly ((response: ServerResponse) => void)[]) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    port,
    url: `http://127.0.0.1:${port}/hook?a=1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end();

/** Short waits in place of hours; their number stays. */
const QUICK = { settings: { retryDelaysMs: [10, 20, 30, 40], timeoutMs: 2_000 } };

async function cancelledJob(service: JobsService, webhookUrl: string): Promise<string> {
  const { jobId } = await newJob(service, { webhookUrl });
  await service.jobs.service.cancel(jobId);
  return jobId;
}

async function until(
  service: JobsService,
  jobId: string,
  expected: (delivery: WebhookDelivery) => boolean,
): Promise<WebhookDelivery> {
  const deadlineMs = performance.now() + 10_000;
  for (;;) {
    const [delivery] = await service.webhooks.service.list(jobId);
    if (delivery !== undefined && expected(delivery)) return delivery;
    if (performance.now() > deadlineMs) throw new Error(`still ${JSON.stringify(delivery)}`);
    await sleep(20);
  }
}

const isOver = ({ state }: WebhookDelivery) => state !== 'pending';

test('the end of a job is sent, signed, with the body of the specification', async () => {
  await using hook = await receiver([status(204)]);
  await using service = await openService({ shared });
  await service.webhooks.startSender();
  await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
  const { jobId } = await newJob(service, { webhookUrl: hook.url });
  const delivery = await until(service, jobId, isOver);
  assert.equal(delivery.state, 'delivered');
  const [call] = hook.calls;
  const body = new Webhook(service.webhooks.secrets[0]).verify(call!.body, call!.headers as never) as {
    success: boolean;
    message: string;
    data: Record<string, unknown>;
    type: string;
    timestamp: string;
  };
  assert.equal(call!.headers['webhook-id'], delivery.webhookId);
  assert.equal(call!.headers['webhook-event'], 'job.completed');
  assert.equal(call!.headers['content-type'], 'application/json');
  assert.deepEqual([body.success, typeof body.message], [true, 'string']);
  const { data } = body;
  assert.deepEqual([body.type, body.timestamp], ['job.completed', data['completed_at']]);
  assert.equal(data['job_id'], jobId);
  assert.equal(data['status'], 'completed');
  assert.equal(data['progress_percent'], 100);
  assert.equal(data['current_stage'], null);
  assert.equal(data['error'], null);
  assert.deepEqual(data['style_json'], { version: '1.0.0' });
  assert.equal(data['output_video_url'], `http://service.test/api/v1/jobs/${jobId}/output`);
  assert.equal(typeof data['processing_time_seconds'], 'number');
});

describe('a receiver that', () => {
  test('fails three times gets the same bytes under the same id until it accepts them', async () => {
    const secrets = [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwaaaa',
      'whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSwaaaa',
    ];
    await using hook = await receiver([
      status(500),
      status(503),
      (response) => response.destroy(),
      status(200),
    ]);
    await using service = await openService({ shared, webhooks: { ...QUICK, secrets } });
    const beganMs = performance.now();
    await service.webhooks.startSender();
    const jobId = await cancelledJob(service, hook.url);
    const delivery = await until(service, jobId, isOver);
    assert.equal(delivery.state, 'delivered');
    assert.deepEqual(
      delivery.attempts.map(({ statusCode }) => statusCode),
      [500, 503, null, 200],
    );
    assert.equal(hook.calls.length, 4);
    assert.equal(new Set(hook.calls.map(({ body }) => body)).size, 1);
    assert.deepEqual(
      new Set(hook.calls.map(({ headers }) => headers['webhook-id'])),
      new Set([delivery.webhookId]),
    );
    for (const { body, headers } of hook.calls) {
      for (const secret of secrets) new Webhook(secret).verify(body, headers as never);
    }
    const { values } = await service.metrics.webhookTries.get();
    const counted = values.map(({ labels: { outcome }, value }) => `${outcome} ${value}`);
    assert.deepEqual(counted.toSorted(), ['delivered 1', 'refused 2', 'unanswered 1']);
    const seconds = (await service.metrics.webhookSeconds.get()).values;
    const sum = seconds.find(({ metricName }) => metricName?.endsWith('_sum'))!.value;
    assert.ok(sum > 0 && sum < (performance.now() - beganMs) / 1000, `${sum} s`);
  });

  const input = [
    { name: 'is gone for good', answer: status(410), tries: 1, code: 410 },
    { name: 'fails for ever', answer: status(500), tries: 5, code: 500 },
    { name: 'sends elsewhere', answer: status(307, { location: '/elsewhere' }), tries: 5, code: 307 },
  ];
  for (const { name, answer, tries, code } of input) {
    test(`${name} is tried ${tries} time(s)`, async () => {
      await using hook = await receiver([answer]);
      await using service = await openService({ shared, webhooks: QUICK });
      await service.webhooks.startSender();
      const delivery = await until(service, await cancelledJob(service, hook.url), isOver);
      assert.equal(delivery.state, 'failed');
      assert.equal(delivery.nextAttemptAt, null);
      assert.deepEqual(
        delivery.attempts.map(({ statusCode }) => statusCode),
        Array(tries).fill(code),
      );
      assert.equal(hook.calls.length, tries);
    });
  }

  test('hangs is abandoned after the timeout and delays no other', async () => {
    await using hook = await receiver([() => {}]);
    await using quick = await receiver([status(200)]);
    const settings = { retryDelaysMs: [60_000], timeoutMs: 300 };
    await using service = await openService({ shared, webhooks: { settings } });
    await service.webhooks.startSender();
    const jobId = await cancelledJob(service, hook.url);
    await until(service, await cancelledJob(service, quick.url), isOver);
    const delivery = await until(service, jobId, ({ attempts }) => attempts.length > 0);
    assert.equal(delivery.state, 'pending');
    assert.match(delivery.attempts[0].error!, /timed out/);
    assert.ok(delivery.attempts[0].durationMs >= 290);
  });

  test('requests a later retry gets it', async () => {
    await using hook = await receiver([status(429, { 'retry-after': '3600' })]);
    await using service = await openService({ shared, webhooks: QUICK });
    await service.webhooks.startSender();
    const jobId = await cancelledJob(service, hook.url);
    const { nextAttemptAt } = await until(service, jobId, ({ attempts }) => attempts.length > 0);
    assert.ok(Math.abs(nextAttemptAt!.getTime() - Date.now() - 3600_000) < 10_000);
  });

  test('gets a redelivery receives the same id and bytes', async () => {
    await using hook = await receiver([status(410), status(200)]);
    await using service = await openService({ shared, webhooks: QUICK });
    await service.webhooks.startSender();
    const jobId = await cancelledJob(service, hook.url);
    const { webhookId } = await until(service, jobId, isOver);
    assert.equal((await service.webhooks.service.redeliver(jobId, webhookId)).state, 'pending');
    assert.equal((await until(service, jobId, isOver)).state, 'delivered');
    const [first, second] = hook.calls;
    assert.equal(first!.body, second!.body);
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    const other = await newJob(service);
    const unknown = service.webhooks.service.redeliver(other.jobId, webhookId);
    await assert.rejects(unknown, (error) => isFailure(error, 'WEBHOOK_NOT_FOUND'));
  });
});

test('a name is resolved once for a try, and fails when any of its addresses is not allowed', async () => {
  await using hook = await receiver([status(200)]);
  const requested: string[] = [];
  let current = 0;
  const answers = [
    [{ address: '127.0.0.1', family: 4 }],
    [
      { address: '127.0.0.1', family: 4 },
      { address: '10.9.9.9', family: 4 },
    ],
    [{ address: '169.254.169.254', family: 4 }],
    [],
  ];
  const resolveName = async (name: string) => {
    requested.push(name);
    return answers[current];
  };
  const webhooks = { ...QUICK, resolveName, allowedNetworks: ['127.0.0.1/32'] };
  await using service = await openService({ shared, webhooks });
  await service.webhooks.startSender();
  const url = `http://receiver.example:${hook.port}/`;
  await service.webhooks.service.vet(url);
  const good = await until(service, await cancelledJob(service, url), isOver);
  assert.equal(good.state, 'delivered');
  assert.equal(hook.calls[0].headers.host, `receiver.example:${hook.port}`);
  assert.deepEqual(requested, ['receiver.example']);
  for (current = 1; current < answers.length; current++) {
    const jobId = await cancelledJob(service, url);
    const bad = await until(service, jobId, ({ attempts }) => attempts.length > 0);
    assert.equal(bad.attempts[0].statusCode, null);
    assert.match(bad.attempts[0].error!, /not allowed|no address/);
    await service.database.query('delete from webhook_deliveries');
  }
  assert.equal(hook.calls.length, 1);
});

test('a sender whose lease has expired changes nothing', async () => {
  await using service = await openService({ shared });
  const { database } = service;
  const jobId = await cancelledJob(service, 'http://127.0.0.1:9/');
  const [late] = await leaseDue(database, HOLDER, 1);
  await database.query(`update webhook_deliveries set leased_until = now() - interval '1 second'`);
  const [other] = await leaseDue(database, HOLDER, 1);
  assert.equal(other!.webhookId, late!.webhookId);
  const outcome = (statusCode: number) => ({ statusCode, error: null, durationMs: 1 });
  await recordTry(database, other!, outcome(200), { state: 'delivered' });
  await recordTry(database, late!, outcome(500), { state: 'pending', delayMs: 10 });
  await dropLease(database, late!);
  const [delivery] = await service.webhooks.service.list(jobId);
  assert.equal(delivery!.state, 'delivered');
  assert.equal(delivery!.attempts.length, 2);
});

test('due deliveries are leased oldest first, and each operation affects one delivery only', async () => {
  await using service = await openService({ shared });
  const { database } = service;
  const jobs: string[] = [];
  for (let count = 0; count < 5; count++) jobs.push(await cancelledJob(service, 'http://127.0.0.1:9/'));
  const [soon, late, later, future, over] = jobs as [string, string, string, string, string];
  const change = (jobId: string, sets: string) =>
    database.query(`update webhook_deliveries set ${sets} where job_id = $1`, [jobId]);
  const only = async (jobId: string) => (await service.webhooks.service.list(jobId))[0];
  await change(soon, `next_attempt_at = now() - interval '1 second'`);
  await change(late, `next_attempt_at = now() - interval '1 minute'`);
  await change(
    later,
    `next_attempt_at = now() - interval '1 hour', leased_until = now() + interval '9 seconds'`,
  );
  await change(future, `next_attempt_at = now() + interval '1 hour'`);
  await change(over, `state = 'delivered', next_attempt_at = null`);
  const jobsOf = (due: readonly { readonly jobId: string }[]) => due.map(({ jobId }) => jobId);
  const first = await leaseDue(database, HOLDER, 1);
  assert.deepEqual(jobsOf(first), [late]);
  const next = await leaseDue(database, HOLDER, 9);
  assert.deepEqual(jobsOf(next), [soon]);
  assert.deepEqual(await leaseDue(database, HOLDER, 9), []);
  // The lease that ends first.
  const waitMs = (await nextDueMs(database))!;
  assert.ok(waitMs > 5_000 && waitMs < 9_000, `${waitMs} ms`);
  // Releases one lease, not the others, and only for its holder.
  // Two consecutive leases may end in the same millisecond.
  const another = new Date(next[0].leasedUntil.getTime() - 1);
  await dropLease(database, { ...next[0], leasedUntil: another });
  assert.deepEqual(await leaseDue(database, HOLDER, 9), []);
  await dropLease(database, next[0]);
  assert.deepEqual(jobsOf(await leaseDue(database, HOLDER, 9)), [soon]);
  // TurnRequest for again by another job's name: none of it.
  const { webhookId } = await only(over);
  await assert.rejects(service.webhooks.service.redeliver(soon, webhookId), (error) =>
    isFailure(error, 'WEBHOOK_NOT_FOUND'),
  );
  assert.equal((await only(over)).state, 'delivered');
  assert.equal((await service.webhooks.service.redeliver(over, webhookId)).state, 'pending');
  assert.deepEqual(jobsOf(await leaseDue(database, HOLDER, 9)), [over]);
  await database.query(`update webhook_deliveries set state = 'failed', next_attempt_at = null`);
  assert.equal(await nextDueMs(database), null);
});

test('an unconfirmed lease is due again at once; active deliveries and those of other senders are not', async () => {
  await using service = await openService({ shared });
  const { database } = service;
  for (let count = 0; count < 4; count++) await cancelledJob(service, 'http://127.0.0.1:9/');
  const [sending, unheard, ended] = await leaseDue(database, HOLDER, 3);
  await leaseDue(database, newId(), 1);
  await recordTry(
    database,
    ended!,
    { statusCode: 200, error: null, durationMs: 1 },
    { state: 'pending', delayMs: 60_000 },
  );
  await dropUnconfirmed(database, HOLDER, [sending!.webhookId]);
  const again = await leaseDue(database, HOLDER, 9);
  assert.deepEqual(
    again.map(({ webhookId }) => webhookId),
    [unheard!.webhookId],
  );
});

test('ended deliveries of deleted jobs are removed, a few at a time, and no others', async () => {
  await using service = await openService({ shared });
  const { database } = service;
  const states = ['pending', 'delivered', 'failed', 'delivered', 'pending'] as const;
  const jobs: string[] = [];
  for (const state of states) {
    const jobId = await cancelledJob(service, 'http://127.0.0.1:9/');
    if (state !== 'pending')
      await database.query(
        'update webhook_deliveries set state = $2, next_attempt_at = null where job_id = $1',
        [jobId, state],
      );
    jobs.push(jobId);
  }
  // The last two still have their jobs.
  for (const jobId of jobs.slice(0, 3)) await service.jobs.service.remove(jobId);
  let looks = 0;
  for (let last: string | null = NIL; last !== null; looks++) last = await deleteOrphans(database, last, 2);
  assert.equal(looks, 4, 'two, two, one, none');
  const left = await database.query<{ job_id: string }>(
    'select job_id from webhook_deliveries order by job_id',
  );
  assert.deepEqual(
    left.map(({ job_id }) => job_id),
    [jobs[0], jobs[3], jobs[4]].toSorted(),
  );
});

test('a crash between sending and recording sends the same again; the secret persists', async () => {
  using directory = temporaryDirectory();
  const place = join(directory.path, 'database');
  await seedCluster(place);
  await using hook = await receiver([status(200)]);
  const first = await openService({ database: await openPglite(place) });
  const jobId = await cancelledJob(first, hook.url);
  // Like a sender that ends right after its request: the delivery is leased and no result is recorded.
  const [claimed] = await leaseDue(first.database, HOLDER, 1);
  const { secrets } = first.webhooks;
  await first[Symbol.asyncDispose]();

  await using second = await openService({ database: await openPglite(place) });
  await second.webhooks.startSender();
  const delivery = await until(second, jobId, isOver);
  assert.equal(delivery.webhookId, claimed!.webhookId);
  assert.equal(hook.calls[0].body, claimed!.body);
  assert.deepEqual(second.webhooks.secrets, secrets);
  new Webhook(secrets[0]).verify(hook.calls[0].body, hook.calls[0].headers as never);
});

test('a short failure to read the allowed networks delays no delivery', async () => {
  await using hook = await receiver([status(200)]);
  let failures = 0;
  // The real database, but for one question that is answered by an error a few times.
  const troubled: typeof shared = {
    ...shared,
    query: (sql, values) => {
      if (!/from shared_settings/.test(sql) || failures === 0) return shared.query(sql, values);
      failures--;
      return Promise.reject(new Failure('SERVICE_UNAVAILABLE', 'The database cannot be reached'));
    },
  };
  await using service = await openService({ shared: troubled, webhooks: QUICK });
  const jobId = await cancelledJob(service, hook.url);
  // The rule that was read when the job was created is now a second old.
  await sleep(1100);
  failures = 1;
  await service.webhooks.startSender();
  // Looked for again after five seconds; a lease would hold it for sixty.
  assert.equal((await until(service, jobId, isOver)).state, 'delivered');
  assert.equal(failures, 0);
});

test('a job deleted before its delivery: the webhook is still delivered, once', async () => {
  await using hook = await receiver([status(204)]);
  await using service = await openService({ shared });
  const { jobId } = await newJob(service, { webhookUrl: hook.url });
  await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
  await service.jobs.service.waitForEnd(jobId, 30_000, new AbortController().signal);
  const [promised] = await service.webhooks.service.list(jobId);
  assert.equal(promised?.state, 'pending');
  await service.jobs.service.remove(jobId);
  assert.equal(await service.jobs.service.get(jobId), null);
  await service.webhooks.startSender();
  const stateOf = async () =>
    (await service.database.query('select state from webhook_deliveries where job_id = $1', [jobId]))[0];
  await waitFor('it is recorded', async () => (await stateOf())?.['state'] === 'delivered');
  assert.equal(hook.calls.length, 1);
  const [{ headers, body }] = hook.calls as [Call];
  assert.deepEqual([headers['webhook-id'], headers['webhook-event']], [promised.webhookId, 'job.completed']);
  assert.equal(JSON.parse(body).data.job_id, jobId);
});

test('all that is due is sent, eight at a time to one host', async () => {
  let [running, most] = [0, 0];
  await using hook = await receiver([
    (response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end();
      }, 60);
    },
  ]);
  await using service = await openService({ shared, webhooks: QUICK });
  const { jobId } = await newJob(service, { webhookUrl: hook.url });
  await service.jobs.service.cancel(jobId);
  // Thirty-nine more of it, as jobs that ended while no sender was there.
  await service.database.query(
    `insert into webhook_deliveries (webhook_id, job_id, event, url, body, state, next_attempt_at, created_at)
     select gen_random_uuid(), job_id, event, url, body, state, next_attempt_at, created_at
     from webhook_deliveries, generate_series(1, 39)`,
  );
  await service.webhooks.startSender();
  await waitFor('all are sent', () => hook.calls.length === 40);
  assert.equal(most, 8);
  await waitFor('all are recorded', async () =>
    (await service.webhooks.service.list(jobId)).every(({ state }) => state === 'delivered'),
  );
  assert.equal(hook.calls.length, 40);
});

test('a receiver that hangs does not delay the others, however much is due to it', async () => {
  await using hanging = await receiver([() => {}]);
  await using hook = await receiver([(response) => void response.end()]);
  await using service = await openService({
    shared,
    webhooks: { settings: { ...QUICK.settings, timeoutMs: 60_000 } },
  });
  const ended = async (url: string) => {
    const { jobId } = await newJob(service, { webhookUrl: url });
    await service.jobs.service.cancel(jobId);
  };
  await ended(hanging.url);
  await service.database.query(
    `insert into webhook_deliveries (webhook_id, job_id, event, url, body, state, next_attempt_at, created_at)
     select gen_random_uuid(), job_id, event, url, body, state, next_attempt_at - interval '1 minute', created_at
     from webhook_deliveries, generate_series(1, 2500)`,
  );
  await ended(hook.url);
  const startedMs = performance.now();
  await service.webhooks.startSender();
  await waitFor('the other is called', () => hook.calls.length === 1);
  assert.ok(performance.now() - startedMs < 15_000);
  await waitFor('the one that hangs has its share', () => hanging.calls.length > 0);
  assert.ok(hanging.calls.length <= 8, `${hanging.calls.length}`);
});

test('requests about unknown jobs and webhooks, and forbidden addresses, are refused', async () => {
  await using service = await openService({ shared, webhooks: { allowedNetworks: [] } });
  const { service: webhookService } = service.webhooks;
  for (const id of ['x', NIL]) {
    const unknown = (error: unknown) => isFailure(error, 'JOB_NOT_FOUND');
    await assert.rejects(webhookService.list(id), unknown);
    await assert.rejects(webhookService.redeliver(id, NIL), unknown);
  }
  const { jobId } = await newJob(service);
  assert.deepEqual(await webhookService.list(jobId), []);
  for (const id of ['x', NIL])
    await assert.rejects(webhookService.redeliver(jobId, id), (error) =>
      isFailure(error, 'WEBHOOK_NOT_FOUND'),
    );
  await webhookService.vet('https://93.184.215.14/hook');
  await assert.rejects(webhookService.vet('http://127.0.0.1/'), (error) =>
    isFailure(error, 'WEBHOOK_URL_FORBIDDEN'),
  );
  assert.equal(await webhookService.sharesSecrets(), true);
});
