/** A style seen before rendering, over HTTP: frames before and after, drafts, analyses. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { analysisSchema, previewSchema } from '../../src/http/contract/preview-operations.ts';
import { Studio } from '../../src/library.ts';
import { styleSentence } from '../../src/style/model/style-sentence.ts';
import { assertError, call, type Reply } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let videoId: string;
let templateId: string;
/** Measured by a job alone. */
let otherId: string;

/** Colors that move, warm or cold. */
function scene(warm: boolean) {
  return (rgb: Uint8Array, seconds: number) => {
    for (let y = 0, at = 0; y < 180; y++) {
      for (let x = 0; x < 320; x++, at += 3) {
        const level = 40 + ((x + 40 * seconds + y) % 160);
        rgb[at] = level + (warm ? 40 : 0);
        rgb[at + 1] = level;
        rgb[at + 2] = level + (warm ? 0 : 40);
      }
    }
  };
}

before(async () => {
  service = await startService();
  const source = await makeClip(folder, { name: 'source', durationSeconds: 3, draw: scene(false) });
  const template = await makeClip(folder, { name: 'template', durationSeconds: 2, draw: scene(true) });
  [videoId, templateId] = [await uploaded(service, source), await uploaded(service, template)];
});
after(async () => service?.[Symbol.asyncDispose]());

const post = (path: string, json?: unknown) =>
  call(service.baseUrl, 'POST', path, json === undefined ? {} : { json });
const get = (path: string) => call(service.baseUrl, 'GET', path);
const preview = (more: Record<string, unknown> = {}) =>
  post('/api/v1/previews', { video_id: videoId, template_video_id: templateId, ...more });

/** Polls a resource until its work has ended. */
async function ended(path: string): Promise<Reply> {
  let least = 0;
  for (let tries = 0; tries < 600; tries++) {
    const reply = await get(path);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    const { status, progress_percent } = reply.body.data;
    assert.ok(progress_percent >= least || status === 'completed', 'progress never falls');
    least = progress_percent;
    if (!['queued', 'processing'].includes(status)) return reply;
    await sleep(100);
  }
  throw new Error(`${path} did not end`);
}

const workFolders = () => readdirSync(join(service.dataDir, 'work'));

