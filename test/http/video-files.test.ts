/** The bytes and the pictures of uploaded videos. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { videoSchema } from '../../src/http/contract/contract.ts';
import { PICTURES_VERSION } from '../../src/pipeline/stages/results.ts';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';
import { encodeImage } from '../support/image.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { mediaPath } from '../support/media.ts';
import { rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let clip: string;
let videoId: string;

before(async () => {
  service = await startService();
  clip = await makeClip(folder, { name: 'clip' });
  videoId = await uploaded(service, clip);
});
after(async () => service?.[Symbol.asyncDispose]());

const fetched = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}/api/v1/videos/${path}`, { headers });
const refused = (path: string) => call(service.baseUrl, 'GET', `/api/v1/videos/${path}`);
/** Files that were made of videos. */
const results = () =>
  readdirSync(join(service.dataDir, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^results\/.*\.(jpg|json)$/.test(name),
  );

test('a video names its pictures and its file', async () => {
  const { data } = (await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body;
  videoSchema.strict().parse(data);
  const url = `${service.baseUrl}/api/v1/videos/${videoId}`;
  assert.deepEqual(
    [data.poster_url, data.filmstrip_url, data.file_url],
    [`${url}/poster`, `${url}/filmstrip`, `${url}/file`],
  );
  const { videos } = (await call(service.baseUrl, 'GET', '/api/v1/videos')).body.data;
  assert.equal(videos[0].poster_url, data.poster_url);
});

describe('pictures', { concurrency: 1 }, () => {
  test('simultaneous requests share one computation', async () => {
    assert.deepEqual(results(), []);
    const requested = Array.from({ length: 10 }, (_, index) =>
      fetched(`${videoId}/${index % 2 === 0 ? 'poster' : 'filmstrip'}`),
    );
    for (const answer of await Promise.all(requested)) {
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'image/jpeg');
      assert.equal(answer.headers.get('cache-control'), 'private, max-age=3600');
      await answer.arrayBuffer();
    }
    assert.deepEqual(
      results()
        .map((name) => name.split('/').at(-1))
        .sort(),
      ['filmstrip', 'pictures', 'poster'].map(
        (name) => `${name}-${PICTURES_VERSION}.${name === 'pictures' ? 'json' : 'jpg'}`,
      ),
    );
    assert.deepEqual(readdirSync(join(service.dataDir, 'work')), []);
  });

  test('a filmstrip has its layout in headers', async () => {
    const answer = await fetched(`${videoId}/filmstrip`, { origin: 'http://elsewhere.example' });
    assert.equal(answer.headers.get('filmstrip-tiles'), '12');
    assert.equal(answer.headers.get('filmstrip-tile-size'), '214x120');
    const seconds = answer.headers.get('filmstrip-seconds')!.split(',').map(Number);
    assert.deepEqual(seconds.slice(0, 3), [0.12, 0.36, 0.6]);
    const { width, height } = await decodeJpeg(Buffer.from(await answer.arrayBuffer()));
    assert.deepEqual([width, height], [12 * 214, 120]);
  });

  test('a known picture is 304; a range is a range; HEAD has no body', async () => {
    const whole = await fetched(`${videoId}/poster`);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get('etag')!;
    assert.equal((await fetched(`${videoId}/poster`, { 'if-none-match': etag })).status, 304);
    const part = await fetched(`${videoId}/poster`, { range: 'bytes=10-19' });
    assert.equal(part.status, 206);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20)));
    const head = await fetch(whole.url, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
  });

  test('an image gives itself', async () => {
    const path = join(folder, 'look.png');
    writeFileSync(path, await encodeImage('png', { width: 800, height: 400 }, () => [200, 30, 30]));
    const image = await uploaded(service, path);
    const poster = await fetched(`${image}/poster`);
    const { width, height, data } = await decodeJpeg(Buffer.from(await poster.arrayBuffer()));
    assert.deepEqual([width, height], [640, 320]);
    assert.ok(data[0] > 190 && data[1] < 45);
    const strip = await fetched(`${image}/filmstrip`);
    assert.equal(strip.headers.get('filmstrip-tiles'), '1');
    await strip.body?.cancel();
  });

  test('of a video that rotted after its upload are 422, and nothing is left', async () => {
    const other = await makeClip(folder, { name: 'rotten', durationSeconds: 2 });
    const rotten = await rottenVideo(service, other);
    for (const kind of ['poster', 'filmstrip']) {
      assertError(await refused(`${rotten}/${kind}`), 'INVALID_VIDEO');
    }
    assert.deepEqual(readdirSync(join(service.dataDir, 'work')), []);
  });

  test('that nobody waits for are not made on', async () => {
    const own = await uploaded(service, await makeClip(folder, { name: 'left', durationSeconds: 4 }));
    const before = results();
    const abort = new AbortController();
    const requested = fetch(`${service.baseUrl}/api/v1/videos/${own}/poster`, { signal: abort.signal });
    setTimeout(() => abort.abort(), 60);
    await assert.rejects(requested);
    const again = await fetched(`${own}/poster`);
    assert.equal(again.status, 200);
    await again.body?.cancel();
    assert.equal(results().length, before.length + 3);
    const reported = service.log.filter(({ level }) => typeof level === 'number' && level >= 50);
    assert.deepEqual(reported, []);
  });

  test('of a video that is deleted while they wait are 404', async () => {
    for (const kind of ['poster', 'filmstrip']) {
      const path = await makeClip(folder, { name: `deleted-${kind}`, durationSeconds: 2, width: 322 });
      const id = await uploaded(service, path);
      const pictures = fetched(`${id}/${kind}`);
      // The row is read first; the file is removed before it is read.
      await new Promise((resolve) => setTimeout(resolve, 3));
      assert.equal((await call(service.baseUrl, 'DELETE', `/api/v1/videos/${id}`)).status, 200);
      const reply = await pictures;
      assert.ok([200, 404].includes(reply.status), `${reply.status}: ${await reply.clone().text()}`);
      await reply.body?.cancel();
    }
  });

  test('go with the last video that has the content', async () => {
    const second = await uploaded(service, clip);
    const poster = await fetched(`${second}/poster`);
    assert.equal(poster.status, 200);
    await poster.body?.cancel();
    const own = results().filter((name) => name.includes('poster'));
    assert.equal((await call(service.baseUrl, 'DELETE', `/api/v1/videos/${second}`)).status, 200);
    assert.deepEqual(
      results().filter((name) => name.includes('poster')),
      own,
    );
    for (const kind of ['poster', 'filmstrip', 'file'])
      assertError(await refused(`${second}/${kind}`), 'VIDEO_NOT_FOUND');
  });
});

