/**
 * All hostile answers to imports, webhooks and traces, and clients that take all places: others are served, and the service ends in its
 * time. The share of a host in imports: test/http/hostile-peers.test.ts.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PROBES_AT_ONCE } from '../../src/http/server/limited-probe.ts';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type FileServer, file, slowly, startFileServer } from '../support/file-server.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';
import { pngBomb } from '../support/png-bomb.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

/** With a busy machine; an attack used to hold the places for minutes or for ever. */
const SOON_MS = 10_000;
/** 2 s for the last tries of webhooks, 5 s for the last traces. */
const STOP_MS = 15_000;

const folder = temporaryFolder();
const clipPath = await makeClip(folder, { name: 'clip', durationSeconds: 1, silent: true });
const clip = readFileSync(clipPath);
let files: FileServer;
before(async () => {
  files = await startFileServer({
    '/clip.mp4': file(clip),
    '/slow.mp4': slowly(Buffer.alloc(1 << 20), 1_500),
  });
});
after(() => files?.[Symbol.asyncDispose]());

/** Clients are distinguished by the headers of a proxy. */
const start = (more: Readonly<Record<string, string>> = {}) =>
  startService({ TRUST_PROXY: '1', DRAIN_SECONDS: '0', ...more });
const from = (client: number) => ({ 'x-forwarded-for': `203.0.113.${client}` });

async function started(service: Service, url: string, client: number): Promise<string> {
  const more = { json: { url }, headers: from(client) };
  const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/videos/import', more);
  assert.equal(status, 202, JSON.stringify(body));
  return body.data.video_id;
}

async function assertImported(service: Service, client: number): Promise<void> {
  const videoId = await started(service, `${files.url}/clip.mp4`, client);
  const isReady = async () =>
    (await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body.data.status === 'ready';
  await waitFor('the video is imported', isReady, SOON_MS);
}

/** Ends a job that waits for an import at once, which sends a webhook. */
async function notify(service: Service, videoId: string, webhookUrl: string): Promise<void> {
  const json = { video_id: videoId, webhook_url: webhookUrl };
  const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
  assert.equal(status, 201, JSON.stringify(body));
  const cancelled = await call(service.baseUrl, 'POST', `/api/v1/jobs/${body.data.job_id}/cancel`);
  assert.equal(cancelled.status, 200);
}

async function assertStops(service: Service): Promise<void> {
  const toldMs = performance.now();
  assert.equal(await service.stop(), 0);
  const ms = performance.now() - toldMs;
  assert.ok(ms < STOP_MS, `it took ${ms} ms`);
}

describe('servers that break the protocol', () => {
  test('hold up neither imports nor webhooks, nor the end of the service', { timeout: 120_000 }, async () => {
    await using service = await start();
    await using hook = await openReceiver();
    await using stack = new AsyncDisposableStack();
    const waiting = await started(service, `${files.url}/slow.mp4`, 9);
    for (const [index, answer] of (Object.keys(HOSTILE_ANSWERS) as HostileAnswer[]).entries()) {
      const hostile = stack.use(await startHostileServer(answer));
      await started(service, `http://${hostile.host}/x`, index % 4);
      await notify(service, waiting, `http://${hostile.host}/hook`);
      await waitFor(`${answer}: both are requested`, () => hostile.connections >= 2, SOON_MS);
    }
    await assertImported(service, 9);
    await notify(service, waiting, hook.url);
    await waitFor('the webhook arrives', () => hook.calls.length > 0, SOON_MS);
    await assertStops(service);
  });

  for (const answer of ['a switch of protocols', 'interim answers without end', 'silence'] as const)
    test(`a collector of traces with ${answer} does not hold up the end`, { timeout: 180_000 }, async () => {
      await using hostile = await startHostileServer(answer);
      const endpoint = `http://${hostile.host}`;
      await using service = await start({
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      });
      await call(service.baseUrl, 'GET', '/api/v1/jobs');
      await waitFor('traces are sent', () => hostile.connections > 0, SOON_MS);
      await assertStops(service);
    });
});

describe('a client that takes all it can get', () => {
  let service: Service;
  before(async () => {
    service = await start();
  });
  after(() => service?.[Symbol.asyncDispose]());

  test('by an import that trickles loses its place', { timeout: 120_000 }, async () => {
    await using strict = await start({ UPLOAD_IDLE_SECONDS: '1' });
    const videoId = await started(strict, `${files.url}/slow.mp4`, 1);
    const found = await waitFor(
      'it ends',
      async () => {
        const { data } = (await call(strict.baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body;
        return data.status !== 'importing' && data;
      },
      40_000,
    );
    assert.equal(found.error.code, 'IMPORT_FAILED');
    assert.match(found.error.detail, /sent \d+ bytes in 2\d s, less than an import allows/);
  });

  test('by webhooks to a receiver that hangs delays those of others by nothing', {
    timeout: 120_000,
  }, async () => {
    await using hanging = await openReceiver(() => {});
    await using hook = await openReceiver();
    const videoId = await started(service, `${files.url}/slow.mp4`, 1);
    for (let index = 0; index < 70; index++) await notify(service, videoId, hanging.url);
    await notify(service, videoId, hook.url);
    await waitFor('the webhook arrives', () => hook.calls.length > 0, 5_000);
    assert.ok(hanging.calls.length >= 8 && hanging.calls.length <= 16, `${hanging.calls.length} tries`);
  });

  test('by pictures that unpack for minutes is refused soon, and delays nobody', {
    timeout: 120_000,
  }, async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'styledna-bomb-')), 'bomb.png');
    writeFileSync(path, pngBomb(600));
    const sentMs = performance.now();
    // As many as are probed at once.
    const bombs = Array.from({ length: PROBES_AT_ONCE }, () =>
      upload(service.baseUrl, path, { headers: from(3) }),
    );
    await waitFor('they are probed', () => performance.now() - sentMs > 3_000);
    const honestMs = performance.now();
    const reply = await upload(service.baseUrl, clipPath, { headers: from(4) });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    assert.ok(performance.now() - honestMs < SOON_MS, `${performance.now() - honestMs} ms`);
    for (const bomb of await Promise.all(bombs)) assert.equal(bomb.body.error.code, 'INVALID_VIDEO');
  });
});
