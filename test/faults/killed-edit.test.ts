/** Workers that are killed while an edit is rendered in segments: its bytes stay, and what was rendered is not rendered again. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { temporaryFolder } from '../support/clips.ts';
import { eightShots, kickedSong, numberedTake } from '../support/edit-material.ts';
import { openPool, type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { childrenOf, waitFor } from '../support/processes.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService, startWorker } from '../support/service.ts';

const folder = temporaryFolder();
const SECONDS = 16;
const SEGMENTS = 'blobs/segments';
/** A worker starts, and does all stages before the rendering, within 20 s on a quiet machine of two cores. */
const BUSY_MS = 150_000;

describe('a killed worker of an edit', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  let service: Service;
  let request: Record<string, unknown>;
  before(async () => {
    server = await startPostgres();
    pool = openPool(server.url);
    service = await startService({ DATABASE_URL: server.url, WORKER_CONCURRENCY: '0' });
    const takes = [0, 1, 2].map((take) =>
      numberedTake(folder, `take-${take}`, take, { width: 640, height: 360 }),
    );
    const ids: string[] = [];
    for (const path of await Promise.all(takes)) ids.push(await uploaded(service, path));
    request = {
      video_id: ids[0],
      template_video_id: await uploaded(service, await eightShots(folder)),
      config: { quality: 'ultra' },
      edit: {
        takes: ids.map((video_id) => ({ video_id })),
        music: { video_id: await uploaded(service, kickedSong(folder)) },
        ...{ duration: SECONDS, order: 'free' },
      },
    };
  });
  after(async () => {
    await pool?.end();
    await service?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const work = () =>
    startWorker({ DATABASE_URL: server.url, SEGMENT_SECONDS: '1', DRAIN_SECONDS: '0' }, service.dataDir);
  const partsDone = async ({ jobId }: RunningJob): Promise<number> => {
    const { rows } = await pool.query(
      // Analyses of takes are parts as well.
      `select count(*)::int as done from job_parts
       where job_id = $1 and result -> 'segments' -> 0 ->> 'blobKey' is not null`,
      [jobId],
    );
    return rows[0].done;
  };
  const forgetSegments = () => rmSync(join(service.dataDir, SEGMENTS), { recursive: true, force: true });

  /** The hash of the output. */
  async function completed(job: RunningJob): Promise<string> {
    const result = await job.ended(BUSY_MS);
    assert.equal(result.status, 'completed', JSON.stringify(result.error));
    const codes = result.warnings.map(({ code }: { code: string }) => code);
    assert.ok(!codes.includes('RENDERED_TWICE'), 'the parts make the output at the first attempt');
    const output = await fetch(`${service.baseUrl}/api/v1/jobs/${job.jobId}/output`);
    return createHash('sha256')
      .update(Buffer.from(await output.arrayBuffer()))
      .digest('hex');
  }

  let undisturbed: string;
  test('undisturbed', async () => {
    await using _worker = await work();
    await using job = await createJob(service, request);
    undisturbed = await completed(job);
  });

  for (const victim of ['owner', 'helper'] as const)
    test(`kill -9 of the ${victim} costs its part`, async () => {
      forgetSegments();
      await using owner = await work();
      await using job = await createJob(service, request);
      await waitFor(
        'some parts are done',
        async () => {
          const done = await partsDone(job);
          if (done >= 3) return true;
          const { status } = await job.now();
          assert.ok(['queued', 'processing'].includes(status), `the job is ${status} before it was caught`);
          return false;
        },
        BUSY_MS,
      );
      const helper = victim === 'helper' ? await work() : null;
      if (helper !== null)
        await waitFor('the helper renders', () => childrenOf(helper.pid).length > 0, BUSY_MS);
      await (helper ?? owner).kill();
      const rendered = filesUnder(service, SEGMENTS);
      assert.ok(rendered.size >= 2, `${rendered.size} segments`);
      await using _next = helper === null ? await work() : null;
      assert.equal(await completed(job), undisturbed);
      const after = filesUnder(service, SEGMENTS);
      assert.ok(after.size > rendered.size, 'it was killed before all was rendered');
      for (const [name, writtenAt] of rendered) assert.equal(after.get(name), writtenAt, name);
      // The next worker to start removes what a dead one left.
      if (helper === null) assertTidy(service);
    });
});