describe('frames', { concurrency: 1 }, () => {
  let first: Reply['body']['data'];

  test('are 202 until the videos are analysed', async () => {
    assertError(await get(`/api/v1/videos/${templateId}/analysis`), 'ANALYSIS_NOT_FOUND');
    const reply = await preview({ at_seconds: [0.5, 2] });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    assert.equal(reply.headers.get('retry-after'), '1');
    const { data } = reply.body;
    previewSchema.strict().parse(data);
    assert.equal(reply.headers.get('location'), `/api/v1/previews/${data.preview_id}`);
    assert.deepEqual([data.kind, data.file_url, data.picture, data.error], ['frames', null, null, null]);
    assertError(await get(`/api/v1/previews/${data.preview_id}/file`), 'PREVIEW_NOT_COMPLETED');
    const again = await preview({ at_seconds: [0.5, 2] });
    assert.deepEqual([again.status, again.body.data.preview_id], [202, data.preview_id]);

    const done = await ended(`/api/v1/previews/${data.preview_id}`);
    first = done.body.data;
    previewSchema.strict().parse(first);
    assert.equal(first.status, 'completed');
    // Products are not in the list of jobs.
    assert.equal((await get('/api/v1/jobs')).body.data.total, 0);
    // The analysis of the other video may end a moment after what needed a part of it.
    const work = async () => {
      const { queued, processing } = (await get('/api/v1/health')).body.data.checks.queue;
      return queued + processing;
    };
    for (let tries = 0; tries < 50 && (await work()) > 0; tries++) await sleep(100);
    assert.equal(await work(), 0);
  });

  test('are a picture of each moment as it is and graded', async () => {
    const file = await fetch(first.file_url);
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/jpeg']);
    const { width, height, data } = await decodeJpeg(Buffer.from(await file.arrayBuffer()));
    const { picture } = first;
    assert.deepEqual([width, height], [picture.width, picture.height]);
    assert.deepEqual(
      picture.moments.map(({ at_seconds }: { at_seconds: number }) => at_seconds),
      [0.5, 2],
    );
    const warmth = (box: { x: number; y: number; width: number; height: number }) => {
      let sum = 0;
      for (let y = 0; y < box.height; y++)
        for (let x = 0; x < box.width; x++) {
          const at = ((box.y + y) * width + box.x + x) * 3;
          sum += data[at] - data[at + 2];
        }
      return sum / box.width / box.height;
    };
    const { expected } = first;
    assert.deepEqual(
      [expected.width, expected.height, expected.duration_seconds, expected.frame_rate],
      [320, 180, 3, 25],
    );
    assert.ok(expected.file_bytes > 10_000 && expected.file_bytes < 1e6, `${expected.file_bytes} bytes`);
    assert.ok(expected.rendering_seconds > 0.2 && expected.rendering_seconds < 20);
    for (const { before, after } of picture.moments) {
      assert.ok(Math.abs(warmth(before) + 40) < 8, `the source is ${warmth(before)}`);
      assert.ok(warmth(after) > warmth(before) + 15, `${warmth(after)} after ${warmth(before)}`);
    }
    const cached = await fetch(first.file_url, { headers: { 'if-none-match': file.headers.get('etag')! } });
    assert.equal(cached.status, 304);
  });

  test('are answered at once from then on; the same request by the same picture', async () => {
    const weaker = await preview({ at_seconds: [0.5, 2], config: { style_strength: 0.2 } });
    assert.equal(weaker.status, 200, JSON.stringify(weaker.body));
    assert.notEqual(weaker.body.data.preview_id, first.preview_id);
    const files = () => readdirSync(join(service.dataDir, 'blobs', 'previews'), { recursive: true }).length;
    const before = files();
    const same = await preview({ at_seconds: [0.5, 2] });
    assert.equal(same.status, 200);
    assert.deepEqual(same.body.data, first);
    assert.equal(files(), before);
  });

  test('of nobody’s choice are three', async () => {
    const reply = await preview({});
    assert.equal(reply.status, 200);
    assert.equal(reply.body.data.picture.moments.length, 3);
    const preset = await post('/api/v1/previews', { video_id: videoId, preset: 'noir' });
    assert.deepEqual([preset.status, preset.body.data.template_video_id], [200, null]);
  });

  test('that nobody waits for are not drawn on', async () => {
    const before = service.log.length;
    const requested = Array.from({ length: 6 }, (_, index) => {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 30 + 5 * index);
      return fetch(`${service.baseUrl}/api/v1/previews`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          video_id: videoId,
          preset: 'noir',
          config: { style_strength: 0.1 + index / 10 },
        }),
        signal: abort.signal,
      }).catch(() => null);
    });
    assert.deepEqual(
      await Promise.all(requested),
      requested.map(() => null),
    );
    const last = await preview({ config: { style_strength: 0.33 } });
    assert.equal(last.status, 200);
    // Two children at the most wait for the next picture of their pair.
    for (let tries = 0; workFolders().length > 2 && tries < 100; tries++) await sleep(50);
    assert.ok(workFolders().length <= 2, `${workFolders()}`);
    const reported = service.log
      .slice(before)
      .filter(({ level }) => typeof level === 'number' && level >= 40);
    assert.deepEqual(
      reported.map(({ msg }) => msg),
      [],
    );
  });

  test('are removed on demand', async () => {
    const stored = await preview({ at_seconds: [0.5, 2], config: { style_strength: 0.2 } });
    const { preview_id } = stored.body.data;
    assert.equal((await call(service.baseUrl, 'DELETE', `/api/v1/previews/${preview_id}`)).status, 200);
    assertError(await get(`/api/v1/previews/${preview_id}`), 'PREVIEW_NOT_FOUND');
    assertError(await call(service.baseUrl, 'DELETE', `/api/v1/previews/${preview_id}`), 'PREVIEW_NOT_FOUND');
  });
});

