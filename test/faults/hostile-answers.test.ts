/** Text of others that is large, deep or wrong everywhere: the service answers others meanwhile, says what is wrong once, and returns the memory. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { residentMib, whileLive } from '../support/blocked-service.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { waitFor } from '../support/processes.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { type SpeechEngine, startSpeechEngine } from '../support/speech-engine.ts';

const MAX_BLOCKED_MS = 200;
/** The heap of a service that has just started grows by some tens anyway. */
const MAX_MORE_MIB = 120;
const MIB = 1 << 20;

const words = (count: number) =>
  `{"words":[${Array(count).fill('{"word":"a","start":0,"end":1}').join(',')}]}`;
const zeros = (bytes: number) => `{"words":[${'0,'.repeat(bytes / 2)}0]}`;

/** Answers for two seconds of sound; those that are short enough to be read are the worst of their length. */
const ANSWERS: Readonly<Record<string, { readonly text: string; readonly reason: RegExp }>> = {
  '33 MB of zeros': {
    text: zeros(33 * MIB),
    reason: /longer than 563 KiB, 10 times what a fast speaker says in 2 s$/,
  },
  'a text of 33 MB': { text: `{"text":"${'a'.repeat(33 * MIB)}"}`, reason: /longer than 563 KiB/ },
  '33 MB of [': { text: '['.repeat(33 * MIB), reason: /longer than 563 KiB/ },
  'a million words': { text: words(1_000_000), reason: /longer than 563 KiB/ },
  'a million zeros': { text: zeros(2 * MIB), reason: /longer than 563 KiB/ },
  'zeros of half a megabyte': { text: zeros(MIB / 2), reason: /has more than 76800 values and keys$/ },
  'zeros as many as values are read': { text: zeros(76_000 * 2), reason: /words\.0: / },
  'half a megabyte of [': { text: '['.repeat(MIB / 2), reason: /is nested deeper than 16 levels$/ },
  'a text of half a megabyte': {
    text: `{"segments":[{"text":"${'a '.repeat(MIB / 4)}","start":0,"end":2}]}`,
    reason: /has 524288 letters, more than 19200/,
  },
  'more words than anybody speaks': { text: words(6000), reason: /has 6000 words, more than 1920/ },
};

