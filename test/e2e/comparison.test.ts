/** The comparison of a finished job: made afterwards, of the job's own files. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
const TRIMMED = { quality: 'low', pacing: 'trim' } as const;

describe('the comparison of a job', () => {
  let service: Service;
  let videoId: string;
  before(async () => {
    service = await startService();
    videoId = await uploaded(service, await makeClip(folder, { name: 'clip', durationSeconds: 2 }));
  });
  after(async () => service?.[Symbol.asyncDispose]());

  const at = (jobId: string, rest = '') => `/api/v1/jobs/${jobId}/comparison${rest}`;
  const request = (method: string, path: string) => call(service.baseUrl, method, path);

  async function finished(config: object): Promise<string> {
    await using job = await createJob(service, { video_id: videoId, preset: 'vertical-short', config });
    const { status, error } = await job.ended();
    assert.equal(status, 'completed', JSON.stringify(error));
    return job.jobId;
  }

  async function made(jobId: string) {
    const { status, body } = await request('POST', at(jobId));
    assert.equal(status, 202);
    assert.equal(body.data.file_url, null);
    return await waitFor('the comparison', async () => {
      const { data } = (await request('GET', at(jobId))).body;
      assert.notEqual(data.status, 'failed', JSON.stringify(data.error));
      return data.status === 'completed' ? data : undefined;
    });
  }

  /** Keys of files that lie in folders of jobs. */
  const files = () => readdirSync(join(service.dataDir, 'blobs', 'jobs'), { recursive: true }).map(String);

  test('is made on request, shows both pictures, and goes with the job', async () => {
    const jobId = await finished(TRIMMED);
    assertError(await request('GET', at(jobId)), 'COMPARISON_NOT_FOUND');
    assertError(await request('GET', at(jobId, '/file')), 'COMPARISON_NOT_FOUND');
    const comparison = await made(jobId);
    assert.equal(comparison.job_id, jobId);
    const path = join(folder, 'comparison.mp4');
    const answer = await fetch(comparison.file_url);
    assert.match(answer.headers.get('content-disposition')!, /clip-comparison\.mp4/);
    writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
    const { output_video_url, artifacts } = (await request('GET', `/api/v1/jobs/${jobId}/result`)).body.data;
    assert.ok(!artifacts.some(({ name }: { name: string }) => /comparison|timeline\.json/.test(name)));
    const outputPath = join(folder, 'output.mp4');
    writeFileSync(outputPath, Buffer.from(await (await fetch(output_video_url)).arrayBuffer()));
    const studio = new Studio();
    const [both, alone] = await Promise.all([studio.analyze(path), studio.analyze(outputPath)]);
    assert.ok(both.kind === 'clip' && alone.kind === 'clip');
    assert.ok(both.facts.video.width > 1.9 * alone.facts.video.width);
    assert.equal(both.facts.video.frameCount, alone.facts.video.frameCount);

    const again = await request('POST', at(jobId));
    assert.deepEqual([again.status, again.body.data], [200, comparison]);
    const listed = (await request('GET', '/api/v1/jobs')).body.data.jobs;
    assert.deepEqual(
      listed.map(({ job_id }: { job_id: string }) => job_id),
      [jobId],
    );
    assert.ok(files().some((name) => name.endsWith('comparison.mp4')));
    await request('DELETE', `/api/v1/jobs/${jobId}`);
    assert.deepEqual(
      files().filter((name) => /\.\w+$/.test(name)),
      [],
    );
    assertError(await request('GET', at(jobId)), 'JOB_NOT_FOUND');
  });

  test('of a job that was rendered with one is that', async () => {
    const jobId = await finished({ ...TRIMMED, comparison: true });
    const { status, body } = await request('POST', at(jobId));
    assert.equal(status, 200);
    const file = await fetch(body.data.file_url);
    const artifact = await fetch(`${service.baseUrl}/api/v1/jobs/${jobId}/artifacts/comparison.mp4`);
    assert.deepEqual(await file.bytes(), await artifact.bytes());
  });

  test('cannot be had of a job without an output, or without its timeline', async () => {
    const { body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', {
      json: { video_id: videoId, config: { quality: 'ultra' } },
    });
    const { job_id } = body.data;
    assertError(await request('POST', at(job_id)), 'JOB_NOT_COMPLETED');
    await request('POST', `/api/v1/jobs/${job_id}/cancel`);
    assertError(await request('POST', at(job_id)), 'ARTIFACT_NOT_FOUND');

    const jobId = await finished(TRIMMED);
    const timeline = files().find((name) => name.startsWith(jobId) && name.endsWith('timeline.json'))!;
    rmSync(join(service.dataDir, 'blobs', 'jobs', timeline));
    assertError(await request('POST', at(jobId)), 'COMPARISON_NOT_FOUND');
  });
});
