/** Saved styles: made of measured templates, files and jobs; named, listed, used, deleted. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, beforeEach, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import { Failure } from '../../src/domain/errors.ts';
import { type JobConfigInput, jobConfigSchema } from '../../src/domain/job-config.ts';
import { savedStyleSchema, styleMeasuringSchema } from '../../src/http/contract/style-operations.ts';
import { jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import { claimJob, completeJob, failJob } from '../../src/jobs/model/job-store.ts';
import { Results } from '../../src/pipeline/stages/results.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { assertError, call } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { aJob, aPublication, aVideo } from '../support/jobs.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl, blobs, database, jobs } = service;
const results = new Results(blobs);
beforeEach(async () => {
  await database.query('delete from styles');
});

const STYLE: Style = {
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

const post = (json: object, headers: Record<string, string> = {}) =>
  call(baseUrl, 'POST', '/api/v1/styles', { json, headers });
const named = async (name: string, more: object = { style_json: STYLE }) => {
  const reply = await post({ name, ...more });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  savedStyleSchema.strict().parse(reply.body.data);
  return reply.body.data;
};
const get = (path: string) => call(baseUrl, 'GET', `/api/v1/styles${path}`);

/** An uploaded template; with a style it is measured. */
async function template(
  filename: string,
  style?: Partial<Style>,
  sha256 = newId().replaceAll('-', '').repeat(2),
) {
  const video = aVideo({ filename, sha256, durationSeconds: 40 });
  await jobs.videos.insert(video, null);
  if (style !== undefined) await results.save('style', sha256, { ...STYLE, ...style });
  return video.videoId;
}

async function completedJob(style: object = STYLE, config: JobConfigInput = {}): Promise<string> {
  const videoId = await template('source.mp4');
  const { jobId } = await jobs.service.create(aJob(videoId, { config: jobConfigSchema.parse(config) }), null);
  await claimJob(database, jobId);
  const publication = aPublication(jobId, 1);
  const poster = { ...publication.output, name: 'poster.jpg', blobKey: `jobs/${jobId}/1/poster.jpg` };
  await blobs.put(poster.blobKey, Readable.from(['a poster']));
  const artifacts = [{ ...poster, contentType: 'image/jpeg' }];
  await completeJob(database, jobId, 1, {
    publication: { ...publication, style, artifacts },
    ...{ warnings: [], keepDays: null },
  });
  return jobId;
}

