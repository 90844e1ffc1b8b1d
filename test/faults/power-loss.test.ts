/** Power loss while clients upload and create jobs: all acknowledged data must exist afterwards. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Reply, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { mountLosableDisk } from '../support/losable-disk.ts';
import { waitFor } from '../support/processes.ts';
import { assertTidy } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const MIB = 1 << 20;
const ROUNDS = IS_FULL ? 4 : 2;
const MAX_JOBS = 8;
/** Written and not synced before each cut: it must be lost, or there was none. */
const UNPROMISED_BYTES = 4 * MIB;
const disk = mountLosableDisk(1024 * MIB);
after(() => disk?.[Symbol.dispose]());
const missing = disk === null ? 'needs the right to mount an ext4 file system of its own' : false;

const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1, width: 160, height: 90 });
const bytes = new Uint8Array(readFileSync(clip));
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const CAPTIONS = '1\n00:00:00,100 --> 00:00:00,900\nHello\n';

/** Data acknowledged to clients in an answer that they received. */
class Acknowledged {
  readonly videos = new Set<string>();
  readonly captions = new Set<string>();
  /** By upload: bytes that the service acknowledged. */
  readonly pieces = new Map<string, number>();
  /** By idempotency key. */
  readonly jobs = new Map<string, string>();
  readonly outputs = new Map<string, string>();

  get count(): number {
    return this.videos.size + this.captions.size + this.pieces.size + this.jobs.size * 2 + this.outputs.size;
  }
}

const TUS = { 'tus-resumable': '1.0.0' };

/** A client that uploads and sends requests until the service ends. */
async function pester(
  baseUrl: string,
  reported: Acknowledged,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const video = await upload(baseUrl, clip);
    if (video.status !== 201) continue;
    const { video_id } = video.body.data;
    reported.videos.add(video_id);
    const headers = { 'content-type': 'application/x-subrip' };
    const captions = await call(baseUrl, 'PUT', `/api/v1/videos/${video_id}/captions`, {
      body: CAPTIONS,
      headers,
    });
    if (captions.status < 300) reported.captions.add(video_id);
    await sendHalf(baseUrl, reported);
    if (reported.jobs.size < MAX_JOBS) await createJob(baseUrl, reported, `${name}-${round}`, video_id);
  }
}

async function createJob(
  baseUrl: string,
  reported: Acknowledged,
  key: string,
  video_id: string,
): Promise<void> {
  const reply = await post(baseUrl, key, video_id);
  if (reply.status !== 201) return;
  reported.jobs.set(key, reply.body.data.job_id);
  const result = `/api/v1/jobs/${reply.body.data.job_id}/result?wait=2`;
  const ended = await call(baseUrl, 'GET', result);
  if (ended.body.data?.status === 'completed') await keepOutput(baseUrl, reported, reply.body.data.job_id);
}

function post(baseUrl: string, key: string, video_id: string): Promise<Reply> {
  const headers = { 'idempotency-key': key };
  return call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id, config: { quality: 'low' } }, headers });
}

