/** Videos that the service fetches: from the request to the video, and all failures. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { videoImportSchema, videoSchema } from '../../src/http/contract/contract.ts';
import { sine } from '../support/audio.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { file, redirect, slowly, startFileServer } from '../support/file-server.ts';
import { encodeImage } from '../support/image.ts';
import { waitFor } from '../support/processes.ts';
import { startService } from '../support/service.ts';
import { writeWave } from '../support/wave-file.ts';

const MOST = 3_000_000;
const clip = readFileSync(
  await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1, silent: true }),
);
const padded = Buffer.concat([clip, Buffer.alloc(1_000_000)]);
padded.writeUInt32BE(1_000_000, clip.length);
padded.write('free', clip.length + 4, 'latin1');
let asked503 = 0;
const server = await startFileServer({
  '/Ferien%20%E2%80%93%201.mp4?token=x': file(clip, { 'content-type': 'text/html' }),
  '/moved': redirect('/Ferien%20%E2%80%93%201.mp4?token=x'),
  '/slow.mp4': slowly(padded, 500_000),
  '/slower.mp4': slowly(padded, 100_000),
  '/text': file(Buffer.from('no video at all')),
  '/empty': file(Buffer.alloc(0)),
  '/large': (answer) => void answer.writeHead(200, { 'content-length': MOST + 1 }).write('x'),
  '/endless': (answer) => {
    answer.writeHead(200);
    const more = () => answer.write(Buffer.alloc(1 << 16));
    answer.on('drain', more);
    more();
    more();
  },
  '/image.png': file(await encodeImage('png', { width: 64, height: 64 }, (x, y) => [4 * x, 4 * y, 128])),
  '/song': file(readFileSync(writeWave(join(temporaryFolder(), 'song.wav'), 44_100, [sine(440, -12, 2)]))),
  '/busy.mp4': (answer, request) =>
    asked503++ === 0 ? void answer.writeHead(503).end() : file(clip)(answer, request),
});
const service = await startService({
  MAX_UPLOAD_BYTES: String(MOST),
  UPLOAD_IDLE_SECONDS: '3',
  RETENTION_DAYS: '30',
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
const { baseUrl } = service;

async function begin(path: string, more: object = {}, headers: Record<string, string> = {}) {
  const url = path.startsWith('/') ? server.url + path : path;
  return call(baseUrl, 'POST', '/api/v1/videos/import', { json: { url, ...more }, headers });
}

async function started(path: string, more: object = {}): Promise<string> {
  const { status, body, headers } = await begin(path, more);
  assert.equal(status, 202, JSON.stringify(body));
  const { video_id, status: state } = videoImportSchema.strict().parse(body.data);
  assert.equal(state, 'importing');
  assert.equal(headers.get('location'), `/api/v1/videos/${video_id}`);
  return video_id;
}

const look = async (videoId: string) => (await call(baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body.data;
const ended = (videoId: string) =>
  waitFor('the import ends', async () => {
    const found = await look(videoId);
    return found.status !== 'importing' && found;
  });
const stored = (): readonly string[] => readdirSync(join(service.dataDir, 'blobs/videos'));

test('a file is fetched through redirects, sniffed, named by its address and hashed', async () => {
  const video = videoSchema.strict().parse(await ended(await started('/moved')));
  assert.equal(video.sha256, createHash('sha256').update(clip).digest('hex'));
  assert.deepEqual(
    [video.filename, video.content_type, video.size_bytes],
    ['moved', 'video/mp4', clip.length],
  );
  assert.notEqual(video.expires_at, null);
  const named = await ended(await started('/Ferien%20%E2%80%93%201.mp4?token=x'));
  assert.equal(named.filename, 'Ferien – 1.mp4');
  const renamed = await ended(await started('/moved', { filename: '../other.mp4' }));
  assert.equal(renamed.filename, 'other.mp4');
});

test('while it arrives: its progress, a job that waits for it, no other use of it', async () => {
  const videoId = await started('/slow.mp4');
  const job = await call(baseUrl, 'POST', '/api/v1/jobs', {
    json: { video_id: videoId, config: { quality: 'low' } },
  });
  assert.equal(job.status, 201, JSON.stringify(job.body));
  assert.deepEqual([job.body.data.status, job.body.data.source_filename], ['queued', 'slow.mp4']);
  const sizes = new Set<number>();
  await waitFor('it grows', async () => {
    const { received_bytes, size_bytes } = await look(videoId);
    if (size_bytes !== null) assert.equal(size_bytes, padded.length);
    if (received_bytes > 0) sizes.add(received_bytes);
    return sizes.size > 1;
  });
  const path = `/api/v1/videos/${videoId}`;
  for (const rest of ['/file', '/poster', '/captions'])
    assert.equal((await call(baseUrl, 'GET', path + rest)).body.error.code, 'VIDEO_IMPORTING', rest);
  assert.equal((await call(baseUrl, 'DELETE', path)).body.error.code, 'VIDEO_IN_USE');
  const listed = (await call(baseUrl, 'GET', '/api/v1/videos?page_size=100')).body.data.videos;
  assert.ok(!listed.some(({ video_id }: { video_id: string }) => video_id === videoId));
  const id = job.body.data.job_id;
  assert.equal((await call(baseUrl, 'GET', `/api/v1/jobs/${id}`)).body.data.status, 'queued');
  const { body } = await call(baseUrl, 'GET', `/api/v1/jobs/${id}/result?wait=60`);
  assert.equal(body.data.status, 'completed', JSON.stringify(body.data.error));
});

test('deleting the video ends the import and leaves nothing', async () => {
  const before = stored().length;
  const videoId = await started('/slower.mp4');
  await waitFor('it comes', async () => (await look(videoId)).received_bytes > 0);
  assert.equal((await call(baseUrl, 'DELETE', `/api/v1/videos/${videoId}`)).status, 200);
  assert.equal((await call(baseUrl, 'GET', `/api/v1/videos/${videoId}`)).status, 404);
  const incoming = join(service.dataDir, 'blobs/.incoming');
  await waitFor('it is given up', () => readdirSync(incoming).length === 0, 5_000);
  assert.equal(stored().length, before);
});

describe('failures', { concurrency: true }, () => {
  for (const [path, code, jobCode] of [
    ['/missing', 'IMPORT_FAILED', 'IMPORT_FAILED'],
    ['/text', 'UNSUPPORTED_VIDEO_FORMAT', 'INPUT_UNSUPPORTED'],
    ['/empty', 'INVALID_VIDEO', 'INPUT_CORRUPT'],
    ['/large', 'FILE_TOO_LARGE', 'INPUT_LIMIT_EXCEEDED'],
    ['/endless', 'FILE_TOO_LARGE', 'INPUT_LIMIT_EXCEEDED'],
  ] as const)
    test(`${path} ends as ${code}, its job as ${jobCode}`, async () => {
      const videoId = await started(path);
      const create = () => call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: videoId } });
      const job = await create();
      const failed = videoImportSchema.strict().parse(await ended(videoId));
      assert.deepEqual([failed.status, failed.error?.code], ['failed', code]);
      assert.equal((await create()).body.error.code, 'IMPORT_FAILED');
      assert.equal((await call(baseUrl, 'GET', `/api/v1/videos/${videoId}/file`)).status, 422);
      assert.ok(!stored().includes(videoId));
      if (job.status === 422) return;
      const result = await call(baseUrl, 'GET', `/api/v1/jobs/${job.body.data.job_id}/result?wait=60`);
      assert.deepEqual([result.body.data.status, result.body.data.error?.code], ['failed', jobCode]);
    });
});

test('an image is a template, not a source', async () => {
  const [source, template] = [await started('/image.png'), await started('/image.png')];
  const create = async (json: object) =>
    (await call(baseUrl, 'POST', '/api/v1/jobs', { json })).body.data?.job_id;
  const wrong = await create({ video_id: source });
  assert.equal((await ended(template)).kind, 'image');
  if (wrong === undefined) return;
  const { body } = await call(baseUrl, 'GET', `/api/v1/jobs/${wrong}/result?wait=60`);
  assert.deepEqual([body.data.status, body.data.error?.code], ['failed', 'INPUT_UNSUPPORTED']);
});

test('a song is the music of an edit, not a source', async () => {
  const songId = await started('/song');
  const wrong = await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: songId } });
  const song = await ended(songId);
  assert.deepEqual([song.kind, song.duration_seconds, song.width], ['audio', 2, 0]);
  if (wrong.status === 422) return;
  const { body } = await call(baseUrl, 'GET', `/api/v1/jobs/${wrong.body.data.job_id}/result?wait=60`);
  assert.deepEqual([body.data.status, body.data.error?.code], ['failed', 'INPUT_UNSUPPORTED']);
});

test('a busy address is requested again', async () => {
  assert.equal((await ended(await started('/busy.mp4'))).status, 'ready');
  assert.equal(asked503, 2);
});

test('imports are counted by how they ended', async () => {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  const value = (series: string) =>
    Number(
      metrics
        .split('\n')
        .find((text) => text.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );
  assert.ok(value('styledna_import_tries_total{outcome="imported"}') >= 3);
  assert.equal(value('styledna_import_tries_total{outcome="again"}'), 1, 'the address that was busy');
  assert.equal(value('styledna_imports_failed_total{code="FILE_TOO_LARGE"}'), 2);
  assert.ok(value('styledna_import_tries_total{outcome="stopped"}') >= 1, 'the one that was deleted');
  assert.equal(
    value('styledna_import_seconds_count'),
    value('styledna_import_tries_total{outcome="imported"}'),
  );
  assert.ok(value('styledna_import_bytes_total') > 2_000_000);
  assert.equal(value('styledna_leases{of="import"}'), 0);
});

test('forbidden addresses are refused at once; one key begins one import', async () => {
  for (const url of [
    'http://169.254.169.254/',
    'http://10.0.0.1/x',
    'http://u:p@example.com/',
    'file:///etc/passwd',
  ]) {
    const { status, body } = await begin(url);
    assert.deepEqual([status, body.error.code], [422, 'IMPORT_URL_FORBIDDEN'], url);
  }
  assert.equal((await begin('nonsense')).body.error.code, 'VALIDATION_ERROR');
  const headers = { 'idempotency-key': 'import-1' };
  const [first, again] = [await begin('/moved', {}, headers), await begin('/moved', {}, headers)];
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [202, 'true']);
  assert.equal(again.body.data.video_id, first.body.data.video_id);
});

test('an import continues after the service was killed', async () => {
  const videoId = await started('/slow.mp4');
  await waitFor('it comes', async () => (await look(videoId)).received_bytes > 0);
  await service.kill();
  await service.restart();
  assert.equal((await ended(videoId)).status, 'ready');
});
