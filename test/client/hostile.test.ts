/** The client against services that break the protocol: each call has an end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isStyleDnaError, StyleDnaClient } from '../../src/client/client.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';

const LIMITS = { retries: 0, timeoutSeconds: 0.6, patienceSeconds: 0.1 };
/** It gives a head, after which a stream of events is as long as its job. */
const hasHead = (answer: string) => /after the head|trickles|chunks|a length that/.test(answer);

describe('a service that breaks the protocol', () => {
  for (const answer of Object.keys(HOSTILE_ANSWERS) as HostileAnswer[]) {
    test(`${answer}: a call ends in time`, { timeout: 5_000 }, async () => {
      await using hostile = await startHostileServer(answer);
      const client = new StyleDnaClient({ baseUrl: `http://${hostile.host}`, ...LIMITS });
      await assert.rejects(client.getJob('x'), (error) => isStyleDnaError(error));
    });

    test(`${answer}: a stream of events begins in time`, {
      timeout: 5_000,
      skip: hasHead(answer) && 'the answer has a head: the time of a body is free',
    }, async () => {
      await using hostile = await startHostileServer(answer);
      const client = new StyleDnaClient({ baseUrl: `http://${hostile.host}`, ...LIMITS });
      await assert.rejects(client.watchJob('x').next(), (error) => isStyleDnaError(error));
    });
  }
});