describe('answers of a transcription engine', { timeout: 600_000 }, () => {
  let answer = '';
  let engine: SpeechEngine;
  let service: Service;
  let videoId: string;
  before(async () => {
    engine = await startSpeechEngine((reply) => reply.end(answer));
    service = await startService({ TRANSCRIPTION_URL: engine.url });
    videoId = await uploaded(
      service,
      await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 2 }),
    );
    const { body } = await call(service.baseUrl, 'POST', `/api/v1/videos/${videoId}/analysis`);
    assert.equal(body.success, true, JSON.stringify(body));
    const isMeasured = async () =>
      (await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}/analysis`)).body.data.status ===
      'completed';
    await waitFor('the clip is measured', isMeasured, 120_000);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  const failed = async () => {
    const config = { quality: 'low', captions: 'transcribe' };
    await using job = await createJob(service, { video_id: videoId, preset: 'noir', config });
    return { jobId: job.jobId, ...(await job.ended()) };
  };

  for (const [what, { text, reason }] of Object.entries(ANSWERS)) {
    test(`${what}: one plain line, and no delay`, async (t) => {
      answer = text;
      const [requests, mib] = [engine.requests.length, residentMib(service.pid)];
      const { result, blockedMs } = await whileLive(service, failed);
      const seen = `${Math.round(residentMib(service.pid) - mib)} MiB more at the end`;
      tellFigures(t, `answer of an engine: ${what}`, { tried: 1, lost: 0, slowestMs: blockedMs, seen });
      assert.equal(result.status, 'failed');
      const { code, detail, retryable } = result.error;
      assert.deepEqual([code, retryable], ['TRANSCRIPTION_FAILED', false]);
      assert.match(detail, /^The transcription engine failed: its answer [^\n]{1,150}$/);
      assert.match(detail, reason);
      assert.equal(engine.requests.length, requests + 1);
      assert.ok(blockedMs < MAX_BLOCKED_MS, `blocked for ${blockedMs} ms`);
      const isReturned = () => residentMib(service.pid) < mib + MAX_MORE_MIB;
      await waitFor(`${residentMib(service.pid)} MiB return to ${mib} MiB`, isReturned, 30_000, 200);
    });
  }

  test('are not requested again by the same job after a restart', async () => {
    answer = words(6000);
    const { jobId } = await failed();
    const requests = engine.requests.length;
    await service.kill();
    await service.restart();
    // A later job of the same queue has asked, and ended.
    assert.equal((await failed()).status, 'failed');
    assert.equal(engine.requests.length, requests + 1);
    const { body } = await call(service.baseUrl, 'GET', `/api/v1/jobs/${jobId}`);
    assert.equal(body.data.status, 'failed');
  });
});

const VIDEO = '0190a000-0000-7000-8000-000000000000';
const STYLE = {
  ...{ version: '1.0.0', aspect_ratio: '16:9', frame_rate: 25, cut_frequency: 1, motion_intensity: 0.5 },
  ...{ zoom_usage: 0.1, use_subtitles: false, source_duration_seconds: 10, extraction_confidence: 0.5 },
  color_grade: { temperature: 0, tint: 0, saturation: 0, contrast: 0, highlights: 0, shadows: 0 },
  created_at: '2026-01-01T00:00:00Z',
};
const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`;
const styled = (more: string) =>
  `{"video_id":"${VIDEO}","style_json":${JSON.stringify(STYLE).slice(0, -1)},${more}}}`;
const job = (more: string) => `{"video_id":"${VIDEO}",${more}}`;

/** Bodies within the limits of requests, each as bad as it can be, for the paths of the service that read the most. */
const BODIES: Readonly<Record<string, readonly [path: string, body: string]>> = {
  'beats that are objects of another kind': ['jobs', styled(`"detected_beats":${list('{"a":0}', 49_000)}`)],
  'as many empty beats as are allowed': ['jobs', styled(`"detected_beats":${list('{}', 60_000)}`)],
  'good beats, the last one bad': [
    'jobs',
    styled(
      `"detected_beats":${list('{"timestamp_ms":0,"confidence":1,"frequency":"low"}', 14_000).slice(0, -1)},0]`,
    ),
  ],
  'an unknown list': ['jobs', styled(`"unknown":${list('0', 99_000)}`)],
  'unknown keys': [
    'jobs',
    job(`"unknown":[${list(`{${Array.from({ length: 400 }, (_, n) => `"k${n}":0`)}}`, 100)}]`),
  ],
  'slots that are empty': ['jobs', styled(`"edit":{"slots":${list('{}', 90_000)}}`)],
  'takes that are none': ['jobs', job(`"edit":{"takes":${list('{}', 99_000)}}`)],
  'pins that are none': [
    'jobs',
    job(`"edit":{"takes":[{"video_id":"${VIDEO}"}],"pins":${list('{}', 99_000)}}`),
  ],
  'labels that are none': ['jobs', job(`"config":{"labels":${list('0', 99_000)}}`)],
  'a plan of takes that are none': ['previews', `{"kind":"plan","edit":{"takes":${list('{}', 99_000)}}}`],
  'a mebibyte of [': ['jobs', '['.repeat(MIB)],
  'sixty levels, again and again': ['jobs', job(`"x":${list('['.repeat(60) + ']'.repeat(60), 1500)}`)],
  'a number of a megabyte': ['jobs', job(`"x":${'1'.repeat(1_000_000)}`)],
  'escapes only': ['jobs', job(`"x":"${'\\u0001'.repeat(170_000)}"`)],
  'an address of a megabyte': ['videos/import', `{"url":"http://a/${'a'.repeat(1_000_000)}"}`],
};

describe('bodies of requests', { timeout: 300_000 }, () => {
  let service: Service;
  before(async () => {
    service = await startService({ WORKER_CONCURRENCY: '0' });
  });
  after(() => service?.[Symbol.asyncDispose]());

  for (const [what, [path, body]] of Object.entries(BODIES)) {
    test(`${what}: no delay`, async (t) => {
      const send = async () => {
        const headers = { 'content-type': 'application/json' };
        const reply = await fetch(`${service.baseUrl}/api/v1/${path}`, { method: 'POST', headers, body });
        return { status: reply.status, text: await reply.text() };
      };
      const { result, blockedMs } = await whileLive(service, send);
      tellFigures(t, `body of a request: ${what}`, { tried: 1, lost: 0, slowestMs: blockedMs });
      assert.ok(result.status >= 400 && result.status < 500, result.text.slice(0, 300));
      assert.ok(blockedMs < MAX_BLOCKED_MS, `blocked for ${blockedMs} ms`);
    });
  }
});
