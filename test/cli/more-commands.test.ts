/** More of what the command line does: parts, reports, sound, comparisons, several sources, a terminal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { command } from '../support/command.ts';
import { mediaPath } from '../support/media.ts';
import { PROGRAM } from '../support/program.ts';
import { ProgramRuns } from '../support/program-runs.ts';

const folder = temporaryFolder();
const program = new ProgramRuns(folder);
const { temporary } = program;
let clip: string;
let silent: string;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
  silent = await makeClip(folder, { name: 'silent', durationSeconds: 1, silent: true });
});

const run = (...words: string[]) => program.begin(words).ended;
const assertNothingLeft = () => program.assertNothingLeft();

describe('the work', { concurrency: 1 }, () => {
  test('analyze and extract --range measure a part', async () => {
    const { code, stdout, stderr } = await run('analyze', clip, '--range', '0.2-0.8', '--json');
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).frame_count, 15);
    const extracted = await run('extract', clip, '--range', '0.2-0.8');
    assert.equal(JSON.parse(extracted.stdout).source_duration_seconds, 0.6);
  });

  test('extract makes one style of several templates', async () => {
    const output = join(folder, 'common.json');
    const { code, stderr } = await run('extract', clip, silent, '-o', output);
    assert.equal(code, 0, stderr);
    const style = JSON.parse(readFileSync(output, 'utf8'));
    assert.deepEqual(
      style.consensus.templates.map(({ name }: { name: string }) => name),
      ['clip.mp4', 'silent.mp4'],
    );
    assert.equal(style.source_duration_seconds, 2);
    assert.match(stderr, /^2 templates; confidence that all have it: color [\d.]+, /m);
    rmSync(output);
    assertNothingLeft();
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
