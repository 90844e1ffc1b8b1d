/** Inputs of an attempt, its error for a video that could not be imported, and help by other workers. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { Failure, isFailure } from '../../src/domain/errors.ts';
import { DEFAULT_JOB_CONFIG } from '../../src/domain/job-config.ts';
import { STAGE_NAMES } from '../../src/domain/stage.ts';
import type { NewJob } from '../../src/jobs/model/job.ts';
import { JobChanges } from '../../src/jobs/model/job-changes.ts';
import { cancelJob, claimJob, insertJobs, selectJob } from '../../src/jobs/model/job-store.ts';
import { claimPart, openParts, selectPartResults } from '../../src/jobs/model/part-store.ts';
import { PartHelper, type PartHelperParts } from '../../src/jobs/run/part-helper.ts';
import { stageInputs } from '../../src/jobs/run/stage-inputs.ts';
import { upsertWorker } from '../../src/jobs/run/worker-store.ts';
import { insertImport } from '../../src/videos/import-store.ts';
import type { Video } from '../../src/videos/video.ts';
import { aJob, aVideo, type JobsService, newJob, openService, stagesThat } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { deleteEntries } from '../support/queue-entries.ts';

const SILENT = pino({ level: 'silent' });

let service: JobsService;
const changes = new JobChanges();
before(async () => {
  service = await openService();
  await changes.start(service.database);
});
after(async () => {
  await changes.stop();
  await service?.[Symbol.asyncDispose]();
});
const query = (sql: string, values: readonly unknown[] = []) => service.database.query(sql, values);

async function video(more: Partial<Video> = {}): Promise<string> {
  const stored = aVideo(more);
  await service.jobs.videos.insert(stored, null);
  return stored.videoId;
}

/** A processing job, independent of its videos. */
async function running(videoId: string, more: Partial<NewJob> = {}) {
  const jobId = newId();
  const request = aJob(videoId, more);
  const names = { sourceFilename: 'a', templateFilename: null };
  await insertJobs(service.database, [{ jobId, request, retryOf: null, turn: 0, ...names }]);
  return (await claimJob(service.database, jobId))!.job;
}

describe('the inputs of the stages', () => {
  test('are those of the request, with its client', async () => {
    const [source, template] = [await video({ width: 640 }), await video({ durationSeconds: 7 })];
    const style = { version: '1.0.0' };
    const of = async (job: Awaited<ReturnType<typeof running>>) => stageInputs(service, job);
    const plain = await of(await running(source, { givenStyle: style }));
    assert.deepEqual([plain.source.videoId, plain.source.width, plain.template], [source, 640, null]);
    assert.deepEqual([plain.attempt, plain.style, plain.config], [1, style, DEFAULT_JOB_CONFIG]);
    const styled = await of(await running(source, { templateVideoId: template }));
    assert.deepEqual([styled.template?.videoId, styled.template?.durationSeconds], [template, 7]);
    assert.deepEqual([styled.style, styled.product], [null, null]);
    const product = { kind: 'analysis' } as const;
    assert.deepEqual((await of(await running(source, { product }))).product, product);
  });

  test('is no image, unless it is looked at only, or is the template', async () => {
    const [image, film] = [
      await video({ container: 'image', contentType: 'image/png', durationSeconds: 0 }),
      await video(),
    ];
    const refused = (error: unknown) => isFailure(error, 'INPUT_UNSUPPORTED');
    await assert.rejects(stageInputs(service, await running(image)), refused);
    const draft = { kind: 'draft', startSeconds: 0, durationSeconds: 1 } as const;
    await assert.rejects(stageInputs(service, await running(image, { product: draft })), refused);
    const looked = await stageInputs(service, await running(image, { product: { kind: 'analysis' } }));
    assert.equal(looked.source.videoId, image);
    const styled = await stageInputs(service, await running(film, { templateVideoId: image }));
    assert.equal(styled.template?.videoId, image);
  });

  test('must exist: a job without its video is a bug, and the error contains the job', async () => {
    const film = await video();
    for (const [source, templateVideoId] of [
      [newId(), null],
      [film, newId()],
    ] as const) {
      const job = await running(source, { templateVideoId });
      const removed = new RegExp(`job ${job.jobId}: a video of a live job is gone`);
      await assert.rejects(stageInputs(service, job), removed);
    }
  });

  for (const [code, reported] of [
    ['UNSUPPORTED_VIDEO_FORMAT', 'INPUT_UNSUPPORTED'],
    ['INVALID_VIDEO', 'INPUT_CORRUPT'],
    ['VIDEO_LIMIT_EXCEEDED', 'INPUT_LIMIT_EXCEEDED'],
    ['FILE_TOO_LARGE', 'INPUT_LIMIT_EXCEEDED'],
    ['IMPORT_URL_FORBIDDEN', 'IMPORT_FAILED'],
  ] as const)
    test(`that could not be fetched for ${code} ends the job with ${reported}`, async () => {
      const film = await video();
      const failed = async () => {
        const input = { videoId: newId(), url: 'https://example.com/a.mp4', filename: 'a.mp4' };
        const { videoId } = await insertImport(service.database, input);
        await query(
          `update imports set status = 'failed', error = $2, ended_at = now() where video_id = $1`,
          [videoId, JSON.stringify({ code, detail: 'It said no.' })],
        );
        return videoId;
      };
      for (const [which, job] of [
        ['source', await running(await failed(), { templateVideoId: film })],
        ['template', await running(film, { templateVideoId: await failed() })],
      ] as const)
        await assert.rejects(stageInputs(service, job), (error: Failure) => {
          assert.deepEqual(
            [error.code, error.detail],
            [reported, `The ${which} could not be imported. It said no.`],
          );
          return true;
        });
    });
});