describe('refused requests', () => {
  for (const { what, body, code, says } of [
    {
      what: 'a moment past the end',
      body: { at_seconds: [1, 3.5] },
      code: 'VALIDATION_ERROR',
      says: /at_seconds\.1: 3\.5 s .* runs for 3\.00 s/,
    },
    {
      what: 'ten moments',
      body: { at_seconds: Array(10).fill(1) },
      code: 'VALIDATION_ERROR',
      says: /at_seconds/,
    },
    { what: 'no moments', body: { at_seconds: [] }, code: 'VALIDATION_ERROR', says: /at_seconds/ },
    {
      what: 'moments of a draft',
      body: { kind: 'draft', at_seconds: [1] },
      code: 'VALIDATION_ERROR',
      says: /at_seconds: is for frames/,
    },
    {
      what: 'a draft from past the end',
      body: { kind: 'draft', start_seconds: 3 },
      code: 'VALIDATION_ERROR',
      says: /start_seconds: 3 s .* runs for 3\.00 s/,
    },
    {
      what: 'a draft of eleven seconds',
      body: { kind: 'draft', duration_seconds: 11 },
      code: 'VALIDATION_ERROR',
      says: /duration_seconds/,
    },
    {
      what: 'two looks',
      body: { preset: 'noir' },
      code: 'VALIDATION_ERROR',
      says: /not allowed together with template_video_id/,
    },
    { what: 'another kind', body: { kind: 'gif' }, code: 'VALIDATION_ERROR', says: /kind/ },
    { what: 'an unknown video', body: { video_id: 'none' }, code: 'VIDEO_NOT_FOUND', says: /none/ },
    {
      what: 'an unknown template',
      body: { template_video_id: 'none' },
      code: 'TEMPLATE_VIDEO_NOT_FOUND',
      says: /none/,
    },
  ] as const) {
    test(what, async () => {
      const reply = await preview(body);
      assertError(reply, code);
      assert.match(reply.body.error.detail, says);
    });
  }

  for (const id of ['none', 'a'.repeat(64), '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11']) {
    test(`the preview ${id}`, async () => {
      assertError(await get(`/api/v1/previews/${id}`), 'PREVIEW_NOT_FOUND');
      assertError(await get(`/api/v1/previews/${id}/file`), 'PREVIEW_NOT_FOUND');
      assertError(await call(service.baseUrl, 'DELETE', `/api/v1/previews/${id}`), 'PREVIEW_NOT_FOUND');
    });
  }

  test('a job is no preview, and a draft is no job', async () => {
    const other = await makeClip(folder, { name: 'other', durationSeconds: 1, draw: scene(true) });
    otherId = await uploaded(service, other);
    await using job = await createJob(service, { video_id: otherId, config: { quality: 'low' } });
    assertError(await get(`/api/v1/previews/${job.jobId}`), 'PREVIEW_NOT_FOUND');
    const { preview_id } = (await preview({ kind: 'draft' })).body.data;
    assertError(await get(`/api/v1/jobs/${preview_id}`), 'JOB_NOT_FOUND');
    await job.ended();
    assert.equal((await call(service.baseUrl, 'DELETE', `/api/v1/previews/${preview_id}`)).status, 200);
    assertError(await get(`/api/v1/previews/${preview_id}`), 'PREVIEW_NOT_FOUND');
    assert.equal((await get('/api/v1/jobs')).body.data.total, 1);
  });
});

describe('a draft', { concurrency: 1 }, () => {
  test('is a piece of the output as MP4', async () => {
    const reply = await preview({ kind: 'draft', start_seconds: 1, duration_seconds: 1.5 });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    previewSchema.strict().parse(reply.body.data);
    const done = await ended(`/api/v1/previews/${reply.body.data.preview_id}`);
    assert.equal(done.body.data.status, 'completed', JSON.stringify(done.body.data));
    const file = await fetch(done.body.data.file_url, { headers: { range: 'bytes=0-7' } });
    assert.deepEqual([file.status, file.headers.get('content-type')], [206, 'video/mp4']);
    assert.equal(String(Buffer.from(await file.arrayBuffer()).subarray(4)), 'ftyp');
  });
});

test('a draft requested twice with one key is one', async () => {
  const ask = (duration_seconds: number) =>
    call(service.baseUrl, 'POST', '/api/v1/previews', {
      json: { video_id: videoId, preset: 'noir', kind: 'draft', duration_seconds },
      headers: { 'idempotency-key': 'one draft' },
    });
  const [first, again] = [await ask(1), await ask(1)];
  assert.deepEqual([first.status, again.status], [202, 202]);
  assert.deepEqual(again.body, first.body);
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'],
  );
  const path = `/api/v1/previews/${first.body.data.preview_id}`;
  assert.equal(again.headers.get('location'), path);
  assertError(await ask(2), 'IDEMPOTENCY_KEY_REUSED');
  assert.equal((await call(service.baseUrl, 'DELETE', path)).status, 200);
});

