/** One try of a delivery: the request, and the outcome of each answer or of none. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createRawServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../src/jobs/model/job.ts';
import { pinnedTo, vettedAddresses } from '../../src/network/vetted-address.ts';
import { webhookEvent } from '../../src/webhooks/event.ts';
import { post } from '../../src/webhooks/post.ts';
import { readSecretFile, writeSecretFile } from '../../src/webhooks/secret-file.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';

const HERE = ['127.0.0.0/8', '::1/128'];
const body = '{"data":"ü"}';
const never = new AbortController().signal;

async function listening(answer: RequestListener, host = '127.0.0.1') {
  const server = createServer(answer).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
const send = (url: string, signal = never, resolveName?: Parameters<typeof post>[3]) =>
  post({ url, headers: { 'webhook-id': 'x' }, body }, HERE, signal, resolveName);

describe('an answer', () => {
  const rows: readonly (readonly [code: number, error: string | null])[] = [
    [200, null],
    [204, null],
    [299, null],
    [300, 'answered 300; redirects are not followed'],
    [307, 'answered 307; redirects are not followed'],
    [399, 'answered 399; redirects are not followed'],
    [400, 'answered 400'],
    [410, 'answered 410'],
    [500, 'answered 500'],
  ];
  for (const [code, error] of rows)
    test(`${code} is ${error === null ? 'accepted' : `reported as "${error}"`}`, async () => {
      let requested = 0;
      await using server = await listening((_request, response) => {
        requested++;
        response.writeHead(code, { location: '/elsewhere', 'retry-after': '7' }).end('no matter');
      });
      const { durationMs, ...outcome } = await send(`http://127.0.0.1:${server.port}/hook`);
      assert.deepEqual(outcome, { statusCode: code, error, retryAfterMs: error === null ? null : 7_000 });
      assert.ok(Number.isInteger(durationMs) && durationMs >= 0 && durationMs < 10_000, `${durationMs}`);
      assert.equal(requested, 1);
    });

  test('receives one POST with its own length, type and headers', async () => {
    let observed: IncomingMessage | undefined;
    let bytes = '';
    await using server = await listening(async (request, response) => {
      observed = request;
      for await (const part of request) bytes += part;
      response.end();
    });
    await send(`http://127.0.0.1:${server.port}/hook?a=1`);
    assert.deepEqual([observed!.method, observed!.url, bytes], ['POST', '/hook?a=1', body]);
    const { headers } = observed!;
    assert.deepEqual(
      [headers['content-type'], headers['content-length'], headers['user-agent'], headers['webhook-id']],
      ['application/json', '13', 'StyleDNA-Webhooks/1', 'x'],
    );
  });

  test('counts by its head: an endless body is neither awaited nor stored', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await listening((request, response) => {
      request.socket.once('close', () => closed.resolve());
      response.writeHead(200).write('x');
    });
    assert.equal((await send(`http://127.0.0.1:${server.port}/`)).error, null);
    const late = sleep(5_000, 'still open', { ref: false });
    assert.equal(await Promise.race([closed.promise, late]), undefined);
  });

  test('may take until the timeout', async () => {
    await using server = await listening((_request, response) => setTimeout(() => response.end(), 120));
    const startedMs = performance.now();
    const { durationMs } = await send(`http://127.0.0.1:${server.port}/`);
    assert.ok(durationMs >= 115 && durationMs < performance.now() - startedMs + 1, `${durationMs} ms`);
  });
});

describe('no answer', () => {
  const failed = async (url: string, signal = never, resolveName?: Parameters<typeof post>[3]) => {
    const { statusCode, error, retryAfterMs } = await send(url, signal, resolveName);
    assert.deepEqual([statusCode, retryAfterMs], [null, null]);
    return error;
  };

  test('is reported by its reason, without addresses', async () => {
    const closed = await listening(() => {});
    await closed[Symbol.asyncDispose]();
    assert.equal(await failed(`http://127.0.0.1:${closed.port}/`), 'connection refused');
    await using silent = await listening((request) => request.socket.destroy());
    assert.equal(await failed(`http://127.0.0.1:${silent.port}/`), 'connection reset');
    const sockets: Socket[] = [];
    const odd = createRawServer((socket) =>
      sockets.push(socket.once('data', () => socket.end('no HTTP\r\n\r\n'))),
    );
    odd.listen(0, '127.0.0.1');
    await once(odd, 'listening');
    const { port } = odd.address() as AddressInfo;
    assert.equal(await failed(`http://127.0.0.1:${port}/`), 'the answer is not HTTP');
    odd.close();
    const named = (code: string | null) => () =>
      Promise.reject(Object.assign(new Error('no such thing'), code === null ? {} : { code }));
    for (const [code, says] of [
      ['ENOTFOUND', 'the host name does not exist'],
      ['EAI_AGAIN', 'the host name could not be resolved'],
      ['EODD', 'failed (EODD)'],
      [null, 'no such thing'],
    ] as const)
      assert.equal(await failed('http://name.example/', never, named(code)), says);
    assert.equal(await failed('http://name.example/', never, () => Promise.reject('odd')), 'failed');
    const forbidden = 'the target is not allowed (see WEBHOOK_ALLOWED_NETWORKS)';
    for (const url of ['http://10.0.0.1/', 'http://[fd00::1]/', 'http://169.254.169.254/latest'])
      assert.equal(await failed(url), forbidden);
  });

  test('in time is "timed out"; one that the service ended is "interrupted"', async () => {
    await using server = await listening(() => {});
    const url = `http://127.0.0.1:${server.port}/`;
    assert.equal(await failed(url, AbortSignal.timeout(30)), 'timed out');
    assert.equal(await failed(url, AbortSignal.abort(new Error('stop'))), 'interrupted');
    assert.equal(await failed(url, AbortSignal.abort('stop')), 'interrupted');
    // While the name is being resolved, too.
    const stuck = () => new Promise<never>(() => {});
    assert.equal(await failed('http://name.example/', AbortSignal.timeout(30), stuck), 'timed out');
  });
});

describe('a receiver that breaks the protocol', () => {
  /** It sends a head, which decides. */
  const isTaken = (answer: string) => /after the head|trickles|chunks|a length that/.test(answer);
  for (const answer of Object.keys(HOSTILE_ANSWERS) as HostileAnswer[])
    for (const scheme of ['http', 'https'])
      test(`${answer}, by ${scheme}, has an outcome in time`, { timeout: 5_000 }, async () => {
        await using hostile = await startHostileServer(answer);
        const outcome = await send(`${scheme}://${hostile.host}/`, AbortSignal.timeout(600));
        assert.equal(outcome.error === null, scheme === 'http' && isTaken(answer), JSON.stringify(outcome));
      });

  test('by a protocol switch is reported with its status', { timeout: 5_000 }, async () => {
    await using hostile = await startHostileServer('a switch of protocols');
    const { statusCode, error } = await send(`http://${hostile.host}/`);
    assert.equal(statusCode, 101);
    assert.equal(error, 'answered 101, a protocol switch that was not requested');
  });
});

