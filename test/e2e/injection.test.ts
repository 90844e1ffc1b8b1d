/** Texts of clients with markup of many languages, through a whole job: text stays text. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { createJob } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
const planted = join(folder, 'planted');
/** In every text: shown where it must be, and nowhere else. */
const MARK = 'zqxjk';
const SHELL = `${MARK}"; touch ${planted}; $(touch ${planted}) \`touch ${planted}\` | touch ${planted} &`;
const FILTER = `${MARK}',drawtext=textfile=/etc/passwd,movie=/etc/passwd[x];[in]null\\:'%{localtime}%{expr_int_format:9:x:1}`;
const ASS = `${MARK}{\\an8\\p1\\fnevil}\\N\\h{\\t(0,5000,\\fscx500)}m 0 0 l 9 9`;
const HTML = `${MARK}<script>alert(1)</script><img src=x onerror=alert(1)>&lt;"'`;
const HEADER = `${MARK}\r\nset-cookie: stolen=1\r\n\r\n{"forged":true}`;
const LOG = `${MARK}\n{"level":60,"msg":"forged"}\u001b[2J`;
const SQL = `${MARK}'); drop table jobs; update jobs set status = 'completed' where ''='`;
const ALL = { SHELL, FILTER, ASS, HTML, HEADER, LOG, SQL };

const LABELS = Object.fromEntries(Object.entries(ALL).map(([name, text]) => [name, text.slice(0, 256)]));
const STYLE = {
  ...CAPTIONED_STYLE,
  color_grade: { ...CAPTIONED_STYLE.color_grade, temperature: 20, contrast: 10 },
  [SHELL]: FILTER,
  extra: ALL,
};
const SRT = Object.values({ SHELL, FILTER, ASS, HTML })
  .map((text, index) => `${index + 1}\n00:00:0${index},200 --> 00:00:0${index},900\n${text}\n`)
  .join('\n');

let service: Service;
let receiver: Receiver;
// biome-ignore lint/suspicious/noExplicitAny: the answer's fields are known here
let result: any;
let videoId: string;
before(async () => {
  receiver = await openReceiver();
  service = await startService({ LOG_LEVEL: 'debug' });
  const clip = await makeClip(folder, { name: 'clip', durationSeconds: 4 });
  const sent = await upload(service.baseUrl, clip, { name: `${HTML}${SQL}.mp4` });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  videoId = sent.body.data.video_id;
  const captions = await call(service.baseUrl, 'PUT', `/api/v1/videos/${videoId}/captions`, {
    body: SRT,
    headers: { 'content-type': 'application/x-subrip' },
  });
  assert.equal(captions.status, 200, JSON.stringify(captions.body));
  await using job = await createJob(service, {
    video_id: videoId,
    style_json: STYLE,
    webhook_url: `${receiver.url}?${new URLSearchParams(ALL)}`,
    config: { quality: 'low', labels: LABELS, [SHELL.slice(0, 60)]: FILTER, more: ALL },
  });
  result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

const artifact = async (name: string) =>
  fetch(`${service.baseUrl}/api/v1/jobs/${result.job_id}/artifacts/${name}`);

test('nothing of it was run, and every table is there', async () => {
  assert.ok(!existsSync(planted));
  const { body } = await call(service.baseUrl, 'GET', '/api/v1/jobs');
  assert.equal(body.data.total, 1);
});

test('responses return labels unchanged', () => {
  assert.deepEqual(result.config.labels, LABELS);
  assert.equal(Object.keys(LABELS).length, 7);
});

describe('files', () => {
  test('the output holds none of it, drawn letters aside', async () => {
    const answer = await fetch(result.output_video_url);
    assert.equal(answer.status, 200);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(bytes.indexOf(MARK), -1);
    assert.equal(bytes.indexOf('root:x:'), -1);
  });

  test('their headers hold one line each, which no client’s text ends', async () => {
    for (const { name } of result.artifacts) {
      const answer = await artifact(name);
      assert.equal(answer.status, 200, name);
      await answer.arrayBuffer();
      assert.equal(answer.headers.get('set-cookie'), null);
      const disposition = answer.headers.get('content-disposition') ?? '';
      // The source's name, encoded: no character of it ends the value (RFC 8187).
      assert.match(
        disposition,
        /^(inline|attachment); filename="[A-Za-z0-9._-]+"(; filename\*=UTF-8''[A-Za-z0-9._%!~-]+)?$/,
        name,
      );
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    }
  });

  test('timeline and style are JSON in which text is text', async () => {
    for (const name of ['timeline.otio', 'style.json']) {
      const parsed = (await (await artifact(name)).json()) as Record<string, unknown>;
      assert.equal(parsed['forged'], undefined, name);
    }
    const xml = await (await artifact('timeline.xml')).text();
    assert.equal(XMLValidator.validate(xml), true);
    const { sequence } = new XMLParser().parse(xml).xmeml;
    assert.deepEqual(Object.keys(sequence).sort(), ['duration', 'marker', 'media', 'name', 'rate']);
  });

  test('captions are returned as the sent bytes, never as a page', async () => {
    const answer = await fetch(`${service.baseUrl}/api/v1/videos/${videoId}/captions`);
    assert.equal(await answer.text(), SRT);
    assert.doesNotMatch(answer.headers.get('content-type') ?? '', /html/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  });
});

test('the webhook is one request with our headers and our body', () => {
  assert.equal(receiver.calls.length, 1);
  const [delivered] = receiver.calls;
  assert.equal(delivered!.event, 'job.completed');
  assert.equal(delivered!.body.data.job_id, result.job_id);
  assert.equal(delivered!.headers['set-cookie'], undefined);
  for (const [name, value] of Object.entries(delivered!.headers)) {
    assert.doesNotMatch(String(value), new RegExp(MARK), name);
  }
});

test('every line of the log is an object of ours', () => {
  assert.ok(service.log.length > 5);
  for (const line of service.log) {
    assert.equal(typeof line['level'], 'number', JSON.stringify(line));
    assert.notEqual(line['msg'], 'forged');
  }
  assert.doesNotMatch(JSON.stringify(service.log), new RegExp(MARK), 'what clients write is not logged');
});

describe('errors repeat it as JSON text, short', () => {
  for (const [name, input] of Object.entries(ALL)) {
    test(name, async () => {
      // No answer may hold a path that the client did not write.
      const text = input.replaceAll(planted, 'planted');
      const json = { video_id: text, template_video_id: text, webhook_url: text, config: { quality: text } };
      const reply = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
      assert.equal(reply.status, 422);
      assert.equal(reply.headers.get('set-cookie'), null);
      assert.ok(JSON.stringify(reply.body).length < 4000);
      const unknown = await call(service.baseUrl, 'GET', `/api/v1/jobs/${encodeURIComponent(text)}`);
      assert.equal(unknown.status, 404);
      const listed = await call(service.baseUrl, 'GET', `/api/v1/jobs?status=${encodeURIComponent(text)}`);
      assert.equal(listed.status, 422);
    });
  }
});
