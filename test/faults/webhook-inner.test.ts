/** Services and workers with default settings: no webhook reaches this machine, under any name. */
import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService, startWorker } from '../support/service.ts';

const clip = await makeClip(temporaryFolder(), {
  name: 'clip',
  durationSeconds: 0.6,
  width: 160,
  height: 90,
});
/** A name that is no literal form of this machine and leads to it. */
const NAMES = [hostname(), 'ip6-localhost', 'localhost.localdomain'];
const name = (await Promise.all(NAMES.map(async (one) => ((await leadsHere(one)) ? one : null)))).find(
  Boolean,
);
const DELIVERIES = 3;

async function leadsHere(one: string): Promise<boolean> {
  const found = await lookup(one).catch(() => null);
  return found !== null && one !== 'localhost' && /^127\.|^::1$/.test(found.address);
}

const missing =
  postgresMissing() ?? (name === undefined ? `none of ${NAMES.join(', ')} leads to loopback` : false);

describe('webhooks to this machine', { skip: missing }, () => {
  let server: PostgresServer;
  let service: Service;
  let worker: Awaited<ReturnType<typeof startWorker>>;
  let hook: Receiver;
  before(async () => {
    server = await startPostgres();
    hook = await openReceiver();
    // As nobody has set anything: an empty variable counts as unset.
    const settings = { DATABASE_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: '' };
    service = await startService({ ...settings, WORKER_CONCURRENCY: '0' });
    worker = await startWorker({ ...settings, PUBLIC_BASE_URL: service.baseUrl }, service.dataDir);
  });
  after(async () => {
    await worker?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
    await hook?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test('are refused at creation by address, and by name when they are sent', async (t) => {
    const video_id = await uploaded(service, clip);
    const create = (webhook_url: string) =>
      call(service.baseUrl, 'POST', '/api/v1/jobs', {
        json: { video_id, webhook_url, config: { quality: 'low' } },
      });
    const refused = await create(hook.url);
    assert.equal(refused.status, 422);
    assert.equal(refused.body.error.code, 'WEBHOOK_URL_FORBIDDEN');
    assert.match(refused.body.error.detail, /WEBHOOK_ALLOWED_NETWORKS/);
    const port = new URL(hook.url).port;
    for (let count = 0; count < DELIVERIES; count++) {
      const created = await create(`http://${name}:${port}/`);
      assert.equal(created.status, 201);
      const { job_id } = created.body.data;
      const delivery = await waitFor('the delivery is tried', async () => {
        const { body } = await call(service.baseUrl, 'GET', `/api/v1/jobs/${job_id}/webhooks`);
        const [first] = body.data.webhooks;
        return first?.attempts.length > 0 && first;
      });
      assert.match(delivery.attempts[0].error, /not allowed \(see WEBHOOK_ALLOWED_NETWORKS\)/);
    }
    assert.equal(hook.calls.length, 0);
    tellFigures(t, 'a webhook to this machine by a name', {
      tried: DELIVERIES,
      lost: 0,
      seen: '0 connections',
    });
  });
});