async function keepOutput(baseUrl: string, reported: Acknowledged, jobId: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/v1/jobs/${jobId}/output`);
  if (answer.status === 200) reported.outputs.set(jobId, sha256(new Uint8Array(await answer.arrayBuffer())));
}

/** The first half of a resumable upload. */
async function sendHalf(baseUrl: string, reported: Acknowledged): Promise<void> {
  const made = await fetch(`${baseUrl}/api/v1/uploads`, {
    method: 'POST',
    headers: { ...TUS, 'upload-length': String(bytes.length) },
  });
  await made.body?.cancel();
  if (made.status !== 201) return;
  const path = made.headers.get('location')!;
  reported.pieces.set(path, 0);
  const sent = await fetch(baseUrl + path, {
    method: 'PATCH',
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: bytes.slice(0, bytes.length >> 1),
  });
  await sent.body?.cancel();
  if (sent.status === 204) reported.pieces.set(path, Number(sent.headers.get('upload-offset')));
}

/** Names all that was promised and is not so. */
async function broken(service: Service, reported: Acknowledged): Promise<string[]> {
  const { baseUrl } = service;
  const wrong: string[] = [];
  const check = (what: string, holds: boolean) => {
    if (!holds) wrong.push(what);
  };
  for (const videoId of reported.videos) {
    const { status, body } = await call(baseUrl, 'GET', `/api/v1/videos/${videoId}`);
    check(`video ${videoId} is ${status}`, status === 200 && body.data.sha256 === sha256(bytes));
    const file = join(service.dataDir, 'blobs/videos', videoId);
    check(`bytes of ${videoId}`, existsSync(file) && sha256(readFileSync(file)) === sha256(bytes));
  }
  for (const videoId of reported.captions) {
    const answer = await fetch(`${baseUrl}/api/v1/videos/${videoId}/captions`);
    check(`captions of ${videoId}`, answer.status === 200);
    await answer.body?.cancel();
  }
  for (const [path, sent] of reported.pieces) {
    const answer = await fetch(baseUrl + path, { method: 'HEAD', headers: TUS });
    check(`upload ${path}`, Number(answer.headers.get('upload-offset') ?? -1) >= sent);
  }
  for (const [key, jobId] of reported.jobs) {
    const { body } = await call(baseUrl, 'GET', `/api/v1/jobs/${jobId}/result?wait=60`);
    check(
      `job ${jobId} of ${key} is ${JSON.stringify(body.data ?? body)}`,
      body.data?.status === 'completed',
    );
    if (body.data === undefined) continue;
    const replay = await post(baseUrl, key, body.data.video_id);
    check(`key ${key}`, replay.status === 201 && replay.body.data.job_id === jobId);
  }
  for (const [jobId, hash] of reported.outputs) {
    const again = new Acknowledged();
    await keepOutput(baseUrl, again, jobId);
    check(`output of ${jobId}`, again.outputs.get(jobId) === hash);
  }
  return wrong;
}

/**
 * Clients at work, darkness in the midst of it, some time after so many acknowledgements, then the service again. Returns
 * how long it took to answer again.
 */
async function blackOut(
  service: Service,
  reported: Acknowledged,
  least: number,
  afterMs: number,
): Promise<number> {
  const off = new AbortController();
  const clients = [1, 2, 3].map((number) =>
    // A connection that ends with the service.
    pester(service.baseUrl, reported, `${afterMs}-${number}`, off.signal).catch(() => {}),
  );
  await waitFor('acknowledgements', () => reported.count >= least, 120_000);
  await sleep(afterMs);
  const unpromised = join(disk!.folder, `unpromised-${afterMs}`);
  writeFileSync(unpromised, Buffer.alloc(UNPROMISED_BYTES, 1));
  await disk!.cutPower(async () => {
    // Later answers are sent without a disk.
    await sleep(500);
    await service.kill();
    off.abort();
    await Promise.all(clients);
  });
  const survived = existsSync(unpromised) ? statSync(unpromised).size : 0;
  assert.ok(survived < UNPROMISED_BYTES, 'what nobody synced is there: the power was not cut');
  const startedMs = performance.now();
  await service.restart();
  return performance.now() - startedMs;
}

/** Power returns and fails once more, during the service's recovery. */
async function blackOutAgain(service: Service, intoStartMs: number): Promise<void> {
  await service.kill();
  const starting = service.restart().catch(() => {});
  await sleep(intoStartMs);
  await disk!.cutPower(async () => {
    await service.kill();
    await starting;
  });
  await service.restart();
}

describe('the power goes', { skip: missing, concurrency: 1 }, () => {
  test('right after a service has made its first database', async (t) => {
    const dataDir = join(disk!.folder, 'new');
    mkdirSync(join(dataDir, 'database'), { recursive: true });
    await using service = await startService({ DISK_RESERVE_BYTES: '0' }, dataDir);
    const reported = new Acknowledged();
    const tookMs = await blackOut(service, reported, 1, 500);
    const lost = await broken(service, reported);
    assert.deepEqual(lost, []);
    tellFigures(t, 'power loss after the first start', {
      tried: 1,
      slowestMs: tookMs,
      lost: lost.length,
      seen: `${reported.count} acknowledged things`,
    });
  });

  test(`in the midst of uploads and jobs, ${ROUNDS} times`, async (t) => {
    const dataDir = join(disk!.folder, 'used');
    mkdirSync(dataDir);
    await using service = await startService({ DISK_RESERVE_BYTES: '0' }, dataDir);
    disk!.settle();
    let count = 0;
    const took: number[] = [];
    const lost: string[] = [];
    const all: Acknowledged[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const reported = new Acknowledged();
      all.push(reported);
      took.push(await blackOut(service, reported, 8 + 4 * round, 137 * round));
      await blackOutAgain(service, 400 * 2 ** round);
      // Earlier rounds' as well: a later loss must not undo them.
      for (const one of all) lost.push(...(await broken(service, one)));
      count += reported.count;
      assertTidy(service);
    }
    assert.deepEqual(lost, []);
    tellFigures(t, 'power loss', {
      tried: ROUNDS * 2,
      slowestMs: Math.max(...took),
      lost: lost.length,
      seen: `${count} acknowledged things`,
    });
  });
});
