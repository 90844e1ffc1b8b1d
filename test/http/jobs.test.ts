import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/domain/errors.ts';
import { jobDetailSchema, jobSchema, videoSchema } from '../../src/http/contract/contract.ts';
import { assertError, call, type Reply } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { aVideo, stagesThat, untilAborted } from '../support/jobs.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;

async function newVideo(durationSeconds = 60): Promise<string> {
  const video = aVideo({ durationSeconds });
  await service.jobs.videos.insert(video, null);
  return video.videoId;
}

async function newJob(more: object = {}): Promise<Reply> {
  const reply = await call(baseUrl, 'POST', '/api/v1/jobs', {
    json: { video_id: await newVideo(), ...more },
  });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply;
}

/** The answer has exactly the fields of the contract, in range. */
function assertShape(
  schema: typeof jobSchema | typeof jobDetailSchema | typeof videoSchema,
  data: object,
): void {
  schema.strict().parse(data);
}

const style = {
  version: '1.0.0',
  aspect_ratio: '9:16',
  frame_rate: 30,
  cut_frequency: 0.5,
  motion_intensity: 0.1,
  zoom_usage: 0,
  use_subtitles: false,
  created_at: '2026-01-01T00:00:00.000Z',
  source_duration_seconds: 10,
  extraction_confidence: 0.9,
  color_grade: { temperature: 0, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 },
};

