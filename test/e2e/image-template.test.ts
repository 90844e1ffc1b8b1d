/** A still picture as template: its findings are applied, all else stays as in the source. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
/** Upright, warm and dim: a sunset over sand, with some noise so that there is something to measure. */
const PHOTO = { width: 360, height: 640 };
const photoAt = (x: number, y: number) => {
  const light = 60 + 110 * (1 - y / PHOTO.height) + ((x * 7 + y * 13) % 23);
  return [light + 40, light, light - 45].map((value) => Math.max(0, Math.min(255, Math.round(value)))) as [
    number,
    number,
    number,
  ];
};

let service: Service;
let clip: string;
let photo: string;
before(async () => {
  service = await startService();
  clip = await makeClip(folder, { name: 'source', durationSeconds: 1 });
  photo = join(folder, 'photo.jpg');
  writeFileSync(photo, await encodeImage('jpeg', PHOTO, photoAt));
});
after(async () => service?.[Symbol.asyncDispose]());

describe('an image as template', () => {
  test('is uploaded like a video, and distinguished from it', async () => {
    const video_id = await uploaded(service, photo);
    const { body } = await call(service.baseUrl, 'GET', `/api/v1/videos/${video_id}`);
    const { kind, content_type, duration_seconds, frame_rate, width, height, warnings } = body.data;
    assert.deepEqual(
      { kind, content_type, duration_seconds, frame_rate, width, height, warnings },
      {
        kind: 'image',
        content_type: 'image/jpeg',
        duration_seconds: 0,
        frame_rate: 0,
        ...PHOTO,
        warnings: [],
      },
    );
  });

  test('cannot be the source: the error names the field', async () => {
    const video_id = await uploaded(service, photo);
    const reply = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id } });
    assertError(reply, 'VALIDATION_ERROR');
    assert.deepEqual(reply.body.error.fields, [
      {
        path: 'video_id',
        message:
          'is an image; the source must be a video, only a template or a take of an edit may be an image',
      },
    ]);
  });

  test('provides its look, and its ratio on request, for a job and for the library', async () => {
    const [video_id, template] = [await uploaded(service, clip), await uploaded(service, photo)];
    await using job = await createJob(service, {
      video_id,
      template_video_id: template,
      config: { quality: 'low' },
    });
    const { status, error, style_json: style, warnings, artifacts } = await job.ended();
    assert.equal(status, 'completed', JSON.stringify(error));
    assert.deepEqual(
      [style.source_kind, style.aspect_ratio, style.source_duration_seconds],
      ['image', '9:16', 0],
    );
    assert.ok(
      style.look !== undefined && style.audio_style === undefined && style.shot_lengths === undefined,
    );
    const codes = warnings.map(({ code }: { code: string }) => code);
    assert.ok(!codes.includes('STYLE_NOT_MEASURED') && !codes.includes('TEMPLATE_SHORT'), String(codes));
    assert.ok(artifacts.some(({ name }: { name: string }) => name === 'grade.cube'));

    const studio = new Studio({ workRoot: join(folder, 'work') });
    const { created_at: _one, ...ofJob } = style;
    const { created_at: _other, ...ofLibrary } = await studio.extract(photo);
    assert.deepEqual(ofLibrary, ofJob);
    const { timeline } = await studio.plan({ source: clip, look: { template: photo } });
    assert.ok(timeline.height < timeline.width && timeline.takes[0]!.grade !== null);
    const followed = await studio.plan({
      source: clip,
      look: { template: photo },
      config: { components: { aspect_ratio: true } },
    });
    assert.ok(followed.timeline.height > followed.timeline.width);
    assert.deepEqual([timeline.clips.length, timeline.frameRate], [1, { numerator: 25, denominator: 1 }]);
  });

  test('cannot be the source of the library either', async () => {
    const studio = new Studio({ workRoot: join(folder, 'work') });
    await assert.rejects(studio.apply({ source: photo, output: join(folder, 'o.mp4'), look: null }), {
      code: 'INVALID_VIDEO',
      detail: `"${photo}" is an image; only a template may be one`,
    });
  });
});
