/** All commands that talk to a service, with answers of any content: a reason instead of a stack, and no forged line. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { main } from '../../src/cli/run-command.ts';
import { temporaryFolder } from '../support/clips.ts';
import { honestFields, type Lies, startLyingService } from '../support/lying-service.ts';

const folder = temporaryFolder();
const source = join(folder, 'source.mp4');
writeFileSync(source, 'source');
const look = ['--preset', 'noir'];

/** The words of each command; `to` is a new folder. */
const COMMANDS: Readonly<Record<string, (to: string) => readonly string[]>> = {
  apply: (to) => ['apply', source, ...look, '-o', join(to, 'out.mp4')],
  'apply with files': (to) => ['apply', source, ...look, '-o', join(to, 'out.mp4'), '--artifacts', to],
  'apply to a folder': (to) => ['apply', source, ...look, '-o', `${to}/`],
  'apply of an address': (to) => ['apply', 'http://127.0.0.1/a.mp4', ...look, '-o', join(to, 'out.mp4')],
  analyze: () => ['analyze', source],
  'analyze --json': () => ['analyze', source, '--json'],
  'analyze --report': (to) => ['analyze', source, '--report', join(to, 'page.html')],
  extract: () => ['extract', source],
  preview: (to) => ['preview', source, ...look, '-o', join(to, 'out.jpg')],
  'preview --json': (to) => ['preview', source, ...look, '-o', join(to, 'out.jpg'), '--json'],
  'preview --draft': (to) => ['preview', source, ...look, '--draft', '-o', join(to, 'out.mp4')],
  watch: () => ['watch', 'job'],
  'watch --json': () => ['watch', 'job', '--json'],
  'queue list': () => ['queue', 'list'],
  'queue list --json': () => ['queue', 'list', '--json'],
  'queue pause': () => ['queue', 'pause'],
  'queue requeue': () => ['queue', 'requeue', 'job'],
  'queue priority': () => ['queue', 'priority', 'job', '90'],
};

async function call(t: TestContext, command: string, lies: Lies) {
  const message = { log: '', error: '' };
  const print = (name: 'log' | 'error') => (line: string) => {
    message[name] += `${line}\n`;
  };
  t.mock.method(console, 'log', print('log'));
  t.mock.method(console, 'error', print('error'));
  // The Style DNA of `extract`; the reporter of the tests writes objects.
  const write = process.stdout.write.bind(process.stdout);
  t.mock.method(process.stdout, 'write', (chunk: unknown, ...rest: never[]) => {
    if (typeof chunk !== 'string' || !chunk.startsWith('{')) return write(chunk as string, ...rest);
    message.log += chunk;
    return true;
  });
  await using server = await startLyingService(lies);
  const words = COMMANDS[command]!(mkdtempSync(join(folder, 'to-')));
  const code = await main([...words, '--server', server.url], { ADMIN_TOKEN: 'token' });
  t.mock.restoreAll();
  return { code, stdout: message.log, stderr: message.error };
}

/** Below any path. */
const everywhere = (fields: object): Lies => ({
  '/import': { ...honestFields(), status: 'ready', ...fields },
  '': { ...honestFields(), ...fields },
});

test('honest answers are accepted by all', async (t) => {
  for (const command of Object.keys(COMMANDS)) {
    const { code, stderr } = await call(t, command, everywhere({}));
    assert.equal(code, 0, `${command}: ${stderr}`);
  }
});

/** `valueOf` and `toString` that are no functions: such an object is no text and no number. */
const NO_VALUE = { toString: 1, valueOf: 1 };
/** Nothing, a wrong type, no number, and objects that throw when they are used as text. */
const USUAL_VALUES: readonly unknown[] = [null, 'text', 1e308, NO_VALUE, [NO_VALUE]];
const ALL_VALUES: readonly unknown[] = [
  null,
  undefined,
  'text',
  '\ud800',
  -1,
  1e308,
  true,
  [],
  {},
  NO_VALUE,
  [null],
  [NO_VALUE],
  [[]],
  { __proto__: null, constructor: NO_VALUE },
];

/** `npm run test:long` tries all. */
const VALUES = process.env['TEST_LONG'] === '1' ? ALL_VALUES : USUAL_VALUES;

