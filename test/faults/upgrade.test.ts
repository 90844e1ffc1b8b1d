/**
 * A service of this version on the data of the previous one: a job in the middle of its stages continues, and the one
 * before serves on meanwhile. Its tables are made by its own migrations, its statements are those that it had.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import type { Queryable } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { MIGRATIONS } from '../../src/database/schema.ts';
import { STAGE_NAMES } from '../../src/domain/stage.ts';
import { JobQueue } from '../../src/jobs/queue/queue.ts';
import {
  aPublication,
  aVideo,
  newJob,
  openService,
  stagesThat,
  temporaryDirectory,
} from '../support/jobs.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';

const LONG_MS = 60_000;
const never = new AbortController().signal;
/** With the columns that migration 2 made, before clients had turns. */
const LAST = 2;

/** Statements of the version that ended at migration 2. */
const old = {
  async makeVideo(db: Queryable): Promise<string> {
    const video = aVideo();
    await db.query(
      `insert into videos (video_id, sha256, blob_key, filename, size_bytes, content_type, container,
         duration_seconds, width, height, rotation, frame_rate, video_codec, audio_codec, warnings, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, '[]', now())`,
      [
        ...[video.videoId, video.sha256, video.blobKey, video.filename, video.sizeBytes, video.contentType],
        ...[video.container, video.durationSeconds, video.width, video.height, video.rotation],
        ...[video.frameRate, video.videoCodec, video.audioCodec],
      ],
    );
    return video.videoId;
  },

  async makeJob(db: Queryable, videoId: string): Promise<string> {
    const jobId = newId();
    await db.query(
      `insert into jobs (job_id, video_id, template_video_id, given_style, config, webhook_url, retry_of, priority,
         warnings, status, created_at, updated_at, progress_updated_at)
       select a::uuid, b::uuid, c::uuid, d::json, e::json, f, g::uuid, h::integer, i::json, 'queued', now(), now(), now()
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[]) as new (a, b, c, d, e, f, g, h, i)
       returning created_at`,
      [
        [jobId],
        [videoId],
        [null],
        [null],
        ['{"quality":"low"}'],
        ['http://127.0.0.1:9/'],
        [null],
        ['50'],
        ['[]'],
      ],
    );
    return jobId;
  },

  claim: (db: Queryable, jobId: string) =>
    db.query(
      `update jobs set
         status = 'processing',
         stage = coalesce(stage, $2),
         attempt = attempt + 1,
         workers_lost = workers_lost + case when status = 'processing' and not handed_over then 1 else 0 end,
         handed_over = false,
         started_at = coalesce(started_at, now()),
         updated_at = case when status = 'processing' then updated_at else now() end
       where job_id = $1 and (status = any($3::text[]) or status = 'processing') returning *`,
      [jobId, 'video_analysis', ['queued']],
    ),

  enterStage: (db: Queryable, jobId: string, stage: string, percent: number) =>
    db.query(
      `update jobs set stage = $3, progress_percent = greatest(progress_percent, $4), progress_updated_at = now(),
         warnings = $5
       where job_id = $1 and attempt = $2 and status = 'processing' returning *`,
      [jobId, 1, stage, percent, '[]'],
    ),

  complete: (db: Queryable, jobId: string) =>
    db.query(
      `update jobs set status = 'completed', stage = null, progress_percent = 100, publication = $3, warnings = $4,
         completed_at = greatest(now(), started_at), updated_at = now(), progress_updated_at = now(),
         expires_at = greatest(now(), started_at) + $6::double precision * interval '1 day'
       where job_id = $1 and attempt = $2 and status = 'processing' and status = any($5::text[]) returning *`,
      [jobId, 1, JSON.stringify(aPublication(jobId, 1)), '[]', ['processing'], null],
    ),

  remove: (db: Queryable, jobId: string) =>
    db.query('delete from jobs where job_id = $1 and status = any($2::text[]) returning *', [
      jobId,
      ['completed', 'failed', 'cancelled'],
    ]),
};

