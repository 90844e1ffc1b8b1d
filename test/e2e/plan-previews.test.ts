/** Plans as data over HTTP: at once when everything is measured, and equal to those of a job. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { previewSchema } from '../../src/http/contract/preview-operations.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
/** Of one request at once. */
const EQUAL = process.env['TEST_LONG'] === undefined ? 30 : 400;
const SIZE = { width: 192, height: 108 };

/** Stripes that move over tones that change each second. */
function scene(tones: readonly number[], speed: number) {
  return (rgb: Uint8Array, seconds: number, index: number) => {
    const tone = tones[Math.floor(seconds) % tones.length]!;
    for (let y = 0, at = 0; y < SIZE.height; y++)
      for (let x = 0; x < SIZE.width; x++, at += 3) {
        const tile = Math.floor((x + speed * index) / 24) + Math.floor(y / 20);
        rgb.fill(tone + (tile % 2 === 0 ? 25 : -25), at, at + 3);
      }
  };
}

describe('a plan', { concurrency: 1 }, () => {
  let service: Service;
  let videoId: string;
  let secondId: string;
  let templateId: string;
  let songId: string;
  before(async () => {
    service = await startService();
    const clip = (name: string, durationSeconds: number, tones: readonly number[], speed: number) =>
      makeClip(folder, { ...SIZE, name, durationSeconds, draw: scene(tones, speed) });
    videoId = await uploaded(service, await clip('one', 8, [90], 2));
    secondId = await uploaded(service, await clip('two', 8, [150], 3));
    templateId = await uploaded(service, await clip('template', 8, [40, 200, 90, 160, 60, 220], 2));
    const rate = 44_100;
    const beats = Float32Array.from({ length: 12 * rate }, (_, n) =>
      (n / rate) % 0.5 < 0.05 ? 0.6 * Math.sin((2 * Math.PI * 200 * n) / rate) : 0,
    );
    songId = await uploaded(service, writeWave(join(folder, 'song.wav'), rate, [beats, beats]));
  });
  after(async () => service?.[Symbol.asyncDispose]());

  const request = (method: string, path: string, json?: unknown) =>
    call(service.baseUrl, method, path, json === undefined ? {} : { json });
  const ask = (more: object) =>
    request('POST', '/api/v1/previews', { video_id: videoId, kind: 'plan', ...more });

  async function ended(path: string) {
    return await waitFor('the plan', async () => {
      const { data } = (await request('GET', path)).body;
      return ['queued', 'processing'].includes(data.status) ? undefined : data;
    });
  }

  test('of one video is queued while something is not measured, and made at once afterwards', async () => {
    const style = { preset: 'noir', config: { style_strength: 0.7, quality: 'low' } };
    const first = await ask(style);
    assert.equal(first.status, 202, JSON.stringify(first.body));
    previewSchema.strict().parse(first.body.data);
    assert.equal(first.body.data.plan, null);
    const queued = await ended(first.headers.get('location')!);
    assert.equal(queued.status, 'completed', JSON.stringify(queued.error));
    previewSchema.strict().parse(queued);
    const again = await ask(style);
    assert.equal(again.status, 200, JSON.stringify(again.body));
    const made = again.body.data;
    previewSchema.strict().parse(made);
    assert.deepEqual([made.kind, made.status, made.file_url, made.edit], ['plan', 'completed', null, null]);
    assert.deepEqual(made.plan, queued.plan);
    assert.deepEqual(made.plan.takes, [{ video_id: videoId, ...SIZE, duration_seconds: 8 }]);
    assert.deepEqual((await request('GET', again.headers.get('location')!)).body.data.plan, made.plan);
    const other = (await ask({ ...style, config: { style_strength: 0.2 } })).body.data;
    assert.notEqual(other.preview_id, made.preview_id);
    assert.notDeepEqual(other.plan.timeline.takes, made.plan.timeline.takes);
    assert.equal((await request('GET', '/api/v1/jobs')).body.data.total, 0);

    await using job = await createJob(service, { video_id: videoId, ...style });
    assert.equal((await job.ended()).status, 'completed');
    const jobs = join(service.dataDir, 'blobs', 'jobs');
    const name = readdirSync(jobs, { recursive: true })
      .map(String)
      .find((one) => one.endsWith('timeline.json'));
    const rendered = JSON.parse(readFileSync(join(jobs, name!), 'utf8')) as Timeline;
    const { clips, width, height, frameRate, audio } = made.plan.timeline as Timeline;
    assert.deepEqual(
      { clips, width, height, frameRate, audio },
      {
        ...{ clips: rendered.clips, width: rendered.width, height: rendered.height },
        ...{ frameRate: rendered.frameRate, audio: rendered.audio },
      },
    );
    assert.equal((await request('DELETE', again.headers.get('location')!)).status, 200);
    assertError(await request('GET', again.headers.get('location')!), 'PREVIEW_NOT_FOUND');
  });

  test('of an edit has slots, takes by number and the song', async () => {
    const edit = {
      takes: [{ video_id: secondId }],
      music: { video_id: songId },
      duration: 5,
      order: 'free',
    };
    const wanted = { template_video_id: templateId, edit };
    const first = await ask(wanted);
    assert.equal(first.status, 202, JSON.stringify(first.body));
    const queued = await ended(first.headers.get('location')!);
    assert.equal(queued.status, 'completed', JSON.stringify(queued.error));
    const made = (await ask(wanted)).body.data;
    previewSchema.strict().parse(made);
    assert.deepEqual([made.plan, made.edit], [queued.plan, queued.edit]);
    assert.deepEqual(
      made.plan.takes.map(({ video_id }: { video_id: string }) => video_id),
      [videoId, secondId],
    );
    assert.equal(made.plan.music.video_id, songId);
    const { clips } = made.plan.timeline as Timeline;
    assert.equal(clips.length, made.edit.slots.length);
    const { slots } = made.edit;
    for (const [index, { take, sourceStartSeconds }] of clips.entries()) {
      assert.equal(made.plan.takes[take].video_id, slots[index].video_id);
      assert.ok(Math.abs(sourceStartSeconds - slots[index].source_start_seconds) < 0.05);
    }
    const longer = await ask({ ...wanted, edit: { ...edit, lengths: [{ slot: 0, beats: 1 }] } });
    assert.equal(longer.status, 200, JSON.stringify(longer.body));
    const { slots: after, duration_seconds } = longer.body.data.edit;
    assert.deepEqual([after[0].beats_changed, after[1].beats_changed], [1, -1]);
    const more = after[0].end_seconds - slots[0].end_seconds;
    assert.ok(Math.abs(more - 0.5) <= 0.04, `a beat to the frame, not ${more} s`);
    assert.equal(duration_seconds, made.edit.duration_seconds);
    const focus = { x: 0.25, y: 0.5 };
    const other = slots[0].video_id === videoId ? secondId : videoId;
    const pin = { slot: 0, video_id: other, start_seconds: 2, focus };
    const pinned = await ask({ ...wanted, edit: { ...edit, pins: [pin] } });
    assert.equal(pinned.status, 200, JSON.stringify(pinned.body));
    assert.equal(pinned.body.data.edit.slots[0].video_id, pin.video_id);
    assert.deepEqual(pinned.body.data.edit.slots[0].focus, focus);
    const wrong = await ask({ ...wanted, edit: { ...edit, pins: [{ ...pin, slot: 99 }] } });
    assertError(wrong, 'VALIDATION_ERROR');
  });

  test(`that revises a job is made at once, and ${EQUAL} equal requests share it`, async () => {
    const edit = { takes: [{ video_id: secondId }], duration: 3, order: 'free' };
    const wanted = { video_id: videoId, template_video_id: templateId, edit };
    const config = { quality: 'low' };
    await waitFor('all is measured', async () => (await ask(wanted)).status === 200, 240_000, 500);
    const revised = (await request('POST', '/api/v1/jobs', { ...wanted, config })).body.data.job_id;
    const plain = (await request('POST', '/api/v1/jobs', { video_id: videoId, config })).body.data.job_id;
    const revising = { ...wanted, edit: { ...edit, revises: revised } };
    const replies = await Promise.all(Array.from({ length: EQUAL }, () => ask(revising)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.equal(new Set(replies.map(({ body }) => body.data.preview_id)).size, 1);
    assert.equal(replies[0].body.data.edit.revises, revised);
    const without = await ask(wanted);
    assert.equal(without.status, 200, JSON.stringify(without.body));
    const { revises: _, ...sameEdit } = replies[0].body.data.edit;
    const { revises: none, ...plainEdit } = without.body.data.edit;
    assert.deepEqual([sameEdit, none], [plainEdit, null]);
    const { total } = (await request('GET', '/api/v1/jobs')).body.data;
    const unknown = { ...wanted, edit: { ...edit, revises: '0190b3f1-0000-7000-8000-000000000000' } };
    assertError(await ask(unknown), 'JOB_NOT_FOUND');
    assertError(await ask({ ...wanted, edit: { ...edit, revises: plain } }), 'VALIDATION_ERROR');
    assert.equal((await request('GET', '/api/v1/jobs')).body.data.total, total);
    for (const id of [revised, plain])
      await waitFor('the job ends', async () => {
        const { status } = (await request('GET', `/api/v1/jobs/${id}/result?wait=60`)).body.data;
        return status === 'completed';
      });
  });

  test('of what cannot be used is refused as a job is', async () => {
    const unknown = '0190b3f1-0000-7000-8000-000000000000';
    assertError(await ask({ video_id: unknown, preset: 'noir' }), 'VIDEO_NOT_FOUND');
    assertError(await ask({ video_id: songId, preset: 'noir' }), 'VALIDATION_ERROR');
    const edit = { takes: [{ video_id: songId }] };
    assertError(await ask({ preset: 'noir', edit }), 'VALIDATION_ERROR');
    assertError(await ask({ edit: { takes: [] } }), 'VALIDATION_ERROR');
  });

  test('goes with its video', async () => {
    const { preview_id } = (await ask({ preset: 'noir' })).body.data;
    await request('DELETE', `/api/v1/videos/${videoId}`);
    assertError(await request('GET', `/api/v1/previews/${preview_id}`), 'PREVIEW_NOT_FOUND');
  });
});
