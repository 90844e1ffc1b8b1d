import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import type { Publication } from '../../src/domain/stage.ts';
import { assertError, call } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { newJob } from '../support/jobs.ts';
import { refusalOf } from '../support/sign-in-proxy.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;

const bytes = randomBytes(1_000_000);
const cube = Buffer.from('LUT_3D_SIZE 2\n');

await service.jobs.startWorker(
  async (work) => {
    if (work.stage !== 'rendering') return { warnings: [] };
    const folder = `jobs/${work.jobId}/${work.attempt}`;
    const info = await service.blobs.put(`${folder}/out`, Readable.from([bytes]));
    await service.blobs.put(`${folder}/cube`, Readable.from([cube]));
    const publication: Publication = {
      style: null,
      output: {
        name: 'output.mp4',
        blobKey: `${folder}/out`,
        contentType: 'video/mp4',
        sizeBytes: info.sizeBytes,
        sha256: 'ab'.repeat(32),
      },
      artifacts: [
        { name: 'grade.cube', blobKey: `${folder}/cube`, contentType: 'text/plain', sizeBytes: cube.length },
      ],
    };
    return { warnings: [], publication };
  },
  { concurrency: 1 },
);

async function completedJob(): Promise<string> {
  const { jobId } = await newJob(service);
  const job = await service.jobs.service.waitForEnd(jobId, 20_000, new AbortController().signal);
  assert.equal(job?.status, 'completed');
  return jobId;
}

const jobId = await completedJob();
const path = `/api/v1/jobs/${jobId}/output`;
const get = (headers: Record<string, string> = {}, method = 'GET', at = path) =>
  fetch(baseUrl + at, { method, headers, redirect: 'manual' });
const etag = `"${'ab'.repeat(32)}"`;

test('the whole output', async () => {
  const answer = await get();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'video/mp4');
  assert.equal(answer.headers.get('content-length'), '1000000');
  assert.equal(answer.headers.get('accept-ranges'), 'bytes');
  assert.equal(answer.headers.get('etag'), etag);
  assert.equal(answer.headers.get('content-disposition'), 'inline; filename="clip-styled.mp4"');
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
  const saved = await get({}, 'GET', `${path}?download=1`);
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; /);
  await saved.body?.cancel();
});

test('HEAD has the headers of GET and no body', async () => {
  const answer = await get({ range: 'bytes=0-9' }, 'HEAD');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-length'), '1000000');
  assert.equal(answer.headers.get('etag'), etag);
  assert.equal((await answer.arrayBuffer()).byteLength, 0);
});

const date = (await get({}, 'HEAD')).headers.get('last-modified')!;

describe('ranges', () => {
  for (const [headers, status, start, end] of [
    [{ range: 'bytes=0-0' }, 206, 0, 0],
    [{ range: 'bytes=999000-' }, 206, 999_000, 999_999],
    [{ range: 'bytes=-1000' }, 206, 999_000, 999_999],
    [{ range: 'bytes=500000-9999999' }, 206, 500_000, 999_999],
    [{ range: 'bytes=0-99', 'if-range': etag }, 206, 0, 99],
    [{ range: 'bytes=0-99', 'if-range': date }, 206, 0, 99],
    [{ range: 'bytes=0-99', 'if-range': '"other"' }, 200, 0, 999_999],
    [{ range: 'bytes=0-9,20-29' }, 200, 0, 999_999],
    [{ range: 'nonsense' }, 200, 0, 999_999],
  ] as const) {
    test(`${JSON.stringify(headers).slice(0, 70)} → ${status}`, async () => {
      const answer = await get({ ...headers });
      assert.equal(answer.status, status);
      const want = status === 206 ? `bytes ${start}-${end}/1000000` : null;
      assert.equal(answer.headers.get('content-range'), want);
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1)));
    });
  }

  test('one past the end is 416 in the error format', async () => {
    const reply = await call(baseUrl, 'GET', path, { headers: { range: 'bytes=1000000-' } });
    assertError(reply, 'RANGE_NOT_SATISFIABLE');
    assert.equal(reply.headers.get('content-range'), 'bytes */1000000');
    assert.equal(reply.headers.get('etag'), null);
  });

  test('a known ETag is 304 without a body', async () => {
    const answer = await get({ 'if-none-match': `W/"x", ${etag}` });
    assert.equal(answer.status, 304);
    assert.equal(answer.headers.get('etag'), etag);
    assert.equal(await answer.text(), '');
  });
});

test('a client that leaves in the middle does no harm', async () => {
  for (let n = 0; n < 20; n++) {
    const abort = new AbortController();
    const answer = await fetch(baseUrl + path, { signal: abort.signal });
    await answer.body?.getReader().read();
    abort.abort();
  }
  assert.equal((await get({}, 'HEAD')).status, 200);
  assert.doesNotMatch(JSON.stringify(service.log), /unexpected error/);
});

test('artifacts', async () => {
  const { data } = (await call(baseUrl, 'GET', `/api/v1/jobs/${jobId}/result`)).body;
  assert.equal(data.artifacts.length, 1);
  const { name, url, size_bytes, content_type } = data.artifacts[0];
  assert.deepEqual([name, size_bytes, content_type], ['grade.cube', cube.length, 'text/plain']);
  const answer = await fetch(url);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(await answer.text(), cube.toString());
  for (const none of ['style.json', '..%2Fcube', '%00', 'grade.cube%00']) {
    const reply = await call(baseUrl, 'GET', `/api/v1/jobs/${jobId}/artifacts/${none}`);
    assertError(reply, refusalOf(none, 'ARTIFACT_NOT_FOUND'));
  }
});

test('a deleted file is 410; a deleted job deletes its files', async () => {
  const removed = await completedJob();
  await service.blobs.remove(`jobs/${removed}/1/out`);
  assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${removed}/output`), 'RESULT_EXPIRED');
  assert.equal((await call(baseUrl, 'DELETE', `/api/v1/jobs/${removed}`)).status, 200);
  assert.deepEqual(await Array.fromAsync(service.blobs.list(`jobs/${removed}/`)), []);
});

test('after its retention a result is 410, and the job still has its outcome', async () => {
  const expired = await completedJob();
  await service.database.query(`update jobs set expires_at = now() - interval '1 hour' where job_id = $1`, [
    expired,
  ]);
  for (const at of ['result', 'output', 'artifacts/grade.cube']) {
    assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${expired}/${at}`), 'RESULT_EXPIRED');
  }
  await service.jobs.retention.sweepExpired();
  assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${expired}/result`), 'RESULT_EXPIRED');
  assert.equal((await call(baseUrl, 'GET', `/api/v1/jobs/${expired}`)).body.data.status, 'completed');
  assert.deepEqual(await Array.fromAsync(service.blobs.list(`jobs/${expired}/`)), []);
});
