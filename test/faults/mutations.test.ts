/** What `mutations.ts` does by the thousand: that it still does. Damaged files of every container: test/faults/media-fuzz.test.ts. */
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/clips.ts';
import { IS_FULL } from '../support/figures.ts';
import { MUTATIONS, mutate } from './mutate.ts';
import { basesIn, MutationRun } from './mutation-run.ts';

const SEEDS = IS_FULL ? 20 : 2;

test('equal seeds make equal damage, others differ, and all kinds occur', () => {
  const good = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 251));
  const copy = Buffer.from(good);
  assert.deepEqual(mutate(good, 5), mutate(good, 5));
  assert.deepEqual(good, copy);
  const made = Array.from({ length: 200 }, (_, seed) => mutate(good, seed));
  assert.deepEqual(new Set(made.map(({ mutation }) => mutation)), new Set(MUTATIONS));
  assert.ok(made.filter(({ data }) => !data.equals(good)).length > 190);
});

const folder = temporaryFolder();
const bases = await basesIn(folder, { real: false });
const run = new MutationRun(join(folder, 'run'));

for (let seed = 1; seed <= SEEDS; seed++) {
  const base = bases[seed % bases.length];
  test(`${basename(base)} damaged with seed ${seed}`, async (t) => {
    const { mutation, outcome, wrong } = await run.one(base, seed);
    t.diagnostic(`${mutation}: ${outcome}`);
    assert.equal(wrong, null);
  });
}

test('nothing is left behind', () => assert.deepEqual(run.left(), []));