describe('the file as it was uploaded', () => {
  test('whole, in part, known, and to be saved', async () => {
    const bytes = readFileSync(clip);
    const whole = await fetched(`${videoId}/file`);
    assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'video/mp4']);
    assert.equal(whole.headers.get('content-disposition'), 'inline; filename="clip.mp4"');
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes));
    const part = await fetched(`${videoId}/file`, { range: 'bytes=-100' });
    assert.equal(part.status, 206);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-100)));
    const etag = whole.headers.get('etag')!;
    assert.equal((await fetched(`${videoId}/file`, { 'if-none-match': etag })).status, 304);
    const saved = await fetched(`${videoId}/file?download=1`);
    assert.match(saved.headers.get('content-disposition')!, /^attachment; /);
    await saved.body?.cancel();
    const beyond = await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}/file`, {
      headers: { range: `bytes=${bytes.length}-` },
    });
    assertError(beyond, 'RANGE_NOT_SATISFIABLE');
  });

  test('is never a page, with any content and name', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    const box = Buffer.alloc(8);
    box.writeUInt32BE(page.length + 8);
    box.write('free', 4, 'latin1');
    const bytes = Buffer.concat([readFileSync(clip), box, page]);
    const name = '"><script>.html';
    const { status, body } = await upload(service.baseUrl, bytes, { name });
    assert.equal(status, 201);
    const answer = await fetched(`${body.data.video_id}/file`);
    assert.equal(answer.headers.get('content-type'), 'video/mp4');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.match(answer.headers.get('content-security-policy')!, /^default-src 'none';/);
    assert.match(
      answer.headers.get('content-disposition')!,
      /^inline; filename="[\w.-]+"; filename\*=UTF-8''[\w.%-]+$/,
    );
    await answer.body?.cancel();
  });
});

test('a row that an import brought decides nothing in a browser', async () => {
  await using own = await openHttp();
  const { body } = await upload(own.baseUrl, clip);
  const { video_id: videoId } = body.data;
  for (const type of [
    'text/html',
    'text/html; charset=utf-8',
    'image/svg+xml',
    'text/javascript',
    'a/b\r\nx: y',
  ]) {
    await own.database.query('update videos set content_type = $2 where video_id = $1', [videoId, type]);
    const answer = await fetch(`${own.baseUrl}/api/v1/videos/${videoId}/file`);
    assert.equal(answer.status, 200, type);
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream', type);
    assert.match(answer.headers.get('content-disposition')!, /^attachment; /, type);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    await answer.body?.cancel();
  }
});

describe('nothing is there', () => {
  for (const id of ['unknown', '00000000-0000-7000-8000-000000000000', '%00', '..%2f..%2fetc'])
    for (const kind of ['poster', 'filmstrip', 'file'])
      test(`${kind} of ${id}`, async () => assertError(await refused(`${id}/${kind}`), 'VIDEO_NOT_FOUND'));
});

const hostile = ['avc1_claims_65535x65535.mp4', 'bad_keyframes.mp4', 'no_duration.webm'];
describe('of hostile files that are accepted', { skip: mediaPath('hostile') === null }, () => {
  for (const name of hostile)
    test(name, async () => {
      const id = await uploaded(service, mediaPath(`hostile/${name}`)!);
      const began = performance.now();
      for (const kind of ['poster', 'filmstrip']) {
        const answer = await fetched(`${id}/${kind}`);
        assert.equal(answer.status, 200, kind);
        await decodeJpeg(Buffer.from(await answer.arrayBuffer()));
      }
      assert.ok(performance.now() - began < 10_000);
    });
});
