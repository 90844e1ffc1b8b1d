/** Commands and tools of agents with a hostile service: nothing is written outside the requested folder. */
import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { main } from '../../src/cli/run-command.ts';
import { StyleDnaClient } from '../../src/client/client.ts';
import { fetchFiles } from '../../src/mcp/fetch-files.ts';
import { temporaryFolder } from '../support/clips.ts';
import {
  artifact,
  endlessly,
  type Lies,
  type LyingService,
  startLyingService,
} from '../support/lying-service.ts';

const folder = temporaryFolder();
const { signal } = new AbortController();

/** A new place for each attack: `outside` is all that must not change. */
function place() {
  const outside = mkdtempSync(join(folder, 'place-'));
  const [inside, source] = [join(outside, 'inside'), join(outside, 'source.mp4')];
  mkdirSync(inside);
  writeFileSync(source, 'source');
  return { outside, inside, source };
}

async function apply(t: TestContext, server: LyingService, words: readonly string[]) {
  let stderr = '';
  t.mock.method(console, 'log', () => {});
  t.mock.method(console, 'error', (line: string) => {
    stderr += `${line}\n`;
  });
  const code = await main(['apply', ...words, '--preset', 'noir', '--server', server.url], {});
  t.mock.restoreAll();
  return { code, stderr };
}

const fetching = (server: LyingService, to: string, names: readonly string[]) =>
  fetchFiles(new StyleDnaClient({ baseUrl: server.url, retries: 0 }), 'job', to, names, signal);

describe('names of files', () => {
  for (const name of [
    '../escaped',
    '../../escaped',
    'a/../../escaped',
    'a/b',
    '/tmp/styledna-escaped',
    '..\\escaped',
    'a\\b',
    'C:\\escaped',
    'C:escaped',
    '\\\\host\\share\\x',
    'grade.cube\0.txt',
    'a\nb',
    '\u001b[2Jx',
    '.',
    '..',
    '',
    '.bashrc',
    '-rf',
    'x ',
    'x.',
    'CON',
    'nul.txt',
    'com1.cube',
    'grade.cube:stream',
    '\u202egpj.exe',
    'x'.repeat(300),
  ]) {
    test(`${JSON.stringify(name.slice(0, 40))} is not written`, async (t) => {
      const { outside, inside, source } = place();
      const artifacts = [artifact('grade.cube'), artifact(name)];
      await using server = await startLyingService({ '/result': { artifacts }, '/events': { artifacts } });
      const output = join(inside, 'out.mp4');
      const { code, stderr } = await apply(t, server, [source, '-o', output, '--artifacts', inside]);
      assert.equal(code, 3, stderr);
      assert.match(stderr, /a file name that is not safe to write: .*names such as grade\.cube/);
      assert.match(stderr, /UNEXPECTED_ANSWER/);
      await assert.rejects(fetching(server, inside, [name]), /not safe to write/);
      assert.deepEqual(readdirSync(outside).sort(), ['inside', 'source.mp4']);
      assert.deepEqual(readdirSync(inside), []);
    });
  }

  test('plain ones are written, and links in their place are replaced, not followed', async (t) => {
    const { outside, inside, source } = place();
    const artifacts = [artifact('grade.cube'), artifact('style-2_b.json')];
    await using server = await startLyingService({ '/result': { artifacts }, '/events': { artifacts } });
    for (const name of ['grade.cube', 'grade.cube.part', 'out.mp4', 'out.mp4.part'])
      symlinkSync(join(outside, 'target'), join(inside, name));
    writeFileSync(join(outside, 'target'), 'mine');
    const output = join(outside, 'made.mp4');
    const words = [source, '-o', output, '--artifacts', inside, '--overwrite'];
    const { code, stderr } = await apply(t, server, words);
    assert.equal(code, 0, stderr);
    await fetching(server, inside, ['output.mp4', 'grade.cube']);
    assert.equal(readFileSync(join(outside, 'target'), 'utf8'), 'mine');
    for (const name of ['grade.cube', 'style-2_b.json', 'output.mp4']) {
      assert.ok(lstatSync(join(inside, name)).isFile(), name);
      assert.equal(readFileSync(join(inside, name), 'utf8'), 'bytes');
    }
  });

  test('no artifact replaces a file that the command reads', async (t) => {
    const { outside, source } = place();
    const artifacts = [artifact('source.mp4')];
    await using server = await startLyingService({ '/result': { artifacts }, '/events': { artifacts } });
    const words = [source, '-o', join(outside, 'made.mp4'), '--artifacts', outside];
    const { code, stderr } = await apply(t, server, words);
    assert.equal(code, 3);
    assert.match(stderr, /source\.mp4 is an input; choose another output/);
    assert.equal(readFileSync(source, 'utf8'), 'source');
  });
});

const EVENTS = { 'content-type': 'text/event-stream' };

