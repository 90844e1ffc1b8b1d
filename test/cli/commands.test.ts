/** The command line as a process: exit code, output and files. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { seedCluster } from '../support/cluster.ts';
import { command } from '../support/command.ts';
import { assertGone, childrenOf, waitFor } from '../support/processes.ts';
import { PROGRAM } from '../support/program.ts';
import { ProgramRuns } from '../support/program-runs.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder();
const program = new ProgramRuns(folder);
const { temporary } = program;
const pipe = join(folder, 'pipe.html');
let clip: string;
let silent: string;
let style: string;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
  silent = await makeClip(folder, { name: 'silent', durationSeconds: 1, silent: true });
  spawnSync('mkfifo', [pipe]);
  style = join(folder, 'style.json');
});

const CTRL_C = '\x03';

const begin = (...words: Parameters<ProgramRuns['begin']>) => program.begin(...words);
const run = (...words: string[]) => program.begin(words).ended;
const assertNothingLeft = () => program.assertNothingLeft();

describe('help', () => {
  test('of the program', async () => {
    const { code, stdout } = await run('--help');
    assert.equal(code, 0);
    for (const name of Object.keys(COMMANDS)) assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'));
  });

  for (const [name, { load }] of Object.entries(COMMANDS)) {
    test(`of ${name}`, async (t) => {
      const { usage, options } = await load();
      const { code, stdout } = await command(t, name, '--help');
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(`Usage: styledna ${name} ${usage}`));
      assert.match(stdout, /Example/);
      const listed = [...stdout.matchAll(/^ {2}(?:-., | {4})--([a-z-]+)/gm)].map(([, option]) => option!);
      assert.deepEqual(
        listed.filter((option) => !(option in options) && option !== 'help'),
        [],
      );
      for (const option of Object.keys(options)) assert.ok(stdout.includes(`--${option}`), option);
    });
  }
});

interface Refusal {
  readonly what: string;
  /** CLIP and STYLE are valid files, BAD an invalid style, OUT an output file. */
  readonly words: readonly string[];
  readonly code: number;
  readonly says: RegExp;
}

