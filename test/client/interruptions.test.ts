/** The client where things break: connections, the service itself, pauses, reloads, proxies. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobEvent,
  StyleDnaClient,
  type StyleDnaError,
  type UploadProgress,
  type UploadStore,
  type Video,
} from '../../src/client/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startService } from '../support/service.ts';

const service = await startService({ WORKER_CONCURRENCY: '0' });
after(() => service[Symbol.asyncDispose]());
const client = new StyleDnaClient({ baseUrl: service.baseUrl });
const clip = readFileSync(await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 }));

/** Until the beginning of a piece has arrived at a service on this machine. */
const HANGING_MS = 300;

/** Each test sends bytes of its own. */
function fileOf(name: string): File {
  // A box of kind `free` at the end means nothing to players.
  const box = Buffer.alloc(8 + name.length);
  box.writeUInt32BE(box.length, 0);
  box.write(`free${name}`, 4);
  return new File([clip, box], `${name}.mp4`, { type: 'video/mp4', lastModified: 1 });
}

async function assertStored(video: Video, file: File): Promise<void> {
  const bytes = Buffer.from(await file.arrayBuffer());
  assert.equal(video.sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.equal(video.filename, file.name);
}

function memoryStore(): UploadStore & { readonly map: Map<string, string> } {
  const map = new Map<string, string>();
  return {
    map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}

describe('uploads', () => {
  test('report their progress', async () => {
    const file = fileOf('progress');
    const told: UploadProgress[] = [];
    const pieceBytes = Math.ceil(file.size / 4);
    const upload = client.upload(file, { pieceBytes, onProgress: (progress) => told.push(progress) });
    await assertStored(await upload.done, file);
    const sent = told.map(({ sentBytes }) => sentBytes);
    assert.deepEqual(
      sent,
      [0, 1, 2, 3, 4, 4].map((pieces) => Math.min(file.size, pieces * pieceBytes)),
    );
    assert.equal(told.at(-1)!.state, 'finished');
    assert.ok(told[2].bytesPerSecond! > 0 && told[2].secondsLeft! > 0);
    assert.equal(told.at(-1)!.secondsLeft, 0);
  });

  test('pause, and continue at the same byte', async () => {
    const file = fileOf('paused');
    let pauses = 0;
    const upload = client.upload(file, {
      pieceBytes: Math.ceil(file.size / 5),
      onProgress: ({ state, sentBytes }) => {
        if (state === 'uploading' && sentBytes > 0 && pauses++ === 0) {
          upload.pause();
          setTimeout(() => upload.resume(), 50);
        }
      },
    });
    await assertStored(await upload.done, file);
    assert.ok(pauses > 0);
  });

  test('go on in another page, after the first was closed', async () => {
    const file = fileOf('reloaded');
    const store = memoryStore();
    const pieceBytes = Math.ceil(file.size / 4);
    const closed = new AbortController();
    const first = client.upload(file, {
      store,
      pieceBytes,
      signal: closed.signal,
      onProgress: ({ sentBytes }) => sentBytes >= 2 * pieceBytes && closed.abort(new Error('closed')),
    });
    await assert.rejects(first.done, /closed/);
    assert.equal(store.map.size, 1);
    const offsets: number[] = [];
    const second = client.upload(fileOf('reloaded'), {
      store,
      pieceBytes,
      onProgress: ({ sentBytes }) => offsets.push(sentBytes),
    });
    await assertStored(await second.done, file);
    assert.equal(second.uploadId, first.uploadId);
    assert.ok(offsets[0] >= 2 * pieceBytes, String(offsets));
    assert.equal(store.map.size, 0);
  });

  test('go on behind a piece that hangs, with no piece refused', async () => {
    const file = fileOf('hanging');
    const { upload_id: uploadId } = await client.createUpload(file.size, file.name);
    const arrived = Math.floor(file.size / 2);
    const hanging = request(`${service.baseUrl}/api/v1/uploads/${uploadId}`, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': file.size,
      },
    });
    // The service ends it when another request arrives.
    hanging.on('error', () => {});
    hanging.write(Buffer.from(await file.arrayBuffer()).subarray(0, arrived));
    await sleep(HANGING_MS);
    const answers: string[] = [];
    const watched = new StyleDnaClient({
      baseUrl: service.baseUrl,
      fetch: async (url, options) => {
        const answer = await fetch(url, options);
        answers.push(`${options?.method} ${answer.status}`);
        return answer;
      },
    });
    const store = { ...memoryStore(), getItem: () => uploadId };
    await assertStored(await watched.upload(file, { store }).done, file);
    assert.deepEqual(answers, ['HEAD 200', 'GET 200', 'PATCH 204', 'GET 200']);
  });

  test('start again when the stored upload is gone', async () => {
    const file = fileOf('forgotten');
    const store = { ...memoryStore(), getItem: () => '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11' };
    await assertStored(await client.upload(file, { store }).done, file);
  });

  test('can be canceled for good', async () => {
    const file = fileOf('aborted');
    const store = memoryStore();
    let aborted: Promise<void> | undefined;
    const upload = client.upload(file, {
      store,
      pieceBytes: 1000,
      onProgress: ({ sentBytes }) => {
        if (sentBytes > 0) aborted ??= upload.abort();
      },
    });
    await assert.rejects(upload.done, { name: 'AbortError' });
    await aborted;
    assert.equal(store.map.size, 0);
    await assert.rejects(client.getUpload(upload.uploadId!), { code: 'UPLOAD_NOT_FOUND' });
  });

  test('report a file that is no video', async () => {
    const upload = client.upload(new Blob(['this is no video at all']), { filename: 'a.mp4' });
    await assert.rejects(upload.done, { code: 'UNSUPPORTED_VIDEO_FORMAT', status: 415, retryable: false });
  });
});

