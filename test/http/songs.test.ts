/** Songs by every kind of upload, and the answers about them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StyleDnaClient } from '../../src/client/client.ts';
import { videoSchema } from '../../src/http/contract/contract.ts';
import { sine } from '../support/audio.ts';
import { assertError, call, upload } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { writeWave } from '../support/wave-file.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;
const song = writeWave(join(temporaryFolder(), 'song.wav'), 44_100, [sine(440, -12, 2)]);

const SONG = {
  ...{ kind: 'audio', content_type: 'audio/wav', container: 'wav', duration_seconds: 2 },
  ...{ width: 0, height: 0, rotation: 0, frame_rate: 0 },
  ...{ video_codec: '', audio_codec: 'pcm_f32le', has_audio: true, warnings: [] },
};

function assertSong(data: Record<string, unknown>): void {
  videoSchema.strict().parse(data);
  assert.deepEqual(Object.fromEntries(Object.keys(SONG).map((name) => [name, data[name]])), SONG);
}

test('an upload in one request', async () => {
  const { status, body } = await upload(baseUrl, song);
  assert.equal(status, 201, JSON.stringify(body));
  assertSong(body.data);
  const listed = await call(baseUrl, 'GET', '/api/v1/videos?kind=audio');
  assert.deepEqual(listed.body.data.videos, [body.data]);
  assert.equal(listed.body.data.total, 1);
  for (const kind of ['video', 'image'])
    assert.equal((await call(baseUrl, 'GET', `/api/v1/videos?kind=${kind}`)).body.data.total, 0);
});

test('a resumable upload', async () => {
  const client = new StyleDnaClient({ baseUrl });
  const { video_id } = await client.upload(new Blob([readFileSync(song)]), { filename: 'song.wav' }).done;
  assertSong({ ...(await client.getVideo(video_id)) });
});

test('its waveform, its bytes, and no other use', async () => {
  const { video_id, poster_url, filmstrip_url, file_url } = (await upload(baseUrl, song)).body.data;
  const poster = await decodeJpeg(Buffer.from(await (await fetch(poster_url)).arrayBuffer()));
  assert.deepEqual([poster.width, poster.height], [640, 360]);
  assert.equal((await fetch(filmstrip_url)).headers.get('filmstrip-tiles'), '12');
  const file = await fetch(file_url);
  assert.equal(file.headers.get('content-type'), 'audio/wav');
  assert.ok(readFileSync(song).equals(Buffer.from(await file.arrayBuffer())));
  const job = await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id } });
  assertError(job, 'VALIDATION_ERROR');
  assert.match(job.body.error.detail, /is a sound file.*edit\.music/);
});