test('warnings of all stages are reported once each, in their order', async () => {
  await using own = await openService();
  const stages = stagesThat();
  await own.jobs.startWorker(
    async (work) => {
      const at = STAGE_NAMES.indexOf(work.stage);
      const warnings = [
        { code: 'SAME', message: 'same' },
        { code: 'SAME', message: `at ${Math.min(at, 2)}` },
      ];
      return { ...(await stages(work)), warnings };
    },
    { concurrency: 1 },
  );
  const input = [{ code: 'GIVEN', message: 'by the request' }];
  const { jobId } = await newJob(own, { warnings: input });
  const done = await own.jobs.service.waitForEnd(jobId, 30_000, new AbortController().signal);
  assert.deepEqual(
    done!.warnings.map(({ message }) => message),
    ['by the request', 'same', 'at 0', 'at 1', 'at 2'],
  );
});

describe('help with the parts of a job', () => {
  let helper: PartHelper;
  const started: number[] = [];
  beforeEach(async () => {
    started.length = 0;
    for (const table of ['job_parts', 'jobs']) await query(`delete from ${table}`);
  });
  async function help(more: Partial<PartHelperParts>) {
    helper = new PartHelper({
      ...{ database: service.database, metrics: service.metrics, storage: service.storage, logger: SILENT },
      changes,
      isIdle: () => true,
      runPart: async (_work, { part }) => {
        started.push(part);
        return `part ${part}`;
      },
      ...more,
    });
    await helper.start();
  }
  async function withParts(count: number) {
    const job = await running(await video());
    await openParts(service.database, job, 'a plan', count);
    return job.jobId;
  }
  const results = (jobId: string) => selectPartResults(service.database, jobId);

  test('starts at once when a part is announced, with the inputs of the stage', async () => {
    const works: unknown[] = [];
    await help({
      runPart: async (work, { plan, part }) => {
        works.push([work.jobId, work.stage, plan, part]);
        return part;
      },
    });
    const jobId = await withParts(2);
    await waitFor('both are done', async () => !(await results(jobId)).includes(null), 4_000);
    await helper.stop(0);
    assert.deepEqual(works, [
      [jobId, 'video_analysis', 'a plan', 0],
      [jobId, 'video_analysis', 'a plan', 1],
    ]);
  });

  test('does not start while there is own work, or the storage is down', async () => {
    const jobId = await withParts(1);
    const away = { isUsableWithin: async () => false } as unknown as PartHelperParts['storage'];
    for (const more of [{ isIdle: () => false }, { storage: away }]) {
      await help(more);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await helper.stop(0);
    }
    assert.deepEqual([started, await results(jobId)], [[], [null]]);
  });

  test('ends at once with the job; another’s parts are done then', async () => {
    let aborted: unknown;
    await help({
      runPart: (work, { part }) => {
        started.push(part);
        if (started.length > 1) return Promise.resolve('other');
        return new Promise((_resolve, reject) => {
          work.signal.addEventListener('abort', () => {
            aborted = work.signal.reason;
            reject(aborted);
          });
        });
      },
    });
    const jobId = await withParts(1);
    await waitFor('it is begun', () => started.length === 1);
    await cancelJob(service.database, jobId);
    await waitFor('it ends', () => aborted !== undefined, 2_000);
    assert.equal((aborted as { why: string }).why, 'cancelled');
    const other = await withParts(1);
    await waitFor('the other is done', async () => (await results(other))[0] === 'other', 4_000);
    await helper.stop(0);
  });

  test('is repeated after a delay when it fails; a stop releases its part', async () => {
    const atMs: number[] = [];
    await help({
      runPart: (work) => {
        atMs.push(performance.now());
        if (atMs.length === 1) return Promise.reject(new Error('no good'));
        return new Promise((_resolve, reject) =>
          work.signal.addEventListener('abort', () => reject(work.signal.reason)),
        );
      },
    });
    const jobId = await withParts(1);
    await waitFor('a second try', () => atMs.length === 2, 4_000);
    assert.ok(atMs[1] - atMs[0] > 900, `${atMs[1] - atMs[0]} ms`);
    const startedMs = performance.now();
    await helper.stop(50);
    assert.ok(performance.now() - startedMs < 5_000);
    assert.equal((await claimPart(service.database, newId(), jobId))?.isTakenOver, false, 'free at once');
  });

  test('that stops may finish the part it has', async () => {
    await help({
      runPart: async () => {
        started.push(0);
        await new Promise((resolve) => setTimeout(resolve, 150));
        return 'whole';
      },
    });
    const jobId = await withParts(2);
    await waitFor('it is begun', () => started.length === 1);
    await helper.stop(5_000);
    assert.deepEqual(await results(jobId), ['whole', null]);
  });
});