test('an upload that begins while the service is away waits for it, however few retries others get', async () => {
  const file = fileOf('begun without a service');
  await service.kill();
  const impatient = new StyleDnaClient({ baseUrl: service.baseUrl, retries: 0 });
  const upload = impatient.upload(file);
  await service.restart();
  await assertStored(await upload.done, file);
});

test('an upload and the events of a job continue after the service was killed and restarted', async () => {
  const file = fileOf('killed');
  let away: Promise<void> | null = null;
  const states = new Set<string>();
  const video = await client.uploadVideo(fileOf('source'));
  const job = await client.createJob({ video_id: video.video_id });
  const events: JobEvent[] = [];
  const watching = (async () => {
    for await (const event of client.watchJob(job.job_id)) events.push(event);
  })();
  const upload = client.upload(file, {
    pieceBytes: Math.ceil(file.size / 4),
    onProgress: ({ state, sentBytes }) => {
      states.add(state);
      if (sentBytes > 0) away ??= service.kill().then(() => service.restart());
    },
  });
  await assertStored(await upload.done, file);
  await away;
  assert.ok(states.has('waiting'), [...states].join());
  await client.cancelJob(job.job_id);
  await watching;
  assert.deepEqual(
    events.map(({ type, job: { status } }) => [type, status]),
    [
      ['status', 'queued'],
      ['done', 'cancelled'],
    ],
  );
});

/** A server in front of a service, or instead of it. */
async function server(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const listening = createServer(listener).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections();
      listening.close();
    },
  };
}

describe('requests', () => {
  const BUSY = {
    success: false,
    message: 'Busy',
    error: { code: 'QUEUE_FULL', detail: '', retryable: true },
  };

  test('that are refused temporarily are repeated with the same key', async () => {
    const keys: unknown[] = [];
    await using proxy = await server((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.setHeader('content-type', 'application/json');
      if (keys.length < 3) response.writeHead(503, { 'retry-after': '0' }).end(JSON.stringify(BUSY));
      else response.writeHead(201).end('{"success":true,"message":"","data":{"job_id":"7"}}');
    });
    const job = await new StyleDnaClient({ baseUrl: proxy.url }).createJob({ video_id: '1' });
    assert.equal(job.job_id, '7');
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1]);
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
  });

  test('that are not idempotent are sent once', async () => {
    let calls = 0;
    await using proxy = await server((_request, response) => {
      calls++;
      response.writeHead(502).end('<h1>Bad gateway</h1>');
    });
    const ask = new StyleDnaClient({ baseUrl: proxy.url, retries: 1 });
    const expected = { code: 'UNEXPECTED_ANSWER', status: 502, retryable: true };
    await assert.rejects(ask.retryJob('1'), expected);
    assert.equal(calls, 1);
    await assert.rejects(ask.getJob('1'), expected);
    assert.equal(calls, 3);
  });

  test('carry the headers of a proxy, under its path', async () => {
    const seen: [string, unknown][] = [];
    await using proxy = await server((request, response) => {
      seen.push([request.url!, request.headers.authorization]);
      response.end('{"success":true,"message":"","data":{}}');
    });
    let token = 0;
    const ask = new StyleDnaClient({
      baseUrl: `${proxy.url}/some/where/?x=1#y`,
      headers: async () => ({ authorization: `Bearer ${++token}` }),
    });
    await ask.listJobs({ page_size: 5, status: 'failed' });
    await ask.getArtifact('a/b', 'grade.cube');
    assert.deepEqual(seen, [
      ['/some/where/api/v1/jobs?page_size=5&status=failed', 'Bearer 1'],
      ['/some/where/api/v1/jobs/a%2Fb/artifacts/grade.cube', 'Bearer 2'],
    ]);
  });

  test('that nobody answers end in time', async () => {
    await using proxy = await server(() => {});
    const ask = new StyleDnaClient({ baseUrl: proxy.url, retries: 0, timeoutSeconds: 0.1 });
    await assert.rejects(ask.getHealth(), { code: 'TIMEOUT', status: 0, retryable: true });
  });

  test('to an unreachable service name its address', async () => {
    const ask = new StyleDnaClient({ baseUrl: 'http://127.0.0.1:9', retries: 0 });
    await assert.rejects(ask.getHealth(), (error: StyleDnaError) => {
      assert.equal(error.code, 'CONNECTION_FAILED');
      assert.match(error.message, /^No connection to http:\/\/127\.0\.0\.1:9: \w+/);
      return true;
    });
  });

  test('that are aborted reject with the reason', async () => {
    await using proxy = await server(() => {});
    const ask = new StyleDnaClient({ baseUrl: proxy.url });
    const aborted = AbortSignal.timeout(50);
    for (const request of [
      ask.getHealth({ signal: aborted }),
      ask.waitForJob('1', { signal: aborted }),
      ask.watchJob('1', { signal: aborted }).next(),
      ask.upload(new Blob(['1']), { signal: aborted }).done,
    ])
      await assert.rejects(request, { name: 'TimeoutError' });
  });
});