describe('where a target leads', () => {
  const addresses = (url: string, found: readonly { address: string; family: number }[] = []) =>
    vettedAddresses(new URL(url), ['127.0.0.0/8'], never, {
      resolveName: async () => found,
      forbidden: () => new Error('forbidden'),
    });
  const v4 = { address: '127.0.0.1', family: 4 };
  const outside = { address: '93.184.215.14', family: 4 };
  const inside = { address: '10.1.1.1', family: 4 };

  test('an address leads to itself, a name to all that it has', async () => {
    assert.deepEqual(await addresses('http://127.0.0.1:8/'), [v4]);
    assert.deepEqual(await addresses('http://[2001:db8::1]/'), [{ address: '2001:db8::1', family: 6 }]);
    assert.deepEqual(await addresses('http://name.example/', [v4, outside]), [v4, outside]);
  });

  test('a name that has none, or one that is not allowed among others, leads nowhere', async () => {
    await assert.rejects(addresses('http://name.example/'), /^Error: the name has no address$/);
    for (const found of [[inside], [outside, inside], [inside, v4]])
      await assert.rejects(addresses('http://name.example/', found), /^Error: forbidden$/);
  });

  test('a connection uses the vetted address for any host name', () => {
    const six = { address: '2001:db8::1', family: 6 };
    const look = pinnedTo([outside, six]);
    const got: unknown[][] = [];
    look('elsewhere.example', { all: true }, (...input: unknown[]) => got.push(input));
    look('elsewhere.example', {}, (...input: unknown[]) => got.push(input));
    assert.deepEqual(got, [
      [null, [outside, six]],
      [null, outside.address, 4],
    ]);
  });
});

describe('requests to a receiver', () => {
  const completedAt = new Date('2026-01-02T03:04:05.678Z');
  for (const [status, message] of [
    ['completed', 'Job completed'],
    ['failed', 'Job failed'],
    ['cancelled', 'Job cancelled'],
  ] as const)
    test(`of a job that is ${status}`, () => {
      const event = webhookEvent({ status, completedAt } as Job, { job_id: 'a' });
      assert.equal(event.name, `job.${status}`);
      assert.deepEqual(JSON.parse(event.body), {
        ...{ success: true, message, data: { job_id: 'a' } },
        ...{ type: `job.${status}`, timestamp: '2026-01-02T03:04:05.678Z' },
      });
    });

  for (const status of ['queued', 'processing'])
    test(`nothing of one that is ${status}`, () => {
      assert.throws(() => webhookEvent({ status, jobId: 'a' } as Job, {}), /job a is .*has not ended/);
    });
});

test('only its user can read the secrets of a running service, and a new list replaces the old one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-secrets-'));
  try {
    assert.equal(await readSecretFile(folder), null);
    for (const secrets of [['whsec_a', 'whsec_b'], ['whsec_c']]) {
      await writeSecretFile(folder, secrets);
      assert.deepEqual(await readSecretFile(folder), secrets);
    }
    const path = join(folder, 'webhook-secrets');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(readFileSync(path, 'utf8'), 'whsec_c\n');
    await assert.rejects(readSecretFile(join(path, 'below')), { code: 'ENOTDIR' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
