/** The command line as a process: exit code, output and files. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { commonWorkRoot } from '../../src/pipeline/engine/workspace.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { seedCluster } from '../support/cluster.ts';
import { command } from '../support/command.ts';
import { mediaPath } from '../support/media.ts';
import { assertGone, childrenOf, waitFor } from '../support/processes.ts';
import { PROGRAM } from '../support/program.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder();
/** For the commands' own temporary files. */
const temporary = mkdtempSync(join(tmpdir(), 'styledna-cli-'));
const pipe = join(folder, 'pipe.html');
let clip: string;
let silent: string;
let style: string;
before(async () => {
  process.env['TMPDIR'] = temporary;
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
  silent = await makeClip(folder, { name: 'silent', durationSeconds: 1, silent: true });
  spawnSync('mkfifo', [pipe]);
  style = join(folder, 'style.json');
});
after(() => rmSync(temporary, { recursive: true, force: true }));

function begin(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: temporary, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }),
  );
  return { child, ended };
}

const run = (...words: string[]) => begin(words).ended;

/** Nothing of ours stays in the folder for temporary files. */
function assertNothingLeft(): void {
  const root = commonWorkRoot(temporary);
  assert.deepEqual(existsSync(root) ? readdirSync(root) : [], []);
}

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
    says: /"subtitles" has no strength of its own; color, audio, pacing, transitions, motion have one/,
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
    what: 'a LUT of a style without colours',
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

  test('analyze and extract --range measure a part', async () => {
    const { code, stdout, stderr } = await run('analyze', clip, '--range', '0.2-0.8', '--json');
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).frame_count, 15);
    const extracted = await run('extract', clip, '--range', '0.2-0.8');
    assert.equal(JSON.parse(extracted.stdout).source_duration_seconds, 0.6);
  });

  test('analyze --report writes one page, beside --json', async (t) => {
    mkdirSync(join(folder, 'made'));
    const page = join(folder, 'made', 'report.html');
    const { code, stdout, stderr } = await command(t, 'analyze', clip, '--report', page, '--json');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, `Wrote ${page}\n`);
    assert.equal(JSON.parse(stdout).kind, 'clip');
    assert.deepEqual(readdirSync(join(folder, 'made')), ['report.html']);
    const html = readFileSync(page, 'utf8');
    for (const part of ['<!doctype html>', '</b> clip.mp4</p>', 'data:image/jpeg;base64,/9j/', '</html>\n']) {
      assert.ok(html.includes(part), part);
    }
    assertNothingLeft();
  });

  test('analyze on a sound-only file', async (t) => {
    const path = mediaPath('music/808kick_120bpm.mp3');
    if (path === null) return t.skip('needs ../shared/media/music/808kick_120bpm.mp3');
    const json = await run('analyze', path, '--json');
    const report = JSON.parse(json.stdout);
    assert.equal(report.kind, 'sound');
    assert.ok(Math.abs(report.tempo_bpm - 120) < 2, `${report.tempo_bpm} BPM`);
    assert.ok(report.beats.length > 10);
    const forPeople = await run('analyze', path);
    assert.match(forPeople.stdout, /^ {2}Tempo +1(19|20)[\d.]* BPM$/m);
  });

  test('compare puts two side by side', async () => {
    const { code, stdout, stderr } = await run('compare', clip, clip, '--json');
    assert.equal(code, 0, stderr);
    const { rows } = JSON.parse(stdout) as { rows: { name: string; difference: number | null }[] };
    assert.ok(rows.length > 5);
    assert.ok(rows.every(({ difference }) => difference === null || difference === 0));
    assertNothingLeft();
  });

  test('match prints the offset of a shared soundtrack', async (t) => {
    const names = ['edits/edit_landscape_a.mp4', 'music/metal_madness_150bpm.ogg'];
    const paths = names.map(mediaPath);
    const missing = names[paths.indexOf(null)];
    if (missing !== undefined) return t.skip(`needs ../shared/media/${missing}`);
    const [edit, song] = paths as [string, string];
    const shared = await command(t, 'match', edit, song, '--json');
    assert.equal(shared.code, 0);
    const { match } = JSON.parse(shared.stdout) as { match: { offset_seconds: number; precise: boolean } };
    // The edit's sound was cut from the song at 24.24 s.
    assert.ok(match.precise && Math.abs(match.offset_seconds - 24.24) <= 0.02, `${match.offset_seconds} s`);
  });

  test('match finds no match of different sounds', async (t) => {
    // As much as is compared at all.
    const shape = { width: 32, height: 32, durationSeconds: 3 };
    const clicking = await makeClip(folder, { name: 'clicking', ...shape });
    const audio = (seconds: number) => 0.3 * Math.sin(880 * Math.PI * seconds * (1 + seconds));
    const rising = await makeClip(folder, { name: 'rising', ...shape, audio });
    const none = await command(t, 'match', clicking, rising);
    assert.equal(none.code, 4);
    assert.match(none.stdout, /No shared sound/);
    const json = await command(t, 'match', clicking, rising, '--json');
    assert.equal(json.code, 4);
    assert.deepEqual(JSON.parse(json.stdout), { match: null });
  });

  test('apply reads the output of extract, and writes one file and a summary', async () => {
    const extracted = await run('extract', clip, '-o', style);
    assert.equal(extracted.code, 0, extracted.stderr);
    assert.ok(styleSchema.safeParse(JSON.parse(readFileSync(style, 'utf8'))).success);
    const output = join(folder, 'styled.mp4');
    const { code, stdout, stderr } = await run('apply', clip, '--style', style, '-o', output, '-q', 'low');
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

  test('apply of several: one template, one failure, and nothing written over', async () => {
    const results = join(folder, 'styled');
    const bad = join(folder, 'bad.mp4');
    writeFileSync(bad, 'no video');
    const words = ['apply', bad, silent, clip, '--template', clip, '-o', `${results}/`, '-q', 'low'];
    const first = await run(...words);
    assert.equal(first.code, 3);
    assert.deepEqual(readdirSync(results).sort(), ['clip.mp4', 'silent.mp4']);
    assert.match(first.stderr, /bad\.mp4 {2}failed: The file is not a video container/);
    assert.match(first.stderr, /^2 done, 1 failed$/m);
    assert.equal(first.stdout.split('\n').filter((line) => line.includes('.mp4  ')).length, 2);
    const made = statSync(join(results, 'clip.mp4')).mtimeMs;
    rmSync(join(results, 'silent.mp4'));
    const again = await run(
      'apply',
      silent,
      clip,
      '--preset',
      'noir',
      '-o',
      `${results}/`,
      '-q',
      'low',
      '--json',
    );
    assert.equal(again.code, 0, again.stderr);
    const states = JSON.parse(again.stdout).results.map(({ state }: { state: string }) => state);
    assert.deepEqual(states, ['done', 'skipped']);
    assert.equal(statSync(join(results, 'clip.mp4')).mtimeMs, made);
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

  test('a terminal sees progress', (t) => {
    if (spawnSync('script', ['--version']).status !== 0) return t.skip('needs script (util-linux)');
    const command = `${process.execPath} ${PROGRAM} analyze ${clip}`;
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary, SHELL: '/bin/sh' },
    });
    assert.equal(status, 0);
    assert.match(stdout, /Measuring .*[█░]+ +\d+ %/);
    assert.match(stdout, /Frame rate +25 frames\/s/);
  });
});

describe('serve', () => {
  test('tells a terminal what to open, with a log in plain text and the port of its options', (t) => {
    if (spawnSync('script', ['--version']).status !== 0) return t.skip('needs script (util-linux)');
    const port = 20_000 + (process.pid % 20_000);
    const command = `timeout -s INT 20 ${process.execPath} ${PROGRAM} serve --host 127.0.0.1 --port ${port}`;
    // The service ends when its address has been printed.
    const words = `${command} & until curl -s -o /dev/null http://127.0.0.1:${port}/api/v1/health; do sleep .1; done; kill -INT $!; wait $!`;
    const { stdout } = spawnSync('script', ['-qec', words, '/dev/null'], {
      encoding: 'utf8',
      env: {
        ...process.env,
        TMPDIR: temporary,
        SHELL: '/bin/sh',
        DATA_DIR: join(temporary, 'terminal'),
        PORT: '1',
      },
    });
    assert.match(stdout, new RegExp(`Open http://127\\.0\\.0\\.1:${port} in a browser`));
    assert.match(stdout, /^\d\d:\d\d:\d\d {2}listening {2}address=http/m);
    assert.doesNotMatch(stdout, /"level"/);
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