describe('invalid answers are refused with a reason', () => {
  const CUBE = { artifacts: [artifact('grade.cube')] };
  const CASES: readonly (readonly [string, Lies, RegExp])[] = [
    ['more bytes than announced', { 'grade.cube': endlessly() }, /longer than the announced 5 bytes/],
    [
      'fewer bytes than announced',
      { 'grade.cube': (answer) => answer.writeHead(200).end('byt') },
      /has 3 of the announced 5 bytes/,
    ],
    [
      'a size that no disk has',
      { '/result': { artifacts: [artifact('grade.cube', 2 ** 52)] } },
      /announced with 4503599627370496 bytes, and the disk has \d+ left/,
    ],
    [
      'an output that no disk has',
      { '/output': endlessly({ 'content-length': String(2 ** 52) }) },
      /the disk has \d+ left/,
    ],
    [
      'an output that breaks off',
      {
        '/output': (answer) => {
          answer.writeHead(200, { 'content-length': 10 }).write('1');
          setTimeout(() => answer.destroy(), 50);
        },
      },
      /out\.mp4 was not received: the connection broke/,
    ],
    ['JSON without end', { '/result': endlessly() }, /longer than 67108864 bytes/],
    ['no JSON', { '/result': (answer) => answer.writeHead(200).end('<html>') }, /no data in JSON/],
    ['no data', { '/result': (answer) => answer.writeHead(200).end('{"data":null}') }, /no data in JSON/],
    ['JSON null', { '/result': (answer) => answer.writeHead(200).end('null') }, /no data in JSON/],
    ['half of JSON', { '/jobs': (answer) => answer.writeHead(201).end('{"data":{') }, /no data in JSON/],
    ['no list of files', { '/result': { artifacts: 'x' } }, /artifacts: .*expected array/],
    ['files without names', { '/result': { artifacts: [{}] } }, /artifacts\.0\.name/],
    ['a negative size', { '/result': { artifacts: [artifact('a.cube', -1)] } }, /artifacts\.0\.size_bytes/],
    [
      'more values than any answer has',
      { '/result': (answer) => answer.writeHead(200).end(`{"data":[${'0,'.repeat(2_000_000)}0]}`) },
      /no data in JSON/,
    ],
    [
      'a tower of lists',
      { '/result': (answer) => answer.writeHead(200).end('['.repeat(1 << 25)) },
      /no data in JSON/,
    ],
    ['a million warnings that are none', { '/result': { warnings: Array(1_000_000).fill(0) } }, /warnings: /],
    ['warnings of another kind', { '/result': { warnings: [null] } }, /warnings\.0/],
    [
      'events that are no JSON',
      { '/events': (answer) => answer.writeHead(200, EVENTS).end('data: {{{\n\n') },
      /an event is no JSON object/,
    ],
    [
      'a page instead of events',
      { '/events': (answer) => answer.writeHead(200).end('<html>') },
      /of the type "none"/,
    ],
    ['an event without end', { '/events': endlessly(EVENTS) }, /an event is longer than 8388608 characters/],
    [
      'an upload that never ends',
      {
        [`uploads/019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11`]: (answer) =>
          answer.writeHead(204, { 'upload-offset': '0' }).end(),
      },
      /of the bytes 0 to 6 it received all up to "0"/,
    ],
    [
      'an upload offset that is none',
      {
        [`uploads/019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11`]: (answer) =>
          answer.writeHead(204, { 'upload-offset': 'x' }).end(),
      },
      /of the bytes 0 to 6/,
    ],
  ];
  for (const [what, lies, why] of CASES) {
    test(what, async (t) => {
      const { outside, inside, source } = place();
      await using server = await startLyingService({
        ...lies,
        ...('/result' in lies ? {} : { '/result': CUBE }),
        ...('/events' in lies ? {} : { '/events': CUBE }),
      });
      const words = [source, '-o', join(outside, 'out.mp4'), '--artifacts', inside];
      const { code, stderr } = await apply(t, server, words);
      assert.equal(code, 3, stderr);
      assert.match(stderr, why);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
      assert.deepEqual(readdirSync(inside), []);
    });
  }

  test('requests follow no redirect, files those to another address without their headers', async (t) => {
    const { outside, inside, source } = place();
    const seen: (string | undefined)[] = [];
    await using elsewhere = await startLyingService({
      '/stolen': (answer, request) => {
        seen.push(request.headers.authorization, request.headers['x-key'] as string | undefined);
        answer.writeHead(200, { 'content-length': 5 }).end('there');
      },
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const to = (answer: { writeHead: (status: number, headers: object) => { end(): void } }) =>
        answer.writeHead(status, { location: `${elsewhere.url}/api/v1/jobs` }).end();
      await using server = await startLyingService({ '/jobs': to as never });
      const { code, stderr } = await apply(t, server, [source, '-o', join(outside, 'out.mp4')]);
      assert.equal(code, 3);
      assert.match(stderr, /it redirects to "http:\/\/127\.0\.0\.1:\d+\/api\/v1\/jobs"; give the address/);
    }
    assert.deepEqual(elsewhere.requests, []);
    await using server = await startLyingService({
      '/output': (answer) => answer.writeHead(302, { location: `${elsewhere.url}/stolen` }).end(),
      '/style.json': (answer) => answer.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      '/loop': (answer) => answer.writeHead(302, { location: 'loop' }).end(),
      '/result': { artifacts: [artifact('style.json'), artifact('loop')] },
    });
    const headers = { authorization: 'Bearer token', 'x-key': 'key' };
    const client = new StyleDnaClient({ baseUrl: server.url, headers, retries: 0 });
    await fetchFiles(client, 'job', inside, ['output.mp4'], signal);
    assert.equal(readFileSync(join(inside, 'output.mp4'), 'utf8'), 'there');
    assert.deepEqual(seen, [undefined, undefined]);
    for (const name of ['style.json', 'loop'])
      await assert.rejects(fetchFiles(client, 'job', inside, [name], signal), /it redirects to/);
  });

  test('escape sequences do not reach the terminal', async (t) => {
    const { outside, source } = place();
    const error = { code: 'X', message: '\u001b]0;owned\u0007', detail: '\u009b2J', retryable: false };
    await using server = await startLyingService({
      '/jobs': (answer) => answer.writeHead(422).end(JSON.stringify({ message: error.message, error })),
    });
    const { stderr } = await apply(t, server, [source, '-o', join(outside, 'out.mp4')]);
    assert.doesNotMatch(stderr, /[^\P{Cc}\n\t]/u);
    assert.match(stderr, /owned/);
  });
});