describe('a style', () => {
  test('of a Style DNA has its name, and is found again', async () => {
    const saved = await named('  Our brand ');
    assert.deepEqual(
      [saved.name, saved.status, saved.use_count, saved.origin.kind, saved.picture_url],
      ['Our brand', 'ready', 0, 'style_json', null],
    );
    assert.deepEqual(saved.style_json, STYLE);
    assert.deepEqual((await get(`/${saved.style_id}`)).body.data, saved);
    assertError(await get(`/${saved.style_id}/picture`), 'ARTIFACT_NOT_FOUND');
  });

  test('has the dials of its request, or of its job', async () => {
    const { style_json: faster } = await named('Faster', { style_json: STYLE, adjust: { cuts: 1 } });
    assert.equal(faster.cut_frequency, 2 * STYLE.cut_frequency);
    const job_id = await completedJob(STYLE, { adjust: { cuts: -1 } });
    const { style_json: calmer } = await named('Calmer', { style_json: undefined, job_id });
    assert.equal(calmer.cut_frequency, STYLE.cut_frequency / 2);
    const wrong = { name: 'Wrong', style_json: STYLE, adjust: { cuts: 2 } };
    const refused = await call(baseUrl, 'POST', '/api/v1/styles', { json: wrong });
    assertError(refused, 'VALIDATION_ERROR');
    assert.equal(refused.body.error.fields[0].path, 'adjust.cuts');
  });

  test('of several measured templates is what most have in common', async () => {
    const ids = [
      await template('a.mp4', { cut_frequency: 0.2 }),
      await template('b.mp4', { cut_frequency: 0.4 }),
      await template('c.mp4', { cut_frequency: 0.5 }),
    ];
    const { style_json: style, origin } = await named('Brand', { video_ids: ids });
    assert.equal(style.cut_frequency, 0.4);
    assert.deepEqual(
      origin.videos.map(({ filename }: { filename: string }) => filename),
      ['a.mp4', 'b.mp4', 'c.mp4'],
    );
    assert.equal(style.consensus.templates.length, 3);
  });

  test('of one template is the style of that template', async () => {
    const { style_json: style } = await named('One', { video_ids: [await template('a.mp4', {})] });
    assert.deepEqual(style, STYLE);
  });

  test('of a completed job has its style, and its poster even after the job', async () => {
    const jobId = await completedJob();
    const saved = await named('Of a job', { job_id: jobId });
    assert.deepEqual([saved.origin.kind, saved.origin.job_id], ['job', jobId]);
    await jobs.service.remove(jobId);
    const picture = await fetch(saved.picture_url);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    assert.equal(await picture.text(), 'a poster');
  });

  test('waits for templates that are not measured, and is not saved until then', async () => {
    const ids = [await template('a.mp4', {}), await template('b.mp4')];
    const request = { name: 'Later', video_ids: ids };
    const headers = { 'idempotency-key': 'later' };
    const first = await post(request, headers);
    assert.equal(first.status, 202);
    assert.equal(first.headers.get('retry-after'), '1');
    styleMeasuringSchema.strict().parse(first.body.data);
    assert.deepEqual(
      first.body.data.analyses.map(({ status }: { status: string }) => status),
      ['completed', 'queued'],
    );
    const again = await post(request, headers);
    assert.equal(again.status, 202);
    assert.equal((await get('')).body.data.total, 0);
    const job = await jobs.service.products.latest('analysis', { videoId: ids[1]! });
    await claimJob(database, job!.jobId);
    const video = await jobs.videos.get(ids[1]!);
    await results.save('style', (video as { video: { sha256: string } }).video.sha256, {
      ...STYLE,
      zoom_usage: 1,
    });
    const saved = await post(request, headers);
    assert.equal(saved.status, 201, JSON.stringify(saved.body));
    const replayed = await post(request, headers);
    assert.deepEqual([replayed.status, replayed.body], [201, saved.body]);
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    assert.equal((await get('')).body.data.total, 1);
  });

  test('names the template that could not be measured', async () => {
    const ids = [await template('good.mp4', {}), await template('bad.mp4')];
    await post({ name: 'Bad', video_ids: ids });
    const job = await jobs.service.products.latest('analysis', { videoId: ids[1]! });
    await claimJob(database, job!.jobId);
    const failure = new Failure('INPUT_CORRUPT', 'no frame can be decoded');
    const error = jobErrorOf(failure, 'video_analysis', 1, new Date());
    await failJob(database, job!.jobId, 1, { error, warnings: [] });
    const reply = await post({ name: 'Bad', video_ids: ids });
    assertError(reply, 'INVALID_VIDEO');
    assert.deepEqual(reply.body.error.fields, [
      { path: 'video_ids.1', message: '"bad.mp4" could not be measured: no frame can be decoded' },
    ]);
  });
});

