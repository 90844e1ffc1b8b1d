/** Receivers that fail, redirect or change their address, and a service that crashes while sending. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { type JobsService, newJob, openService, openShared } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { type Delivered, openReceiver } from '../support/receiver.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwaaaa', 'whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSwaaaa'];
const CRASHES = 3;

let place: Awaited<ReturnType<typeof openShared>>;
let service: Service;
let videoId: string;
before(async () => {
  place = await openShared();
  service = await startService({ WEBHOOK_SECRETS: SECRETS.join(), WORKER_CONCURRENCY: '0' });
  const clip = { name: 'clip', durationSeconds: 0.6, width: 160, height: 90, silent: true };
  videoId = await uploaded(service, await makeClip(temporaryFolder(), clip));
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await place?.[Symbol.asyncDispose]();
});

/** Every secret's holder accepts it. */
function assertVerified({ text, headers }: Delivered): void {
  for (const secret of SECRETS) new Webhook(secret).verify(text, headers as never);
}

/** A job of the real service whose webhook is due. */
async function cancelledJob(webhook_url: string): Promise<string> {
  const json = { video_id: videoId, webhook_url };
  const { body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
  await call(service.baseUrl, 'POST', `/api/v1/jobs/${body.data.job_id}/cancel`);
  return body.data.job_id;
}

test(`the service crashes between sending and recording, ${CRASHES} times`, async (t) => {
  let crashes = 0;
  // It has the whole request and answers, but its sender is dead before it can read that.
  await using hook = await openReceiver((response) => {
    if (crashes++ < CRASHES) process.kill(service.pid, 'SIGKILL');
    response.writeHead(204).end();
  });
  const jobId = cancelledJob(hook.url).catch(() => null);
  let slowestMs = 0;
  for (let crash = 1; crash <= CRASHES; crash++) {
    await waitFor('the request', () => hook.calls.length >= crash);
    await service.kill();
    const startedMs = performance.now();
    await service.restart();
    await waitFor('the same again', () => hook.calls.length > crash);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
  assert.notEqual(await jobId, undefined);
  const id = hook.calls[0].body.data.job_id;
  const log = () => call(service.baseUrl, 'GET', `/api/v1/jobs/${id}/webhooks`);
  await waitFor('it is recorded', async () => (await log()).body.data.webhooks[0]?.state === 'delivered');
  assert.equal((await log()).body.data.webhooks.length, 1);
  assert.equal(hook.calls.length, CRASHES + 1);
  assert.equal(new Set(hook.calls.map(({ webhookId }) => webhookId)).size, 1);
  assert.equal(new Set(hook.calls.map(({ text }) => text)).size, 1);
  for (const delivered of hook.calls) assertVerified(delivered);
  tellFigures(t, 'crash between send and record', { tried: CRASHES, slowestMs, lost: 0 });
});

/** The waits that the contract names, after the first three failures. */
const SCHEDULE_MS = [5_000, 300_000, 1_800_000];

test('500 three times: the contract’s waits, one id, one body, signed each time', async (t) => {
  await using hook = await openReceiver((response) =>
    response.writeHead(hook.calls.length <= SCHEDULE_MS.length ? 500 : 200).end(),
  );
  await using service = await openService({ shared: place.shared, webhooks: { secrets: SECRETS } });
  await service.webhooks.startSender();
  const jobId = await reported(service, hook.url);
  for (const [index, wantedMs] of SCHEDULE_MS.entries()) {
    const { attempts, nextAttemptAt } = await deliveryAfter(service, jobId, index + 1);
    const { attemptedAt, durationMs } = attempts.at(-1)!;
    const waitMs = nextAttemptAt!.getTime() - attemptedAt.getTime() - durationMs;
    // A tenth of jitter; times have milliseconds.
    assert.ok(waitMs >= wantedMs - 2 && waitMs <= wantedMs * 1.1 + 2, `${waitMs} ms`);
    // Hours pass in a moment.
    await service.database.query('update webhook_deliveries set next_attempt_at = now()');
  }
  assert.equal((await deliveryAfter(service, jobId, SCHEDULE_MS.length + 1)).state, 'delivered');
  assert.equal(new Set(hook.calls.map(({ webhookId, text }) => webhookId + text)).size, 1);
  for (const delivered of hook.calls) assertVerified(delivered);
  tellFigures(t, 'receiver answers 500 three times', { tried: 1, lost: 0 });
});

async function reported(service: JobsService, webhookUrl: string): Promise<string> {
  const { jobId } = await newJob(service, { webhookUrl });
  await service.jobs.service.cancel(jobId);
  return jobId;
}

function deliveryAfter(service: JobsService, jobId: string, tries: number) {
  return waitFor(`${tries} tries`, async () => {
    const [delivery] = await service.webhooks.service.list(jobId);
    return delivery !== undefined && delivery.attempts.length >= tries && delivery;
  });
}

/** Counts who connects. */
async function openTrap(host: string, port: number) {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(port, host);
  await once(server, 'listening');
  return {
    count: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}

const GOOD = '127.0.0.1';
const PRIVATE = '127.0.0.3';
/** One address may be called, its neighbour may not. */
const POLICY = { allowedNetworks: [`${GOOD}/32`] };
const NO_RETRY = { retryDelaysMs: [10], timeoutMs: 2_000 };

test('a name whose address changes between check and call reaches nothing private', async (t) => {
  await using hook = await openReceiver();
  const port = Number(new URL(hook.url).port);
  await using trap = await openTrap(PRIVATE, port);
  let requested = 0;
  // Public when it is checked, private in all later lookups.
  const resolveName = async () => [{ address: requested++ === 0 ? GOOD : PRIVATE, family: 4 }];
  const webhooks = { secrets: SECRETS, settings: NO_RETRY, resolveName, ...POLICY };
  await using service = await openService({ shared: place.shared, webhooks });
  await service.webhooks.startSender();
  const url = `http://rebinding.example:${port}/`;
  assert.equal((await deliveryAfter(service, await reported(service, url), 1)).state, 'delivered');
  // From now on it is private from the start.
  const refused = await deliveryAfter(service, await reported(service, url), 2);
  assert.equal(refused.state, 'failed');
  for (const { error } of refused.attempts) assert.match(error!, /not allowed/);
  assert.equal(hook.calls.length, 1);
  assert.equal(trap.count(), 0);
  tellFigures(t, 'a name that rebinds', { tried: 2, lost: 0, seen: '0 connections to the private address' });
});

for (const code of [301, 302, 303, 307, 308]) {
  test(`a ${code} to a private address is not followed`, async () => {
    await using hook = await openReceiver((response) =>
      response.writeHead(code, { location: `http://${PRIVATE}:${port}/` }).end(),
    );
    const port = Number(new URL(hook.url).port);
    await using trap = await openTrap(PRIVATE, port);
    const webhooks = { secrets: SECRETS, settings: NO_RETRY, ...POLICY };
    await using service = await openService({ shared: place.shared, webhooks });
    await service.webhooks.startSender();
    const delivery = await deliveryAfter(service, await reported(service, hook.url), 2);
    assert.equal(delivery.state, 'failed');
    assert.equal(trap.count(), 0);
  });
}
