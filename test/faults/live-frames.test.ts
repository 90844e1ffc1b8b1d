/** Frames of an output that can be looked at while it is rendered. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobSchema } from '../../src/http/contract/contract.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let videoId: string;

before(async () => {
  service = await startService();
  // Drawing it lasts two seconds at least, and the first frame is left after half of one.
  const path = await makeClip(folder, { name: 'long', durationSeconds: 14, width: 960, height: 540 });
  videoId = await uploaded(service, path);
});
after(async () => service?.[Symbol.asyncDispose]());

const get = (path: string) => call(service.baseUrl, 'GET', path);
const blobs = () => readdirSync(join(service.dataDir, 'blobs'), { recursive: true, encoding: 'utf8' });

test('frames appear while the output is drawn, and are gone when it is there', {
  timeout: 120_000,
}, async () => {
  const job = await createJob(service, { video_id: videoId, config: { quality: 'high' } });
  await using _job = job;
  const path = `/api/v1/jobs/${job.jobId}`;
  assertError(await get(`${path}/frame`), 'FRAME_NOT_READY');
  const observed: { sequence: number; at_seconds: number }[] = [];
  for (let status = ''; !['completed', 'failed'].includes(status); await sleep(50)) {
    const { data } = (await get(path)).body;
    status = data.status;
    jobSchema.strict().parse(data);
    if (data.frame === null || data.frame.sequence === observed.at(-1)?.sequence) continue;
    assert.equal(data.current_stage, 'rendering');
    const answer = await fetch(data.frame.url);
    if (answer.status !== 200) {
      // The rendering ended between the two requests.
      await answer.body?.cancel();
      continue;
    }
    assert.deepEqual(
      [answer.headers.get('content-type'), answer.headers.get('cache-control')],
      ['image/jpeg', 'no-store'],
    );
    const picture = await decodeJpeg(Buffer.from(await answer.arrayBuffer()));
    assert.deepEqual([picture.width, picture.height], [640, 360]);
    // It may be a newer one by now.
    assert.ok(readNumber(picture) >= Math.round(data.frame.at_seconds * 25), 'it is of its time');
    observed.push(data.frame);
  }
  assert.ok(observed.length >= 1, `${observed.length} frames were seen`);
  assert.deepEqual(
    observed.map(({ at_seconds }) => at_seconds),
    observed.map(({ at_seconds }) => at_seconds).sort((one, other) => one - other),
  );
  assertError(await get(`${path}/frame`), 'FRAME_NOT_FOUND');
  assert.deepEqual(
    blobs().filter((name) => /frame-/.test(name)),
    [],
  );
  assert.deepEqual(readdirSync(join(service.dataDir, 'work')), []);
});

test('an unknown job has none', async () => {
  assertError(await get('/api/v1/jobs/00000000-0000-7000-8000-000000000000/frame'), 'JOB_NOT_FOUND');
});