describe('a request that is refused', () => {
  const REFUSED: readonly (readonly [string, () => object | Promise<object>, string, string | null])[] = [
    ['no name', () => ({ style_json: STYLE }), 'VALIDATION_ERROR', 'name'],
    ['an empty name', () => ({ name: ' ', style_json: STYLE }), 'VALIDATION_ERROR', 'name'],
    ['101 characters', () => ({ name: 'x'.repeat(101), style_json: STYLE }), 'VALIDATION_ERROR', 'name'],
    ['a line break', () => ({ name: 'a\nb', style_json: STYLE }), 'VALIDATION_ERROR', 'name'],
    ['a mark without width', () => ({ name: 'a\u200b', style_json: STYLE }), 'VALIDATION_ERROR', 'name'],
    ['nothing to save', () => ({ name: 'a' }), 'VALIDATION_ERROR', 'video_ids'],
    [
      'two things to save',
      () => ({ name: 'a', style_json: STYLE, job_id: 'x' }),
      'VALIDATION_ERROR',
      'video_ids',
    ],
    ['no templates', () => ({ name: 'a', video_ids: [] }), 'VALIDATION_ERROR', 'video_ids'],
    [
      'eleven templates',
      () => ({ name: 'a', video_ids: Array.from({ length: 11 }, (_, at) => `${at}`) }),
      'VALIDATION_ERROR',
      'video_ids',
    ],
    ['one id twice', () => ({ name: 'a', video_ids: ['A', 'a'] }), 'VALIDATION_ERROR', 'video_ids'],
    [
      'a wrong style',
      () => ({ name: 'a', style_json: { ...STYLE, frame_rate: 0 } }),
      'VALIDATION_ERROR',
      'style_json.frame_rate',
    ],
    ['an unknown template', () => ({ name: 'a', video_ids: [newId()] }), 'VIDEO_NOT_FOUND', null],
    ['an unknown job', () => ({ name: 'a', job_id: newId() }), 'JOB_NOT_FOUND', null],
    [
      'a job without a style',
      async () => ({ name: 'a', job_id: await completedJob({}) }),
      'VALIDATION_ERROR',
      'job_id',
    ],
    [
      'a queued job',
      async () => ({
        name: 'a',
        job_id: (await jobs.service.create(aJob(await template('q.mp4')), null)).jobId,
      }),
      'JOB_NOT_COMPLETED',
      null,
    ],
    [
      'one file twice',
      async () => {
        const sha256 = 'cd'.repeat(32);
        return {
          name: 'a',
          video_ids: [await template('a.mp4', {}, sha256), await template('b.mp4', {}, sha256)],
        };
      },
      'VALIDATION_ERROR',
      'video_ids.1',
    ],
  ];
  for (const [what, request, code, path] of REFUSED)
    test(what, async () => {
      const reply = await post(await request());
      assertError(reply, code as Parameters<typeof assertError>[1]);
      assert.equal(reply.body.error.fields?.[0]?.path ?? null, path, JSON.stringify(reply.body));
      assert.equal((await get('')).body.data.total, 0);
    });

  test('a name that another style has, in any case, also when both are saved at once', async () => {
    await named('Übersee');
    assertError(await post({ name: 'ÜBERSEE', style_json: STYLE }), 'STYLE_NAME_TAKEN');
    const replies = await Promise.all([1, 2, 3].map(() => post({ name: 'Twin', style_json: STYLE })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/picture'],
    ['GET', '/file'],
  ] as const)
    test(`${method} ${path} of a style that does not exist`, async () => {
      for (const id of [newId(), 'none']) {
        const reply = await call(
          baseUrl,
          method,
          `/api/v1/styles/${id}${path}`,
          method === 'PATCH' ? { json: { name: 'a' } } : {},
        );
        assertError(reply, 'STYLE_NOT_FOUND');
      }
    });
});

describe('saved styles', () => {
  test('are listed in pages, newest first, and by a part of their names', async () => {
    for (const name of ['one', 'two', 'three']) await named(name);
    const names = async (query: string) =>
      (await get(query)).body.data.styles.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(''), ['three', 'two', 'one']);
    const page = (await get('?page_size=2')).body.data;
    assert.deepEqual([page.total, page.page, page.styles.length], [3, 1, 2]);
    assert.deepEqual(await names(`?page_size=2&cursor=${page.next_cursor}`), ['one']);
    assert.deepEqual(await names('?page_size=2&page=2'), ['one']);
    assert.deepEqual(await names('?q=T'), ['three', 'two']);
    assertError(await get('?page_size=101'), 'VALIDATION_ERROR');
    assertError(await get('?cursor=x'), 'VALIDATION_ERROR');
  });

  test('are renamed, but not to a name that is taken', async () => {
    const { style_id: id } = await named('First');
    await named('Second');
    const rename = (name: string) => call(baseUrl, 'PATCH', `/api/v1/styles/${id}`, { json: { name } });
    assertError(await rename('second'), 'STYLE_NAME_TAKEN');
    assertError(await rename(''), 'VALIDATION_ERROR');
    const { status, body } = await rename('FIRST');
    assert.deepEqual([status, body.data.name], [200, 'FIRST']);
  });

  test('are files that can be saved again', async () => {
    const { file_url: url } = await named('Brand / 2026');
    const file = await fetch(url);
    assert.match(file.headers.get('content-disposition')!, /^attachment; .*''Brand%20-%202026\.json$/);
    const { name, ...style } = (await file.json()) as { name: string };
    assert.deepEqual([name, style], ['Brand / 2026', STYLE]);
    await named('Imported', { style_json: { ...style, name } });
  });

  test('are copied into jobs and previews: later changes and deletion have no effect on those', async () => {
    const { style_id } = await named('Used');
    const job = { video_id: await template('source.mp4'), style_id };
    const created = (await call(baseUrl, 'POST', '/api/v1/jobs', { json: job })).body.data;
    assert.deepEqual([created.style_id, created.style_name], [style_id, 'Used']);
    // Its source must be measured first.
    assert.equal((await call(baseUrl, 'POST', '/api/v1/previews', { json: job })).status, 202);
    assert.equal((await get(`/${style_id}`)).body.data.use_count, 1);
    await call(baseUrl, 'PATCH', `/api/v1/styles/${style_id}`, { json: { name: 'Other' } });
    assert.equal((await call(baseUrl, 'DELETE', `/api/v1/styles/${style_id}`)).status, 200);
    assertError(await get(`/${style_id}`), 'STYLE_NOT_FOUND');
    const list = async (id: string) => (await call(baseUrl, 'GET', `/api/v1/jobs?style_id=${id}`)).body.data;
    const listed = await list(style_id);
    assert.deepEqual([listed.total, listed.jobs[0].job_id], [1, created.job_id]);
    assert.equal((await list(newId())).total, 0);
    const { body } = await call(baseUrl, 'GET', `/api/v1/jobs/${created.job_id}`);
    assert.deepEqual([body.data.style_id, body.data.style_name], [style_id, 'Used']);
    assert.deepEqual((await jobs.service.get(created.job_id))?.givenStyle, STYLE);
    await jobs.service.cancel(created.job_id);
    const again = await jobs.service.retry(created.job_id);
    assert.deepEqual([again.givenStyle, again.savedStyle], [STYLE, { styleId: style_id, name: 'Used' }]);
    for (const path of ['/api/v1/jobs', '/api/v1/previews'])
      assertError(await call(baseUrl, 'POST', path, { json: job }), 'STYLE_NOT_FOUND');
  });

  test('are the only style of a request', async () => {
    const video_id = await template('source.mp4');
    for (const path of ['/api/v1/jobs', '/api/v1/previews']) {
      const json = { video_id, style_id: newId(), preset: 'noir' };
      const reply = await call(baseUrl, 'POST', path, { json });
      assertError(reply, 'VALIDATION_ERROR');
      assert.deepEqual(reply.body.error.fields, [
        { path: 'style_id', message: 'is not allowed together with preset' },
      ]);
    }
  });

  test('stay when retention removes everything else', async () => {
    const saved = await named('Kept', { job_id: await completedJob() });
    await jobs.retention.sweepExpired();
    await jobs.retention.sweepOrphans();
    assert.equal((await fetch(saved.picture_url)).status, 200);
  });
});
