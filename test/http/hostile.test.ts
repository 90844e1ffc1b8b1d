import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { call, upload } from '../support/client.ts';
import { mediaPath } from '../support/media.ts';
import { waitFor } from '../support/processes.ts';
import { startService } from '../support/service.ts';

const expectPath = mediaPath('hostile/EXPECT.json');

if (expectPath === null) {
  test('hostile files', (t) => t.skip('needs ../shared/media/hostile'));
} else {
  const service = await startService({ WORKER_CONCURRENCY: '0', UPLOAD_IDLE_SECONDS: '10' });
  after(() => service[Symbol.asyncDispose]());
  const expected = JSON.parse(readFileSync(expectPath, 'utf8')) as Record<string, string>;

  // Where two of the files point; a connection to it is a leak. Not every machine lets a test listen there.
  let connections = 0;
  const trap = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  const trapped = await new Promise<boolean>((resolve) => {
    trap.once('error', () => resolve(false)).listen(9, '127.0.0.1', () => resolve(true));
  });
  after(() => trap.close());

  for (const [name, expectation] of Object.entries(expected)) {
    test(`${name}: ${expectation}`, async () => {
      const reply = await upload(service.baseUrl, mediaPath(`hostile/${name}`)!);
      assert.ok(reply.status < 500, JSON.stringify(reply.body));
      assert.doesNotMatch(JSON.stringify(reply.body), /root:x:/);
      if (/refuse(d|:| with| clearly)/i.test(expectation) && !/^may /.test(expectation)) {
        assert.ok(reply.status >= 400, `${reply.status}: ${JSON.stringify(reply.body)}`);
      }
      if (expectation.startsWith('accept')) assert.equal(reply.status, 201, JSON.stringify(reply.body));
      if (expectation.includes('real length 2 s') && reply.status === 201) {
        assert.ok(Math.abs(reply.body.data.duration_seconds - 2) < 0.3);
      }
      if (expectation.includes('must be measured')) {
        assert.equal(reply.status, 201, JSON.stringify(reply.body));
        assert.ok(reply.body.data.duration_seconds > 0);
      }
    });
  }

  test('afterwards: no connection was made, refused files are gone, the service is well', async (t) => {
    const { data } = (await call(service.baseUrl, 'GET', '/api/v1/videos?page_size=100')).body;
    const blobs = readdirSync(`${service.dataDir}/blobs/videos`);
    assert.deepEqual(blobs.sort(), data.videos.map(({ video_id }: { video_id: string }) => video_id).sort());
    assert.deepEqual(readdirSync(`${service.dataDir}/blobs/.incoming`), []);
    // Its probe may be late while the machine is busy.
    await waitFor('the media engine is well', async () => {
      const { body } = await call(service.baseUrl, 'GET', '/api/v1/health');
      return body.data?.checks.media_engine === 'ok';
    });
    assert.equal(connections, 0);
    if (!trapped) t.diagnostic('connections to port 9 were not watched: it could not be opened');
  });
}
