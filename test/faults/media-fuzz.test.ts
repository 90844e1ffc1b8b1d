/**
 * Damaged files of every container, through the probe, the analysis and a rendering of low cost in the sandbox: each ends with a
 * valid result or a clear failure. `MEDIA_FUZZ_SEED=7 node test/faults/media-fuzz.test.ts` repeats one.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { type ErrorCode, Failure } from '../../src/domain/errors.ts';
import { Studio } from '../../src/studio.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL } from '../support/figures.ts';
import { encodeImage } from '../support/image.ts';
import { childrenOf, waitFor } from '../support/processes.ts';
import { remux } from '../support/remux.ts';
import { mutate } from './mutate.ts';

/** In the usual run three of each container and kind of picture. */
const VARIANTS = IS_FULL ? 320 : 33;
const AT_ONCE = 2;
/** Of those that can be measured, one in so many is rendered. */
const RENDERED_EVERY = 5;
/** A clip of half a second takes one to three. */
const LONGEST_SECONDS = 45;
/** Failures that an upload or a job may have because of its file; a crashing codec ends its process. */
const REFUSALS: readonly ErrorCode[] = [
  ...(['INVALID_VIDEO', 'UNSUPPORTED_VIDEO_FORMAT', 'VIDEO_LIMIT_EXCEEDED'] as const),
  ...(['INPUT_CORRUPT', 'INPUT_UNSUPPORTED', 'INPUT_LIMIT_EXCEEDED', 'WORKER_LOST'] as const),
];
const SIZE = { width: 96, height: 64 };

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work'), idleSeconds: 20, memoryBytes: 2 ** 30 });

/** A drawn clip in all containers that uploads may have, and pictures. */
async function bases(): Promise<string[]> {
  const clip = { durationSeconds: 0.6, ...SIZE };
  const drawn = await makeClip(folder, { name: 'drawn', ...clip });
  const silent = await makeClip(folder, { name: 'silent', ...clip, silent: true });
  const stream = join(folder, 'silent.mpegts');
  await remux(silent, 'mpegts', stream);
  const paths = [drawn];
  for (const [container, from] of [
    ['mov', drawn],
    ['matroska', drawn],
    ['mpegts', drawn],
    ['flv', drawn],
    ['asf', drawn],
    ['avi', stream],
    ['mpeg', stream],
  ] as const) {
    const path = join(folder, `drawn.${container}`);
    await remux(from, container, path);
    paths.push(path);
  }
  for (const kind of ['png', 'jpeg', 'webp'] as const) {
    const path = join(folder, `picture.${kind}`);
    writeFileSync(path, await encodeImage(kind, SIZE, (x, y) => [x / SIZE.width, y / SIZE.height, 0.5]));
    paths.push(path);
  }
  return paths;
}

/** Where a value has numbers that JSON cannot hold. */
function unfinite(value: unknown, path = 'style'): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => unfinite(item, `${path}.${key}`));
}

/** `measured`, `rendered`, or the code of the failure. Throws for forbidden outcomes. */
async function outcomeOf(path: string, isRendered: boolean): Promise<string> {
  const { signal } = new AbortController();
  try {
    const style = await studio.extract(path, { signal });
    assert.deepEqual(unfinite(style), []);
    assert.deepEqual(styleSchema.safeParse(JSON.parse(JSON.stringify(style))).error?.issues ?? [], []);
    if (!isRendered) return 'measured';
    const output = `${path}.out.mp4`;
    const config = { quality: 'low' } as const;
    await studio.apply({ source: path, look: { style }, output, config }, { signal });
    assert.ok(readFileSync(output).length > 0);
    rmSync(output);
    return 'rendered';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    assert.ok(REFUSALS.includes(error.code), error.message);
    assert.ok(error.detail.length > 5, 'a failure without a reason');
    assert.doesNotMatch(error.detail.replaceAll(path, ''), /undefined|NaN|\/tmp|\n/, error.detail);
    return error.code;
  }
}

test(`${VARIANTS} damaged files end with a valid result or a clear failure`, async (t) => {
  const input = process.env['MEDIA_FUZZ_SEED'];
  const seeds =
    input === undefined ? Array.from({ length: VARIANTS }, (_, seed) => seed + 1) : [Number(input)];
  const good = await bases();
  const tally = new Map<string, number>();
  const wrong: string[] = [];
  const place = join(folder, 'run');
  mkdirSync(place);
  const work = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const base = good[seed % good.length];
      const { mutation, data } = mutate(readFileSync(base), seed);
      const path = join(place, `${seed}-${basename(base)}`);
      writeFileSync(path, data);
      const started = performance.now();
      const outcome = await outcomeOf(path, seed % RENDERED_EVERY === 0).catch(
        (error: Error) => `WRONG ${error.stack}`,
      );
      const seconds = (performance.now() - started) / 1000;
      if (outcome.startsWith('WRONG'))
        wrong.push(`seed ${seed} (${basename(base)}, ${mutation}): ${outcome}`);
      if (seconds > LONGEST_SECONDS)
        wrong.push(`seed ${seed} (${basename(base)}): took ${seconds.toFixed(1)} s`);
      if (!readFileSync(path).equals(data)) wrong.push(`seed ${seed}: the file was changed`);
      rmSync(path);
      tally.set(outcome.slice(0, 30), (tally.get(outcome.slice(0, 30)) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  t.diagnostic(JSON.stringify(Object.fromEntries(tally)));
  assert.deepEqual(wrong, []);
  assert.deepEqual(readdirSync(place), []);
  assert.deepEqual(readdirSync(join(folder, 'work')), []);
  await waitFor('no process is left', () => childrenOf(process.pid).length === 0);
  if (input !== undefined) return;
  // The files must be damaged neither too much nor too little for the test to mean anything.
  const ended = (tally.get('measured') ?? 0) + (tally.get('rendered') ?? 0);
  assert.ok(ended > VARIANTS / 4 && ended < (VARIANTS * 9) / 10, `${ended} ended well`);
});
