/** One broken file among many: its job fails with the reason, the others complete without any effect. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { assertTidy, rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const JOBS = IS_FULL ? 50 : 10;
const BROKEN_AT = 7;
const folder = temporaryFolder();
let service: Service;
before(async () => {
  service = await startService({ WORKER_CONCURRENCY: '2' });
});
after(() => service?.[Symbol.asyncDispose]());

test('all others complete', async (t) => {
  const good = await makeClip(folder, {
    name: 'good',
    durationSeconds: 0.6,
    width: 160,
    height: 90,
    silent: true,
  });
  const rotten = await makeClip(folder, { name: 'rotten', durationSeconds: 1 });
  const [goodId, brokenId] = [await uploaded(service, good), await rottenVideo(service, rotten)];
  const ids: string[] = [];
  for (let index = 0; index < JOBS; index++) {
    const json = { video_id: index === BROKEN_AT ? brokenId : goodId, config: { quality: 'low' } };
    const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
    assert.equal(status, 201);
    ids.push(body.data.job_id);
  }
  const ends = await Promise.all(ids.map((id) => ended(id)));
  const wrong = ends.filter(({ status }, index) => status !== (index === BROKEN_AT ? 'failed' : 'completed'));
  assert.deepEqual(wrong, []);
  assert.equal(ends[BROKEN_AT].error.code, 'INPUT_UNSUPPORTED');
  assertTidy(service);
  tellFigures(t, `one broken job among ${JOBS}`, { tried: 1, lost: wrong.length });
});

async function ended(jobId: string) {
  for (;;) {
    const path = `/api/v1/jobs/${jobId}/result?wait=60`;
    const { status, body } = await call(service.baseUrl, 'GET', path);
    if (status === 200) return body.data;
  }
}