test('a worker helps others only when it is configured to', async () => {
  for (const reported of [false, true]) {
    await using own = await openService();
    const { jobId } = await newJob(own);
    await openParts(own.database, (await claimJob(own.database, jobId))!.job, 'a plan', 1);
    // It belongs to another worker: its queue entry must not be claimed here.
    await deleteEntries(own.database);
    const runPart = async () => 'helped';
    await own.jobs.startWorker(stagesThat(), { concurrency: 1, ...(reported ? { runPart } : {}) });
    if (!reported) await new Promise((resolve) => setTimeout(resolve, 200));
    else await waitFor('help', async () => (await selectPartResults(own.database, jobId))[0] !== null, 4_000);
    assert.deepEqual(await selectPartResults(own.database, jobId), [reported ? 'helped' : null]);
  }
});

test('a sweep removes silent workers and parts of ended jobs, and does nothing while the storage is down', async () => {
  let isAway = true;
  const check = async () => {
    if (isAway) throw new Failure('SERVICE_UNAVAILABLE', 'away');
  };
  let now = new Date('2026-01-02T03:04:05Z');
  await using own = await openService({
    storage: { check, settings: { cacheMs: 0 } },
    settings: { sweepIntervalMs: 20, clock: () => now },
  });
  const film = aVideo({ expiresAt: new Date('2026-02-01') });
  await own.jobs.videos.insert(film, null);
  await own.blobs.put(film.blobKey, Readable.from(['a film']));
  now = new Date('2026-03-01');
  const sql = (text: string) => own.database.query(text);
  const workerId = newId();
  await upsertWorker(own.database, { workerId, host: 'a', pid: 1, concurrency: 1 });
  await sql(`update workers set seen_at = now() - interval '2 hours'`);
  const { jobId } = await newJob(own);
  await openParts(own.database, (await claimJob(own.database, jobId))!.job, 'a plan', 1);
  await cancelJob(own.database, jobId);
  const left = async () => [
    (await sql('select 1 from workers')).length,
    (await sql('select 1 from job_parts')).length,
  ];
  await waitFor('both are gone', async () => (await left()).join() === '0,0', 5_000);
  // Several sweeps more.
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.notEqual(await own.blobs.head(film.blobKey), null);
  isAway = false;
  await waitFor('the file goes', async () => (await own.blobs.head(film.blobKey)) === null, 5_000);
  assert.equal((await selectJob(own.database, jobId))?.status, 'cancelled');
});

test('a step of a sweep that fails stops no other', async () => {
  await using own = await openService({ settings: { sweepIntervalMs: 20 } });
  const sql = (text: string) => own.database.query(text);
  await sql('alter table idempotency_keys rename to keys_elsewhere');
  try {
    await upsertWorker(own.database, { workerId: newId(), host: 'a', pid: 1, concurrency: 1 });
    await sql(`update workers set seen_at = now() - interval '2 hours'`);
    const film = aVideo({ expiresAt: new Date('2026-02-01') });
    await own.blobs.put(film.blobKey, Readable.from(['a film']));
    await own.jobs.videos.insert(film, null);
    const isSwept = async () =>
      (await sql('select 1 from workers')).length === 0 && (await own.blobs.head(film.blobKey)) === null;
    await waitFor('the worker and the file are gone', isSwept, 5_000);
  } finally {
    await sql('alter table keys_elsewhere rename to idempotency_keys');
  }
});
