/** Small copies of videos, photos and songs over HTTP: made once for a content, stored with it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { proxySchema } from '../../src/http/contract/proxy-operations.ts';
import { Studio } from '../../src/library.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { waitFor } from '../support/processes.ts';
import { rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { writeSong } from '../support/songs.ts';

const folder = temporaryFolder();
const SIZE = { width: 1280, height: 720 };

describe('the proxy of a video', { concurrency: 1 }, () => {
  let service: Service;
  let clip: string;
  let videoId: string;
  before(async () => {
    service = await startService({ WORKER_CONCURRENCY: '1' });
    clip = await makeClip(folder, { ...SIZE, name: 'clip', durationSeconds: 2 });
    videoId = await uploaded(service, clip);
  });
  after(async () => service?.[Symbol.asyncDispose]());

  const at = (id: string, rest = '') => `/api/v1/videos/${id}/proxy${rest}`;
  const request = (method: string, path: string) => call(service.baseUrl, method, path);
  const health = async () => (await request('GET', '/api/v1/health')).body.data.checks.queue;
  /** Files of proxies. */
  const files = () =>
    readdirSync(join(service.dataDir, 'blobs', 'results'), { recursive: true })
      .map(String)
      .filter((name) => /proxy-/.test(name));

  async function ended(id: string) {
    return await waitFor('the proxy', async () => {
      const { data } = (await request('GET', at(id))).body;
      return ['queued', 'processing'].includes(data.status) ? undefined : data;
    });
  }

  async function made(id: string) {
    const { status, body, headers } = await request('POST', at(id));
    assert.deepEqual([status, headers.get('retry-after')], [202, '1'], JSON.stringify(body));
    proxySchema.strict().parse(body.data);
    const proxy = await ended(id);
    proxySchema.strict().parse(proxy);
    assert.equal(proxy.status, 'completed', JSON.stringify(proxy.error));
    return proxy;
  }

  test('is made on request, once for its content, and is no job to who lists jobs', async () => {
    assertError(await request('GET', at(videoId)), 'PROXY_NOT_FOUND');
    assertError(await request('GET', at(videoId, '/file')), 'PROXY_NOT_FOUND');
    const proxy = await made(videoId);
    const { file_url, ...outline } = proxy;
    assert.deepEqual(outline, {
      ...{ video_id: videoId, kind: 'video', status: 'completed', progress_percent: 100, error: null },
      ...{ width: 960, height: 540, frame_rate: 25, duration_seconds: 2, has_sound: true },
    });
    const again = await request('POST', at(videoId));
    assert.deepEqual([again.status, again.body.data], [200, proxy]);
    assert.equal((await request('GET', '/api/v1/jobs')).body.data.total, 0);
    const twin = await uploaded(service, clip);
    const { status, body } = await request('POST', at(twin));
    assert.deepEqual([status, body.data.file_url], [200, file_url.replace(videoId, twin)]);
    await request('DELETE', `/api/v1/videos/${twin}`);
    assert.equal((await request('POST', at(videoId))).status, 200);
  });

  test('is sent in ranges, under a tag of its bytes', async () => {
    const { file_url } = (await request('GET', at(videoId))).body.data;
    const whole = await fetch(file_url);
    const bytes = await whole.bytes();
    assert.equal(whole.headers.get('content-type'), 'video/mp4');
    assert.match(whole.headers.get('content-disposition')!, /clip-proxy\.mp4/);
    const etag = whole.headers.get('etag')!;
    assert.equal(etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
    const part = await fetch(file_url, { headers: { range: 'bytes=100-199' } });
    assert.deepEqual([part.status, [...(await part.bytes())]], [206, [...bytes.subarray(100, 200)]]);
    assert.equal((await fetch(file_url, { headers: { 'if-none-match': etag } })).status, 304);
    const path = join(folder, 'proxy.mp4');
    writeFileSync(path, bytes);
    const analysis = await new Studio().analyze(path);
    assert.ok(analysis.kind === 'clip');
    const { width, height, frameCount } = analysis.facts.video;
    assert.deepEqual([width, height, frameCount], [960, 540, 50]);
  });

  test('of a photo and of a song', async () => {
    const photo = join(folder, 'photo.jpg');
    writeFileSync(photo, await encodeImage('jpeg', SIZE, (x) => [x % 256, 90, 90]));
    const ofPhoto = await made(await uploaded(service, photo));
    assert.deepEqual(
      [ofPhoto.kind, ofPhoto.width, ofPhoto.height, ofPhoto.frame_rate, ofPhoto.duration_seconds],
      ['image', 1280, 720, 0, 0],
    );
    assert.equal((await fetch(ofPhoto.file_url)).headers.get('content-type'), 'image/jpeg');
    const song = await writeSong(clip, 'ipod', join(folder, 'song.m4a'));
    const ofSong = await made(await uploaded(service, song));
    assert.deepEqual([ofSong.kind, ofSong.width, ofSong.has_sound], ['audio', 0, true]);
    assert.ok(Math.abs(ofSong.duration_seconds - 2) < 0.05);
    assert.equal((await fetch(ofSong.file_url)).headers.get('content-type'), 'audio/mp4');
  });

  test('fails with its reason, and may be retried', async () => {
    const rotten = await rottenVideo(service, await makeClip(folder, { name: 'rotten', durationSeconds: 1 }));
    assert.equal((await request('POST', at(rotten))).status, 202);
    const failed = await ended(rotten);
    assert.deepEqual([failed.status, failed.file_url], ['failed', null]);
    assert.equal(failed.error.code, 'INPUT_UNSUPPORTED');
    assert.equal((await request('POST', at(rotten))).status, 202);
    await ended(rotten);
    assertError(await request('POST', at('0190b3f1-0000-7000-8000-000000000000')), 'VIDEO_NOT_FOUND');
  });

  test('can be cancelled, and then its video can be deleted', async () => {
    const id = await uploaded(service, await makeClip(folder, { name: 'long', durationSeconds: 120 }));
    const first = (await request('POST', at(id))).body.data;
    const second = await request('POST', at(id));
    assert.deepEqual([second.status, second.body.data.video_id], [202, first.video_id]);
    await waitFor('work', async () => ((await health()).processing === 1 ? true : undefined));
    assert.equal((await health()).queued, 0, 'the second request shares the work of the first');
    assertError(await request('DELETE', `/api/v1/videos/${id}`), 'VIDEO_IN_USE');
    assert.deepEqual((await request('DELETE', at(id))).body.data, { video_id: id, deleted: true });
    assertError(await request('GET', at(id)), 'PROXY_NOT_FOUND');
    assertError(await request('DELETE', at(id)), 'PROXY_NOT_FOUND');
    await waitFor('the worker', async () => ((await health()).processing === 0 ? true : undefined));
    assert.equal((await request('DELETE', `/api/v1/videos/${id}`)).status, 200);
  });

  test('goes with the last video of its content, and can be removed before', async () => {
    const before = files().length;
    const twin = await uploaded(service, clip);
    assert.equal((await request('DELETE', `/api/v1/videos/${videoId}`)).status, 200);
    assert.equal((await request('GET', at(twin))).body.data.status, 'completed');
    assert.equal(files().length, before);
    await request('DELETE', at(twin));
    assert.equal(files().length, before - 2);
    await made(twin);
    assert.equal(files().length, before);
    assert.equal((await request('DELETE', `/api/v1/videos/${twin}`)).status, 200);
    assert.equal(files().length, before - 2);
  });
});
