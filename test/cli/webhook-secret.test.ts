import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call } from '../support/client.ts';
import { PROGRAM } from '../support/program.ts';
import { startService } from '../support/service.ts';

function styledna(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  return spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: 'utf8' });
}

test('the secret can be read while the service runs, and is the same when it does not', async () => {
  await using service = await startService({ WORKER_CONCURRENCY: '0' });
  const settings = { DATA_DIR: service.dataDir };
  const running = styledna(['webhook-secret'], settings);
  assert.deepEqual([running.status, running.stderr], [0, '']);
  assert.match(running.stdout, /^whsec_\S+\n$/);
  const { body } = await call(service.baseUrl, 'GET', '/api/v1/webhook-secret');
  assert.equal(running.stdout.trim(), body.data.secret);
  assert.equal(statSync(join(service.dataDir, 'webhook-secrets')).mode & 0o777, 0o600);
  await service.stop();
  assert.equal(styledna(['webhook-secret'], settings).stdout, running.stdout);
});

test('networks of the embedded database are the setting of its service; an invalid network is reported', () => {
  const embedded = styledna(['webhook-networks'], {});
  assert.equal(embedded.status, 2);
  assert.match(embedded.stderr, /DATABASE_URL is not set.*WEBHOOK_ALLOWED_NETWORKS/s);
  const wrong = styledna(['webhook-networks', '10.0.0.1'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /"10\.0\.0\.1" is not a network/);
});