const SOURCE_AND_OUT = ['apply', 'CLIP', '-o', 'OUT'];
const REFUSALS: readonly Refusal[] = [
  { what: 'no command', words: [], code: 2, says: /^$/ },
  { what: 'an unknown command', words: ['bogus'], code: 2, says: /no command "bogus"/ },
  { what: 'a name that objects inherit', words: ['toString'], code: 2, says: /no command "toString"/ },
  { what: 'no argument', words: ['analyze'], code: 2, says: /takes CLIP; it got 0/ },
  { what: 'an unknown option', words: ['analyze', 'CLIP', '--bogus'], code: 2, says: /--bogus/ },
  {
    what: 'a part that is no part',
    words: ['analyze', 'CLIP', '--range', '3'],
    code: 2,
    says: /--range must be A-B in seconds/,
  },
  {
    what: 'a part past the end',
    words: ['extract', 'CLIP', '--range', '0.5-9'],
    code: 3,
    says: /clip\.mp4": the part \[0\.5, 9\] reaches past the end of the video, which runs for 1\.00 s/,
  },
  { what: 'a missing file', words: ['analyze', 'none.mp4'], code: 3, says: /There is no file "none.mp4"/ },
  { what: 'a folder', words: ['extract', '.'], code: 3, says: /"\." is a folder; give the files in it/ },
  {
    what: 'a part of several templates',
    words: ['extract', 'CLIP', PROGRAM, '--range', '0-0.5'],
    code: 2,
    says: /--range is the part of one template; there are 2/,
  },
  {
    what: 'one template twice',
    words: ['extract', 'CLIP', 'CLIP'],
    code: 3,
    says: /clip\.mp4" is named twice/,
  },
  {
    what: 'eleven templates',
    words: ['extract', ...Array.from({ length: 11 }, () => 'CLIP')],
    code: 3,
    says: /made of 1 to 10 templates; these are 11/,
  },
  {
    what: 'a template that cannot be read among others',
    words: ['extract', 'CLIP', PROGRAM],
    code: 3,
    says: /styledna\.mjs": The file is not a video container/,
  },
  { what: 'a device', words: ['extract', '/dev/null'], code: 3, says: /"\/dev\/null" is not a file/ },
  {
    what: 'no video',
    words: ['analyze', PROGRAM],
    code: 3,
    says: /styledna\.mjs": The file is not a video container/,
  },
  { what: 'no output', words: ['apply', 'CLIP', '--style', 'STYLE'], code: 2, says: /-o OUT\.mp4/ },
  { what: 'neither look', words: SOURCE_AND_OUT, code: 2, says: /one of --template/ },
  {
    what: 'both looks',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--style', 'STYLE'],
    code: 2,
    says: /one of --template/,
  },
  {
    what: 'an unknown preset',
    words: [...SOURCE_AND_OUT, '--preset', 'sepia'],
    code: 2,
    says: /--preset: there is no preset "sepia"; there are golden-hour,/,
  },
  {
    what: 'a preset that is misspelt',
    words: [...SOURCE_AND_OUT, '--preset', 'nior'],
    code: 2,
    says: /did you mean noir\?/,
  },
  { what: 'a misspelt command', words: ['aplly'], code: 2, says: /no command "aplly"; did you mean apply\?/ },
  {
    what: 'a misspelt option',
    words: [...SOURCE_AND_OUT, '--strenght', '1'],
    code: 2,
    says: /apply has no option --strenght; did you mean --strength\?/,
  },
  {
    what: 'a bad seed',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--seed', '1.5'],
    code: 2,
    says: /--seed must be a whole number from 0 to 4294967295; got 1\.5/,
  },
  {
    what: 'several sources and no folder',
    words: ['apply', 'CLIP', 'SILENT', '--preset', 'noir', '-o', 'OUT'],
    code: 2,
    says: /Several sources need an output folder/,
  },
  {
    what: 'two sources of one name',
    words: ['apply', 'CLIP', 'CLIP', '--preset', 'noir', '-o', './'],
    code: 2,
    says: /would both be written to/,
  },
  {
    what: 'a server that is no address',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--server', 'localhost:8080'],
    code: 2,
    says: /--server must be an http or https address, .* got localhost:8080/,
  },
  {
    what: 'a server that nobody runs',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--server', 'http://127.0.0.1:9'],
    code: 3,
    says: /CONNECTION_FAILED/,
  },
  {
    what: 'a bad quality',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '-q', '4k'],
    code: 2,
    says: /--quality must be one of low, medium, high, ultra; got 4k/,
  },
  {
    what: 'a bad strength',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '-s', '60%'],
    code: 2,
    says: /--strength must be 0 to 1; got 60%/,
  },
  {
    what: 'a bad strength of a component',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '-s', '0.8,color=1.01'],
    code: 2,
    says: /--strength must be 0 to 1; got color=1.01/,
  },
  {
    what: 'a strength of a component without one',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '-s', 'subtitles=1'],
    code: 2,
    says: /"subtitles" has no strength of its own; color, audio, pacing, transitions, motion, talk have one/,
  },
  {
    what: 'an unknown component',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--without', 'colour'],
    code: 2,
    says: /--without: there is no component "colour"; there are color,.*; did you mean color\?/,
  },
  { what: 'no such style', words: [...SOURCE_AND_OUT, '--style', 'none'], code: 3, says: /There is no file/ },
  { what: 'a style that is no JSON', words: [...SOURCE_AND_OUT, '--style', 'CLIP'], code: 2, says: /JSON/ },
  {
    what: 'an invalid style',
    words: [...SOURCE_AND_OUT, '--style', 'BAD'],
    code: 2,
    says: /aspect_ratio/,
  },
  {
    what: 'a folder as output',
    words: ['apply', 'CLIP', '-t', 'CLIP', '-o', '.'],
    code: 2,
    says: /is a folder; name a file in it, such as out\.mp4/,
  },
  {
    what: 'a folder as report',
    words: ['analyze', 'CLIP', '--report', '.'],
    code: 2,
    says: /is a folder; name a file in it, such as out\.html/,
  },
  {
    what: 'a report that is named as a video',
    words: ['analyze', 'CLIP', '-r', 'CLIP'],
    code: 2,
    says: /written as HTML, so it must end in \.html or \.htm, as .*clip\.html does/,
  },
  {
    what: 'a style that is named as a video',
    words: ['extract', 'CLIP', '-o', 'CLIP'],
    code: 2,
    says: /written as JSON, so it must end in \.json, as .*clip\.json does/,
  },
  ...['x.mov', 'x.mkv', 'x.webm', 'x', 'x.mp4.part'].map((name) => ({
    what: `an output that is named ${name}`,
    words: ['apply', 'CLIP', '-t', 'CLIP', '-o', name],
    code: 2,
    says: /written as MP4, so it must end in \.mp4 or \.m4v, as x(\.mp4)?\.mp4 does/,
  })),
  {
    what: 'an unknown encoder',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--encoder', 'nvec'],
    code: 2,
    says: /--encoder must be one of software, auto, nvenc, qsv, vaapi, videotoolbox; got nvec.*nvenc/,
  },
  {
    what: 'an encoder for a service',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--encoder', 'auto', '--server', 'http://127.0.0.1:9'],
    code: 2,
    says: /--encoder is for work on this machine; a service has its own setting, ENCODER/,
  },
  {
    what: 'a comparison that is named as another format',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--comparison', 'side.mov'],
    code: 2,
    says: /side\.mov has the wrong name: .* as side\.mp4 does/,
  },
  {
    what: 'a preview without a name',
    words: ['preview', 'CLIP', '-t', 'CLIP'],
    code: 2,
    says: /Name the file for the picture: -o OUT\.png/,
  },
  {
    what: 'a preview that is named as another format',
    words: ['preview', 'CLIP', '-t', 'CLIP', '-o', 'look.gif'],
    code: 2,
    says: /look\.gif has the wrong name: .* as look\.png does/,
  },
  ...['1;2', '1,,2', '-1', '1e9', 'x'].map((list) => ({
    what: `moments that are "${list}"`,
    words: ['preview', 'CLIP', '--preset', 'noir', `--at=${list}`, '-o', 'x.png'],
    code: 2,
    says: /--at takes seconds apart by commas/,
  })),
  {
    what: 'a moment past the end',
    words: ['preview', 'CLIP', '--preset', 'noir', '--at', '0.5,1.5', '-o', 'x.png'],
    code: 3,
    says: /at_seconds\.1: 1\.5 s is not in the video, which runs for 1\.00 s/,
  },
  {
    what: 'a LUT that is named as another format',
    words: ['grade', 'CLIP', '-t', 'CLIP', '-o', 'look.3dl'],
    code: 2,
    says: /look\.3dl has the wrong name: .* as look\.cube does/,
  },
  {
    what: 'a LUT of no strength',
    words: ['grade', 'CLIP', '-t', 'CLIP', '-s', '0'],
    code: 2,
    says: /At --strength 0 colors stay as they are/,
  },
  {
    what: 'a LUT of a style without colors',
    words: ['grade', 'CLIP', '-t', 'CLIP', '--without', 'color'],
    code: 3,
    says: /leaves the colors as they are: there is no LUT/,
  },
  {
    what: 'a file as the folder of artifacts',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--artifacts', 'CLIP'],
    code: 2,
    says: /clip\.mp4 is a file, not a folder/,
  },
  {
    what: 'artifacts in a folder that is not there',
    words: [...SOURCE_AND_OUT, '-t', 'CLIP', '--artifacts', 'none/here'],
    code: 2,
    says: /There is no folder none; make it/,
  },
  {
    what: 'an output in a folder that is not there',
    words: ['apply', 'CLIP', '-t', 'CLIP', '-o', 'none/x.mp4'],
    code: 2,
    says: /There is no folder none; make it \(mkdir -p none\)/,
  },
  {
    what: 'an output where no files can be made',
    words: ['extract', 'CLIP', '-o', '/proc/style.json'],
    code: 3,
    says: /^\/proc.*\((ENOENT|EACCES|EPERM)/,
  },
  {
    what: 'an output that is no ordinary file',
    words: ['analyze', 'CLIP', '-r', 'PIPE'],
    code: 2,
    says: /pipe\.html is not a regular file/,
  },
  {
    what: 'an output of the demonstration that is named as another format',
    words: ['demo', '-o', 'x.avi'],
    code: 2,
    says: /written as MP4/,
  },
  {
    what: 'a comparison with a file without sound',
    words: ['match', 'CLIP', 'SILENT'],
    code: 3,
    says: /silent\.mp4" has no sound to compare/,
  },
  {
    what: 'an output over the template',
    words: ['apply', 'none.mp4', '-t', 'CLIP', '-o', 'CLIP'],
    code: 3,
    says: /clip\.mp4 is an input; choose another/,
  },
  {
    what: 'an output below a file',
    words: ['extract', 'CLIP', '-o', 'CLIP/x.json'],
    code: 2,
    says: /clip\.mp4 is a file, not a folder/,
  },
];

