/** Resumable uploads over two nodes on one database, with their files on a shared disk and in a real bucket. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { openPool, type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { isRunning, waitFor } from '../support/processes.ts';
import { newBucket, s3Environment, s3Missing } from '../support/s3.ts';
import { type Service, startService } from '../support/service.ts';

const PATH = '/api/v1/uploads';
const TUS = { 'tus-resumable': '1.0.0' };
const PIECE = { ...TUS, 'content-type': 'application/offset+octet-stream' };
const ROUNDS = 12;

/** A video of about 20 MB, more than two parts of a bucket: a clip, and a box of nothing behind it (ISO/IEC 14496-12, "free"). */
async function largeClip(): Promise<Buffer<ArrayBuffer>> {
  const clip = readFileSync(await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 }));
  const free = randomBytes(20_000_000);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4, 'latin1');
  return Buffer.concat([clip, free]);
}

const bytes = await largeClip();
const sha256 = createHash('sha256').update(bytes).digest('hex');

async function begin({ baseUrl }: Service): Promise<string> {
  const headers = { ...TUS, 'upload-length': String(bytes.length) };
  const reply = await call(baseUrl, 'POST', PATH, { headers });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.headers.get('location')!;
}

function send({ baseUrl }: Service, path: string, from: number, to: number): Promise<Response> {
  const headers = { ...PIECE, 'upload-offset': String(from) };
  return fetch(baseUrl + path, { method: 'PATCH', body: bytes.subarray(from, to), headers });
}

async function offsetAt({ baseUrl }: Service, path: string): Promise<number> {
  const head = await fetch(baseUrl + path, { method: 'HEAD', headers: TUS });
  assert.equal(head.status, 200);
  return Number(head.headers.get('upload-offset'));
}

async function assertWhole({ baseUrl }: Service, last: Response): Promise<void> {
  assert.equal(last.status, 204, await last.text());
  const video = await call(baseUrl, 'GET', `/api/v1/videos/${last.headers.get('x-video-id')}`);
  assert.deepEqual([video.body.data.sha256, video.body.data.size_bytes], [sha256, bytes.length]);
}

/** Sends bytes up to a place and then nothing, as long as the socket is open. */
function sendSlowly({ baseUrl }: Service, path: string, from: number, to: number) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const headers = {
    ...PIECE,
    'upload-offset': from,
    'content-length': bytes.length - from,
    host: 'localhost',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(bytes.subarray(from, to));
  return socket;
}

