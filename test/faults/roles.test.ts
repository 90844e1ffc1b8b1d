/** A fleet of API nodes and workers on one PostgreSQL database: their answers, their jobs, and shared settings. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIN_KNOWN_MIGRATIONS } from '../../src/database/migrations.ts';
import { MIGRATIONS } from '../../src/database/schema.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openPool, type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { PROGRAM } from '../support/program.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService, startWorker } from '../support/service.ts';

const URL_OF_ALL = 'https://styles.example.com';

function styledna(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    env,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

describe('roles', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  const dataDir = mkdtempSync(join(tmpdir(), 'styledna-roles-'));
  let environment: Readonly<Record<string, string>>;
  let api: Service;
  let worker: Service;
  before(async () => {
    server = await startPostgres();
    environment = { DATABASE_URL: server.url };
    const migrated = styledna(['migrate'], { ...environment, DATA_DIR: dataDir });
    assert.deepEqual(
      [migrated.code, migrated.stdout],
      [0, `applied ${MIGRATIONS.map((_, index) => index + 1).join(', ')}\n`],
    );
    const unasked = { ...environment, MIGRATE_AT_START: '0' };
    api = await startService({ ...unasked, ROLE: 'api', PUBLIC_BASE_URL: URL_OF_ALL }, dataDir);
    worker = await startWorker(unasked, dataDir);
  });
  after(async () => {
    await worker?.[Symbol.asyncDispose]();
    await api?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test('the api serves requests and runs no jobs; the worker runs jobs and reports its state', async () => {
    const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 0.6, silent: true });
    const video_id = await uploaded(api, clip);
    const { body } = await call(api.baseUrl, 'GET', '/api/v1/health');
    assert.equal(body.data.checks.workers, 1, 'the api node is none');
    await using job = await createJob(api, { video_id });
    assert.equal((await job.ended()).status, 'completed');
    assert.ok(!api.log.some(({ msg }) => msg === 'job taken'));
    for (const path of ['/livez', '/readyz', '/metrics', '/api/v1/health'])
      assert.equal((await fetch(worker.baseUrl + path)).status, 200, path);
    for (const path of ['/api/v1/jobs', '/api/v1/videos', '/', '/docs', '/api/v1/openapi.json']) {
      const reply = await call(worker.baseUrl, 'GET', path);
      assert.deepEqual([reply.status, reply.body.error.code], [404, 'ROUTE_NOT_FOUND'], path);
    }
  });

  test('without a worker jobs wait, and a new worker runs them', async () => {
    await worker.stop();
    const { body } = await call(api.baseUrl, 'GET', '/api/v1/health');
    assert.deepEqual([body.data.status, body.data.checks.workers], ['degraded', 0]);
    const [video] = (await call(api.baseUrl, 'GET', '/api/v1/videos')).body.data.videos;
    await using job = await createJob(api, { video_id: video.video_id });
    await sleep(1_500);
    assert.equal((await call(api.baseUrl, 'GET', `/api/v1/jobs/${job.jobId}`)).body.data.status, 'queued');
    await worker.restart();
    assert.equal((await job.ended()).status, 'completed');
  });

  test('all have one public address: a process with another does not start, a command changes it', async () => {
    const other = { ...environment, DATA_DIR: dataDir, PORT: '0', PUBLIC_BASE_URL: 'https://other.example' };
    const refused = styledna(['serve', '--role', 'worker'], other);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /"https:\/\/other\.example" here.*agreed on "https:\/\/styles\.example\.com"/s,
    );
    const place = { ...environment, DATA_DIR: dataDir };
    assert.equal(styledna(['public-url'], place).stdout, `${URL_OF_ALL}\n`);
    assert.equal(styledna(['public-url', 'nonsense'], place).code, 2);
    assert.equal(styledna(['public-url', 'https://other.example/'], place).stdout, 'https://other.example\n');
    await using one = await startWorker(
      { ...environment, PUBLIC_BASE_URL: 'https://other.example' },
      dataDir,
    );
    assert.equal((await fetch(`${one.baseUrl}/livez`)).status, 200);
  });

  test('one half of a fleet does not start on an embedded database', () => {
    const place = { DATA_DIR: dataDir, PORT: '0' };
    for (const words of [['serve', '--role', 'api'], ['serve', '--role', 'worker'], ['work']]) {
      const { code, stderr } = styledna(words, place);
      assert.equal(code, 2);
      assert.match(stderr, /ROLE: is "(api|worker)", but the embedded database .* Set DATABASE_URL/s);
    }
    const { code, stderr } = styledna(['serve', '--role', 'boss'], place);
    assert.deepEqual([code, /all, api, worker/.test(stderr)], [2, true]);
    const idle = styledna(['work'], { ...place, ...environment, WORKER_CONCURRENCY: '0' });
    assert.match(idle.stderr, /WORKER_CONCURRENCY: is 0/);
  });

  test('a database that is behind or too far ahead is refused, one that is only ahead is not', async () => {
    const pool = openPool(server.url);
    const start = (): ReturnType<typeof styledna> =>
      styledna(['public-url'], { ...environment, DATA_DIR: dataDir, MIGRATE_AT_START: '0' });
    const last = MIGRATIONS.length;
    try {
      await pool.query('delete from migrations where number = $1', [last]);
      assert.match(
        start().stderr,
        new RegExp(`at migration ${last - 1}, .* needs ${last}.*styledna migrate`),
      );
      await pool.query('insert into migrations (number) values ($1), ($2)', [last, last + 1]);
      assert.equal(start().code, 0);
      await pool.query('insert into shared_settings (name, value) values ($1, $2)', [
        MIN_KNOWN_MIGRATIONS,
        last,
      ]);
      assert.equal(start().code, 0);
      await pool.query('update shared_settings set value = $2 where name = $1', [
        MIN_KNOWN_MIGRATIONS,
        last + 1,
      ]);
      const refused = start();
      assert.deepEqual([refused.code, /Start the newer version/.test(refused.stderr)], [2, true]);
    } finally {
      await pool.end();
    }
  });
});