describe('creation, before any worker', () => {
  test('a new job is queued, as specified', async () => {
    const video_id = await newVideo();
    const template_video_id = await newVideo(10);
    const reply = await call(baseUrl, 'POST', '/api/v1/jobs', {
      json: { video_id, template_video_id, config: { quality: 'draft' } },
    });
    assert.equal(reply.status, 201);
    const job = reply.body.data;
    assertShape(jobSchema, job);
    assert.equal(reply.headers.get('location'), `/api/v1/jobs/${job.job_id}`);
    assert.equal(job.url, `${baseUrl}/api/v1/jobs/${job.job_id}`);
    const { video_id: source, template_video_id: template, status, progress_percent } = job;
    assert.deepEqual(
      { source, template, status, progress_percent },
      { source: video_id, template: template_video_id, status: 'queued', progress_percent: 0 },
    );
    for (const field of ['current_stage', 'started_at', 'completed_at'])
      assert.equal(job[field], null, field);
    assert.equal(job.config.quality, 'low');
    assert.deepEqual(job.warnings, []);
    const got = await call(baseUrl, 'GET', `/api/v1/jobs/${job.job_id}`);
    assertShape(jobSchema, got.body.data);
    assert.ok(got.body.data.queue_position >= 1);
  });

  test('a preset sets its style, and switches off components outside it', async () => {
    const { body } = await newJob({
      preset: 'noir',
      config: { quality: 'low', components: { audio: true } },
    });
    const { components, quality } = body.data.config;
    assert.deepEqual(
      { quality, ...components },
      {
        quality: 'low',
        color: true,
        audio: true,
        pacing: false,
        transitions: false,
        motion: false,
        talk: false,
        aspect_ratio: false,
        frame_rate: false,
        subtitles: false,
      },
    );
    assert.deepEqual(body.data.warnings, []);
  });

  for (const [what, json, code] of [
    ['an unknown video', { video_id: '019aa3f1-0d52-7c3b-8f42-6d1b5b0e7a01' }, 'VIDEO_NOT_FOUND'],
    ['an id of another form', { video_id: 'video-1' }, 'VIDEO_NOT_FOUND'],
    ['an unknown template', { template_video_id: 'none' }, 'TEMPLATE_VIDEO_NOT_FOUND'],
    ['an empty id', { video_id: '' }, 'VALIDATION_ERROR'],
    ['an unknown preset', { preset: 'sepia' }, 'VALIDATION_ERROR'],
    ['preset and style', { preset: 'noir', style_json: style }, 'VALIDATION_ERROR'],
    ['template and style', { template_video_id: 'x', style_json: style }, 'VALIDATION_ERROR'],
    ['a style that is none', { style_json: { ...style, aspect_ratio: 'wide' } }, 'VALIDATION_ERROR'],
    ['a config that is no object', { config: 'high' }, 'VALIDATION_ERROR'],
    ['a config over 16 KiB', { config: { labels: {}, x: 'x'.repeat(17_000) } }, 'VALIDATION_ERROR'],
    ['a file as webhook', { webhook_url: 'file:///etc/passwd' }, 'WEBHOOK_URL_FORBIDDEN'],
    ['the cloud’s metadata as webhook', { webhook_url: 'http://169.254.169.254/' }, 'WEBHOOK_URL_FORBIDDEN'],
    ['credentials in the webhook', { webhook_url: 'http://a:b@example.com/' }, 'WEBHOOK_URL_FORBIDDEN'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const reply = await call(baseUrl, 'POST', '/api/v1/jobs', {
        json: { video_id: await newVideo(), ...json },
      });
      assertError(reply, code);
    });
  }

  test('accepts a style instead of a template, and null for missing fields', async () => {
    await newJob({ style_json: style });
    await newJob({ preset: null, style_json: style });
    await newJob({ template_video_id: null, style_json: null, config: null, webhook_url: null });
  });

  test('names unknown keys, or refuses them when the client is strict', async () => {
    const json = { config: { qualty: 'high', components: { colour: false } }, templateVideoId: 'x' };
    const reply = await newJob(json);
    const text = JSON.stringify(reply.body.data.warnings);
    for (const path of ['config.qualty', 'config.components.colour', 'templateVideoId']) {
      assert.ok(text.includes(path), path);
    }
    assert.equal(reply.body.data.config.qualty, 'high');
    const strict = await call(baseUrl, 'POST', '/api/v1/jobs', {
      json: { video_id: await newVideo(), ...json },
      headers: { prefer: 'respond-async, handling=strict' },
    });
    assertError(strict, 'VALIDATION_ERROR');
    assert.equal(strict.body.error.fields.length, 3);
  });

  for (const [key, said] of [
    ['confg', 'confg is not known and has no effect; did you mean config?'],
    ['Config', 'Config is not known and has no effect; did you mean config?'],
    [
      'template_vidoe_id',
      'template_vidoe_id is not known and has no effect; did you mean template_video_id?',
    ],
    ['quality', 'quality is not known and has no effect; did you mean config.quality?'],
    ['callback', 'callback is not known and has no effect.'],
    ['constructor', 'constructor is not known and has no effect.'],
  ] as const)
    test(`the key ${key} at the top is reported, and refused in strict mode`, async () => {
      const json = { video_id: await newVideo(), [key]: { quality: 'high' } };
      const { status, body } = await call(baseUrl, 'POST', '/api/v1/jobs', { json });
      assert.equal(status, 201);
      assert.deepEqual(body.data.warnings, [{ code: 'UNKNOWN_KEY', message: said }]);
      const headers = { prefer: 'handling=strict' };
      const strict = await call(baseUrl, 'POST', '/api/v1/jobs', { json, headers });
      assertError(strict, 'VALIDATION_ERROR');
      const [field] = strict.body.error.fields;
      assert.equal(field.path, key);
      assert.equal(
        `${key} ${field.message}`.replace(' and has no effect', ''),
        said.replace(/ and has no effect\.?/, ''),
      );
    });

  test('an early result is 409 and carries the job with null results', async () => {
    const { job_id } = (await newJob()).body.data;
    const reply = await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result`);
    assertError(reply, 'JOB_NOT_COMPLETED');
    assert.equal(reply.headers.get('retry-after'), '5');
    assertShape(jobDetailSchema, reply.body.data);
    for (const field of ['style_json', 'output_video_url', 'error', 'processing_time_seconds']) {
      assert.equal(reply.body.data[field], null, field);
    }
    assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/output`), 'JOB_NOT_COMPLETED');
    assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=61`), 'VALIDATION_ERROR');
  });

  test('a queued job is cancelled, retried, deleted', async () => {
    const { job_id } = (await newJob()).body.data;
    const path = `/api/v1/jobs/${job_id}`;
    assertError(await call(baseUrl, 'DELETE', path), 'JOB_NOT_TERMINAL');
    assertError(await call(baseUrl, 'POST', `${path}/retry`), 'JOB_NOT_RETRYABLE');
    // A form's content type, as curl -d sends it, does no harm where no body is read.
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const headers of [{}, form]) {
      const cancelled = await call(baseUrl, 'POST', `${path}/cancel`, { headers, body: '' });
      assert.equal(cancelled.status, 200);
      assert.equal(cancelled.body.data.status, 'cancelled');
      assert.notEqual(cancelled.body.data.completed_at, null);
    }
    const result = await call(baseUrl, 'GET', `${path}/result`);
    assert.equal(result.status, 200);
    assert.equal(result.body.data.error, null);
    assertError(await call(baseUrl, 'GET', `${path}/output`), 'ARTIFACT_NOT_FOUND');
    const retried = await call(baseUrl, 'POST', `${path}/retry`);
    assert.equal(retried.status, 201);
    assert.equal(retried.body.data.retry_of, job_id);
    assert.equal(retried.headers.get('location'), `/api/v1/jobs/${retried.body.data.job_id}`);
    assert.deepEqual((await call(baseUrl, 'DELETE', path)).body.data, { job_id, deleted: true });
    assertError(await call(baseUrl, 'GET', path), 'JOB_NOT_FOUND');
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/cancel'],
      ['POST', '/retry'],
      ['GET', '/result'],
      ['GET', '/output'],
      ['GET', '/events'],
      ['GET', '/webhooks'],
      ['GET', '/artifacts/style.json'],
    ] as const) {
      assertError(await call(baseUrl, method, path + suffix), 'JOB_NOT_FOUND');
    }
  });
});

describe('lists', () => {
  test('paging as specified returns every job once, newest first', async () => {
    const video_id = await newVideo();
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.unshift((await newJob({ video_id })).body.data.job_id);
    const observed: string[] = [];
    for (let page = 1; ; page++) {
      const { data } = (
        await call(baseUrl, 'GET', `/api/v1/jobs?page=${page}&page_size=3&video_id=${video_id}`)
      ).body;
      assert.deepEqual([data.page, data.page_size, data.total], [page, 3, 7]);
      observed.push(...data.jobs.map((job: { job_id: string }) => job.job_id));
      if (page * 3 >= data.total) break;
    }
    assert.deepEqual(observed, ids);
  });

  test('the cursor continues at the end of the page', async () => {
    const first = (await call(baseUrl, 'GET', '/api/v1/jobs?page_size=2')).body.data;
    const second = (await call(baseUrl, 'GET', `/api/v1/jobs?page_size=2&cursor=${first.next_cursor}`)).body
      .data;
    const paged = (await call(baseUrl, 'GET', '/api/v1/jobs?page_size=4')).body.data;
    const ids = (jobs: { job_id: string }[]) => jobs.map((job) => job.job_id);
    assert.deepEqual([...ids(first.jobs), ...ids(second.jobs)], ids(paged.jobs));
  });

  test('the defaults, and a page past the end', async () => {
    const { data } = (await call(baseUrl, 'GET', '/api/v1/jobs')).body;
    assert.deepEqual([data.page, data.page_size], [1, 10]);
    for (const job of data.jobs) assertShape(jobSchema, job);
    for (const page of [1000, 999_999_999_999_999]) {
      const past = (await call(baseUrl, 'GET', `/api/v1/jobs?page=${page}`)).body.data;
      assert.deepEqual([past.jobs, past.total], [[], data.total]);
    }
  });

  for (const query of [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=one',
    'page=',
    'page=1&page=2',
    'page_size=0',
    'page_size=101',
    'page_size=99999999999999999999',
    'status=done',
    'status=queued,done',
    'status=',
    'status=queued&status=done',
    'q=%00',
    `q=${'x'.repeat(201)}`,
    'cursor=%00',
    'cursor=nonsense',
  ]) {
    test(`refuses ${query}`, async () => {
      const reply = await call(baseUrl, 'GET', `/api/v1/jobs?${query}`);
      assertError(reply, 'VALIDATION_ERROR');
      assert.equal(reply.body.error.fields[0].path, query.split('=')[0]);
    });
  }

  test('filters, also by invalid ids', async () => {
    const { data } = (await call(baseUrl, 'GET', '/api/v1/jobs?status=cancelled')).body;
    for (const job of data.jobs) assert.equal(job.status, 'cancelled');
    const [any] = (await call(baseUrl, 'GET', '/api/v1/jobs')).body.data.jobs;
    assert.deepEqual([any.source_filename, any.template_filename, any.preset], ['clip.mp4', null, null]);
    const totalOf = async (query: string) =>
      (await call(baseUrl, 'GET', `/api/v1/jobs?${query}`)).body.data.total;
    const both = (await totalOf('status=cancelled')) + (await totalOf('status=queued'));
    for (const query of ['status=queued,cancelled', 'status=queued&status=cancelled'])
      assert.equal(await totalOf(query), both);
    assert.equal(await totalOf('q=no+such+name'), 0);
    assert.equal(await totalOf('q=%20CLIP.mp4'), await totalOf(''));
    assert.equal(await totalOf('q='), await totalOf(''));
    assertError(await call(baseUrl, 'GET', '/api/v1/videos?kind=sound'), 'VALIDATION_ERROR');
    const images = (await call(baseUrl, 'GET', '/api/v1/videos?kind=image&q=clip')).body.data;
    assert.deepEqual([images.videos, images.total], [[], 0]);
    for (const filter of ['video_id=none', 'template_video_id=%00', 'style_id=none']) {
      assert.deepEqual((await call(baseUrl, 'GET', `/api/v1/jobs?${filter}`)).body.data.jobs, []);
    }
  });

  test('videos are listed alike', async () => {
    const { data } = (await call(baseUrl, 'GET', '/api/v1/videos?page_size=2')).body;
    assert.equal(data.videos.length, 2);
    for (const video of data.videos) assertShape(videoSchema, video);
    assert.ok(data.total > 2);
  });
});

describe('videos', () => {
  test('get and delete', async () => {
    const video_id = await newVideo();
    const path = `/api/v1/videos/${video_id}`;
    assertShape(videoSchema, (await call(baseUrl, 'GET', path)).body.data);
    const { job_id } = (await newJob({ video_id })).body.data;
    assertError(await call(baseUrl, 'DELETE', path), 'VIDEO_IN_USE');
    await call(baseUrl, 'POST', `/api/v1/jobs/${job_id}/cancel`);
    assert.deepEqual((await call(baseUrl, 'DELETE', path)).body.data, { video_id, deleted: true });
    for (const unknown of [path, '/api/v1/videos/none']) {
      assert.ok(
        ['VIDEO_NOT_FOUND', 'VIDEO_EXPIRED'].includes((await call(baseUrl, 'GET', unknown)).body.error.code),
      );
    }
  });
});

describe('idempotency keys', () => {
  test('a replay returns the same response, marked; another request is refused', async () => {
    const json = { video_id: await newVideo(), config: { seed: 1, priority: 2 } };
    const headers = { 'idempotency-key': 'key one' };
    const first = await call(baseUrl, 'POST', '/api/v1/jobs', { json, headers });
    assert.equal(first.headers.get('idempotent-replayed'), null);
    // The same JSON in another order of keys is the same request.
    const same = { config: { priority: 2, seed: 1 }, video_id: json.video_id };
    const second = await call(baseUrl, 'POST', '/api/v1/jobs', { json: same, headers });
    assert.equal(second.status, 201);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    const other = await call(baseUrl, 'POST', '/api/v1/jobs', { json: { ...json, config: {} }, headers });
    assertError(other, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('fifty at once make one job', async () => {
    const video_id = await newVideo();
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        call(baseUrl, 'POST', '/api/v1/jobs', {
          json: { video_id },
          headers: { 'idempotency-key': 'storm' },
        }),
      ),
    );
    const ids = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.job_id));
    assert.equal(ids.size, 1);
    for (const reply of replies) if (reply.status !== 201) assertError(reply, 'IDEMPOTENCY_IN_PROGRESS');
    const { data } = (await call(baseUrl, 'GET', `/api/v1/jobs?video_id=${video_id}`)).body;
    assert.equal(data.total, 1);
  });

  test('a failed request gives its key up', async () => {
    const headers = { 'idempotency-key': 'second try' };
    assertError(
      await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: 'none' }, headers }),
      'VIDEO_NOT_FOUND',
    );
    const json = { video_id: await newVideo() };
    assert.equal((await call(baseUrl, 'POST', '/api/v1/jobs', { json, headers })).status, 201);
  });

  for (const key of ['', 'x'.repeat(256), 'tab\there', 'ünï']) {
    test(`refuses the key ${JSON.stringify(key.slice(0, 12))} (${key.length})`, async () => {
      const reply = await call(baseUrl, 'POST', '/api/v1/jobs', {
        json: { video_id: await newVideo() },
        headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
      });
      assertError(reply, 'VALIDATION_ERROR');
    });
  }
});

describe('with a worker', () => {
  let release = () => {};
  before(async () => {
    const stages = stagesThat(async (work) => {
      const { behave } = (work.config as { labels: Record<string, string> }).labels;
      if (behave === 'fail') throw new Failure('INPUT_CORRUPT', 'The picture is damaged at 3.2 s');
      if (behave === 'hang') await untilAborted(work.signal);
      if (behave === 'advance' && work.stage === 'rendering') {
        await sleep(400);
        for (const step of [1, 2, 3]) {
          work.onProgress(step / 10);
          work.onFrame?.({ sequence: step, atSeconds: step / 2 });
          // Progress is written every quarter of a second.
          await sleep(400);
        }
      }
      if (behave === 'wait' && work.stage === 'rendering') {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
    });
    // Jobs that the tests above left in the queue would run first.
    const { data } = (await call(baseUrl, 'GET', '/api/v1/jobs?status=queued&page_size=100')).body;
    for (const job of data.jobs) await call(baseUrl, 'POST', `/api/v1/jobs/${job.job_id}/cancel`);
    await service.jobs.startWorker(stages, { concurrency: 2 });
  });

  const behaving = async (behave: string, more: object = {}) =>
    (await newJob({ config: { labels: { behave } }, ...more })).body.data.job_id as string;

  test('a completed job', async () => {
    const job_id = await behaving('well');
    const reply = await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=20`);
    assert.equal(reply.status, 200);
    const { data } = reply.body;
    assert.equal(data.status, 'completed');
    assert.equal(data.progress_percent, 100);
    assert.equal(data.current_stage, null);
    assert.equal(data.output_video_url, `${baseUrl}/api/v1/jobs/${job_id}/output`);
    assert.equal(data.error, null);
    const seconds = (Date.parse(data.completed_at) - Date.parse(data.started_at)) / 1000;
    assert.ok(Math.abs(data.processing_time_seconds - seconds) < 0.002);
    assertError(await call(baseUrl, 'POST', `/api/v1/jobs/${job_id}/cancel`), 'JOB_NOT_CANCELLABLE');
    assertError(await call(baseUrl, 'POST', `/api/v1/jobs/${job_id}/retry`), 'JOB_NOT_RETRYABLE');
  });

  test('a failed job: its result is 200 with the reason', async () => {
    const job_id = await behaving('fail');
    const { status, body } = await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=20`);
    assert.equal(status, 200);
    assertShape(jobDetailSchema, body.data);
    assert.equal(body.data.status, 'failed');
    assert.equal(body.data.error.code, 'INPUT_CORRUPT');
    assert.equal(body.data.error.stage, 'video_analysis');
    assert.equal(body.data.output_video_url, null);
    assert.equal(body.data.processing_time_seconds, null);
  });

  test('a waiting client is answered as soon as the job is cancelled', async () => {
    const job_id = await behaving('hang');
    const started = performance.now();
    const waiting = call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=30`);
    setTimeout(() => call(baseUrl, 'POST', `/api/v1/jobs/${job_id}/cancel`), 200);
    assert.equal((await waiting).body.data.status, 'cancelled');
    assert.ok(performance.now() - started < 15_000);
  });

  test('waiting ends with 409 when the time is over', async () => {
    const job_id = await behaving('hang');
    assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=1`), 'JOB_NOT_COMPLETED');
    await call(baseUrl, 'POST', `/api/v1/jobs/${job_id}/cancel`);
  });

  test('events: from the first state to done, then no more', async () => {
    const job_id = await behaving('wait');
    const path = `${baseUrl}/api/v1/jobs/${job_id}/events`;
    const answer = await fetch(path);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
    let text = '';
    for await (const chunk of answer.body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"current_stage":"rendering"')) release();
    }
    const events = text
      .split('\n\n')
      .filter((block) => block.startsWith('id:'))
      .map((block) =>
        Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string])),
      );
    const [first, last] = [events[0], events.at(-1)!];
    assert.equal(first['event'], 'status');
    assert.equal(last['event'], 'done');
    const done = JSON.parse(last['data']);
    assert.equal(done.status, 'completed');
    assert.ok('output_video_url' in done);
    const percents = events.map((event) => JSON.parse(event['data']).progress_percent as number);
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    );
    assert.equal((await fetch(path, { headers: { 'last-event-id': last['id'] } })).status, 204);
    const again = await (await fetch(path, { headers: { 'last-event-id': first['id'] } })).text();
    assert.match(again, /^id: .*\nevent: done\n/);
  });

  test("events of progress contain changes, all events together the job's state", async () => {
    const job_id = await behaving('advance');
    const path = `/api/v1/jobs/${job_id}`;
    const text = await (await fetch(`${baseUrl}${path}/events`)).text();
    const events = [...text.matchAll(/^id: (.*)\nevent: (\w+)\ndata: (.*)$/gm)].map(([, id, name, data]) => ({
      id,
      name,
      data: JSON.parse(data!),
    }));
    const progress = events.filter(({ name }) => name === 'progress').map(({ data }) => data);
    assert.deepEqual(
      progress.map(({ frame }) => [frame.sequence, frame.at_seconds]),
      [
        [1, 0.5],
        [2, 1],
        [3, 1.5],
      ],
    );
    for (const reported of progress) {
      assert.deepEqual(Object.keys(reported).sort(), [
        'frame',
        'job_id',
        'progress_percent',
        'progress_updated_at',
      ]);
      assert.deepEqual(
        [reported.job_id, reported.frame.url],
        [job_id, `${baseUrl}${path}/frame?sequence=${reported.frame.sequence}`],
      );
    }
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'each state has an id of its own');
    const whole = events.filter(({ name }) => name !== 'progress');
    assert.deepEqual([whole[0].name, whole.at(-1)!.name, events.at(-1)!.name], ['status', 'done', 'done']);
    for (const { data } of whole.slice(0, -1)) assertShape(jobSchema, data);
    const sum = Object.assign({}, ...events.map(({ data }) => data));
    assert.deepEqual(sum, (await call(baseUrl, 'GET', `${path}/result`)).body.data);
  });

  test('webhook deliveries are listed and sent again', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    await service.webhooks.startSender();
    const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const job_id = await behaving('well', { webhook_url });
    const path = `/api/v1/jobs/${job_id}/webhooks`;
    const delivered = async (attempts: number) => {
      for (;;) {
        const { webhooks } = (await call(baseUrl, 'GET', path)).body.data;
        if (webhooks[0]?.state === 'delivered' && webhooks[0].attempts.length >= attempts) return webhooks;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const webhooks = await delivered(1);
    assert.equal(webhooks.length, 1);
    const { webhook_id, event, attempts } = webhooks[0];
    assert.deepEqual([event, attempts[0].status_code], ['job.completed', 200]);
    const again = await call(baseUrl, 'POST', `${path}/${webhook_id}/redeliver`);
    assert.equal(again.status, 200);
    await delivered(2);
    assert.deepEqual(received, [webhook_id, webhook_id]);
    assertError(await call(baseUrl, 'POST', `${path}/none/redeliver`), 'WEBHOOK_NOT_FOUND');
    receiver.close();
  });

  test('a draining service takes no new work but answers', async () => {
    service.drain();
    const reply = await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: await newVideo() } });
    assertError(reply, 'DRAINING');
    assert.ok(Number(reply.headers.get('retry-after')) > 0);
    assert.equal((await fetch(`${baseUrl}/readyz`)).status, 503);
    assert.equal((await fetch(`${baseUrl}/livez`)).status, 200);
    assert.equal((await call(baseUrl, 'GET', '/api/v1/jobs')).status, 200);
  });
});