describe('a clear refusal, without a stack:', () => {
  for (const { what, words, code, says } of REFUSALS) {
    test(what, async (t) => {
      const bad = join(folder, 'bad.json');
      const out = join(folder, 'out.mp4');
      writeFileSync(bad, '{"version": "1.0.0"}');
      const files: Readonly<Record<string, string>> = {
        CLIP: clip,
        SILENT: silent,
        STYLE: style,
        BAD: bad,
        OUT: out,
        PIPE: pipe,
      };
      const real = words.map((word) => word.replace(/^[A-Z]+/, (name) => files[name] ?? name));
      const answer = await command(t, ...real);
      assert.equal(answer.code, code, answer.stderr);
      assert.match(answer.stderr, says);
      assert.doesNotMatch(answer.stderr, /\n {4}at /);
      assert.ok(!existsSync(out));
      assertNothingLeft();
    });
  }
});

describe('the work', { concurrency: 1 }, () => {
  test('analyze --json on a clip', async () => {
    const { code, stdout, stderr } = await run('analyze', clip, '--json');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '', 'no progress where nobody watches');
    const report = JSON.parse(stdout);
    assert.equal(report.kind, 'clip');
    assert.ok(styleSchema.safeParse(report.style).success);
    assert.equal(report.duration_seconds, 1);
    assert.equal(report.frame_count, 25);
    for (const name of ['cuts', 'transitions', 'beats', 'captions', 'camera']) {
      assert.ok(Array.isArray(report[name]), name);
    }
    assert.equal(report.use_subtitles, false);
    assert.equal(typeof report.zoom_usage, 'number');
    assertNothingLeft();
  });

  test('apply reads the output of extract, and writes one file and a summary', async () => {
    const extracted = await run('extract', clip, '-o', style);
    assert.equal(extracted.code, 0, extracted.stderr);
    assert.ok(styleSchema.safeParse(JSON.parse(readFileSync(style, 'utf8'))).success);
    const output = join(folder, 'styled.mp4');
    const { code, stdout, stderr } = await run(
      'apply',
      clip,
      '--style',
      style,
      '-o',
      output,
      '-q',
      'low',
      '-s',
      '1',
    );
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `${output}\n`);
    assert.equal(readFileSync(output).toString('latin1', 4, 8), 'ftyp');
    assert.ok(!existsSync(`${output}.part`));
    // It ends with a summary.
    assert.match(stderr, /^Done in \d+ s: .*at strength/m);
    assert.match(stderr, /^ {2}Picture {6}\d+×\d+, [\d.]+ frames\/s, 1\.0 s \(from /m);
    assert.match(stderr, /^ {2}Loudness {5}/m);
    assert.match(stderr, /^ {2}Files {8}.*styled\.mp4 \(\d/m);
    assertNothingLeft();
  });

  test('Ctrl-C during apply leaves nothing behind', async () => {
    const output = join(folder, 'interrupted.mp4');
    const { child, ended } = begin(['apply', clip, '--template', clip, '-o', output]);
    const [worker] = await waitFor('a media child', () => {
      const children = childrenOf(child.pid!);
      return children.length > 0 && children;
    });
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 130);
    assert.match(stderr, /Interrupted/);
    await assertGone([worker!], 2_000);
    assert.ok(!existsSync(output));
    assertNothingLeft();
  });
});

