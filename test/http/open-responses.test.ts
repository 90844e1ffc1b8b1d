/** How many responses of one kind may be open at once, in all and for one client. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import fastify from 'fastify';
import { addErrorHandling } from '../../src/http/server/error-handling.ts';
import { OpenResponseLimit } from '../../src/http/server/open-responses.ts';
import { waitFor } from '../support/processes.ts';

async function startServer(max: number) {
  const limit = new OpenResponseLimit('downloads', max);
  const app = fastify({ trustProxy: true });
  addErrorHandling(app);
  app.get('/', (request, reply) => {
    limit.add(request, reply);
    const body = new PassThrough();
    body.write('a');
    return reply.send(body);
  });
  await app.listen();
  const { port } = app.server.address() as AddressInfo;
  const open: IncomingMessage[] = [];
  return {
    /** Leaves the response open where it is accepted. */
    async request(client: number): Promise<IncomingMessage> {
      const headers = { 'x-forwarded-for': `203.0.113.${client}` };
      const [response] = (await once(get({ port, headers }), 'response')) as [IncomingMessage];
      response.on('error', () => {});
      open.push(response);
      return response;
    },
    async [Symbol.asyncDispose]() {
      for (const response of open) response.destroy();
      await app.close();
    },
  };
}

async function assertRefused(response: IncomingMessage, detail: RegExp): Promise<void> {
  assert.equal(response.statusCode, 429);
  assert.equal(response.headers['retry-after'], '5');
  const { success, error } = (await json(response)) as {
    success: boolean;
    error: { code: string; detail: string; retryable: boolean };
  };
  assert.deepEqual([success, error.code, error.retryable], [false, 'RATE_LIMITED', true]);
  assert.match(error.detail, detail);
}

test('one client may have half of all', async () => {
  await using server = await startServer(5);
  for (let count = 0; count < 3; count++) assert.equal((await server.request(1)).statusCode, 200);
  await assertRefused(
    await server.request(1),
    /^This client has 3 downloads open, the most for one client; close some or retry later$/,
  );
  assert.equal((await server.request(2)).statusCode, 200);
});

test('all together have a limit; a closed response frees its place', async () => {
  await using server = await startServer(4);
  const first = await server.request(1);
  for (const client of [1, 2, 2]) assert.equal((await server.request(client)).statusCode, 200);
  await assertRefused(await server.request(3), /^4 downloads are open, the most for this service/);
  first.destroy();
  await waitFor('there is room', async () => (await server.request(3)).statusCode === 200);
  await assertRefused(await server.request(4), /^4 downloads are open/);
});
