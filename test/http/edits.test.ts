import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import type { EditInput } from '../../src/domain/edit-options.ts';
import type { StageWork } from '../../src/domain/stage.ts';
import { jobDetailSchema, jobSchema } from '../../src/http/contract/contract.ts';
import { previewSchema } from '../../src/http/contract/preview-operations.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import type { Video } from '../../src/videos/video.ts';
import { assertError, call, type Reply } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { aPublication, aVideo } from '../support/jobs.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;

const SONG: Partial<Video> = {
  ...{ contentType: 'audio/mpeg', container: 'mp3', filename: 'song.mp3', durationSeconds: 180 },
  ...{ width: 0, height: 0, frameRate: 0, rotation: 0, videoCodec: '', audioCodec: 'mp3' },
};
const PHOTO: Partial<Video> = {
  contentType: 'image/jpeg',
  filename: 'beach.jpg',
  durationSeconds: 0,
  frameRate: 0,
};

async function stored(changes: Partial<Video> = {}): Promise<string> {
  const video = aVideo({ durationSeconds: 20, audioCodec: 'aac', ...changes });
  await service.jobs.videos.insert(video, null);
  return video.videoId;
}

async function post(edit: EditInput | object, more: object = {}): Promise<Reply> {
  return call(baseUrl, 'POST', '/api/v1/jobs', {
    json: { video_id: await stored(), template_video_id: await stored(), edit, ...more },
  });
}

async function created(edit: EditInput, more: object = {}): Promise<Reply['body']> {
  const reply = await post(edit, more);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.data;
}

async function remove(videoId: string): Promise<Reply> {
  return call(baseUrl, 'DELETE', `/api/v1/videos/${videoId}`);
}

describe('a talk from several takes', () => {
  test('is created with the roles of its takes', async () => {
    const takes = [{ video_id: await stored(), role: 'b_roll' as const }];
    const job = await created({ takes }, { config: { talk: 'on' } });
    assert.deepEqual(
      job.edit_request.takes.map(({ role }: { role?: string }) => role),
      [undefined, 'b_roll'],
    );
    assert.equal(job.config.talk.mode, 'on');
  });

  test('is refused by the fields that do not fit it', async () => {
    const takes = [{ video_id: await stored({ audioCodec: null }), role: 'talk' }];
    const reply = await post({ takes, duration: 30 }, { config: { talk: { mode: 'on', keep: [[1, 2]] } } });
    assertError(reply, 'VALIDATION_ERROR');
    const paths = reply.body.error.fields.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths.sort(), ['config.talk', 'edit.duration', 'edit.takes.0.role']);
  });
});

