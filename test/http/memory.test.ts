/** A video too large for the memory of this machine is refused when its job is created, not after minutes of work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { DEFAULT_JOB_CONFIG } from '../../src/domain/job-config.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import type { StageTools } from '../../src/pipeline/stages/stage-tools.ts';
import { videoAnalysis } from '../../src/pipeline/stages/video-analysis.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { uploaded } from '../support/running-job.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder();
const shape = { width: 1280, height: 720, durationSeconds: 0.6, silent: true };
const clip = await makeClip(folder, { name: 'large', ...shape });

test('a job that cannot be done here: 422, and what would be right', async () => {
  await using service = await startService({ CHILD_MEMORY_BYTES: '330000000' });
  const large = await uploaded(service, clip);
  const create = (json: object) => call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
  const refused = await create({ video_id: large, config: { quality: 'ultra' } });
  assert.equal(refused.status, 422);
  const { code, detail, retryable } = refused.body.error;
  assert.deepEqual([code, retryable], ['VIDEO_LIMIT_EXCEEDED', false]);
  assert.match(
    detail,
    /^A picture of 1280×720 at quality "ultra" takes about 0\.5 GB of memory, and CHILD_MEMORY_BYTES allows 0\.3 GB; quality "low" would fit$/,
  );
  const accepted = await create({ video_id: large, config: { quality: 'low' } });
  assert.equal(accepted.status, 201, JSON.stringify(accepted.body));
  const done = await call(service.baseUrl, 'GET', `/api/v1/jobs/${accepted.body.data.job_id}/result?wait=60`);
  assert.equal(done.body.data.status, 'completed', JSON.stringify(done.body.data.error));
});

test('a process without work of its own accepts it, and the first stage of the worker refuses', async () => {
  await using service = await startService({ CHILD_MEMORY_BYTES: '330000000', WORKER_CONCURRENCY: '0' });
  const large = await uploaded(service, clip);
  const json = { video_id: large, config: { quality: 'ultra' } };
  assert.equal((await call(service.baseUrl, 'POST', '/api/v1/jobs', { json })).status, 201);

  const engine = new MediaEngine({ workRoot: folder, idleSeconds: 10, memoryBytes: 33e7 });
  const source = {
    ...{ videoId: large, sha256: '', blobKey: '', filename: '' },
    ...{ durationSeconds: 1, width: 1280, height: 720 },
  };
  const work = {
    jobId: '',
    product: null,
    attempt: 1,
    stage: 'video_analysis',
    source,
    template: null,
    style: null,
    config: { ...DEFAULT_JOB_CONFIG, quality: 'ultra' },
    signal: new AbortController().signal,
    onProgress: () => {},
  } as const;
  // Nothing else is touched.
  const tools = { engine } as unknown as StageTools;
  await assert.rejects(videoAnalysis(tools, work), (error) => isFailure(error, 'INPUT_LIMIT_EXCEEDED'));
});
