/** An edit from many takes over HTTP: uploads, storyboard, job, result, files. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openFrames } from '../../src/media/decode/frames.ts';
import { call } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { beatSong, takeClip } from '../support/reel-clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
describe('an edit over HTTP', () => {
  let service: Service;
  let ids: { takes: string[]; song: string; template: string };
  before(async () => {
    const [one, two, reel] = await Promise.all([
      takeClip(folder, { name: 'one', tone: 30, durationSeconds: 7 }),
      takeClip(folder, { name: 'two', tone: 90, durationSeconds: 7 }),
      takeClip(folder, { name: 'reel', tone: 40, durationSeconds: 8, shotSeconds: 1 }),
    ]);
    service = await startService();
    const send = (path: string) => uploaded(service, path);
    ids = {
      takes: [await send(one), await send(two)],
      song: await send(beatSong(folder)),
      template: await send(reel),
    };
  });
  after(() => service?.[Symbol.asyncDispose]());

  const request = () => ({
    video_id: ids.takes[0],
    template_video_id: ids.template,
    config: { quality: 'low' },
    edit: { takes: [{ video_id: ids.takes[1], must_use: true }], music: { video_id: ids.song } },
  });

  test('the storyboard shows the slots before rendering, and the job renders them', async () => {
    const { body } = await call(service.baseUrl, 'POST', '/api/v1/previews', {
      json: { ...request(), kind: 'storyboard' },
    });
    const path = `/api/v1/previews/${body.data.preview_id}`;
    const job = await createJob(service, request());
    const result = await job.ended();
    assert.equal(result.status, 'completed', JSON.stringify(result.error));
    const planned = (await call(service.baseUrl, 'GET', path)).body.data;
    assert.equal(planned.status, 'completed', JSON.stringify(planned.error));
    const { slots, takes, duration_seconds } = result.edit;
    assert.deepEqual(planned.edit.slots, slots);
    assert.ok(slots.length >= 3);
    assert.deepEqual(
      new Set(slots.map(({ video_id }: { video_id: string }) => video_id)),
      new Set(ids.takes),
    );
    assert.deepEqual(
      takes.map(({ video_id }: { video_id: string }) => video_id),
      ids.takes,
    );
    const picture = await fetch(`${service.baseUrl}${path}/file`);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg']);
    const outputPath = join(folder, 'output.mp4');
    const output = await fetch(`${service.baseUrl}/api/v1/jobs/${job.jobId}/output`);
    const { writeFile } = await import('node:fs/promises');
    await writeFile(outputPath, Buffer.from(await output.arrayBuffer()));
    let frames = 0;
    for await (const _ of openFrames(outputPath)) frames++;
    assert.equal(frames, Math.round(duration_seconds * 25));
    const names = result.artifacts.map(({ name }: { name: string }) => name);
    for (const name of ['report.html', 'timeline.otio', 'timeline.xml', 'style.json', 'poster.jpg'])
      assert.ok(names.includes(name), `${name}: ${JSON.stringify(result.warnings)}`);
    const report = await fetch(`${service.baseUrl}/api/v1/jobs/${job.jobId}/artifacts/report.html`);
    const page = await report.text();
    assert.equal(page.match(/class="frame"/g)?.length, slots.length);
    for (const name of ['one.mp4', 'two.mp4']) assert.ok(page.includes(`<h3>${name}</h3>`), name);
    assert.match(page, /<video [^>]*src="\.\.\/output\?[^"]*[0-9a-f]{64}"/);
    await job[Symbol.asyncDispose]();
  });

  test('a pin to a slot that the edit does not have ends the job with the reason', async () => {
    const pins = [{ slot: 90, video_id: ids.takes[0], start_seconds: 1 }];
    const json = { ...request(), edit: { ...request().edit, pins } };
    await using job = await createJob(service, json);
    const { status, error } = await job.ended();
    assert.deepEqual([status, error.code, error.retryable], ['failed', 'EDIT_IMPOSSIBLE', false]);
    assert.match(error.detail, /^edit\.pins\.0\.slot is 90, but this edit has the slots 0 to \d$/);
  });

  test('a take that must be used but is excluded entirely is refused', async () => {
    const whole = {
      ...request(),
      edit: { takes: [{ video_id: ids.takes[1], exclude: [[0, 7]], must_use: true }] },
    };
    const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json: whole });
    assert.equal(status, 422, JSON.stringify(body));
  });
});
