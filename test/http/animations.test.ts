/** Animated pictures over HTTP: videos without sound, and of one picture images. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { animatedWebpOf, gifOf } from '../support/animation.ts';
import { call, upload } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;
const folder = temporaryFolder();
const SIZE = { width: 160, height: 96 };
const KINDS = ['video', 'image', 'audio'] as const;

async function totals(): Promise<number[]> {
  const lists = KINDS.map((kind) => call(baseUrl, 'GET', `/api/v1/videos?kind=${kind}`));
  return (await Promise.all(lists)).map(({ body }) => body.data.total);
}

for (const [type, encode] of [
  ['gif', async (...given: Parameters<typeof gifOf>) => gifOf(...given)],
  ['webp', animatedWebpOf],
] as const) {
  for (const [count, kind, durationSeconds] of [
    [3, 'video', 1.5],
    [1, 'image', 0],
  ] as const) {
    test(`a ${type} of ${count} pictures is of the kind ${kind}`, async () => {
      const pictures = Array.from({ length: count }, (_, index) => ({
        delaySeconds: 0.5,
        colorAt: () => [80 * index, 60, 40, 255] as const,
      }));
      const path = join(folder, `${count}.${type}`);
      writeFileSync(path, await encode(SIZE, pictures));
      const before = await totals();
      const { status, body } = await upload(baseUrl, path);
      assert.equal(status, 201, JSON.stringify(body));
      const { data } = body;
      assert.deepEqual(
        [data.kind, data.content_type, data.container, data.duration_seconds, data.has_audio],
        [kind, `image/${type}`, type, durationSeconds, false],
      );
      const listed = (await call(baseUrl, 'GET', `/api/v1/videos?kind=${kind}`)).body.data.videos;
      assert.equal(listed[0].video_id, data.video_id);
      assert.deepEqual(
        await totals(),
        before.map((total, index) => total + (KINDS[index] === kind ? 1 : 0)),
      );
      const file = await fetch(data.file_url);
      assert.equal(file.headers.get('content-type'), `image/${type}`);
      await file.body?.cancel();
      assert.equal((await call(baseUrl, 'DELETE', `/api/v1/videos/${data.video_id}`)).status, 200);
      assert.deepEqual(await totals(), before);
    });
  }
}