describe('serve', () => {
  test('a terminal shows the address to open, with the port of the option, and a log in plain text', async (t) => {
    if (spawnSync('script', ['--version']).status !== 0) return t.skip('needs script (util-linux)');
    const port = 20_000 + (process.pid % 20_000);
    const command = `${process.execPath} ${PROGRAM} serve --host 127.0.0.1 --port ${port}`;
    const settings = { SHELL: '/bin/sh', DATA_DIR: join(temporary, 'terminal'), PORT: '1' };
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, ...settings },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    for await (const part of terminal.stdout) {
      shown += part;
      if (shown.includes('in a browser')) terminal.stdin.end(CTRL_C);
    }
    assert.match(shown, new RegExp(`Open http://127\\.0\\.0\\.1:${port} in a browser`));
    assert.match(shown, /^\d\d:\d\d:\d\d {2}listening {2}address=http/m);
    assert.doesNotMatch(shown, /"level"/);
  });

  for (const [option, value] of [
    ['--port', '65536'],
    ['--port', 'abc'],
    ['--host', ''],
  ] as const)
    test(`${option} ${JSON.stringify(value)} is refused`, async () => {
      const { code, stderr } = await begin(['serve', option, value], {}).ended;
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^${option} must be`));
    });

  test('names every bad setting', async () => {
    const { code, stderr } = await begin(['serve'], {
      PORT: 'abc',
      WORKER_CONCURRENCY: '-1',
      CORS_ORIGINS: 'nowhere',
      LOG_LEVEL: 'loud',
    }).ended;
    assert.equal(code, 2);
    for (const name of ['PORT', 'WORKER_CONCURRENCY', 'CORS_ORIGINS', 'LOG_LEVEL']) {
      assert.match(stderr, new RegExp(`^ {2}${name}: `, 'm'));
    }
  });

  test('the message to a second service on one data directory names the first', async () => {
    await using first = await startService();
    const { code, stderr } = await begin(['serve'], { DATA_DIR: first.dataDir, PORT: '0' }).ended;
    assert.equal(code, 3);
    assert.match(stderr, new RegExp(`pid ${first.pid} `));
    assert.equal(stderr.trim().split('\n').length, 1);
  });

  test('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const dataDir = join(folder, 'data');
    await seedCluster(join(dataDir, 'database'));
    const { code, stderr } = await begin(['serve'], { DATA_DIR: dataDir, PORT: String(port) }).ended;
    server.close();
    assert.equal(code, 3);
    assert.equal(
      stderr,
      `127.0.0.1:${port}: the address is in use by another program (EADDRINUSE, listen)\n`,
    );
  });
});
