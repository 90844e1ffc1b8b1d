/** Imports from servers that are slow or switch protocols: the share of a host. All hostile answers: test/faults/hostile-peers.test.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { file, slowly, startFileServer } from '../support/file-server.ts';
import { startHostileServer } from '../support/hostile-server.ts';
import { waitFor } from '../support/processes.ts';
import { startService } from '../support/service.ts';

const clip = readFileSync(
  await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1, silent: true }),
);
const slow = await startFileServer({ '/slow.mp4': slowly(Buffer.alloc(1_000_000), 1_500) });
const good = await startFileServer({ '/clip.mp4': file(clip) });
const service = await startService({ WORKER_CONCURRENCY: '0' });
after(async () => {
  await service[Symbol.asyncDispose]();
  await slow[Symbol.asyncDispose]();
  await good[Symbol.asyncDispose]();
});

async function begin(url: string): Promise<string> {
  const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/videos/import', { json: { url } });
  assert.equal(status, 202, JSON.stringify(body));
  return body.data.video_id;
}

const look = async (videoId: string) =>
  (await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body.data;

async function assertGoodImportEnds(): Promise<void> {
  const videoId = await begin(`${good.url}/clip.mp4`);
  await waitFor('the good import ends', async () => (await look(videoId)).status !== 'importing');
  assert.equal((await look(videoId)).content_type, 'video/mp4');
}

test('twenty slow imports of one host do not stop the others', async () => {
  for (let count = 0; count < 20; count++) await begin(`${slow.url}/slow.mp4`);
  await waitFor('the slow host has its share', () => slow.asked.length >= 8);
  await assertGoodImportEnds();
  // On a busy machine one may have ended, which starts the next.
  assert.ok(slow.asked.length < 20, `${slow.asked.length} of 20 began`);
});

test('servers that switch protocols fail their imports, and hold up no others', async () => {
  await using switching = await startHostileServer('a switch of protocols');
  const failing: string[] = [];
  for (let count = 0; count < 4; count++) failing.push(await begin(`http://${switching.host}/${count}`));
  for (const videoId of failing) {
    await waitFor('it fails', async () => (await look(videoId)).status === 'failed');
    const { error } = await look(videoId);
    assert.equal(error.code, 'IMPORT_FAILED');
    assert.match(error.detail, /answered 101/);
  }
  await assertGoodImportEnds();
});
