/** The import of a node that is killed is another's, and a job that waits for two imports waits for both. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { type FileServer, slowly, startFileServer } from '../support/file-server.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { type Service, startService, startWorker } from '../support/service.ts';

/** Pairs of imports that end at the same time. */
const ROUNDS = IS_FULL ? 4 : 2;

const clip = readFileSync(
  await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1, silent: true }),
);

describe('imports over two nodes', { skip: postgresMissing() ?? false, concurrency: 1 }, () => {
  let server: PostgresServer;
  let files: FileServer;
  const nodes: Service[] = [];
  let worker: Service;
  before(async () => {
    server = await startPostgres();
    files = await startFileServer({
      '/four-seconds.mp4': slowly(clip, clip.length / 4),
      '/two-seconds.mp4': slowly(clip, clip.length / 2),
    });
    const environment = { DATABASE_URL: server.url };
    const dataDir = mkdtempSync(join(tmpdir(), 'styledna-imports-'));
    for (let index = 0; index < 2; index++)
      nodes.push(await startService({ ...environment, ROLE: 'api' }, dataDir));
    worker = await startWorker(environment, dataDir);
  });
  after(async () => {
    await worker?.[Symbol.asyncDispose]();
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await files?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function started(path: string): Promise<string> {
    const json = { url: files.url + path };
    const { status, body } = await call(nodes[0].baseUrl, 'POST', '/api/v1/videos/import', { json });
    assert.equal(status, 202, JSON.stringify(body));
    return body.data.video_id;
  }
  const fetches = ({ log }: Service, id: string) =>
    log.some(({ msg, videoId }) => msg === 'import begins' && videoId === id);
  const end = async ({ baseUrl }: Service, id: string) =>
    (await call(baseUrl, 'GET', `/api/v1/jobs/${id}/result?wait=60`)).body.data;

  test('a node is killed while it fetches: the other starts again, and the waiting job completes', async (t) => {
    const videoId = await started('/four-seconds.mp4');
    const { body } = await call(nodes[1].baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: videoId } });
    const holder = await waitFor('one fetches it', () => nodes.find((node) => fetches(node, videoId)));
    const other = nodes.find((node) => node !== holder)!;
    assert.ok(!fetches(worker, videoId) && !fetches(other, videoId));
    await waitFor('it grows', async () => {
      const found = (await call(other.baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body.data;
      return found.received_bytes > 0;
    });
    await holder.kill();
    const killedMs = performance.now();
    await waitFor('the other fetches it', () => fetches(other, videoId), 20_000);
    const takenMs = performance.now() - killedMs;
    const job = await end(other, body.data.job_id);
    assert.equal(job.status, 'completed', JSON.stringify(job.error));
    assert.equal(files.asked.length, 2);
    await holder.restart();
    tellFigures(t, 'a node is killed while it imports', {
      tried: 1,
      slowestMs: takenMs,
      lost: 0,
      seen: 'the other fetched it, and its job completed',
    });
  });

  test('a job on two imports that end at the same time begins once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [video_id, template_video_id] = [
        await started('/two-seconds.mp4'),
        await started('/two-seconds.mp4'),
      ];
      const json = { video_id, template_video_id, config: { quality: 'low' } };
      const { body } = await call(nodes[1].baseUrl, 'POST', '/api/v1/jobs', { json });
      const job = await end(nodes[0], body.data.job_id);
      assert.deepEqual([job.status, job.attempt], ['completed', 1], JSON.stringify(job.error));
    }
  });
});