describe('a job with an edit, before any worker', () => {
  test('equal plans and storyboards share one preview until it ends', async () => {
    const [video_id, take, template_video_id] = [await stored(), await stored(), await stored()];
    const wanted = { video_id, template_video_id, edit: { takes: [{ video_id: take }], duration: 5 } };
    const preview = (more: object, headers: Record<string, string> = {}) =>
      call(baseUrl, 'POST', '/api/v1/previews', { json: { ...wanted, ...more }, headers });
    const idsOf = (replies: readonly Reply[]) => new Set(replies.map(({ body }) => body.data.preview_id));
    for (const kind of ['plan', 'storyboard']) {
      const equal = await Promise.all(Array.from({ length: 40 }, () => preview({ kind })));
      assert.deepEqual([...new Set(equal.map(({ status }) => status))], [202]);
      assert.equal(idsOf(equal).size, 1, kind);
      const again = await preview({ kind, video_id: video_id.toUpperCase() });
      const others = [
        await preview({ kind, config: { style_strength: 0.1 } }),
        await preview({ kind, edit: { ...wanted.edit, duration: 6 } }),
        await preview({ kind, template_video_id: undefined, preset: 'noir' }),
        await preview({ kind }, { 'idempotency-key': `${kind} ${video_id}` }),
      ];
      assert.deepEqual([...idsOf([again])], [...idsOf(equal)]);
      assert.equal(idsOf([...equal, ...others]).size, 1 + others.length);
      for (const id of idsOf([...equal, ...others]))
        assert.equal((await call(baseUrl, 'DELETE', `/api/v1/previews/${id}`)).status, 200);
      const [next] = idsOf([await preview({ kind })]);
      assert.ok(!idsOf(equal).has(next), 'one that was given up is made again');
      await call(baseUrl, 'DELETE', `/api/v1/previews/${next}`);
    }
  });

  test('repeats the edit with all takes in order and every default', async () => {
    const [source, second, photo, song] = [
      await stored(),
      await stored(),
      await stored(PHOTO),
      await stored(SONG),
    ];
    const job = await created(
      {
        takes: [{ video_id: second.toUpperCase(), exclude: [[0, 4]], must_use: true }, { video_id: photo }],
        music: { video_id: song },
        pins: [{ slot: 3, video_id: second, start_seconds: 12.4 }],
      },
      { video_id: source },
    );
    jobSchema.strict().parse(job);
    assert.deepEqual(job.warnings, []);
    assert.deepEqual(job.edit_request, {
      takes: [
        { video_id: source, exclude: [], must_use: false },
        { video_id: second, exclude: [[0, 4]], must_use: true },
        { video_id: photo, exclude: [], must_use: false },
      ],
      music: { video_id: song, start_seconds: null },
      sound: 'music',
      duration: 'template',
      order: 'story',
      rhythm: 'on_beat',
      pins: [{ slot: 3, video_id: second, start_seconds: 12.4 }],
      bans: [],
      replan: false,
      titles: [],
      revises: null,
    });
    const got = await call(baseUrl, 'GET', `/api/v1/jobs/${job.job_id}`);
    assert.deepEqual(got.body.data.edit_request, job.edit_request);
    const again = await post(job.edit_request, { video_id: source });
    assert.deepEqual(again.body.data.edit_request, job.edit_request, 'what a job repeats can be sent again');
  });

  test('one take and no music are enough; a photo may be the first take', async () => {
    const job = await created({}, { video_id: await stored(PHOTO) });
    assert.equal(job.edit_request.takes.length, 1);
    const plain = await post(null as unknown as object);
    assert.equal(plain.body.data.edit_request, null);
  });

  for (const [what, edit, more, path] of [
    ['no template and no style', {}, { template_video_id: null }, 'edit'],
    ['an unknown sound', { sound: 'loud' }, {}, 'edit.sound'],
    ['an id that is none', { takes: [{ video_id: 'clip-1' }] }, {}, 'edit.takes.0.video_id'],
    ['a take that is not there', { takes: [{ video_id: newId() }] }, {}, 'edit.takes.0.video_id'],
    ['a song that is not there', { music: { video_id: newId() } }, {}, 'edit.music.video_id'],
    [
      'a range of one number',
      { takes: [{ video_id: newId(), exclude: [[1]] }] },
      {},
      'edit.takes.0.exclude.0',
    ],
    [
      'a range that ends before it begins',
      { bans: [{ video_id: newId(), range: [4, 2] }] },
      {},
      'edit.bans.0.range',
    ],
    [
      'a pin of a video that is no take',
      { pins: [{ slot: 0, video_id: newId() }] },
      {},
      'edit.pins.0.video_id',
    ],
    ['more than 80 KiB', { titles: [], x: 'x'.repeat(85_000) }, {}, 'edit'],
    [
      'fifty-one takes',
      { takes: Array.from({ length: 51 }, () => ({ video_id: newId() })) },
      {},
      'edit.takes',
    ],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const reply = await post(edit, more);
      assertError(reply, 'VALIDATION_ERROR');
      assert.ok(
        reply.body.error.fields.some((field: { path: string }) => field.path === path),
        JSON.stringify(reply.body.error.fields),
      );
    });
  }

  test('songs have their place', async () => {
    const song = await stored(SONG);
    for (const [body, path] of [
      [{ video_id: song }, 'video_id'],
      [{ video_id: song, edit: {}, preset: 'noir' }, 'video_id'],
      [
        { video_id: await stored(), preset: 'noir', edit: { takes: [{ video_id: song }] } },
        'edit.takes.0.video_id',
      ],
      [
        { video_id: await stored(), preset: 'noir', edit: { music: { video_id: await stored(PHOTO) } } },
        'edit.music.video_id',
      ],
    ] as const) {
      const reply = await call(baseUrl, 'POST', '/api/v1/jobs', { json: body });
      assertError(reply, 'VALIDATION_ERROR');
      assert.deepEqual(
        reply.body.error.fields.map((field: { path: string }) => field.path),
        [path],
      );
    }
    // Without other music, a song that is the template is the edit's music.
    const json = { video_id: await stored(), template_video_id: song, edit: { duration: 'music' } };
    assert.equal((await call(baseUrl, 'POST', '/api/v1/jobs', { json })).status, 201);
    const listed = await call(baseUrl, 'GET', '/api/v1/videos?kind=audio');
    assert.ok(listed.body.data.total >= 1);
    assert.ok(listed.body.data.videos.every((video: { kind: string }) => video.kind === 'audio'));
    const videos = await call(baseUrl, 'GET', '/api/v1/videos?kind=video&page_size=100');
    assert.ok(videos.body.data.videos.every((video: { kind: string }) => video.kind === 'video'));
    assert.equal(videos.body.data.total, videos.body.data.videos.length);
  });

  test('an expired take is refused as an expired source is', async () => {
    const gone = await stored({ expiresAt: new Date(Date.now() - 1000) });
    assertError(await post({ takes: [{ video_id: gone }] }), 'VIDEO_EXPIRED');
  });

  test('names unknown keys at every depth, or refuses them when the client is strict', async () => {
    const take = await stored();
    const edit = { takes: [{ video_id: take, exclud: [[0, 1]] }], musik: null, duration: 10 };
    const lax = await post(edit);
    assert.deepEqual(
      lax.body.data.warnings.map(({ message }: { message: string }) => message),
      [
        'edit.takes.0.exclud is not known and has no effect; did you mean edit.takes.0.exclude?',
        'edit.musik is not known and has no effect; did you mean edit.music?',
      ],
    );
    const strict = await call(baseUrl, 'POST', '/api/v1/jobs', {
      json: { video_id: take, preset: 'noir', edit },
      headers: { prefer: 'handling=strict' },
    });
    assertError(strict, 'VALIDATION_ERROR');
  });

  test('a comparison is left out and reported', async () => {
    const job = await created({}, { config: { comparison: true } });
    assert.equal(job.config.comparison, false);
    assert.deepEqual(
      job.warnings.map(({ code }: { code: string }) => code),
      ['COMPARISON_LEFT_OUT'],
    );
  });

  test('revises an edit, and nothing else', async () => {
    const first = await created({});
    const second = await created({ revises: first.job_id });
    assert.equal(second.edit_request.revises, first.job_id);
    assertError(await post({ revises: newId() }), 'JOB_NOT_FOUND');
    const plain = await post(null as unknown as object);
    const refused = await post({ revises: plain.body.data.job_id });
    assertError(refused, 'VALIDATION_ERROR');
    assert.equal(refused.body.error.fields[0].path, 'edit.revises');
  });

  test('a replay answers the same; another edit is refused', async () => {
    const [source, take, template] = [await stored(), await stored(), await stored()];
    const send = (edit: object) =>
      call(baseUrl, 'POST', '/api/v1/jobs', {
        json: { video_id: source, template_video_id: template, edit },
        headers: { 'idempotency-key': `edit-${source}` },
      });
    const first = await send({ takes: [{ video_id: take }] });
    const again = await send({ takes: [{ video_id: take }] });
    assert.deepEqual(again.body.data, first.body.data);
    assertError(await send({ takes: [] }), 'IDEMPOTENCY_KEY_REUSED');
  });

  test('takes and music stay as long as the job needs them, and are found by list', async () => {
    const [take, song] = [await stored(), await stored(SONG)];
    const job = await created({ takes: [{ video_id: take }], music: { video_id: song } });
    for (const id of [take, song]) assertError(await remove(id), 'VIDEO_IN_USE');
    const listed = await call(baseUrl, 'GET', `/api/v1/jobs?video_id=${take}&status=queued`);
    assert.deepEqual(
      {
        ids: listed.body.data.jobs.map((one: { job_id: string }) => one.job_id),
        total: listed.body.data.total,
      },
      { ids: [job.job_id], total: 1 },
    );
    await call(baseUrl, 'POST', `/api/v1/jobs/${job.job_id}/cancel`);
    const retried = await call(baseUrl, 'POST', `/api/v1/jobs/${job.job_id}/retry`);
    assert.deepEqual(retried.body.data.edit_request, job.edit_request);
    assertError(await remove(take), 'VIDEO_IN_USE');
    await call(baseUrl, 'POST', `/api/v1/jobs/${retried.body.data.job_id}/cancel`);
    for (const id of [take, song]) assert.equal((await remove(id)).status, 200);
    const gone = await call(baseUrl, 'POST', `/api/v1/jobs/${job.job_id}/retry`);
    assertError(gone, 'VALIDATION_ERROR');
    assert.equal((await call(baseUrl, 'DELETE', `/api/v1/jobs/${job.job_id}`)).status, 200);
  });

  test('the retry of an edit does not need the job that it revises', async () => {
    const first = await created({});
    const second = await created({ revises: first.job_id });
    for (const { job_id } of [first, second]) await call(baseUrl, 'POST', `/api/v1/jobs/${job_id}/cancel`);
    await call(baseUrl, 'DELETE', `/api/v1/jobs/${first.job_id}`);
    assert.equal((await call(baseUrl, 'POST', `/api/v1/jobs/${second.job_id}/retry`)).status, 201);
  });
});

