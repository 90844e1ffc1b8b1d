/** The proxies of deploy/proxies, with other addresses, in front of the real service. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertError, assertForm, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import {
  AUTHORIZATION,
  NGINX,
  PEOPLE,
  PROXIES,
  proxyMissing,
  startSignInProxy,
} from '../support/sign-in-proxy.ts';

const folder = temporaryFolder();

for (const kind of PROXIES) {
  describe(kind.program, { skip: proxyMissing(kind.program) }, () => {
    test('people sign in; probes need not; figures and steering stay inside', async () => {
      await using service = await startService();
      await using proxy = await startSignInProxy(kind, [service.baseUrl]);
      const stranger = await call(proxy.url, 'GET', '/api/v1/jobs');
      assertError(stranger, 'UNAUTHORIZED');
      assert.match(stranger.headers.get('www-authenticate') ?? '', /^Basic realm=/);
      assertError(
        await call(proxy.url, 'GET', '/api/v1/jobs', {
          headers: { authorization: `Basic ${btoa('styledna:wrong')}` },
        }),
        'UNAUTHORIZED',
      );
      for (const path of ['/metrics', '/api/v1/admin/queue'])
        assertError(await call(proxy.url, 'GET', path, { headers: PEOPLE }), 'FORBIDDEN');
      for (const path of ['/livez', '/readyz']) assert.equal((await fetch(proxy.url + path)).status, 200);
      assert.equal((await call(proxy.url, 'GET', '/api/v1/jobs', { headers: PEOPLE })).status, 200);
      assert.equal((await fetch(`${proxy.url}/`, { headers: PEOPLE })).status, 200);
      // Refusals of the service pass unchanged.
      assertError(await call(proxy.url, 'GET', '/api/v1/jobs/none', { headers: PEOPLE }), 'JOB_NOT_FOUND');
    });

    // Caddy serves the names of its configuration alone.
    test('the public host is served, a foreign one is not; probes may use any', {
      skip: kind !== NGINX,
    }, async () => {
      await using service = await startService({ PUBLIC_BASE_URL: 'https://videos.example.com' });
      await using proxy = await startSignInProxy(kind, [service.baseUrl]);
      const status = (host: string, path: string) =>
        new Promise((resolve, reject) => {
          request(proxy.url + path, { headers: { ...PEOPLE, host } }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          })
            .on('error', reject)
            .end();
        });
      assert.equal(await status('videos.example.com', '/api/v1/jobs'), 200);
      assert.equal(await status('evil.example', '/api/v1/jobs'), 421);
      assert.equal(await status('10.0.0.7', '/readyz'), 200);
    });

    test('a job from upload to output; its events arrive immediately', async () => {
      await using service = await startService();
      await using proxy = await startSignInProxy(kind, [service.baseUrl]);
      const clip = await makeClip(folder, { name: `${kind.program}-clip`, durationSeconds: 1 });
      const video = await upload(proxy.url, clip, { headers: PEOPLE });
      assert.equal(video.status, 201);
      const job = await call(proxy.url, 'POST', '/api/v1/jobs', {
        headers: PEOPLE,
        json: { video_id: video.body.data.video_id, config: { quality: 'low' } },
      });
      const path = `/api/v1/jobs/${job.body.data.job_id}`;
      const events = await fetch(`${proxy.url}${path}/events`, { headers: PEOPLE });
      const arrived: number[] = [];
      for await (const _piece of events.body!) arrived.push(performance.now());
      assert.ok(
        arrived.length >= 3 && arrived.at(-1)! - arrived[0] > 100,
        `${arrived.length} pieces, one after another`,
      );
      const result = await call(proxy.url, 'GET', `${path}/result?wait=60`, { headers: PEOPLE });
      assert.equal(result.body.data.status, 'completed');
      const range = { ...PEOPLE, range: 'bytes=4-7' };
      const part = await fetch(`${proxy.url}${path}/output`, { headers: range });
      assert.equal(part.status, 206);
      assert.equal(await part.text(), 'ftyp');
    });

    test('an upload is forwarded while it arrives', async () => {
      await using service = await startService();
      await using proxy = await startSignInProxy(kind, [service.baseUrl]);
      const created = await fetch(`${proxy.url}/api/v1/uploads`, {
        method: 'POST',
        headers: { ...PEOPLE, 'tus-resumable': '1.0.0', 'upload-length': String(2 ** 21) },
      });
      const { pathname } = new URL(created.headers.get('location')!, proxy.url);
      const half = 2 ** 20;
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) });
      socket.write(
        `PATCH ${pathname} HTTP/1.1\r\nhost: ${new URL(proxy.url).host}\r\nauthorization: ${AUTHORIZATION}\r\ntus-resumable: 1.0.0\r\n` +
          `content-type: application/offset+octet-stream\r\nupload-offset: 0\r\ncontent-length: ${2 ** 21}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(half));
      await sleep(1500);
      socket.destroy();
      // The service stores the bytes received before the connection broke; a buffering proxy would have sent none.
      const kept = await waitFor('the first half', async () => {
        const head = await fetch(proxy.url + pathname, {
          method: 'HEAD',
          headers: { ...PEOPLE, 'tus-resumable': '1.0.0' },
        });
        return Number(head.headers.get('upload-offset')) > 0 && Number(head.headers.get('upload-offset'));
      });
      assert.equal(kept, half);
    });

    test('an unreachable service is reported in the error format', async () => {
      await using service = await startService();
      await using proxy = await startSignInProxy(kind, [service.baseUrl]);
      await service.kill();
      const reply = await call(proxy.url, 'GET', '/api/v1/jobs', { headers: PEOPLE });
      assertError(reply, 'SERVICE_UNAVAILABLE');
      assert.equal(reply.headers.get('retry-after'), '5');
      await service.restart();
      await waitFor(
        'the service behind the proxy',
        async () => (await fetch(`${proxy.url}/api/v1/jobs`, { headers: PEOPLE })).ok,
      );
    });
  });
}

describe('what nginx itself refuses is in the error format', { skip: proxyMissing('nginx') }, () => {
  for (const [what, path, headers, code] of [
    ['a long header', '/', { 'x-long': 'x'.repeat(40_000) }, 'HEADERS_TOO_LARGE'],
    ['a long address', `/${'x'.repeat(10_000)}`, {}, 'HEADERS_TOO_LARGE'],
    ['a broken escape', '/api/v1/jobs/%zz', {}, 'MALFORMED_REQUEST'],
  ] as const) {
    test(what, async () => {
      await using service = await startService();
      await using proxy = await startSignInProxy(NGINX, [service.baseUrl]);
      const answer = await fetch(proxy.url + path, { headers: { ...PEOPLE, ...headers } });
      const body = (await answer.json()) as Record<string, unknown>;
      assertForm(answer, body);
      assert.equal((body['error'] as Record<string, unknown>)['code'], code);
    });
  }
});
