/** An S3 server that breaks the protocol: a request to it fails in time instead of waiting for ever. */
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';

/** In place of the minutes of a service. */
const LIMITS = { requestMs: 2_000, bodyMs: 1_000 };

const folder = temporaryFolder();
const isUnavailable = (error: unknown) => isFailure(error, 'SERVICE_UNAVAILABLE');

async function openStore(host: string) {
  const settings = {
    ...{ endpoint: `http://${host}`, region: 'us-east-1', bucket: 'x' },
    ...{ accessKeyId: 'x', secretAccessKey: 'x' },
  };
  return openS3Store(settings, folder, LIMITS);
}

describe('a storage that breaks the protocol', { concurrency: true }, () => {
  for (const answer of Object.keys(HOSTILE_ANSWERS) as HostileAnswer[])
    test(answer, { timeout: 15_000 }, async () => {
      await using hostile = await startHostileServer(answer);
      const store = await openStore(hostile.host);
      await assert.rejects(Array.fromAsync(store.list('a/')), isUnavailable);
    });

  for (const answer of ['a body that trickles', 'chunks without end', 'an end after the head'] as const)
    test(`the body of an object: ${answer}`, { timeout: 15_000 }, async () => {
      await using hostile = await startHostileServer(answer);
      const store = await openStore(hostile.host);
      const body = await store.get('a');
      await assert.rejects(buffer(body), isUnavailable);
    });

  test('a reader that is slower than the limit for the server', { timeout: 15_000 }, async () => {
    await using hostile = await startHostileServer('a length that is too small');
    const store = await openStore(hostile.host);
    const chunks: Buffer[] = [];
    for await (const chunk of await store.get('a')) {
      await new Promise((resolve) => setTimeout(resolve, LIMITS.bodyMs + 200));
      chunks.push(chunk);
    }
    assert.equal(Buffer.concat(chunks).toString(), 'x');
  });
});
