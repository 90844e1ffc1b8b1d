/** Files after public reports, by the command line and as a job: facts are numbers, and losses are reported in seconds. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { call, upload } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { command } from '../support/command.ts';
import { flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { mediaPath } from '../support/media.ts';
import { remux } from '../support/remux.ts';
import { startService } from '../support/service.ts';

const folder = temporaryFolder();
const LEFT_OUT = process.env['TEST_LONG'] === '1' ? false : 'takes ten seconds: npm run test:long';
const JOINED = 'wild/ts-joined-clock-restarts.ts';
const LONG_SOUND = 'wild/audiolong.mp4';
/** Its picture lasts 4 s less than its sound. */
const UNPLAYED_SECONDS = 4;

/** Paths of numbers in JSON that are null: `NaN` and infinities become null there. */
function nullNumbers(value: unknown, path = ''): string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, below]) => nullNumbers(below, `${path}.${key}`));
}

function namesSeconds(warnings: readonly { code: string; message: string }[], code: string): number {
  const found = warnings.find((one) => one.code === code);
  assert.ok(found !== undefined, JSON.stringify(warnings));
  return Number(/(\d+\.\d) s/.exec(found.message)?.[1]);
}

test('a joined transport stream: analyze, and extract for apply --style', { skip: LEFT_OUT }, async (t) => {
  const source = mediaPath(JOINED);
  if (source === null) return t.skip(`needs ../shared/media/${JOINED}`);
  const analysis = await command(t, 'analyze', source);
  assert.equal(analysis.code, 0, analysis.stderr);
  assert.doesNotMatch(analysis.stdout, /NaN|Infinity|undefined|null/);
  const json = JSON.parse((await command(t, 'analyze', source, '--json')).stdout);
  assert.match(JSON.stringify(json), /CLOCK_JUMPS/);
  const style = join(folder, 'style.json');
  const extracted = await command(t, 'extract', source, '-o', style);
  assert.equal(extracted.code, 0, extracted.stderr);
  assert.deepEqual(nullNumbers(JSON.parse(readFileSync(style, 'utf8'))), []);
  const output = join(folder, 'joined.mp4');
  const applied = await command(t, 'apply', source, '--style', style, '-o', output, '-q', 'low', '--json');
  assert.equal(applied.code, 0, applied.stderr);
  const { warnings } = JSON.parse(applied.stdout);
  assert.ok(Math.abs(namesSeconds(warnings, 'CLOCK_JUMPS') - 4) <= 0.1, JSON.stringify(warnings));
  const { frames } = await flashesOf(output);
  assert.ok(Math.abs(frames - 240) <= 1, `${frames} frames`);
});

test('sound that is longer than the picture, by the command line and as a job', {
  skip: LEFT_OUT,
}, async (t) => {
  const source = mediaPath(LONG_SOUND);
  if (source === null) return t.skip(`needs ../shared/media/${LONG_SOUND}`);
  const output = join(folder, 'long.mp4');
  const words = ['--preset', 'noir', '-o', output, '-q', 'low', '--json'];
  const { stdout, code, stderr } = await command(t, 'apply', source, ...words);
  assert.equal(code, 0, stderr);
  const { warnings } = JSON.parse(stdout);
  await using service = await startService();
  const { body } = await upload(service.baseUrl, source);
  const { video_id } = body.data;
  const json = { video_id, preset: 'noir', config: { quality: 'low' } };
  const { job_id } = (await call(service.baseUrl, 'POST', '/api/v1/jobs', { json })).body.data;
  const done = await call(service.baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=60`);
  assert.equal(done.body.data.status, 'completed');
  for (const all of [warnings, done.body.data.warnings]) {
    const seconds = namesSeconds(all, 'SOUND_LONGER_THAN_PICTURE');
    assert.ok(Math.abs(seconds - UNPLAYED_SECONDS) <= 0.1, JSON.stringify(all));
  }
});

test('poster and filmstrip of a file that starts at 10 s are those of the same pictures from 0 s', async () => {
  const clip = await flashingClip(folder, 'clip', 2, [0.6, 1.4]);
  const late = join(folder, 'late.mkv');
  await remux(clip, 'matroska', late, () => 0, 10);
  const [usual, found] = [
    await readVideoPictures(clip, 2, () => {}),
    await readVideoPictures(late, 2, () => {}),
  ];
  assert.deepEqual(found.tileSeconds.map(rounded), usual.tileSeconds.map(rounded));
  assert.deepEqual(found.poster, usual.poster);
  assert.deepEqual(found.filmstrip, usual.filmstrip);
});

test('the filmstrip of a file whose clock restarts shows both parts', async (t) => {
  const source = mediaPath(JOINED);
  if (source === null) return t.skip(`needs ../shared/media/${JOINED}`);
  const { tileSeconds } = await readVideoPictures(source, 8, () => {});
  assert.ok(Math.max(...tileSeconds) > 7 && Math.min(...tileSeconds) < 1, `${tileSeconds}`);
  assert.deepEqual(
    tileSeconds,
    [...tileSeconds].sort((one, other) => one - other),
  );
});

function rounded(seconds: number): number {
  return Number(seconds.toFixed(2));
}
