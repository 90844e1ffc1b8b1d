/** Requests through a guarded agent: each ends by its deadline, also if bytes still arrive. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { describe, test } from 'node:test';
import { guardedAgent } from '../../src/network/guarded-http.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';

const WHOLE_MS = 500;

/** Resolves when the request is over, after its error or its whole answer. */
function ended(request: ClientRequest): Promise<void> {
  // `once` would reject with the error.
  request.on('error', () => {}).on('response', (answer) => answer.on('error', () => {}).resume());
  return new Promise((resolve) => request.on('close', () => resolve()));
}

describe('a request with a deadline ends', { concurrency: true }, () => {
  for (const answer of Object.keys(HOSTILE_ANSWERS) as HostileAnswer[])
    test(`at ${answer}`, { timeout: 15_000 }, async () => {
      await using hostile = await startHostileServer(answer);
      const agent = guardedAgent('http:', { keepAlive: true }, WHOLE_MS);
      await ended(get(`http://${hostile.host}/`, { agent }));
      agent.destroy();
    });

  test('with its error as the reason', { timeout: 15_000 }, async () => {
    await using hostile = await startHostileServer('silence');
    const agent = guardedAgent('http:', {}, WHOLE_MS);
    const [error] = await once(get(`http://${hostile.host}/`, { agent }), 'error');
    assert.match(String(error), /did not end its answer within 0.5 s/);
  });
});
