import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/domain/errors.ts';
import { receiveFile } from '../../src/http/server/multipart-file.ts';

const HEADERS = { 'content-type': 'multipart/form-data; boundary=aBc' };
// The file holds what looks like the boundary and is not.
const file = Buffer.concat([randomBytes(3000), Buffer.from('\r\n--aB\r\n--aBX\r\n--'), randomBytes(3000)]);
const body = Buffer.concat([
  Buffer.from('--aBc\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n'),
  Buffer.from('--aBc\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'),
  file,
  Buffer.from('\r\n--aBc--\r\nepilogue'),
]);

function* cut(bytes: Buffer, sizes: () => number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const size = sizes();
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function* streamed(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield chunk;
}

test('however the body is cut into chunks, the file is the same', async () => {
  let seed = 7;
  const random = (limit: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return 1 + (seed % limit);
  };
  for (const sizes of [() => 1, () => 7, () => 100_000, ...Array(60).fill(() => random(400))]) {
    let got: Buffer | undefined;
    const name = await receiveFile(HEADERS, streamed(cut(body, sizes)), 1e6, async (bytes: Readable) => {
      got = await buffer(bytes);
    });
    assert.equal(name, 'a.mp4');
    assert.ok(got?.equals(file));
  }
});

test('a body cut off anywhere is refused, and the sink has ended', async () => {
  for (let length = 0; length < body.length - 'aBc--\r\nepilogue'.length; length += 97) {
    let open = 0;
    const receiving = receiveFile(HEADERS, streamed([body.subarray(0, length)]), 1e6, async (bytes) => {
      open++;
      await buffer(bytes).finally(() => open--);
    });
    await assert.rejects(receiving, { code: 'MALFORMED_MULTIPART' }, `cut off after ${length}`);
    assert.equal(open, 0);
  }
});

test('errors of the sink and of the body are passed on', async () => {
  const full = new Failure('INSUFFICIENT_STORAGE', 'full');
  const failing = receiveFile(HEADERS, streamed(cut(body, () => 500)), 1e6, async () => {
    throw full;
  });
  await assert.rejects(failing, full);
  async function* broken() {
    yield body.subarray(0, 1000);
    throw new Failure('REQUEST_TIMEOUT', 'late');
  }
  let ended = false;
  const late = receiveFile(HEADERS, broken(), 1e6, async (bytes) => {
    await buffer(bytes).finally(() => {
      ended = true;
    });
  });
  await assert.rejects(late, { code: 'REQUEST_TIMEOUT' });
  assert.ok(ended);
});

test('the limit counts the file alone, and is itself allowed', async () => {
  const sink = async (bytes: Readable) => void (await buffer(bytes));
  await receiveFile(HEADERS, streamed([body]), file.length, sink);
  await assert.rejects(receiveFile(HEADERS, streamed([body]), file.length - 1, sink), {
    code: 'FILE_TOO_LARGE',
  });
});

test('a slow sink holds the body back', async () => {
  let claimed = 0;
  async function* endless() {
    yield body.subarray(0, 200);
    for (; claimed < 1000; claimed++) yield Buffer.alloc(65536);
  }
  const stop = Promise.withResolvers<void>();
  const receiving = receiveFile(HEADERS, endless(), 1e9, async (bytes) => {
    await stop.promise;
    for await (const _ of bytes);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(claimed < 20, `${claimed} chunks of 64 KiB were taken in while the sink slept`);
  stop.resolve();
  await assert.rejects(receiving, { code: 'MALFORMED_MULTIPART' });
});

test('a disk that fills up during the upload is the cause, not the broken part', async () => {
  const boundary = 'b0undary';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`;
  async function* body() {
    yield Buffer.from(head);
    for (let block = 0; block < 64; block++) yield Buffer.alloc(65_536);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const full = new Failure('INSUFFICIENT_STORAGE', 'The disk is full');
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const received = receiveFile(headers, body(), 1e9, async (bytes) => {
    for await (const _ of bytes) break;
    await sleep(20);
    throw full;
  });
  await assert.rejects(received, full);
});

describe('a form may hold little beside its files', () => {
  const part = (name: string, head: string, value: string) =>
    `--aBc\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${value}\r\n`;
  const expected = part('file', '; filename="a.mp4"', 'content');
  const receive = (text: string) =>
    receiveFile(HEADERS, streamed(cut(Buffer.from(text), () => 65536)), 1e7, async (bytes) => {
      await buffer(bytes);
    });

  for (const [what, text, code] of [
    [
      'a part header of 1 MB',
      `${part('file', `; filename="a.mp4"\r\nX-A: ${'a'.repeat(1e6)}`, 'content')}--aBc--`,
      'MALFORMED_MULTIPART',
    ],
    ['a preamble of 1 MB', `${'a'.repeat(1e6)}\r\n${expected}--aBc--`, 'MALFORMED_MULTIPART'],
    ['an epilogue of 1 MB', `${expected}--aBc--\r\n${'a'.repeat(1e6)}`, 'MALFORMED_MULTIPART'],
    [
      'a field of 1 MB after the file',
      `${expected}${part('note', '', 'a'.repeat(1e6))}--aBc--`,
      'MALFORMED_MULTIPART',
    ],
    ['a field of 1 MB and no file', `${part('note', '', 'a'.repeat(1e6))}--aBc--`, 'MALFORMED_MULTIPART'],
  ] as const) {
    test(`${what} is refused`, () => assert.rejects(receive(text), { code }));
  }

  test('another file of 1 MB, and a field of 50 kB, are passed over', async () => {
    const other = part('picture', '; filename="b.jpg"', 'b'.repeat(1e6));
    assert.equal(await receive(`${other}${part('note', '', 'a'.repeat(5e4))}${expected}--aBc--`), 'a.mp4');
  });
});
