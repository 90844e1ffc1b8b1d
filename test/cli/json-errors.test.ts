/** Errors with `--json`: one object on standard output, with a code, a message and the place at fault. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { failureReport } from '../../src/cli/failure-report.ts';
import { main } from '../../src/cli/run-command.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
before(async () => {
  await makeClip(folder, { name: 'clip', durationSeconds: 1 });
  for (const name of [
    'there.mp4',
    'there.html',
    'there.jpg',
    'there.cube',
    'text.mp4',
    'text.srt',
    'text.json',
  ])
    writeFileSync(path(name), 'no media');
  mkdirSync(path('folder'));
});

async function call(t: TestContext, words: readonly string[], environment = {}) {
  const message = { log: '', error: '' };
  for (const name of ['log', 'error'] as const)
    t.mock.method(console, name, (line: string) => {
      message[name] += `${line}\n`;
    });
  const code = await main(words, environment);
  t.mock.restoreAll();
  return { code, stdout: message.log, stderr: message.error };
}

const [clip, none, text] = ['clip.mp4', 'none.mp4', 'text.mp4'].map(path) as [string, string, string];
const apply = ['apply', clip, '--preset', 'noir', '-o', path('out.mp4')];
const edit = ['edit', clip, '--preset', 'noir'];

interface Row {
  readonly words: readonly string[];
  readonly exit: number;
  readonly code: string;
  readonly field: string | null;
  readonly says: RegExp;
}

const USAGE: readonly Row[] = [
  { words: ['aply'], exit: 2, code: 'USAGE_ERROR', field: null, says: /no command "aply".*apply/ },
  {
    words: ['edit', clip, '--music-start', '-1'],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--music-start',
    says: /^Option '--music-start' argument is ambiguous\. Did/,
  },
  {
    words: ['edit', clip, '-o'],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--output',
    says: /'-o' argument is ambiguous/,
  },
  { words: ['extract', clip], exit: 2, code: 'USAGE_ERROR', field: '--json', says: /no option --json/ },
  {
    words: ['serve', '--port', 'x'],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--json',
    says: /no option --json/,
  },
  { words: ['analyze'], exit: 2, code: 'USAGE_ERROR', field: 'CLIP', says: /takes CLIP/ },
  { words: ['match', clip], exit: 2, code: 'USAGE_ERROR', field: 'SECOND', says: /FIRST and SECOND/ },
  {
    words: ['analyze', clip, '--bogus'],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--bogus',
    says: /no option --bogus/,
  },
  { words: [...apply.slice(0, -2)], exit: 2, code: 'USAGE_ERROR', field: '--output', says: /-o OUT\.mp4/ },
  {
    words: ['apply', clip, '-o', path('out.mp4')],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--template',
    says: /one of/,
  },
  { words: [...apply, '--server', 'x'], exit: 2, code: 'USAGE_ERROR', field: '--server', says: /http/ },
  {
    words: [...apply, '--preset', 'noirr'],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--preset',
    says: /no preset "noirr"/,
  },
  {
    words: [...edit, '--music-start', '4'],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--music-start',
    says: /needs a song/,
  },
  { words: [...edit, '--pin', 'x'], exit: 2, code: 'USAGE_ERROR', field: '--pin', says: /SLOT=FILE/ },
  { words: ['queue', 'list'], exit: 2, code: 'USAGE_ERROR', field: null, says: /ADMIN_TOKEN is not set/ },
  {
    words: ['compare', path('text.json'), clip],
    exit: 2,
    code: 'USAGE_ERROR',
    field: 'FIRST',
    says: /not valid JSON/,
  },
];

const FILES: readonly Row[] = [
  ...['analyze', 'match', 'compare'].map((name) => ({
    ...{ words: [name, none, clip].slice(0, name === 'analyze' ? 2 : 3), exit: 3, code: 'FILE_NOT_FOUND' },
    ...{ field: name === 'analyze' ? 'CLIP' : 'FIRST', says: /There is no file/ },
  })),
  { words: ['match', clip, none], exit: 3, code: 'FILE_NOT_FOUND', field: 'SECOND', says: /no file/ },
  {
    words: ['apply', none, ...apply.slice(2)],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: 'SOURCE',
    says: /no file/,
  },
  {
    words: ['apply', clip, '-t', none, '-o', path('out.mp4')],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: '--template',
    says: /no file/,
  },
  {
    words: ['apply', clip, '--style', none, '-o', path('out.mp4')],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: '--style',
    says: /no file/,
  },
  {
    words: ['grade', clip, '--cube', none],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: '--cube',
    says: /no file/,
  },
  {
    words: ['edit', none, '--preset', 'noir'],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: 'TAKE',
    says: /no file/,
  },
  { words: [...edit, '--music', none], exit: 3, code: 'FILE_NOT_FOUND', field: '--music', says: /no file/ },
  {
    words: ['preview', none, '--preset', 'noir', '-o', path('out.jpg')],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: 'SOURCE',
    says: /no file/,
  },
  {
    words: [...apply.slice(0, -1), path('there.mp4')],
    exit: 3,
    code: 'OUTPUT_EXISTS',
    field: '--output',
    says: /exists already/,
  },
  {
    words: [...apply, '--comparison', path('there.mp4')],
    exit: 3,
    code: 'OUTPUT_EXISTS',
    field: '--comparison',
    says: /exists already/,
  },
  {
    words: ['analyze', clip, '-r', path('there.html')],
    exit: 3,
    code: 'OUTPUT_EXISTS',
    field: '--report',
    says: /exists already/,
  },
  {
    words: [...edit, '--storyboard', path('there.jpg')],
    exit: 3,
    code: 'OUTPUT_EXISTS',
    field: '--storyboard',
    says: /exists already/,
  },
  {
    words: ['grade', clip, '--preset', 'noir', '-o', path('there.cube')],
    exit: 3,
    code: 'OUTPUT_EXISTS',
    field: '--output',
    says: /exists/,
  },
  {
    words: ['preview', clip, '--preset', 'noir', '-o', path('there.jpg')],
    exit: 3,
    code: 'OUTPUT_EXISTS',
    field: '--output',
    says: /exists/,
  },
  {
    words: ['analyze', path('folder')],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: 'CLIP',
    says: /is a folder/,
  },
  {
    words: [...apply.slice(0, -1), path('folder')],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--output',
    says: /is a folder/,
  },
  {
    words: [...apply.slice(0, -1), path('no/out.mp4')],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--output',
    says: /no folder/,
  },
  {
    words: ['watch', 'job', '--server', 'http://127.0.0.1:1'],
    exit: 3,
    code: 'CONNECTION_FAILED',
    field: null,
    says: /^No connection/,
  },
  {
    words: ['import', path('none')],
    exit: 3,
    code: 'FILE_NOT_FOUND',
    field: 'FOLDER',
    says: /no folder/,
  },
];

const FORMATS: readonly Row[] = [
  {
    words: ['analyze', text],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: 'CLIP',
    says: /can be read\. A clip to measure is a video \(MP4.*sound file \(MP3/,
  },
  {
    words: ['apply', text, ...apply.slice(2)],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: 'SOURCE',
    says: /A source is a video \(MP4[^()]*\)( \(INPUT_UNSUPPORTED\)\n)?$/,
  },
  {
    words: ['apply', clip, '-t', text, '-o', path('out.mp4')],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: '--template',
    says: /A template is a video .*an image .*or a song/,
  },
  {
    words: ['edit', text, '--preset', 'noir'],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: 'TAKE',
    says: /A take is a video .* or a photo \(JPEG/,
  },
  {
    words: [...edit, '--music', text],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: '--music',
    says: /A song is a sound file \(MP3.*or a video with sound/,
  },
  {
    words: [...apply, '--captions', path('text.srt')],
    exit: 3,
    code: 'INVALID_CAPTIONS',
    field: '--captions',
    says: /Captions are SubRip \(\.srt\) or WebVTT/,
  },
  {
    words: ['grade', clip, '--cube', text],
    exit: 3,
    code: 'INPUT_UNSUPPORTED',
    field: '--cube',
    says: /A LUT is a \.cube file/,
  },
  {
    words: ['grade', clip, '--style', path('text.json')],
    exit: 2,
    code: 'USAGE_ERROR',
    field: '--style',
    says: /A style is a Style DNA in JSON/,
  },
];

for (const [what, rows] of Object.entries({
  'wrong calls': USAGE,
  files: FILES,
  'formats of the place': FORMATS,
}))
  describe(what, () => {
    for (const { words, exit, code, field, says } of rows)
      test(`${words.map((word) => word.replace(`${folder}/`, '')).join(' ')}: ${code}`, async (t) => {
        const { code: exitCode, stdout, stderr } = await call(t, [...words, '--json']);
        const reported = JSON.parse(stdout) as {
          error: { code: string; message: string; field: string | null };
        };
        assert.deepEqual(Object.keys(reported), ['error']);
        assert.deepEqual([reported.error.code, reported.error.field], [code, field], stdout);
        assert.match(reported.error.message, says);
        assert.equal(exitCode, exit);
        assert.match(stderr, says, 'a person reads it too');
      });
  });

test('every command with --json has an error of its own here or talks to a database', async () => {
  const tested = new Set([...USAGE, ...FILES].map(({ words }) => words[0]));
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    if (!('json' in (await load()).options)) continue;
    assert.ok(tested.has(name) || ['presets', 'export', 'import'].includes(name), name);
  }
});

test('a host that cannot be resolved is named', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
    const error = Object.assign(new Error(), { code, syscall: 'getaddrinfo', hostname: 'no.invalid' });
    const { error: reported, exitCode } = failureReport({ name: 'serve', usage: '', given: null }, error);
    assert.equal(exitCode, 3);
    assert.match(reported.message, /^no\.invalid: .*\(E\w+, getaddrinfo\)$/);
  }
});

test('an import of nothing makes no installation', async (t) => {
  for (const [words, code] of [
    [['import', path('none'), '--json'], 'FILE_NOT_FOUND'],
    [['import', path('folder'), '--json'], 'VALIDATION_ERROR'],
  ] as const) {
    const DATA_DIR = path('installation');
    const { stdout } = await call(t, words, { DATA_DIR });
    assert.equal(JSON.parse(stdout).error.code, code);
    assert.ok(!existsSync(DATA_DIR));
  }
});

test('without --json, and with it after --, standard output is empty', async (t) => {
  for (const words of [
    ['analyze', none],
    ['analyze', none, '--', '--json'],
    ['extract', none],
  ])
    assert.equal((await call(t, words)).stdout, '', words.join(' '));
});
