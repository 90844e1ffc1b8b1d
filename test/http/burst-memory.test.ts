/** When the garbage of many responses is collected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BurstMemory } from '../../src/http/server/burst-memory.ts';

const QUIET_MS = 5;

async function collections(changes: readonly number[]): Promise<number> {
  let count = 0;
  const memory = new BurstMemory(() => count++, QUIET_MS);
  for (const open of changes) memory.change(open);
  await sleep(10 * QUIET_MS);
  return count;
}

const upTo = (most: number) => Array.from({ length: most }, (_, n) => n + 1);
const downFrom = (most: number) => Array.from({ length: most }, (_, n) => most - 1 - n);

test('once after a burst', async () => {
  assert.equal(await collections([...upTo(200), ...downFrom(200)]), 1);
});
test('not while more than a tenth is open', async () => {
  assert.equal(await collections([...upTo(200), ...downFrom(200).slice(0, 179)]), 0);
});
test('not after fewer responses, at any frequency', async () => {
  assert.equal(
    await collections(Array.from({ length: 5 }, () => [...upTo(199), ...downFrom(199)]).flat()),
    0,
  );
});
test('again after another burst', async () => {
  let count = 0;
  const memory = new BurstMemory(() => count++, QUIET_MS);
  for (const round of [1, 2]) {
    for (const open of [...upTo(300), ...downFrom(300)]) memory.change(open);
    await sleep(10 * QUIET_MS);
    assert.equal(count, round);
  }
});
test('the default collects: memory without a reference is freed', async () => {
  const dropped = new WeakRef({ held: true });
  const memory = new BurstMemory(undefined, QUIET_MS);
  for (const open of [...upTo(200), ...downFrom(200)]) memory.change(open);
  await sleep(100);
  assert.equal(dropped.deref(), undefined);
});