const RESULT: EditResult = {
  duration_seconds: 10,
  music_start_seconds: 3.2,
  slots: [
    {
      start_seconds: 0,
      end_seconds: 2,
      beat: 4,
      on_beat: true,
      video_id: newId(),
      source_start_seconds: 1,
      source_end_seconds: 3,
      fit: 0.9,
      reasons: ['sharp'],
      transition_in: { type: 'dissolve', duration_seconds: 0.4 },
      template_slot: 0,
      pinned: false,
      alternatives: [
        { video_id: newId(), source_start_seconds: 0, source_end_seconds: 2, fit: 0.4, reasons: [] },
      ],
    },
  ],
  takes: [{ video_id: newId(), used: [[1, 3]], passed_over: [{ range: [0, 1], reason: 'shaken' }] }],
  revises: null,
};

describe('a job with an edit, with a worker', () => {
  const seen = new Map<string, StageWork>();
  before(() =>
    service.jobs.startWorker(
      async (work) => {
        seen.set(work.jobId, work);
        if (work.stage !== 'rendering') return { warnings: [] };
        return {
          warnings: [],
          publication: {
            ...aPublication(work.jobId, work.attempt),
            style: null,
            ...(work.edit === undefined ? {} : { edit: RESULT }),
          },
        };
      },
      { concurrency: 2 },
    ),
  );

  const ended = (jobId: string) => call(baseUrl, 'GET', `/api/v1/jobs/${jobId}/result?wait=20`);

  test('hands takes, music and options over, and answers what became of them', async () => {
    const [source, take, song] = [await stored(), await stored(), await stored(SONG)];
    const job = await created(
      {
        takes: [
          { video_id: take, must_use: true },
          { video_id: source, exclude: [[0, 1]] },
        ],
        music: { video_id: song },
      },
      { video_id: source },
    );
    const result = await ended(job.job_id);
    const { takes, music, options } = seen.get(job.job_id)!.edit!;
    assert.deepEqual(
      takes.map(({ videoId }) => videoId),
      [source, take],
    );
    assert.equal(music?.videoId, song);
    assert.deepEqual(options, job.edit_request);
    const { data } = result.body;
    jobDetailSchema.parse(data);
    assert.deepEqual(data.edit, RESULT);
    assert.deepEqual(data.edit_request, job.edit_request);
    const listed = await call(baseUrl, 'GET', `/api/v1/jobs?video_id=${source}`);
    assert.equal(listed.body.data.jobs[0].edit, undefined, 'lists do not carry results');
  });

  test('a job without an edit has none', async () => {
    const plain = await post(null as unknown as object);
    const result = await ended(plain.body.data.job_id);
    assert.equal(result.body.data.edit, null);
    assert.equal('edit' in seen.get(plain.body.data.job_id)!, false);
  });

  test('a storyboard is a preview with the plan as data and one picture', async () => {
    const [source, take] = [await stored(), await stored()];
    const body = {
      ...{ video_id: source, template_video_id: await stored(), kind: 'storyboard' },
      edit: { takes: [{ video_id: take }] },
    };
    const reply = await call(baseUrl, 'POST', '/api/v1/previews', { json: body });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    const { preview_id } = reply.body.data;
    await service.jobs.service.waitForEnd(preview_id, 0, new AbortController().signal);
    let preview = reply.body.data;
    while (preview.status !== 'completed') {
      preview = (await call(baseUrl, 'GET', `/api/v1/previews/${preview_id}`)).body.data;
    }
    previewSchema.parse(preview);
    assert.deepEqual({ kind: preview.kind, edit: preview.edit }, { kind: 'storyboard', edit: RESULT });
    assert.equal(preview.file_url, `${baseUrl}/api/v1/previews/${preview_id}/file`);
    assert.equal(seen.get(preview_id)!.product?.kind, 'storyboard');
    assertError(await call(baseUrl, 'GET', `/api/v1/jobs/${preview_id}`), 'JOB_NOT_FOUND');
    assertError(await post({ revises: preview_id }), 'JOB_NOT_FOUND');
    const removed = await call(baseUrl, 'DELETE', `/api/v1/previews/${preview_id}`);
    assert.equal(removed.status, 200);
  });

  test('previews that are no storyboards have no edit, and storyboards need one', async () => {
    const video_id = await stored();
    for (const json of [
      { video_id, preset: 'noir', kind: 'storyboard' },
      { video_id, preset: 'noir', kind: 'draft', edit: {} },
      { video_id, kind: 'storyboard', edit: {} },
    ]) {
      const reply = await call(baseUrl, 'POST', '/api/v1/previews', { json });
      assertError(reply, 'VALIDATION_ERROR');
      assert.equal(reply.body.error.fields[0].path, 'edit');
    }
    const song = await stored(SONG);
    for (const [field, json] of [
      ['video_id', { video_id: song, preset: 'noir' }],
      ['template_video_id', { video_id, template_video_id: song }],
    ] as const) {
      const reply = await call(baseUrl, 'POST', '/api/v1/previews', { json });
      assert.equal(reply.body.error.fields[0].path, field);
    }
  });
});
