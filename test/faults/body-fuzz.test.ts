/**
 * Bodies of jobs and previews, valid, odd and broken, sent to the real service: each is answered in time and in the general form, none
 * by a fault of the service. `BODY_FUZZ_SEED=7 node test/faults/body-fuzz.test.ts` repeats one.
 */
import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { assertForm, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startService } from '../support/service.ts';
import { type FuzzedRequest, fuzzedRequest } from './request-mutations.ts';

const REQUESTS = 1_500;
const LONGEST_MS = 10_000;

const service = await startService({ WORKER_CONCURRENCY: '0' });
after(() => service[Symbol.asyncDispose]());

async function answered({ path, body, headers }: FuzzedRequest): Promise<Response> {
  const sent = request(service.baseUrl + path, {
    ...{ method: 'POST', agent: false, signal: AbortSignal.timeout(LONGEST_MS) },
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end(body);
  });
  const received = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) received.set(name, String(value));
  return new Response(await text(answer), { status: answer.statusCode!, headers: received });
}

/** The status and code of an answer. Throws for a forbidden answer. */
async function outcomeOf(fuzzed: FuzzedRequest): Promise<string> {
  const answer = await answered(fuzzed);
  const body = JSON.parse(await answer.text());
  assertForm(answer, body);
  assert.ok(answer.status < 500 || [503, 507].includes(answer.status), JSON.stringify(body).slice(0, 500));
  return `${answer.status} ${body.error?.code ?? ''}`;
}

test(`${REQUESTS} bodies of jobs and previews are answered in time and in form`, async (t) => {
  const folder = temporaryFolder();
  const ids: string[] = [];
  for (const name of ['source', 'template']) {
    const { body } = await upload(service.baseUrl, await makeClip(folder, { name, durationSeconds: 3 }));
    ids.push(body.data.video_id);
  }
  const [video_id, template_video_id] = ids;
  const components = { color_grade: 0.5, transitions: true, subtitles: false };
  const config = {
    quality: 'low',
    style_strength: 0.8,
    components,
    seed: 7,
    priority: 50,
    labels: { client: 'a' },
  };
  const examples = [
    ['/api/v1/jobs', { video_id, template_video_id, config, webhook_url: 'http://127.0.0.1:9/hook' }],
    [
      '/api/v1/jobs',
      { video_id, preset: 'cinematic', config: { ...config, resolution: '720p', framing: 'pad' } },
    ],
    ['/api/v1/jobs', { video_id, style_json: { schema_version: '1.0.0' }, config: { pacing: 'trim' } }],
    ['/api/v1/previews', { video_id, template_video_id, config, kind: 'frames', at_seconds: [0.5, 1] }],
    [
      '/api/v1/previews',
      { video_id, template_video_id, kind: 'draft', start_seconds: 0, duration_seconds: 3 },
    ],
  ] as const;
  const input = process.env['BODY_FUZZ_SEED'];
  const seeds =
    input === undefined ? Array.from({ length: REQUESTS }, (_, seed) => seed + 1) : [Number(input)];
  const tally = new Map<string, number>();
  const wrong: string[] = [];
  const { pid } = service;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const fuzzed = fuzzedRequest(seed, examples);
        const outcome = await outcomeOf(fuzzed).catch((error: Error) => {
          wrong.push(`seed ${seed}: POST ${fuzzed.path} ${fuzzed.body.slice(0, 400)}: ${error.message}`);
          return 'WRONG';
        });
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      }
    }),
  );
  t.diagnostic([...tally].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
  assert.deepEqual(wrong, []);
  const errors = service.log.filter(({ level }) => Number(level) >= 50);
  assert.deepEqual(errors, []);
  assert.equal(service.pid, pid);
  assert.equal((await call(service.baseUrl, 'GET', '/api/v1/health')).status, 200);
  // A fuzz of which nothing is accepted tests the first check alone.
  if (input === undefined)
    assert.ok((tally.get('201 ') ?? 0) + (tally.get('202 ') ?? 0) >= 50, 'few were accepted');
});
