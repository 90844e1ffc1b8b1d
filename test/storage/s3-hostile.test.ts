/** An S3 server that breaks the protocol: a request of ours fails in time instead of waiting for ever. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { newS3Client } from '../../src/storage/s3-client.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';

/** Silence has 30 s, and is not waited for here. */
const isSilent = (answer: string) => /silence|without end|trickles/.test(answer);
const answers = (Object.keys(HOSTILE_ANSWERS) as HostileAnswer[]).filter(
  (answer) => !isSilent(answer) || /interim|continue/.test(answer),
);

describe('a storage that breaks the protocol', { concurrency: true }, () => {
  for (const answer of answers)
    test(answer, { timeout: 15_000 }, async () => {
      await using hostile = await startHostileServer(answer);
      const client = newS3Client({
        endpoint: `http://${hostile.host}`,
        region: 'us-east-1',
        bucket: 'x',
        accessKeyId: 'x',
        secretAccessKey: 'x',
      });
      await assert.rejects(client.send(new ListObjectsV2Command({ Bucket: 'x' })));
      client.destroy();
    });
});
