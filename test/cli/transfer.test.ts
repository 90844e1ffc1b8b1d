/** A real installation with the embedded database and a folder, moved to PostgreSQL, and to S3 where there is one, answers the same. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { commandWith } from '../support/command.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

const TOKEN = 'a-token-of-at-least-24-characters';
const COMMON = { ADMIN_TOKEN: TOKEN, PUBLIC_BASE_URL: 'http://styles.test' };
const KEY = { 'idempotency-key': 'sent-before-the-move' };

const admin = (service: Service, path: string) =>
  call(service.baseUrl, 'POST', `/api/v1/admin/${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });

const s3 = {
  endpoint: process.env['TEST_S3_ENDPOINT'],
  accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'],
};
const TARGETS: readonly (readonly [string, () => Promise<Record<string, string>>, string | false])[] = [
  ['PostgreSQL and a folder', async () => ({}), postgresMissing() ?? false],
  [
    'PostgreSQL and S3',
    newBucket,
    postgresMissing() ??
      (Object.values(s3).includes(undefined) ? 'needs TEST_S3_ENDPOINT and its credentials' : false),
  ],
];

async function newBucket(): Promise<Record<string, string>> {
  const { endpoint, accessKeyId, secretAccessKey } = s3 as Record<keyof typeof s3, string>;
  const bucket = `styledna-move-${Date.now()}`;
  const region = process.env['TEST_S3_REGION'] ?? 'us-east-1';
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** All that a client can request, files as their hashes. */
async function everyAnswer({ baseUrl }: Service): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (path: string) => {
    const { status, body } = await call(baseUrl, 'GET', path);
    // Of a refusal its request's id is new.
    answers[path] = [status, body.data ?? body.error.code];
    return body.data;
  };
  for (const { video_id: id } of (await ask('/api/v1/videos?page_size=100')).videos)
    await ask(`/api/v1/videos/${id}`);
  const { jobs } = await ask('/api/v1/jobs?page_size=100');
  for (const { job_id: id, status } of jobs) {
    await ask(`/api/v1/jobs/${id}`);
    const result = await ask(`/api/v1/jobs/${id}/result`);
    await ask(`/api/v1/jobs/${id}/webhooks`);
    if (status !== 'completed') continue;
    for (const name of [
      'output',
      ...result.artifacts.map((artifact: { name: string }) => `artifacts/${artifact.name}`),
    ]) {
      const file = await fetch(`${baseUrl}/api/v1/jobs/${id}/${name}`);
      assert.equal(file.status, 200, name);
      answers[`${id} ${name}`] = createHash('sha256')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex');
    }
  }
  return answers;
}

async function fill(service: Service, receiverUrl: string, clip: string) {
  const { body } = await upload(service.baseUrl, clip, { headers: KEY });
  const create = async (more: object) => {
    const json = { video_id: body.data.video_id, config: { quality: 'low' }, ...more };
    const created = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    return created.body.data.job_id as string;
  };
  const done = await create({ webhook_url: receiverUrl });
  await call(service.baseUrl, 'GET', `/api/v1/jobs/${done}/result?wait=60`);
  await admin(service, 'queue/pause');
  const later = await create({});
  const sooner = await create({ config: { quality: 'low', priority: 90, labels: { of: 'ü\\"' } } });
  const cancelled = await create({});
  await call(service.baseUrl, 'POST', `/api/v1/jobs/${cancelled}/cancel`);
  return { video: body.data, done, later, sooner };
}

for (const [name, settings, skip] of TARGETS) {
  test(`${name}: every job, output and promise is there`, { skip }, async (t) => {
    const folder = temporaryFolder();
    const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
    let isAwake = false;
    await using receiver = await openReceiver((response) => response.writeHead(isAwake ? 204 : 500).end());
    await using from = await startService(COMMON);
    const { video, done, later, sooner } = await fill(from, receiver.url, clip);
    await waitFor('a try that failed', async () => {
      const { body } = await call(from.baseUrl, 'GET', `/api/v1/jobs/${done}/webhooks`);
      return body.data.webhooks[0]?.attempts.length === 1;
    });
    const before = await everyAnswer(from);
    assert.equal(await from.stop(), 0);
    const exported = join(folder, 'export');
    const written = await commandWith(t, { DATA_DIR: from.dataDir }, 'export', exported);
    assert.deepEqual(
      [written.code, /^1 videos, 0 imports, 0 styles, 4 jobs, .*agree\.$/m.test(written.stdout)],
      [0, true],
      written.stderr,
    );

    await using postgres = await startPostgres();
    const target = { DATABASE_URL: postgres.url, ...(await settings()) };
    const dataDir = join(folder, 'target');
    const brought = await commandWith(t, { ...target, DATA_DIR: dataDir }, 'import', exported, '--json');
    assert.equal(brought.code, 0, brought.stderr);
    assert.equal(JSON.parse(brought.stdout).tables.jobs.rows, 4);
    const again = await commandWith(t, { ...target, DATA_DIR: dataDir }, 'import', exported);
    assert.deepEqual([again.code, /not empty/.test(again.stderr)], [3, true], again.stderr);

    isAwake = true;
    await using to = await startService({ ...COMMON, ...target }, dataDir);
    const delivered = () => receiver.calls.filter((one) => one.body.data.job_id === done);
    await waitFor('the webhook that was promised', () => delivered().length === 2);
    assert.equal(new Set(delivered().map(({ webhookId, text }) => webhookId + text)).size, 1);
    const after = await everyAnswer(to);
    const log = `/api/v1/jobs/${done}/webhooks`;
    assert.deepEqual({ ...after, [log]: null }, { ...before, [log]: null });
    const replayed = await upload(to.baseUrl, clip, { headers: KEY });
    assert.deepEqual(
      [replayed.headers.get('idempotent-replayed'), replayed.body.data.video_id],
      ['true', video.video_id],
    );
    await admin(to, 'queue/resume');
    const ended = async (jobId: string) =>
      (await call(to.baseUrl, 'GET', `/api/v1/jobs/${jobId}/result?wait=60`)).body.data;
    const [last, first] = [await ended(later), await ended(sooner)];
    assert.deepEqual([first.status, last.status], ['completed', 'completed']);
    assert.ok(first.started_at < last.started_at, 'in the order of their priorities');
  });
}
