/** Several processes on one PostgreSQL database: they start together, and they agree on where the data lie. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const ROUNDS = IS_FULL ? 3 : 1;
const PROCESSES = 3;

describe('processes on one database', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function newDatabase(name: string): Promise<string> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return server.url.replace(/postgres$/, name);
  }

  const newFolder = () => mkdtempSync(join(tmpdir(), 'styledna-together-'));

  test('three that start at once on an empty database all run', async (t) => {
    const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 0.6, silent: true });
    let slowestMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const environment = { DATABASE_URL: await newDatabase(`round_${round}`) };
      const dataDir = newFolder();
      const startedMs = performance.now();
      const started = await Promise.allSettled(
        Array.from({ length: PROCESSES }, () => startService(environment, dataDir)),
      );
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      try {
        assert.deepEqual(
          started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])),
          [],
        );
        const video_id = await uploaded(running[0], clip);
        await using job = await createJob(running[1], { video_id });
        assert.equal((await job.ended()).status, 'completed');
      } finally {
        for (const service of running) await service[Symbol.asyncDispose]();
      }
    }
    tellFigures(t, 'three processes start at once on an empty database', {
      tried: ROUNDS,
      slowestMs,
      lost: 0,
      seen: 'all three ran each time',
    });
  });

  /** The last message of the process; fails when it runs. */
  async function refusal(starting: Promise<Service>): Promise<string> {
    return starting.then(
      async (service) => {
        await service[Symbol.asyncDispose]();
        assert.fail('it started');
      },
      (error: Error) => error.message,
    );
  }

  test('a process with another storage does not start, and names the right one', async () => {
    const environment = { DATABASE_URL: await newDatabase('storage') };
    const dataDir = newFolder();
    await using first = await startService(environment, dataDir);
    const other = newFolder();
    const reported = await refusal(startService(environment, other));
    assert.ok(reported.includes(join(dataDir, 'blobs')) && reported.includes(join(other, 'blobs')), reported);
    assert.match(
      reported,
      /\(2\)[\s\S]*same storage[\s\S]*PostgreSQL at 127[\s\S]*database storage[\s\S]*copy everything to the new place/,
    );
    assert.equal((await call(first.baseUrl, 'GET', '/api/v1/health')).status, 200);
    rmSync(other, { recursive: true });
  });

  test('one with another database does not touch the files of this one', async () => {
    const dataDir = newFolder();
    await using service = await startService({ DATABASE_URL: await newDatabase('one') }, dataDir);
    assert.match(
      await refusal(startService({ DATABASE_URL: await newDatabase('other') }, dataDir)),
      /\(2\)[\s\S]*belongs to another database[\s\S]*database other/,
    );
    const reported = service.log.find(({ msg }) => msg === 'database and storage');
    assert.match(String(reported?.['database']), /^PostgreSQL at 127\.0\.0\.1:\d+, database one$/);
    assert.match(String(reported?.['storage']), /^the folder DATA_DIR\/blobs on /);
  });

  test('a storage that was copied whole is the same one', async () => {
    const environment = { DATABASE_URL: await newDatabase('moved') };
    const clip = await makeClip(temporaryFolder(), { name: 'moved', durationSeconds: 0.6, silent: true });
    const old = newFolder();
    let videoId = '';
    {
      await using service = await startService(environment, old);
      videoId = await uploaded(service, clip);
      await service.stop();
      cpSync(join(old, 'blobs'), join(`${old}-new`, 'blobs'), { recursive: true });
    }
    await using service = await startService(environment, `${old}-new`);
    await using job = await createJob(service, { video_id: videoId });
    assert.equal((await job.ended()).status, 'completed');
  });
});
