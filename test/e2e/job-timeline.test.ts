/** The timeline of a finished job as data: which moment of which video each frame of its output shows. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

interface Result {
  readonly summary: { readonly output: { readonly frame_rate: number; readonly duration_seconds: number } };
  readonly edit: { readonly slots: readonly { readonly video_id: string }[] };
}

const folder = temporaryFolder();
const CONFIG = { quality: 'low' } as const;

describe('the timeline of a job', () => {
  let service: Service;
  let videoIds: string[];
  before(async () => {
    service = await startService();
    const names = ['clip', 'other', 'template'];
    videoIds = await Promise.all(
      names.map(async (name) =>
        uploaded(service, await makeClip(folder, { name, durationSeconds: name === 'clip' ? 2 : 4 })),
      ),
    );
  });
  after(async () => service?.[Symbol.asyncDispose]());

  const request = (jobId: string, rest = 'timeline') =>
    call(service.baseUrl, 'GET', `/api/v1/jobs/${jobId}/${rest}`);

  async function finished(body: object): Promise<{ jobId: string; result: Result }> {
    await using job = await createJob(service, { video_id: videoIds[0]!, config: CONFIG, ...body });
    const { status, error } = await job.ended();
    assert.equal(status, 'completed', JSON.stringify(error));
    return { jobId: job.jobId, result: (await request(job.jobId, 'result')).body.data };
  }

  test('has each frame of the output, names its video, and remains when that is deleted', async () => {
    const { jobId, result } = await finished({ preset: 'vertical-short' });
    const { takes, timeline } = (await request(jobId)).body.data;
    assert.deepEqual(takes, [{ video_id: videoIds[0] }]);
    assert.deepEqual(timeline.takes, [{ grade: null }]);
    const { frame_rate: rate, duration_seconds: seconds } = result.summary.output;
    const { frameCount } = new FrameSchedule(timeline as Timeline);
    assert.equal(frameCount, Math.round(rate * seconds));
    const { status } = await call(service.baseUrl, 'DELETE', `/api/v1/videos/${videoIds[0]}`);
    assert.equal(status, 200);
    assert.deepEqual((await request(jobId)).body.data.takes, takes);
  });

  test('of an edit names its takes by number, and an edit has no comparison', async () => {
    const [, other, template] = videoIds;
    const { jobId, result } = await finished({
      ...{ video_id: other, template_video_id: template },
      edit: { takes: [{ video_id: template }] },
    });
    const { takes, timeline } = (await request(jobId)).body.data;
    assert.deepEqual(takes, [{ video_id: other }, { video_id: template }]);
    assert.deepEqual(
      timeline.clips.map(({ take }: { take: number }) => takes[take].video_id),
      result.edit.slots.map(({ video_id }: { video_id: string }) => video_id),
    );
    const comparison = await call(service.baseUrl, 'POST', `/api/v1/jobs/${jobId}/comparison`);
    assertError(comparison, 'COMPARISON_NOT_FOUND');
    const jobs = join(service.dataDir, 'blobs', 'jobs');
    const stored = readdirSync(jobs, { recursive: true }).map(String);
    rmSync(join(jobs, stored.find((name) => name.startsWith(jobId) && name.endsWith('timeline.json'))!));
    assertError(await request(jobId), 'ARTIFACT_NOT_FOUND');
  });
});
