import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FetchError, fetchUrl } from '../../src/imports/fetch-url.ts';
import { file, redirect, startFileServer } from '../support/file-server.ts';
import { HOSTILE_ANSWERS, type HostileAnswer, startHostileServer } from '../support/hostile-server.ts';

const LOCAL = ['127.0.0.0/8'];
const server = await startFileServer({
  '/file': file(Buffer.from('bytes')),
  '/one': redirect('/file'),
  '/two': redirect('one'),
  '/five': redirect('/four'),
  '/four': redirect('/three'),
  '/three': redirect('/two'),
  '/six': redirect('/five'),
  '/round': redirect('/round'),
  '/metadata': redirect('http://169.254.169.254/latest'),
  '/local-file': redirect('file:///etc/passwd'),
  '/credentials': redirect('http://user:secret@127.0.0.1/file'),
  '/gzip': file(gzipSync('bytes'), { 'content-encoding': 'gzip' }),
  '/500': (answer) => void answer.writeHead(500).end(),
  '/429': (answer) => void answer.writeHead(429).end(),
  '/206': (answer) => void answer.writeHead(206).end(),
  '/nowhere': (answer) => void answer.writeHead(302).end(),
  '/silent': () => {},
  '/no-http': ({ socket }) => void socket!.end('bytes of a file, and no head'),
  '/false-length': ({ socket }) => void socket!.end('HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nbytes'),
  '/endless-head': ({ socket }) => {
    socket!.write('HTTP/1.1 200 OK\r\n');
    const more = setInterval(() => socket!.write(`x: ${'y'.repeat(1000)}\r\n`), 1);
    socket!.on('error', () => {}).on('close', () => clearInterval(more));
  },
});
after(() => server[Symbol.asyncDispose]());

/** For immediate answers, on a busy machine too. */
const ANSWER_MS = 20_000;

function fetched(path: string, more: Partial<Parameters<typeof fetchUrl>[1]> = {}) {
  const address = path.startsWith('/') ? server.url + path : path;
  return fetchUrl(address, {
    networks: LOCAL,
    headMs: ANSWER_MS,
    signal: new AbortController().signal,
    ...more,
  });
}

describe('an address', () => {
  for (const path of ['/file', '/one', '/two', '/five'])
    test(`${path} returns the file and its size`, async () => {
      const { body, totalBytes } = await fetched(path);
      assert.deepEqual([await text(body), totalBytes], ['bytes', 5]);
    });

  for (const [path, isPassing, reported] of [
    ['/six', false, /more than 5 times/],
    ['/round', false, /more than 5 times/],
    ['/gzip', false, /content coding "gzip"/],
    ['/404', false, /answered 404/],
    ['/206', false, /answered 206/],
    ['/nowhere', false, /answered 302/],
    ['/no-http', false, /not HTTP \(HPE_/],
    ['/false-length', false, /not HTTP \(HPE_INVALID_CONTENT_LENGTH\)/],
    ['/endless-head', false, /not HTTP \(HPE_HEADER_OVERFLOW\)/],
    ['/500', true, /answered 500/],
    ['/429', true, /answered 429/],
    ['/silent', true, /did not answer within 0\.3 s/],
    ['http://127.0.0.1:9/', true, /ECONNREFUSED/],
  ] as const)
    test(`${path} is ${isPassing ? 'retried' : 'not retried'}`, async () => {
      await assert.rejects(fetched(path, path === '/silent' ? { headMs: 300 } : {}), (error) => {
        assert.ok(error instanceof FetchError, String(error));
        assert.equal(error.isTransient, isPassing);
        assert.match(error.message, reported);
        return true;
      });
    });

  for (const path of ['/metadata', '/local-file', '/credentials', 'http://10.1.2.3/', 'ftp://example.com/x'])
    test(`${path} is refused`, () => assert.rejects(fetched(path), { code: 'IMPORT_URL_FORBIDDEN' }));

  test('a name that leads to an inner address is refused without a connection', async () => {
    const before = server.asked.length;
    const { port } = new URL(server.url);
    const resolveName = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await assert.rejects(fetched(`http://inner.test:${port}/file`, { networks: [], resolveName }), {
      code: 'IMPORT_URL_FORBIDDEN',
    });
    assert.equal(server.asked.length, before);
  });

  test('a name is resolved once: the connection uses the vetted address', async () => {
    let times = 0;
    const resolveName = async () => {
      times++;
      return [{ address: times === 1 ? '127.0.0.1' : '10.9.9.9', family: 4 }];
    };
    const { port } = new URL(server.url);
    const { body } = await fetched(`http://changing.test:${port}/file`, { resolveName });
    assert.deepEqual([await text(body), times], ['bytes', 1]);
  });

  test('an aborted caller gets the reason', async () => {
    const stop = new AbortController();
    const asking = fetched('/silent', { signal: stop.signal, headMs: 10_000 });
    stop.abort(new Error('enough'));
    await assert.rejects(asking, /enough/);
  });
});

/** Some return a head: the reader of the body finds out whether it is valid. */
const WITH_HEAD = [
  'an end after the head',
  'a reset after the head',
  'silence after the head',
  'a body that trickles',
  'chunks without end',
  'a length that is too large',
  'a length that is too small',
];

describe('a server that violates the protocol never blocks a request beyond its deadline', () => {
  for (const answer of Object.keys(HOSTILE_ANSWERS) as HostileAnswer[])
    for (const scheme of ['http', 'https'])
      test(`${answer}, by ${scheme}`, { timeout: ANSWER_MS }, async () => {
        await using hostile = await startHostileServer(answer);
        const hasHead = scheme === 'http' && WITH_HEAD.includes(answer);
        const asking = fetched(`${scheme}://${hostile.host}/x`, hasHead ? {} : { headMs: 600 });
        if (hasHead) return void (await asking).body.on('error', () => {}).destroy();
        await assert.rejects(asking, FetchError);
      });

  test('a protocol switch is reported and not retried', { timeout: ANSWER_MS }, async () => {
    await using hostile = await startHostileServer('a switch of protocols');
    await assert.rejects(fetched(`http://${hostile.host}/x`, { headMs: 60_000 }), (error) => {
      assert.ok(error instanceof FetchError && !error.isTransient, String(error));
      assert.match(error.message, /answered 101, a protocol switch that was not requested/);
      return true;
    });
  });

  test('interim answers without end are cut off before the deadline', { timeout: ANSWER_MS }, async () => {
    await using hostile = await startHostileServer('interim answers without end');
    await assert.rejects(fetched(`http://${hostile.host}/x`, { headMs: 60_000 }), /sent 20 interim answers/);
  });

  test('a few interim answers are usual', async () => {
    await using usual = await startFileServer({
      '/': (answer) => {
        for (let times = 0; times < 19; times++) answer.writeProcessing();
        answer.end('bytes');
      },
    });
    assert.equal(await text((await fetched(`${usual.url}/`)).body), 'bytes');
  });
});
