import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TranscriptionFailure } from '../../src/domain/transcription.ts';
import { Transcriber, type TranscriberSettings } from '../../src/transcription/transcriber.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';
import { answerWords, startSpeechEngine } from '../support/speech-engine.ts';

const WAVE = Buffer.from('RIFF and some sound');
const WORDS = [{ word: 'hello', start: 0.5, end: 0.9 }];
const HEARD = {
  words: [{ startSeconds: 0.5, endSeconds: 0.9, text: 'hello' }],
  omitted: { looped: 0, afterEnd: 0 },
};
const LOOPBACK = ['127.0.0.0/8'];

const transcriber = (url: string, more: Partial<TranscriberSettings> = {}) =>
  new Transcriber({ url, model: 'small', networks: async () => LOOPBACK, retrySeconds: [], ...more });
const transcribe = (url: string, more?: Partial<TranscriberSettings>, signal = AbortSignal.timeout(20_000)) =>
  transcriber(url, more).transcribe(WAVE, 2, signal);
const failure = (message: RegExp, isPassing: boolean) => (error: unknown) => {
  assert.ok(error instanceof TranscriptionFailure, String(error));
  assert.match(error.message, message);
  assert.equal(error.isPassing, isPassing);
  return true;
};

describe('a request to a transcription engine', () => {
  test('sends the sound, the model and the wish for word times', async () => {
    await using engine = await startSpeechEngine((reply) => answerWords(reply, WORDS));
    assert.deepEqual(await transcribe(engine.url, { apiKey: 'secret' }), HEARD);
    const [{ path, authorization, fields, wave }] = engine.requests;
    assert.equal(path, '/v1/audio/transcriptions');
    assert.equal(authorization, 'Bearer secret');
    assert.deepEqual(fields, {
      model: ['small'],
      response_format: ['verbose_json'],
      'timestamp_granularities[]': ['word', 'segment'],
    });
    assert.deepEqual(wave, WAVE);
  });

  for (const [path, expected] of [
    ['', '/v1/audio/transcriptions'],
    ['/v1', '/v1/audio/transcriptions'],
    ['/inference', '/inference'],
    ['/speech/v1/audio/transcriptions?x=1', '/speech/v1/audio/transcriptions?x=1'],
  ]) {
    test(`goes from "${path}" to ${expected}`, async () => {
      await using engine = await startSpeechEngine((reply) => answerWords(reply, WORDS));
      await transcribe(engine.url + path);
      assert.equal(engine.requests[0].path, expected);
    });
  }

  test('is repeated while the engine is busy or gone, after the time that it names', async () => {
    await using engine = await startSpeechEngine(
      (reply) => reply.writeHead(503, { 'retry-after': '1' }).end('loading the model'),
      (reply) => reply.writeHead(429).end(),
      (reply) => reply.destroy(),
      (reply) => answerWords(reply, WORDS),
    );
    const startedMs = performance.now();
    assert.deepEqual(await transcribe(engine.url, { retrySeconds: [0, 0, 0] }), HEARD);
    assert.equal(engine.requests.length, 4);
    assert.ok(performance.now() - startedMs >= 1000);
  });

  test('is not repeated when the engine names a time that is too far away', async () => {
    await using engine = await startSpeechEngine((reply) =>
      reply.writeHead(429, { 'retry-after': '3600' }).end(),
    );
    await assert.rejects(transcribe(engine.url, { retrySeconds: [0, 0] }), failure(/it answered 429/, true));
    assert.equal(engine.requests.length, 1);
  });

  test('can pass where the engine is busy, and not where it refuses', async () => {
    const rows = [
      ...[408, 429, 500, 503, 599].map((status) => [status, true] as const),
      ...[201, 400, 407, 409, 428, 430, 499].map((status) => [status, false] as const),
    ];
    await using engine = await startSpeechEngine(
      ...rows.map(
        ([status]) =>
          (reply: ServerResponse) =>
            reply.writeHead(status).end(),
      ),
    );
    for (const [status, isPassing] of rows)
      await assert.rejects(transcribe(engine.url), failure(new RegExp(`^it answered ${status}$`), isPassing));
  });

  for (const [what, status, body, expected] of [
    ['a wrong key', 401, '{"error": "bad\n key"}', /^it answered 401: \{"error": "bad key"\}$/],
    ['an unknown model', 404, 'x'.repeat(9000), /^it answered 404: x{200}$/],
    ['an answer without times', 200, '{"text": "hello"}', /neither words nor segments/],
    ['an answer of another kind', 200, '<html>', /^its answer is not JSON, without a content type$/],
    ['an answer that is cut off', 200, '{"text": "hel', /^its answer is not valid JSON$/],
    ['an empty answer', 200, '', /^its answer is empty$/],
    [
      'an error with the status of success',
      200,
      '{"error": "failed\\nto process audio"}',
      /^its answer has neither words nor segments with times, but an error: failed to process audio$/,
    ],
  ] as const) {
    test(`is not repeated after ${what}`, async () => {
      await using engine = await startSpeechEngine((reply) => reply.writeHead(status).end(body));
      await assert.rejects(transcribe(engine.url, { retrySeconds: [0, 0] }), failure(expected, false));
      assert.equal(engine.requests.length, 1);
    });
  }

  for (const [what, head, bytes, expected] of [
    ['gzip', { 'content-encoding': 'gzip' }, gzipSync('{}'), /^its answer is compressed \(gzip\)/],
    ['a page', { 'content-type': 'text/html\t; x' }, Buffer.from('<p>'), /is not JSON, but text\/html ; x$/],
  ] as const) {
    test(`is not repeated after an answer that is ${what}`, async () => {
      await using engine = await startSpeechEngine((reply) => reply.writeHead(200, head).end(bytes));
      await assert.rejects(transcribe(engine.url, { retrySeconds: [0] }), failure(expected, false));
      assert.equal(engine.requests.length, 1);
    });
  }

  test('quotes no compressed error', async () => {
    await using engine = await startSpeechEngine((reply) =>
      reply.writeHead(400, { 'content-encoding': 'br' }).end(brotliCompressSync('wrong')),
    );
    await assert.rejects(transcribe(engine.url), failure(/^it answered 400$/, false));
  });

  test('is repeated after an answer that ends early', async () => {
    await using engine = await startSpeechEngine(
      (reply) => reply.writeHead(200, { 'content-length': 100 }).write('{', () => reply.destroy()),
      (reply) => answerWords(reply, WORDS),
    );
    assert.deepEqual(await transcribe(engine.url, { retrySeconds: [0] }), HEARD);
    await using broken = await startSpeechEngine((reply) =>
      reply.writeHead(200, { 'content-length': 100 }).write('{', () => reply.destroy()),
    );
    await assert.rejects(
      transcribe(broken.url),
      failure(/^it closed the connection within its answer$/, true),
    );
  });

  test('fails where nobody listens', async () => {
    await using engine = await startSpeechEngine((reply) => answerWords(reply, WORDS));
    const { url } = engine;
    await engine[Symbol.asyncDispose]();
    await assert.rejects(
      transcribe(url, { retrySeconds: [0] }),
      failure(/cannot be reached \(ECONNREFUSED\)/, true),
    );
  });

  test('does not wait longer than its deadline', async () => {
    await using engine = await startSpeechEngine(() => {});
    const limits = { leastSeconds: 0.1, secondsPerSecond: 0.1, retrySeconds: [0] };
    await assert.rejects(transcribe(engine.url, limits), failure(/did not answer within 1 s/, false));
    assert.equal(engine.requests.length, 1);
  });

  test('ends when it is canceled, also between two attempts', async () => {
    for (const answer of [undefined, 503]) {
      await using engine = await startSpeechEngine((reply) => answer && reply.writeHead(answer).end());
      const cancel = new AbortController();
      const reason = new Error('canceled');
      const result = assert.rejects(
        transcribe(engine.url, { retrySeconds: [30] }, cancel.signal),
        (error) => error === reason,
      );
      while (engine.requests.length === 0) await sleep(5);
      cancel.abort(reason);
      await result;
    }
  });

  test('reads no answer without end', async () => {
    const piece = Buffer.alloc(1 << 20, ' ');
    await using engine = await startSpeechEngine((reply) => {
      const more = () => {
        while (reply.write(piece));
      };
      reply.on('drain', more);
      more();
    });
    await assert.rejects(
      transcribe(engine.url),
      failure(/^its answer is longer than 563 KiB, 10 times what a fast speaker says in 2 s$/, false),
    );
  });

  test('reads no error without end', async () => {
    const piece = Buffer.alloc(1 << 20, 'x');
    let pieces = 0;
    await using engine = await startSpeechEngine((reply) => {
      reply.writeHead(400);
      const more = () => {
        while (reply.write(piece)) pieces++;
      };
      reply.on('drain', more);
      more();
    });
    await assert.rejects(transcribe(engine.url), failure(/^it answered 400: x{200}$/, false));
    assert.ok(pieces < 32, `${pieces} MiB were sent`);
  });

  test('follows no redirect', async () => {
    await using other = await startSpeechEngine((reply) => answerWords(reply, WORDS));
    await using engine = await startSpeechEngine((reply) =>
      reply.writeHead(307, { location: other.url }).end(),
    );
    await assert.rejects(
      transcribe(engine.url),
      failure(/^it answered 307, a redirect: TRANSCRIPTION_URL/, false),
    );
    assert.equal(other.requests.length, 0);
  });

  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
    test(`reaches a private address only where it is allowed: ${host}`, async () => {
      await using engine = await startSpeechEngine((reply) => answerWords(reply, WORDS));
      const url = engine.url.replace('127.0.0.1', host);
      await assert.rejects(
        transcribe(url, { networks: async () => ['10.0.0.0/8'] }),
        failure(/TRANSCRIPTION_URL.*WEBHOOK_ALLOWED_NETWORKS/, false),
      );
      assert.equal(engine.requests.length, 0);
    });
  }

  for (const answer of Object.keys(HOSTILE_ANSWERS) as HostileAnswer[]) {
    test(`ends with a failure after ${answer}`, async () => {
      await using server = await startHostileServer(answer);
      const limits = { leastSeconds: 0.3, secondsPerSecond: 0 };
      await assert.rejects(transcribe(`http://${server.host}`, limits), TranscriptionFailure);
    });
  }
});
