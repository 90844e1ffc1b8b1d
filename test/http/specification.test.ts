/**
 * The interface specification, tested from outside. With `TEST_BASE_URL` a running service is tested, and `TEST_AUTHORIZATION`
 * is sent to it; else one is started.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STAGE_NAMES } from '../../src/domain/stage.ts';
import { assertError, call, type Reply, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

const input = process.env['TEST_BASE_URL'];
const authorization = process.env['TEST_AUTHORIZATION'];
const own = input === undefined ? await startService() : null;
after(() => own?.[Symbol.asyncDispose]());
const baseUrl = input ?? own!.baseUrl;
const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
const folder = temporaryFolder();

const get = (path: string) => call(baseUrl, 'GET', path, { headers });
const post = (path: string, json: unknown) => call(baseUrl, 'POST', path, { headers, json });

async function newVideo(name: string, durationSeconds: number): Promise<string> {
  const reply = await upload(
    baseUrl,
    await makeClip(folder, { name, durationSeconds, width: 160, height: 90 }),
    { headers },
  );
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  assert.equal(typeof reply.body.data.video_id, 'string');
  return reply.body.data.video_id;
}

/** Of a job that nothing waits for: it would take time from the tests beside it. */
const cancel = (jobId: string) => post(`/api/v1/jobs/${jobId}/cancel`, {});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const isTime = (value: unknown) => typeof value === 'string' && TIME.test(value);
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);
type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'cancelled'];
const JOB: Fields = {
  job_id: isText,
  video_id: isText,
  status: (value) => STATUSES.includes(value as string),
  progress_percent: (value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 100,
  current_stage: orNull((value) => STAGE_NAMES.includes(value as never)),
  created_at: isTime,
  updated_at: isTime,
  started_at: orNull(isTime),
  completed_at: orNull(isTime),
  template_video_id: orNull(isText),
};
const DETAIL: Fields = {
  ...JOB,
  style_json: orNull((value) => typeof value === 'object'),
  output_video_url: orNull((value) => URL.canParse(String(value))),
  error: orNull((value) => typeof value === 'object'),
  processing_time_seconds: orNull(isNumber),
};
const STYLE: Fields = {
  version: isText,
  aspect_ratio: (value) => /^\d+:\d+$/.test(String(value)),
  frame_rate: isNumber,
  cut_frequency: isNumber,
  motion_intensity: isNumber,
  zoom_usage: isNumber,
  use_subtitles: (value) => typeof value === 'boolean',
  created_at: isTime,
  source_duration_seconds: isNumber,
  extraction_confidence: isNumber,
};
const GRADE = ['temperature', 'tint', 'saturation', 'contrast', 'highlights', 'shadows'];

// biome-ignore lint/suspicious/noExplicitAny: an answer, field by field
function assertFields(data: any, fields: Fields): void {
  for (const [name, is] of Object.entries(fields)) assert.ok(is(data[name]), `${name}: ${data[name]}`);
  if (data.status === undefined) return;
  assert.equal(data.current_stage !== null, data.status === 'processing', 'a stage while it is processed');
  const isOver = ['completed', 'failed', 'cancelled'].includes(data.status);
  assert.equal(data.completed_at !== null, isOver, `completed_at of a job that is ${data.status}`);
}

test('health', async () => {
  const reply = await get('/api/v1/health');
  assert.equal(reply.status, 200);
});

describe('a job with a template', () => {
  test('is queued, goes through its stages in order, and is completed; its end is called for', async () => {
    await using receiver = await openReceiver();
    const [video_id, template_video_id] = [await newVideo('source', 0.8), await newVideo('template', 1.5)];
    const created = await post('/api/v1/jobs', {
      ...{ video_id, template_video_id, webhook_url: receiver.url },
      config: { quality: 'low' },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const job = created.body.data;
    assertFields(job, JOB);
    assert.deepEqual(
      [job.status, job.progress_percent, job.current_stage, job.started_at, job.completed_at],
      ['queued', 0, null, null, null],
    );
    assert.deepEqual([job.video_id, job.template_video_id], [video_id, template_video_id]);

    const path = `/api/v1/jobs/${job.job_id}`;
    const stages: string[] = [];
    let [observed, percent] = [job, 0];
    for (let tries = 0; !['completed', 'failed'].includes(observed.status) && tries < 600; tries++) {
      await sleep(200);
      observed = (await get(path)).body.data;
      assertFields(observed, JOB);
      assert.ok(observed.progress_percent >= percent, 'progress goes on');
      percent = observed.progress_percent;
      if (observed.current_stage !== null && stages.at(-1) !== observed.current_stage)
        stages.push(observed.current_stage);
      if (observed.status === 'processing') assert.ok(observed.started_at !== null);
    }
    assert.equal(observed.status, 'completed');
    const order = stages.map((stage) => STAGE_NAMES.indexOf(stage as never));
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      stages.join(' '),
    );

    const { data } = (await get(`${path}/result`)).body;
    assertFields(data, DETAIL);
    assert.ok(data.processing_time_seconds > 0);
    assert.equal(data.error, null);
    assertFields(data.style_json, STYLE);
    for (const dial of GRADE) assert.ok(isNumber(data.style_json.color_grade[dial]), dial);
    const output = await fetch(baseUrl + new URL(data.output_video_url).pathname, { headers });
    assert.equal(output.status, 200);
    assert.equal(Buffer.from(await output.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');

    for (let tries = 0; receiver.calls.length === 0 && tries < 300; tries++) await sleep(100);
    assert.equal(receiver.calls.length, 1);
    const { body } = receiver.calls[0];
    assert.deepEqual([body.success, typeof body.message], [true, 'string']);
    assertFields(body.data, DETAIL);
    assert.deepEqual([body.data.job_id, body.data.status], [job.job_id, 'completed']);
  });
});

test('a cancelled job is called for, and has no result', async () => {
  await using receiver = await openReceiver();
  const video_id = await newVideo('long', 6);
  const { job_id } = (await post('/api/v1/jobs', { video_id, webhook_url: receiver.url })).body.data;
  const cancelled = await post(`/api/v1/jobs/${job_id}/cancel`, {});
  assert.ok(cancelled.status < 300, JSON.stringify(cancelled.body));
  for (let tries = 0; receiver.calls.length === 0 && tries < 300; tries++) await sleep(100);
  assert.equal(receiver.calls[0]?.body.data.status, 'cancelled');
  assertFields(receiver.calls[0].body.data, DETAIL);
  const result = await get(`/api/v1/jobs/${job_id}/result`);
  assertFields(result.body.data, DETAIL);
  assert.deepEqual([result.body.data.style_json, result.body.data.output_video_url], [null, null]);
});

test('a video is uploaded once, and is the template of any number of jobs', async () => {
  const template_video_id = await newVideo('reused', 1);
  for (const name of ['one', 'two']) {
    const reply = await post('/api/v1/jobs', { video_id: await newVideo(name, 1), template_video_id });
    assert.equal(reply.status, 201);
    await cancel(reply.body.data.job_id);
  }
});

test('the list is walked page by page', async () => {
  const video_id = await newVideo('listed', 1);
  const made = new Set<string>();
  for (let jobs = 0; jobs < 12; jobs++)
    made.add((await post('/api/v1/jobs', { video_id, config: { quality: 'low' } })).body.data.job_id);
  const first = (await get('/api/v1/jobs')).body.data;
  assert.deepEqual([first.page, first.page_size, first.jobs.length], [1, 10, 10]);
  const found = new Set<string>();
  for (let page = 1, total = 1; (page - 1) * 5 < total; page++) {
    const { data } = (await get(`/api/v1/jobs?page=${page}&page_size=5`)).body;
    assert.deepEqual([data.page, data.page_size], [page, 5]);
    for (const job of data.jobs) {
      assertFields(job, JOB);
      found.add(job.job_id);
    }
    total = data.total;
  }
  assert.ok(made.isSubsetOf(found));
  for (const jobId of made) await cancel(jobId);
});

describe('refusals, in the error format', () => {
  for (const [what, ask, code] of [
    ['an unknown job', () => get('/api/v1/jobs/none'), 'JOB_NOT_FOUND'],
    ['the result of an unknown job', () => get('/api/v1/jobs/none/result'), 'JOB_NOT_FOUND'],
    ['an unknown video', () => post('/api/v1/jobs', { video_id: 'none' }), 'VIDEO_NOT_FOUND'],
    ['no video', () => post('/api/v1/jobs', {}), 'VALIDATION_ERROR'],
    ['page 0', () => get('/api/v1/jobs?page=0'), 'VALIDATION_ERROR'],
    ['an unknown path', () => get('/api/v1/none'), 'ROUTE_NOT_FOUND'],
    ['a form without a file', () => form('other'), 'MISSING_FILE'],
    ['a file that is no video', () => form('file'), 'UNSUPPORTED_VIDEO_FORMAT'],
  ] as const) {
    test(what, async () => {
      const reply: Reply = await ask();
      assertError(reply, code);
    });
  }

  test('a request without a login, if the proxy requires one', {
    skip:
      authorization === undefined &&
      'needs TEST_AUTHORIZATION, and TEST_BASE_URL of a service behind a proxy that asks for it',
  }, async () => {
    const reply = await call(baseUrl, 'GET', '/api/v1/jobs');
    assert.equal(reply.status, 401);
    assertError(reply, 'UNAUTHORIZED');
    assert.equal(reply.body.message, 'Unauthorized');
  });
});

function form(name: string): Promise<Reply> {
  const body = new FormData();
  body.append(name, new Blob([createHash('sha512').digest()]), 'a.mp4');
  return call(baseUrl, 'POST', '/api/v1/videos/upload', { body, headers });
}
