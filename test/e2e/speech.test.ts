/** From speech to letters in the picture, over a real engine. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { Studio } from '../../src/library.ts';
import { parseCaptionFile } from '../../src/style/captions/file.ts';
import { type Style, styleSchema } from '../../src/style/model/schema.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { commandWith } from '../support/command.ts';
import { mediaPath } from '../support/media.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import {
  answerWords,
  heardByPocketsphinx,
  noPocketsphinx,
  type SpeechEngine,
  startPocketsphinx,
  startSpeechEngine,
} from '../support/speech-engine.ts';

/** Pocketsphinx takes as long as the sound, and several times that on a busy machine. */
const PATIENCE_MS = 300_000;
const NONE = noPocketsphinx();
const SPEECH = mediaPath('video/mdn_friday_speech.mp4');
const LEFT_OUT = process.env['TEST_LONG'] === '1' ? null : 'takes half a minute: npm run test:long';
const skip = SPEECH === null ? 'the shared media are not here' : (NONE ?? LEFT_OUT ?? false);
const STYLE = {
  ...CAPTIONED_STYLE,
  subtitle_style: { ...CAPTIONED_STYLE.subtitle_style, timing: 'words' },
};
const CONFIG = {
  ...{ quality: 'low', captions: 'transcribe' },
  components: { color: false, pacing: false, audio: false, motion: false, transitions: false },
} as const;

interface Outcome {
  readonly status: string;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly warnings: readonly { readonly code: string }[];
  readonly artifacts: readonly { readonly name: string; readonly url: string }[];
}

async function outcome(service: Service, request: Record<string, unknown>): Promise<Outcome> {
  await using job = await createJob(service, request);
  return await job.ended(PATIENCE_MS);
}

async function cuesOf({ artifacts }: Outcome, name: string) {
  const artifact = artifacts.find((one) => one.name === name);
  if (artifact === undefined) return null;
  return parseCaptionFile(Buffer.from(await (await fetch(artifact.url)).arrayBuffer())).cues;
}

const wordsIn = (cues: readonly { readonly text: string }[] | null) =>
  (cues ?? []).flatMap(({ text }) => text.split(/\s+/));

describe('captions from speech, over pocketsphinx', { skip }, () => {
  let engine: SpeechEngine;
  let service: Service;
  let videoId: string;
  before(async () => {
    engine = await startPocketsphinx();
    service = await startService({ TRANSCRIPTION_URL: engine.url, TRANSCRIPTION_MODEL: 'en-us' });
    videoId = await uploaded(service, SPEECH!);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  test('the words are shown when they are spoken, requested once, and can be corrected', async () => {
    const health = await call(service.baseUrl, 'GET', '/api/v1/health');
    assert.deepEqual(health.body.data.features, { transcription: true });

    const first = await outcome(service, { video_id: videoId, style_json: STYLE, config: CONFIG });
    assert.equal(first.status, 'completed', JSON.stringify(first.error));
    const [{ wave, fields }] = engine.requests;
    assert.deepEqual(fields['model'], ['en-us']);
    const heard = await heardByPocketsphinx(wave);
    assert.ok(heard.length > 5);
    const shown = (await cuesOf(first, 'captions.srt'))!;
    assert.deepEqual(
      wordsIn(shown),
      heard.map(({ word }) => word),
    );
    for (const { text, startSeconds } of shown) {
      const said = heard.filter(({ word }) => word === text.split(' ')[0]).map(({ start }) => start);
      assert.ok(
        said.some((start) => Math.abs(start - startSeconds) < 0.02),
        `${text} at ${startSeconds}, said at ${said}`,
      );
    }
    const sentences = (await cuesOf(first, 'speech.srt'))!;
    assert.deepEqual(wordsIn(sentences), wordsIn(shown));
    assert.ok(sentences.length < shown.length);

    // Corrected words precede those of the engine, which is not called again.
    const corrected = '1\n00:00:01,000 --> 00:00:03,000\nI counted on that\n';
    const put = await call(service.baseUrl, 'PUT', `/api/v1/videos/${videoId}/captions`, {
      body: corrected,
      headers: { 'content-type': 'application/x-subrip' },
    });
    assert.equal(put.status, 200);
    const second = await outcome(service, { video_id: videoId, preset: 'noir', config: CONFIG });
    assert.deepEqual(wordsIn(await cuesOf(second, 'captions.srt')), ['I', 'counted', 'on', 'that']);
    assert.equal(await cuesOf(second, 'speech.srt'), null);
    assert.equal(engine.requests.length, 1);
  });

  test('on the command line and in the library', async (t) => {
    const folder = temporaryFolder();
    const output = join(folder, 'out.mp4');
    const environment = { TRANSCRIPTION_URL: engine.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const options = ['--captions', 'transcribe', '--artifacts', folder, '-q', 'low', '-o', output];
    const ran = await commandWith(t, environment, 'apply', SPEECH!, '--preset', 'noir', ...options);
    assert.equal(ran.code, 0, ran.stderr);
    const words = wordsIn(parseCaptionFile(readFileSync(join(folder, 'speech.srt'))).cues);
    assert.ok(words.includes('counted'), words.join(' '));

    const studio = new Studio({ transcription: { url: engine.url, allowedNetworks: ['127.0.0.0/8'] } });
    const look = { style: styleSchema.parse(STYLE) as Style };
    const { timeline } = await studio.plan({ source: SPEECH!, look, config: { captions: 'transcribe' } });
    assert.deepEqual(
      timeline.captions.flatMap(({ lines }) => lines.join(' ').split(' ')),
      words,
    );
  });
});

describe('a service whose transcription engine fails', () => {
  test('ends the job before it is rendered, with the reason', async () => {
    await using engine = await startSpeechEngine(
      (reply) => reply.writeHead(401).end('wrong key'),
      (reply) => answerWords(reply, []),
    );
    await using service = await startService({ TRANSCRIPTION_URL: engine.url });
    const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 2 });
    const request = { video_id: await uploaded(service, clip), style_json: STYLE, config: CONFIG };
    const { status, error } = await outcome(service, request);
    assert.equal(status, 'failed');
    assert.equal(error!.code, 'TRANSCRIPTION_FAILED');
    assert.equal(error!.detail, 'The transcription engine failed: it answered 401: wrong key');
    assert.equal(engine.requests.length, 1);
    const again = await outcome(service, request);
    assert.equal(again.status, 'completed');
    assert.ok(again.warnings.some(({ code }) => code === 'NO_SPEECH_FOUND'));
  });
});

test('without an engine captions from speech are refused at once', async () => {
  await using service = await startService();
  const health = await call(service.baseUrl, 'GET', '/api/v1/health');
  assert.deepEqual(health.body.data.features, { transcription: false });
  const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });
  const video_id = await uploaded(service, clip);
  for (const [path, more] of [
    ['jobs', {}],
    ['previews', { kind: 'draft' }],
  ] as const) {
    const body = { video_id, preset: 'noir', config: CONFIG, ...more };
    const reply = await call(service.baseUrl, 'POST', `/api/v1/${path}`, { json: body });
    assert.equal(reply.status, 422);
    assert.equal(reply.body.error.code, 'TRANSCRIPTION_UNAVAILABLE');
    assert.equal(reply.body.error.fields[0].path, 'config.captions');
  }
  const look = { preset: 'noir' };
  const plan = new Studio().plan({ source: clip, look, config: { captions: 'transcribe' } });
  await assert.rejects(plan, (error) => isFailure(error, 'TRANSCRIPTION_UNAVAILABLE'));
});
