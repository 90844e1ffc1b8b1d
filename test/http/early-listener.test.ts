/** The address that answers before the service behind it is open. */
import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { type EarlyListener, openEarlyListener } from '../../src/http/server/early-listener.ts';
import { startService } from '../support/service.ts';

async function opened(host = '127.0.0.1', port = 0): Promise<EarlyListener & AsyncDisposable> {
  const earlyListener = await openEarlyListener({ HOST: host, PORT: port });
  return { ...earlyListener, [Symbol.asyncDispose]: () => earlyListener.close() };
}

describe('an early listener before it is opened', () => {
  const rows: readonly (readonly [method: string, path: string, status: number])[] = [
    ['GET', '/livez', 200],
    ['GET', '/livez/', 200],
    ['HEAD', '/livez', 200],
    ['GET', '/readyz', 503],
    ['GET', '/livezz', 503],
    ['GET', '/', 503],
    ['GET', '/api/v1/health', 503],
    ['GET', '/api/v1/jobs?limit=1', 503],
    ['POST', '/api/v1/videos/upload', 503],
  ];
  for (const [method, path, status] of rows)
    test(`answers ${method} ${path} with ${status}`, async () => {
      await using earlyListener = await opened();
      const body = method === 'POST' ? { body: Buffer.alloc(300_000) } : {};
      const answer = await fetch(`${earlyListener.address}${path}`, { method, ...body });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
      if (method === 'HEAD') return;
      const reported = (await answer.json()) as { success: boolean; error: Record<string, unknown> };
      if (path.startsWith('/livez') && status === 200) assert.deepEqual(reported, { status: 'ok' });
      else if (path === '/readyz') assert.deepEqual(reported, { status: 'starting' });
      else {
        assert.equal(answer.headers.get('retry-after'), '1');
        assert.deepEqual(
          [reported.success, reported.error['code'], reported.error['retryable']],
          [false, 'SERVICE_UNAVAILABLE', true],
        );
        assert.equal(reported.error['request_id'], answer.headers.get('x-request-id'));
      }
    });

  const pages: readonly (readonly [path: string, accept: string, isPage: boolean])[] = [
    ['/', 'text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['/library?kind=video', 'text/html', true],
    ['/jobs/1', 'text/html', true],
    ['/', '*/*', false],
    ['/', 'application/json', false],
    ['/api/v1/jobs', 'text/html', false],
    ['/metrics', 'text/html', false],
  ];
  for (const [path, accept, isPage] of pages)
    test(`answers ${path} for ${accept} with ${isPage ? 'a page that waits' : 'an error'}`, async () => {
      await using earlyListener = await opened();
      const answer = await fetch(`${earlyListener.address}${path}`, { headers: { accept } });
      assert.equal(answer.status, 503);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.match(answer.headers.get('content-type')!, isPage ? /^text\/html/ : /^application\/json/);
      const text = await answer.text();
      if (isPage) assert.match(text, /http-equiv="refresh" content="1".*StyleDNA is starting/s);
      else assert.equal(JSON.parse(text).error.code, 'SERVICE_UNAVAILABLE');
    });

  test('keeps the id that a client gives its request', async () => {
    await using earlyListener = await opened();
    const answer = await fetch(`${earlyListener.address}/api/v1/jobs`, {
      headers: { 'x-request-id': 'mine-1' },
    });
    assert.equal(answer.headers.get('x-request-id'), 'mine-1');
  });

  test('names the address in use', async () => {
    await using earlyListener = await opened();
    const port = Number(new URL(earlyListener.address).port);
    await assert.rejects(opened('127.0.0.1', port), { code: 'EADDRINUSE', port });
  });
});

describe('an early listener that is opened', () => {
  test('hands over, on the same connection too', async () => {
    await using earlyListener = await opened();
    const app = fastify({ serverFactory: earlyListener.serverFor });
    app.get('/api/v1/jobs', async () => ({ here: true }));
    await app.ready();
    const { port } = new URL(earlyListener.address);
    const socket = await new Promise<import('node:net').Socket>((resolve) => {
      const requested = request(
        { port, path: '/api/v1/jobs', headers: { connection: 'keep-alive' } },
        (answer) => {
          assert.equal(answer.statusCode, 503);
          resolve(answer.socket);
          answer.resume();
        },
      );
      requested.end();
    });
    earlyListener.open();
    const again = await fetch(`${earlyListener.address}/api/v1/jobs`);
    assert.deepEqual(await again.json(), { here: true });
    socket.destroy();
    await app.close();
  });

  test('listens on every address that the machine calls "localhost"', async () => {
    await using earlyListener = await opened('localhost');
    const { port } = new URL(earlyListener.address);
    for (const { address, family } of await lookup('localhost', { all: true })) {
      const host = family === 6 ? `[${address}]` : address;
      assert.equal((await fetch(`http://${host}:${port}/livez`)).status, 200);
    }
  });
});

test('a closed early listener accepts no connection', async () => {
  const earlyListener = await openEarlyListener({ HOST: '127.0.0.1', PORT: 0 });
  await earlyListener.close();
  await assert.rejects(fetch(`${earlyListener.address}/livez`));
});

/** It is starting for half a second at least. */
const POLL_MS = 30;

test('a service that starts is live at once, and refuses requests and shows a page that waits until it is ready', async () => {
  await using service = await startService();
  await service.stop();
  const starting = service.restart();
  const statusOf = async (path: string) => {
    const answer = await fetch(`${service.baseUrl}${path}`).catch(() => null);
    return answer?.status ?? 0;
  };
  const pageOf = async () => {
    const answer = await fetch(service.baseUrl, { headers: { accept: 'text/html' } }).catch(() => null);
    if (answer === null) return 'none';
    return `${answer.status} ${/StyleDNA is starting/.test(await answer.text()) ? 'waiting' : 'app'}`;
  };
  const [statuses, pages] = [new Set<string>(), new Set<string>()];
  while (!statuses.has('live 200, jobs 200') || !pages.has('200 app')) {
    statuses.add(`live ${await statusOf('/livez')}, jobs ${await statusOf('/api/v1/jobs')}`);
    pages.add(await pageOf());
    await sleep(POLL_MS);
  }
  await starting;
  pages.delete('none');
  assert.deepEqual([...pages], ['503 waiting', '200 app']);
  assert.ok(statuses.has('live 200, jobs 503'), [...statuses].join('; '));
  for (const status of statuses) assert.doesNotMatch(status, /live 503|jobs 500|jobs 404/);
});
