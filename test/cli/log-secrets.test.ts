/** No secret and no path in logs and answers of the service, also after faults. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logCensor } from '../../src/cli/log-lines.ts';
import { readConfig } from '../../src/settings/config.ts';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder();
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;

test('every secret of the settings is hidden in a line, however it is written', () => {
  const censor = logCensor(
    readConfig({
      DATA_DIR: '/srv/the "data"',
      DATABASE_URL: 'postgres://user:pa%24s%22word@db/styledna',
      S3_BUCKET: 'videos',
      S3_ACCESS_KEY_ID: 'AKIA-KEY',
      S3_SECRET_ACCESS_KEY: 'very\\secret',
      WEBHOOK_SECRETS: SECRET,
    }),
  );
  const message = `open /srv/the "data"/blobs: pa$s"word pa%24s%22word AKIA-KEY very\\secret ${SECRET}`;
  assert.deepEqual(JSON.parse(censor(JSON.stringify({ message }))), {
    message: 'open DATA_DIR/blobs: [hidden] [hidden] [hidden] [hidden] [hidden]',
  });
});

test('a password that is no percent-encoding, and settings without secrets', () => {
  const censor = logCensor(readConfig({ DATABASE_URL: 'postgres://user:100%@db/styledna', DATA_DIR: '/d' }));
  assert.equal(censor('100% of it'), '[hidden] of it');
  assert.equal(logCensor(readConfig({ DATA_DIR: '/d' }))('a line'), 'a line');
});

test('a folder with a short name is replaced where a path begins with it, and nowhere else', () => {
  const censor = logCensor(readConfig({ DATA_DIR: '/data' }));
  assert.equal(
    censor('the embedded database in /data/database; "/data" and file:///data/blobs'),
    'the embedded database in DATA_DIR/database; "DATA_DIR" and file://DATA_DIR/blobs',
  );
  for (const line of ['/database', '/srv/data/x', 'GET /videos/data', '/data-2/x'])
    assert.equal(censor(line), line);
});

test('a run with faults of disk, database, media and receiver logs none', {
  skip: postgresMissing() ?? false,
}, async () => {
  await using postgres = await startPostgres();
  const password = 'pass-word-of-the-base';
  const address = new URL(postgres.url);
  address.password = password;
  await using service = await startService({
    DATABASE_URL: address.href,
    WEBHOOK_SECRETS: SECRET,
    LOG_LEVEL: 'debug',
  });
  const answers: unknown[] = [];
  const ask = async (method: string, path: string, json?: unknown) => {
    const reply = await call(service.baseUrl, method, path, json === undefined ? {} : { json });
    answers.push(reply.body, [...reply.headers]);
    return reply;
  };
  const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
  const videoId = await uploaded(service, clip);
  // The bytes are gone: the job fails.
  const blob = join(service.dataDir, 'blobs/videos', videoId);
  rmSync(blob);
  writeFileSync(blob, 'no video any more');
  await using job = await createJob(service, { video_id: videoId, webhook_url: 'http://127.0.0.1:9/' });
  answers.push(await job.ended());
  assert.equal((await job.now()).status, 'failed');
  await ask('GET', `/api/v1/jobs/${job.jobId}/webhooks`);
  // The folder of the blobs is no folder.
  const blobs = join(service.dataDir, 'blobs');
  renameSync(blobs, `${blobs}.away`);
  writeFileSync(blobs, '');
  const refused = await upload(service.baseUrl, clip);
  assert.equal(refused.status, 503, JSON.stringify(refused.body));
  answers.push(refused.body);
  rmSync(blobs);
  renameSync(`${blobs}.away`, blobs);
  await postgres.stop();
  assert.equal((await ask('GET', `/api/v1/jobs/${job.jobId}`)).status, 503);
  await waitFor('health has noticed', async () => (await ask('GET', '/api/v1/health')).status === 503);
  await postgres.start();
  await waitFor('it is back', async () => (await ask('GET', '/api/v1/health')).status === 200);
  answers.push(await (await fetch(`${service.baseUrl}/metrics`)).text());
  assert.ok(
    service.log.some(({ level }) => Number(level) >= 40),
    'there were warnings',
  );
  const log = JSON.stringify(service.log);
  assert.ok(log.includes('DATA_DIR/'), 'it would have been told');
  for (const [name, text] of Object.entries({ log, answers: JSON.stringify(answers) })) {
    for (const secret of [service.dataDir, SECRET, SECRET.slice(6), password])
      assert.ok(!text.includes(secret), `${secret} stands in the ${name}: ${around(text, secret)}`);
  }
});

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return text.slice(Math.max(0, at - 200), at + 200);
}