function across(name: string, files: () => Promise<Record<string, string>>, skip: string | null): void {
  describe(`uploads over two nodes: ${name}`, { skip: skip ?? false, concurrency: 1 }, () => {
    let server: PostgresServer;
    let environment: Record<string, string>;
    let nodes: Service[] = [];
    before(async () => {
      server = await startPostgres();
      environment = { DATABASE_URL: server.url, ROLE: 'api', LOG_LEVEL: 'info', ...(await files()) };
      const dataDir = mkdtempSync(join(tmpdir(), 'styledna-across-'));
      const own = () =>
        'S3_BUCKET' in environment ? mkdtempSync(join(tmpdir(), 'styledna-across-')) : dataDir;
      nodes = [await startService(environment, own()), await startService(environment, own())];
    });
    after(async () => {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    });

    test('piece by piece, each at the other node', async () => {
      const path = await begin(nodes[0]);
      const steps = [0, 3, 5_000_000, 9_400_000, 17_200_000, bytes.length];
      for (let step = 1; step < steps.length; step++) {
        const node = nodes[step % 2];
        assert.equal(await offsetAt(node, path), steps[step - 1]);
        const reply = await send(node, path, steps[step - 1], steps[step]);
        if (step === steps.length - 1) await assertWhole(nodes[0], reply);
        else assert.equal(reply.status, 204, await reply.text());
      }
      // The answer to the last piece may be lost: the other node knows the video.
      const again = await send(nodes[0], path, bytes.length, bytes.length);
      assert.equal(again.headers.get('x-video-id'), path.split('/').at(-1));
    });

    test('the same piece at both at once: exactly one is accepted', async () => {
      const path = await begin(nodes[0]);
      const piece = 300_000;
      for (let round = 0; round < ROUNDS; round++) {
        const [from, to] = [round * piece, (round + 1) * piece];
        const replies = await Promise.all(nodes.map((node) => send(node, path, from, to)));
        const statuses = replies.map(({ status }) => status).toSorted();
        assert.deepEqual(statuses, [204, 409], `round ${round}`);
      }
      const sent = ROUNDS * piece;
      const reply = await send(nodes[0], path, sent, bytes.length);
      await assertWhole(nodes[1], reply);
    });

    test('a hanging connection at one yields to the other', async () => {
      const path = await begin(nodes[0]);
      const socket = sendSlowly(nodes[0], path, 0, 1_000_000);
      await sleep(500);
      const askedMs = performance.now();
      assert.equal(await offsetAt(nodes[1], path), 1_000_000);
      assert.ok(performance.now() - askedMs < 8_000);
      await assertWhole(nodes[1], await send(nodes[1], path, 1_000_000, bytes.length));
      socket.destroy();
    });

    test('a node is killed at 60 %: the other continues with all acknowledged bytes', async (t) => {
      const path = await begin(nodes[0]);
      const acknowledged = Math.floor(bytes.length * 0.1);
      assert.equal((await send(nodes[0], path, 0, acknowledged)).status, 204);
      const socket = sendSlowly(nodes[0], path, acknowledged, Math.floor(bytes.length * 0.6));
      const seen = await waitFor('the other node sees it grow', async () => {
        const { body } = await call(nodes[1].baseUrl, 'GET', path);
        return body.data.offset_bytes > acknowledged && (body.data.offset_bytes as number);
      });
      await nodes[0].kill();
      const killedMs = performance.now();
      const offset = await offsetAt(nodes[1], path);
      const takenMs = performance.now() - killedMs;
      assert.ok(offset >= seen, `${offset} of ${seen} acknowledged bytes`);
      // A lease of 10 s, and a busy machine.
      assert.ok(takenMs < 25_000, `${takenMs} ms`);
      await assertWhole(nodes[1], await send(nodes[1], path, offset, bytes.length));
      socket.destroy();
      await nodes[0].restart();
      tellFigures(t, `a node is killed at 60 % of an upload: ${name}`, {
        tried: 1,
        slowestMs: takenMs,
        lost: 0,
        seen: `${Math.round((offset / bytes.length) * 100)} % were there`,
      });
    });

    test('a node that is suspended for 15 s overwrites nothing afterwards', async () => {
      const path = await begin(nodes[0]);
      const socket = sendSlowly(nodes[0], path, 0, 9_000_000);
      await sleep(300);
      const { pid } = nodes[0];
      process.kill(pid, 'SIGSTOP');
      const offset = await offsetAt(nodes[1], path);
      const half = Math.floor(bytes.length / 2);
      assert.equal((await send(nodes[1], path, offset, half)).status, 204);
      await sleep(2_000);
      process.kill(pid, 'SIGCONT');
      await sleep(1_000);
      assert.ok(isRunning(pid));
      assert.equal(await offsetAt(nodes[0], path), half);
      await assertWhole(nodes[0], await send(nodes[0], path, half, bytes.length));
      socket.destroy();
    });

    test('expired uploads are gone for both', async () => {
      const path = await begin(nodes[0]);
      assert.equal((await send(nodes[0], path, 0, 9_000_000)).status, 204);
      const pool = openPool(server.url);
      await pool.query("update uploads set expires_at = now() - interval '1 second' where ended is null");
      await pool.end();
      const reply = await send(nodes[1], path, 9_000_000, bytes.length);
      const { error } = (await reply.json()) as { error: { code: string } };
      assert.deepEqual([reply.status, error.code], [410, 'UPLOAD_EXPIRED']);
    });
  });
}

across('a shared disk', async () => ({}), postgresMissing());
across('S3', async () => s3Environment(await newBucket()), postgresMissing() ?? s3Missing());
