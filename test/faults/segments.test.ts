/** A long output that several workers render in segments: the same video after any fault of one of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { openFrames } from '../../src/media/decode/frames.ts';
import { call } from '../support/client.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { openPool, type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { assertGone, childrenOf, waitFor } from '../support/processes.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService, startWorker } from '../support/service.ts';

type Worker = Awaited<ReturnType<typeof startWorker>>;
type Part = { readonly part: number; readonly key: string | null; readonly held: boolean };

const folder = temporaryFolder();
const [SECONDS, RATE] = [8, 25];
/** Eight segments and the sound. */
const PARTS = 9;

describe('segments', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  let service: Service;
  let videoId: string;
  /** Of all tests; the one in which it is killed replaces it. */
  let one: Worker;
  before(async () => {
    server = await startPostgres();
    pool = openPool(server.url);
    service = await startService({ DATABASE_URL: server.url, WORKER_CONCURRENCY: '0' });
    const clip = await makeClip(folder, { name: 'clip', durationSeconds: SECONDS });
    videoId = await uploaded(service, clip);
    one = await work();
  });
  after(async () => {
    await pool?.end();
    await one?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const work = () =>
    startWorker({ DATABASE_URL: server.url, SEGMENT_SECONDS: '1', DRAIN_SECONDS: '0' }, service.dataDir);
  const newJob = () => createJob(service, { video_id: videoId, config: { quality: 'ultra' } });
  const partsOf = async ({ jobId }: RunningJob): Promise<readonly Part[]> => {
    const { rows } = await pool.query(
      `select part, coalesce(result ->> 'blobKey', result -> 'segments' -> 0 ->> 'blobKey') as key,
              result is null and held_until > now() as held
       from job_parts where job_id = $1 order by part`,
      [jobId],
    );
    return rows;
  };
  /** A worker that is suspended until another has taken the job: it starts before, because a short job would end meanwhile. */
  async function helping(): Promise<{ readonly helper: Worker; readonly job: RunningJob }> {
    const helper = await work();
    process.kill(helper.pid, 'SIGSTOP');
    const job = await newJob();
    await waitFor('the job is taken', () => claimed(one, job));
    process.kill(helper.pid, 'SIGCONT');
    await waitFor('the helper works', () => helped(helper, job) > 0 && childrenOf(helper.pid).length > 0);
    return { helper, job };
  }
  /** The parts as soon as so many are done. */
  const partsDone = (job: RunningJob, least: number) =>
    waitFor(`${least} parts are done`, async () => {
      const parts = await partsOf(job);
      return parts.filter(({ key }) => key !== null).length >= least && parts;
    });
  const has = ({ log }: Worker, message: string, { jobId }: RunningJob) =>
    log.filter((line) => line['msg'] === message && line['jobId'] === jobId).length;
  const claimed = (worker: Worker, job: RunningJob) => has(worker, 'job taken', job) > 0;
  const helped = (worker: Worker, job: RunningJob) => has(worker, 'part taken', job);

  /** Every frame of the source once, in order; nothing is left of the parts. */
  async function assertWhole(job: RunningJob): Promise<void> {
    const result = await job.ended();
    assert.equal(result.status, 'completed', JSON.stringify(result.error));
    const codes = result.warnings.map(({ code }: { code: string }) => code);
    assert.ok(!codes.includes('RENDERED_TWICE'), 'the parts make the output at the first attempt');
    const files = filesUnder(service, `blobs/jobs/${job.jobId}`);
    assert.deepEqual(
      [...files.keys()].filter((name) => name.endsWith('.mp4')),
      [`${result.attempt}/output.mp4`],
    );
    const output = join(service.dataDir, 'blobs/jobs', job.jobId, `${result.attempt}/output.mp4`);
    const frames = await Array.fromAsync(openFrames(output));
    assert.deepEqual(
      frames.map(({ grey }) => readNumber(grey)),
      Array.from({ length: SECONDS * RATE }, (_, number) => number),
    );
    assert.deepEqual(await partsOf(job), []);
  }

  test('two workers share one job', async () => {
    await using other = await work();
    await using job = await newJob();
    await assertWhole(job);
    assertTidy(service);
    const [owner, helper] = claimed(one, job) ? [one, other] : [other, one];
    assert.equal(helped(owner, job), 0);
    // Idle from the start, and as quick as the other: it does about half of them.
    assert.ok(helped(helper, job) >= PARTS / 4, `${helped(helper, job)} of ${PARTS} parts`);
  });

  test('a killed helper costs only its part', async () => {
    const { helper, job: started } = await helping();
    await using job = started;
    const before = await partsOf(job);
    await helper.kill();
    const after = await partsDone(job, before.filter(({ key }) => key !== null).length);
    for (const { part, key } of before) if (key !== null) assert.equal(after[part]?.key, key);
    await assertWhole(job);
    assert.equal((await call(service.baseUrl, 'GET', `/api/v1/jobs/${job.jobId}`)).body.data.attempt, 1);
  });

  test('a killed owner costs only its part: finished parts are not repeated', async () => {
    await using job = await newJob();
    await partsDone(job, 3);
    await one.kill();
    const before = (await partsOf(job)).filter(({ key }) => key !== null);
    one = await work();
    let last = await partsDone(job, before.length + 1);
    for (const { part, key } of before) assert.equal(last[part]?.key, key);
    // Until they are put together.
    while (last.length > 0) {
      for (const { part, key } of before) assert.equal(last[part]?.key, key);
      last = await partsOf(job);
    }
    await assertWhole(job);
    assert.ok(claimed(one, job));
    // The next start removed the files of the killed one.
    assertTidy(service);
  });

  test('a cancelled job ends in all who work on it', async () => {
    await using other = await work();
    await using job = await newJob();
    await partsDone(job, 1);
    const children = await waitFor('both draw', () => {
      const all = [one, other].map(({ pid }) => childrenOf(pid));
      return all.every((some) => some.length > 0) && all.flat();
    });
    await call(service.baseUrl, 'POST', `/api/v1/jobs/${job.jobId}/cancel`);
    await assertGone(children, 2_000);
    assert.equal((await job.ended()).status, 'cancelled');
    await waitFor('nothing is left', () => filesUnder(service, `blobs/jobs/${job.jobId}`).size === 0);
    assertTidy(service);
  });

  test('a helper that must stop returns its part', async () => {
    const { helper: second, job: started } = await helping();
    await using job = started;
    await using helper = second;
    assert.equal(await helper.stop(), 0);
    const held = (await partsOf(job)).filter((part) => part.held);
    assert.ok(held.length <= 1, `only the owner holds a part, not ${held.length}`);
    await assertWhole(job);
    assertTidy(service);
  });
});
