/** Disks that fill up, for real: small file systems of their own. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { waitFor } from '../support/processes.ts';
import { assertTidy, createJob, filesUnder, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const MIB = 1 << 20;
const RESERVE = 48 * MIB;
/** Jobs that are created on a full disk. */
const ROUNDS = 100;
const small = mountSmallDisk(512 * MIB);
const missing = small === null ? 'needs the right to mount a small tmpfs' : false;
after(() => small?.[Symbol.dispose]());
const disk = small!;

const folder = temporaryFolder();
const source = await makeClip(folder, { name: 'source', durationSeconds: 2 });

function start(name: string, reserveBytes: number): Promise<Service> {
  const dataDir = join(disk.folder, name);
  mkdirSync(dataDir);
  return startService({ DISK_RESERVE_BYTES: String(reserveBytes) }, dataDir);
}

async function statusOf(service: Service): Promise<string> {
  const { body } = await call(service.baseUrl, 'GET', '/api/v1/health');
  // A look at the disk is a second old at the most: until then health answers that it cannot be used.
  return body.success ? body.data.status : body.error.code;
}

const blobsOf = (service: Service) => [...filesUnder(service, 'blobs').keys()];

describe('the reserve of a disk', { skip: missing, concurrency: 1 }, () => {
  let service: Service;
  before(async () => {
    service = await start('reserve', RESERVE);
  });
  after(() => service?.[Symbol.asyncDispose]());

  test('requests that need space are refused before their body, and health reports it', async () => {
    const videoId = await uploaded(service, source);
    const before = blobsOf(service);
    disk.fill(RESERVE + 2 * MIB);
    assertError(await upload(service.baseUrl, new Uint8Array(8 * MIB)), 'INSUFFICIENT_STORAGE');
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': String(8 * MIB) };
    const resumable = await call(service.baseUrl, 'POST', '/api/v1/uploads', { headers: tus });
    assertError(resumable, 'INSUFFICIENT_STORAGE');
    assert.equal(await statusOf(service), 'healthy');
    disk.fill(RESERVE - 2 * MIB);
    await waitFor('health is degraded', async () => (await statusOf(service)) === 'degraded');
    const job = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: videoId } });
    assertError(job, 'INSUFFICIENT_STORAGE');
    assert.deepEqual(blobsOf(service), before);
    disk.empty();
    await waitFor('health is well again', async () => (await statusOf(service)) === 'healthy');
    await uploaded(service, source);
  });

  test('an upload of unknown length is stopped there, and nothing of it stays', async () => {
    const before = blobsOf(service);
    disk.fill(RESERVE + 24 * MIB);
    const boundary = 'edge';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`;
    async function* endless() {
      yield Buffer.from(head);
      for (let sent = 0; sent < 256; sent++) yield Buffer.alloc(MIB);
    }
    const reply = await call(service.baseUrl, 'POST', '/api/v1/videos/upload', {
      body: ReadableStream.from(endless()),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    assertError(reply, 'INSUFFICIENT_STORAGE');
    await waitFor('nothing of it stays', () => blobsOf(service).length === before.length);
    disk.empty();
    await uploaded(service, source);
  });
});

describe('a disk that is full although', { skip: missing, concurrency: 1 }, () => {
  let service: Service;
  before(async () => {
    service = await start('full', 0);
  });
  after(() => service?.[Symbol.asyncDispose]());

  test('a job is rendering: that job fails with the reason, and the next one succeeds', async () => {
    const request = { video_id: await uploaded(service, source) };
    await using job = await createJob(service, request);
    await job.childAt('video_analysis');
    disk.fill(0);
    const failed = await job.ended();
    disk.empty();
    assert.equal(failed.status, 'failed', JSON.stringify(failed));
    assert.equal(failed.error.code, 'INSUFFICIENT_STORAGE');
    assert.equal(failed.error.retryable, true);
    assertTidy(service);
    await using next = await createJob(service, request);
    assert.equal((await next.ended()).status, 'completed');
  });

  test('the database cannot write: no response is an internal error, and acknowledged data is stored', async (t) => {
    const json = { video_id: await uploaded(service, source), config: { quality: 'low' } };
    disk.fill(0);
    const created: string[] = [];
    const refusals = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
      if (status === 201) created.push(body.data.job_id);
      else refusals.add(status);
    }
    assert.ok(
      [...refusals].every((status) => status === 503 || status === 507),
      String([...refusals]),
    );
    disk.empty();
    await waitFor('it works again', async () => (await statusOf(service)) === 'healthy');
    await service.kill();
    await service.restart();
    for (const jobId of created) {
      const { status } = await call(service.baseUrl, 'GET', `/api/v1/jobs/${jobId}`);
      assert.equal(status, 200);
    }
    await using job = await createJob(service, json);
    await call(service.baseUrl, 'DELETE', `/api/v1/jobs/${job.jobId}`);
    await uploaded(service, source);
    const seen = `${created.length} jobs created on the full disk, the others refused with ${[...refusals].join(', ')}`;
    tellFigures(t, 'disk full in the database', { tried: ROUNDS, lost: 0, seen });
  });
});