/** A job that is made, rendered and forgotten by the old version. Every statement must find its row. */
async function oldLife(db: Queryable, videoId: string): Promise<void> {
  const jobId = await old.makeJob(db, videoId);
  assert.equal((await old.claim(db, jobId)).length, 1);
  assert.equal((await old.enterStage(db, jobId, 'rendering', 80)).length, 1);
  assert.equal((await old.complete(db, jobId)).length, 1);
  assert.equal((await old.remove(db, jobId)).length, 1);
}

/** State after a kill of the old version: a job in its third stage, and a queued one. */
async function leaveJobs(database: QueueDatabase) {
  await migrate(database, MIGRATIONS.slice(0, LAST));
  const videoId = await old.makeVideo(database);
  const [running, waiting] = [await old.makeJob(database, videoId), await old.makeJob(database, videoId)];
  const queue = new JobQueue(database, pino({ level: 'silent' }));
  await queue.start();
  await database.transaction((transaction) =>
    queue.add(
      transaction,
      [running, waiting].map((id) => ({ id, priority: 50, turn: 0 })),
    ),
  );
  await queue.stop();
  await old.claim(database, running);
  await old.enterStage(database, running, 'motion_analysis', 37.5);
  return { videoId, running, waiting };
}

async function assertGoesOn(database: QueueDatabase): Promise<void> {
  const { running, waiting } = await leaveJobs(database);
  await using service = await openService({ database });
  const before = await service.jobs.service.get(running);
  assert.ok(before?.status === 'processing');
  assert.deepEqual([before.stage, before.progressPercent], ['motion_analysis', 37.5]);
  const stages: string[] = [];
  const run = stagesThat((work) => {
    if (work.jobId === running) stages.push(work.stage);
  });
  await service.jobs.startWorker(run, { concurrency: 1 });
  for (const jobId of [running, waiting]) {
    const done = await service.jobs.service.waitForEnd(jobId, LONG_MS, never);
    assert.equal(done?.status, 'completed', JSON.stringify(done));
    assert.equal(done?.attempt, jobId === running ? 2 : 1);
    assert.equal((await service.webhooks.service.list(jobId)).length, 1);
  }
  assert.deepEqual(stages, STAGE_NAMES.slice(STAGE_NAMES.indexOf('motion_analysis')));
  await newJob(service);
}

test('the version before has other tables', () => assert.ok(MIGRATIONS.length > LAST));

describe('embedded PostgreSQL', () => {
  test('a job begun by the previous version continues at its stage', async () => {
    using directory = temporaryDirectory();
    await assertGoesOn(await openPglite(directory.path, null));
  });
});

describe('PostgreSQL server', { skip: postgresMissing() ?? false }, () => {
  test('a job begun by the previous version continues at its stage', async () => {
    await using server = await startPostgres();
    await assertGoesOn(await openPostgres(server.url));
  });

  test('the version before serves on while two of this one migrate, and afterwards', async () => {
    await using server = await startPostgres();
    const [older, one, two] = await Promise.all([1, 2, 3].map(() => openPostgres(server.url)));
    await migrate(older!, MIGRATIONS.slice(0, LAST));
    const videoId = await old.makeVideo(older!);
    let migrated = false;
    let lives = 0;
    const serving = (async () => {
      while (!migrated) {
        await oldLife(older!, videoId);
        lives++;
      }
    })();
    while (lives < 3) await sleep(5);
    const applied = (await Promise.all([migrate(one!), migrate(two!)])).flat();
    migrated = true;
    await serving;
    assert.deepEqual(
      applied.sort((a, b) => a - b),
      MIGRATIONS.map((_, index) => index + 1).slice(LAST),
    );
    await oldLife(older!, videoId);
    assert.deepEqual(await older!.query('select job_id from jobs'), []);
    const counted = await older!.query(`select coalesce(sum(jobs), 0)::integer as left from job_counts`);
    assert.deepEqual(counted, [{ left: 0 }]);
    for (const database of [older, one, two]) await database!.close();
  });
});