describe('a draft that is disturbed', { concurrency: 1 }, () => {
  const started = async () => {
    const reply = await preview({
      kind: 'draft',
      duration_seconds: 3,
      config: { seed: Math.ceil(Math.random() * 1e6) },
    });
    const path = `/api/v1/previews/${reply.body.data.preview_id}`;
    for (let tries = 0; tries < 200; tries++) {
      if ((await get(path)).body.data.status === 'processing') return path;
      await sleep(20);
    }
    throw new Error('it was not taken');
  };

  test('by the death of the service, is made by its next life', async () => {
    const path = await started();
    await service.kill();
    await service.restart();
    assert.equal((await ended(path)).body.data.status, 'completed');
    assert.deepEqual(workFolders(), []);
  });

  test('by its client, ends and leaves nothing', async () => {
    const path = await started();
    assert.equal((await call(service.baseUrl, 'DELETE', path)).status, 200);
    assertError(await get(path), 'PREVIEW_NOT_FOUND');
    const jobFiles = () => readdirSync(join(service.dataDir, 'blobs/jobs')).filter((id) => path.endsWith(id));
    for (let tries = 0; workFolders().length > 0 && tries < 40; tries++) await sleep(50);
    assert.deepEqual([workFolders(), jobFiles()], [[], []]);
  });
});

describe('an analysis', { concurrency: 1 }, () => {
  const path = () => `/api/v1/videos/${templateId}/analysis`;

  test('is stored with its report', async () => {
    const reply = await post(path());
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    analysisSchema.strict().parse(reply.body.data);
    const { status, style_json, description, report_url } = (await get(path())).body.data;
    assert.deepEqual([status, style_json.version], ['completed', '1.0.0']);
    assert.equal(description, styleSentence(style_json));
    const page = await fetch(report_url);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    // Without a policy of its own it would have no style sheet.
    assert.match(page.headers.get('content-security-policy')!, /media-src 'self'; style-src 'unsafe-inline'/);
    assert.match(await page.text(), /^<!doctype html>[\s\S]*<\/html>/);
  });

  test('of what a job has measured has a style at once, and a report later', async () => {
    const known = await get(`/api/v1/videos/${otherId}/analysis`);
    assert.deepEqual([known.body.data.status, known.body.data.report_url], ['completed', null]);
    assert.ok(known.body.data.style_json !== null);
    const requested = await post(`/api/v1/videos/${otherId}/analysis`);
    assert.equal(requested.status, 202);
    assert.ok(requested.body.data.style_json !== null);
    const done = await ended(`/api/v1/videos/${otherId}/analysis`);
    assert.ok(done.body.data.report_url !== null);
  });

  test('of an unknown video is refused', async () => {
    assertError(await post('/api/v1/videos/none/analysis'), 'VIDEO_NOT_FOUND');
    assertError(await get('/api/v1/videos/none/analysis'), 'VIDEO_NOT_FOUND');
  });
});

test('an image is a template, and no source', async () => {
  const path = join(folder, 'look.png');
  await new Studio({ workRoot: join(folder, 'work') }).preview({
    source: join(folder, 'template.mp4'),
    look: null,
    output: path,
    atSeconds: [1],
  });
  const imageId = await uploaded(service, path);
  const refused = await post('/api/v1/previews', { video_id: imageId, preset: 'noir' });
  assertError(refused, 'VALIDATION_ERROR');
  assert.match(refused.body.error.detail, /video_id: is an image/);
  const reply = await preview({ template_video_id: imageId, at_seconds: [1] });
  assert.equal(reply.status, 202, JSON.stringify(reply.body));
  const done = await ended(`/api/v1/previews/${reply.body.data.preview_id}`);
  assert.equal(done.body.data.status, 'completed', JSON.stringify(done.body.data));
  const analysis = await ended(`/api/v1/videos/${imageId}/analysis`);
  assert.match(await (await fetch(analysis.body.data.report_url)).text(), /^<!doctype html>/);
});

test('previews go with their video', async () => {
  assert.equal((await call(service.baseUrl, 'DELETE', `/api/v1/videos/${videoId}`)).status, 200);
  const left = readdirSync(join(service.dataDir, 'blobs', 'previews'), {
    recursive: true,
    withFileTypes: true,
  });
  assert.deepEqual(
    left.filter((entry) => entry.isFile()).map(({ name }) => name),
    [],
  );
});
