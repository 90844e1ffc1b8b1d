/** Hostile file names through the whole product: stored under our own ids, shown without disguising characters, harmless. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { call, type Reply } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { createJob, filesUnder } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let bytes: Buffer;
before(async () => {
  const clip = { name: 'clip', durationSeconds: 0.6, width: 160, height: 90, silent: true };
  bytes = readFileSync(await makeClip(folder, clip));
  service = await startService();
});
after(() => service?.[Symbol.asyncDispose]());

const LONGEST = 255;
const NAMES: readonly { readonly sent: string; readonly shown: string }[] = [
  { sent: '../../../../etc/cron.d/evil.mp4', shown: 'evil.mp4' },
  { sent: '..%2f..%2fevil.mp4', shown: '..%2f..%2fevil.mp4' },
  { sent: '/etc/passwd', shown: 'passwd' },
  { sent: 'C:\\Windows\\evil.mp4', shown: 'evil.mp4' },
  { sent: '..', shown: 'video' },
  { sent: 'a\u0000.mp4', shown: 'a.mp4' },
  { sent: "it's `whoami` $(id);rm -rf .mp4", shown: "it's `whoami` $(id);rm -rf .mp4" },
  { sent: "');drop table videos;--.mp4", shown: "');drop table videos;--.mp4" },
  { sent: '-i -y -rf.mp4', shown: '-i -y -rf.mp4' },
  { sent: '%s%n%x[in]scale=1:1;,movie=x.mp4', shown: '%s%n%x[in]scale=1:1;,movie=x.mp4' },
  { sent: '<script>alert(1)</script>.mp4', shown: 'script>.mp4' },
  { sent: `${'n'.repeat(10_000)}.mp4`, shown: 'n'.repeat(LONGEST) },
  { sent: 'gpj.\u202e4pm.exe', shown: 'gpj.4pm.exe' },
  { sent: '\u2066holiday\u2069\u200f.mp4', shown: 'holiday.mp4' },
  { sent: 'CON', shown: 'CON' },
];

/** The name in the header, quotes and backslashes escaped (RFC 9110, section 5.6.4). */
function post(name: string): Promise<Reply> {
  const boundary = 'xYzZY';
  const quoted = name.replace(/["\\]/g, '\\$&');
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\n\r\n`;
  return call(service.baseUrl, 'POST', '/api/v1/videos/upload', {
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
}

const tus = (name: string) =>
  call(service.baseUrl, 'POST', '/api/v1/uploads', {
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });

test('each is stored under an id and shown plainly', async (t) => {
  for (const { sent, shown } of NAMES) {
    const { status, body } = await post(sent);
    assert.equal(status, 201, `${sent.slice(0, 50)}: ${JSON.stringify(body)}`);
    assert.equal(body.data.filename, shown);
    assert.equal((await tus(sent)).body.data.filename, shown);
    const read = await call(service.baseUrl, 'GET', `/api/v1/videos/${body.data.video_id}`);
    assert.equal(read.body.data.filename, shown);
  }
  const { data } = (await call(service.baseUrl, 'GET', '/api/v1/videos?page_size=100')).body;
  const ids = data.videos.map(({ video_id }: { video_id: string }) => video_id);
  assert.deepEqual([...filesUnder(service, 'blobs/videos').keys()].sort(), ids.sort());
  tellFigures(t, 'hostile file names', { tried: NAMES.length * 2, lost: 0 });
});

test('a name with a quote or a line break cannot add a header or end its own', async () => {
  const { body } = await post('a"; filename="b\\".mp4');
  assert.equal(typeof body.success, 'boolean');
  const broken = await post('a\r\nContent-Type: text/html\r\n\r\n<b>.mp4');
  assert.ok(broken.status < 500, JSON.stringify(broken.body));
});

test('a job on such a video keeps files under our own names', async () => {
  const { body } = await post('"><img src=x>\u202e;--.mp4');
  assert.ok(body.success, JSON.stringify(body));
  await using job = await createJob(service, { video_id: body.data.video_id });
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  const answer = await fetch(`${service.baseUrl}/api/v1/jobs/${job.jobId}/output?download=1`);
  await answer.body?.cancel();
  // The client's name, which ends no value and is no path.
  assert.equal(
    answer.headers.get('content-disposition'),
    `attachment; filename="___img_src_x__---styled.mp4"; filename*=UTF-8''%22%3E%3Cimg%20src%3Dx%3E%3B---styled.mp4`,
  );
  for (const name of filesUnder(service, `blobs/jobs/${job.jobId}`).keys()) {
    assert.match(name, /^\d+\/[a-z0-9.-]+$/);
  }
});