const OF_JOB = ['job_id', 'progress_percent', 'current_stage', 'summary', 'artifacts', 'output_video_url'];
/** The fields that each command reads; the others are checked by the same code. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  apply: ['video_id', 'warnings', 'error', ...OF_JOB],
  'apply with files': ['artifacts'],
  'apply to a folder': ['job_id', 'error', 'warnings'],
  'apply of an address': ['video_id', 'status', 'error'],
  analyze: ['style_json', 'video_id', 'progress_percent', 'status', 'error'],
  'analyze --json': ['style_json'],
  preview: ['preview_id', 'picture', 'warnings', 'progress_percent', 'status', 'error'],
  'preview --json': ['picture', 'warnings'],
  watch: ['processing_time_seconds', 'status', 'warnings', 'error', ...OF_JOB],
  'watch --json': ['artifacts'],
  'queue list': ['paused', 'paused_at', 'queued', 'oldest_queued_seconds', 'workers', 'running', 'next'],
  'queue requeue': ['job_id', 'status', 'retry_of', 'queue_position'],
};

describe('a field of any value', () => {
  for (const [command, fields] of Object.entries(FIELDS))
    test(command, async (t) => {
      for (const field of fields) {
        // Another text for a status is one of a later version, and work in it has not ended.
        for (const value of VALUES.filter((one) => field !== 'status' || typeof one !== 'string')) {
          const { code, stderr } = await call(t, command, everywhere({ [field]: value }));
          const what = `${field}: ${JSON.stringify(value)}`;
          assert.ok(code === 0 || code === 3, `${what}: exit code ${code}\n${stderr}`);
          assert.doesNotMatch(stderr, /\n\s+at /, what);
        }
      }
    });
});

const answered =
  (status: number, body: string, type = 'text/html') =>
  (answer: ServerResponse) =>
    void answer.writeHead(status, { 'content-type': type }).end(body);
const deep = '['.repeat(200_000);

describe('a whole answer', () => {
  const rows: readonly (readonly [string, Lies])[] = [
    ['no JSON', { '': answered(200, '<html>\u001b[2J') }],
    ['an error that is no object', { '': answered(422, '{"error":"x"}') }],
    [
      'an error of other types',
      {
        '': answered(
          422,
          JSON.stringify({
            error: {
              code: 'X',
              message: NO_VALUE,
              detail: NO_VALUE,
              fields: [null, NO_VALUE],
              request_id: NO_VALUE,
              retryable: NO_VALUE,
            },
            message: NO_VALUE,
            data: NO_VALUE,
          }),
        ),
      },
    ],
    ['an error of a hundred thousand levels', { '': answered(422, `{"error":${deep}`) }],
    [
      'data of a hundred thousand levels',
      { '': answered(200, `{"data":{"style_json":${deep}${deep.replaceAll('[', ']')}}}`) },
    ],
    [
      'a style of a hundred levels',
      everywhere({
        style_json: { ...honestFields().style_json, x: JSON.parse('['.repeat(100) + ']'.repeat(100)) },
      }),
    ],
    [
      'an id that leads elsewhere',
      everywhere({ job_id: '../../x', video_id: '..', preview_id: '/etc/passwd' }),
    ],
    ['a failed job without a reason', everywhere({ status: 'failed' })],
    ['a failed job with a wrong reason', everywhere({ status: 'failed', error: NO_VALUE })],
    ['a cancelled job', everywhere({ status: 'cancelled' })],
  ];
  for (const [what, lies] of rows)
    test(what, async (t) => {
      for (const command of Object.keys(COMMANDS)) {
        const { code, stderr } = await call(t, command, lies);
        assert.ok(code === 0 || code === 3, `${command}: exit code ${code}\n${stderr}`);
        assert.doesNotMatch(stderr, /\n\s+at /, command);
      }
    });
});

/** Ends a line in all known ways, clears the screen, and turns the order of letters. */
const FORGED =
  'x\u001b[2J\u009b2J\r\nForged: a\u2028Forged: b\u2029Forged: c\u0085Forged: d\u000bForged: e\tForged\u202ef\u2066';
const FORGED_LINE = /^\s*Forged/mu;
const INVISIBLE = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Data with each text forged, but those without which no command gets further. */
function forged(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return /^(status|version|hex|color|[a-z_]+_at)$/.test(name) ? value : `${value}${FORGED}`;
  if (Array.isArray(value)) return value.map((one) => forged(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, forged(one, key)]));
}

describe('texts cannot forge a line or control the terminal', () => {
  const error = {
    code: FORGED,
    message: FORGED,
    detail: FORGED,
    fields: [{ path: FORGED, message: FORGED }],
  };
  const style_json = honestFields().style_json;
  const all = forged(honestFields()) as object;
  const rows: readonly (readonly [string, Lies])[] = [
    ['of every field', { '': all }],
    ['of every field but the style', { '': { ...all, style_json } }],
    ['of a style', everywhere({ style_json: { ...style_json, mood: FORGED, name: FORGED } })],
    ['of an error', { '': answered(422, JSON.stringify({ message: FORGED, error })) }],
    ['of an upload', { '/uploads': answered(415, JSON.stringify({ message: FORGED, error })) }],
    ['of a failed job', everywhere({ status: 'failed', error })],
    ['of a page', { '': answered(403, FORGED) }],
    [
      'of events',
      { '/events': answered(200, `data: ${FORGED}\n\n`, 'text/event-stream'), '': honestFields() },
    ],
  ];
  for (const [what, lies] of rows)
    test(what, async (t) => {
      for (const command of Object.keys(COMMANDS)) {
        const { stdout, stderr } = await call(t, command, lies);
        for (const text of [stdout, stderr]) {
          assert.doesNotMatch(text, FORGED_LINE, command);
          assert.doesNotMatch(text, INVISIBLE, command);
        }
      }
    });

  test('JSON is equal when it is parsed', async (t) => {
    const data = { ...honestFields(), output_video_url: FORGED };
    const { stdout } = await call(t, 'watch --json', { '': data });
    assert.equal(JSON.parse(stdout).output_video_url, FORGED);
  });
});
