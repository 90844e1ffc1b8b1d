/** Children that wait for more work: seen among this process's own children, and by the folders that are left. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { ClipChild } from '../../src/pipeline/engine/clip-child.ts';
import { ClipChildren } from '../../src/pipeline/engine/clip-children.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { MemoryBudget } from '../../src/pipeline/engine/memory-budget.ts';
import { childrenOf } from '../../src/sandbox/processes.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const engine = new MediaEngine({ workRoot, idleSeconds: 60 });
const { signal } = new AbortController();
const LONG_MS = 60_000;
let clip: string;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 0.4 });
  await engine.prepare();
});

const running = () => childrenOf(process.pid);
const folders = () => (existsSync(workRoot) ? readdirSync(workRoot) : []);
const inspect = (child: ClipChild) => engine.run('inspect', { path: clip }, { signal, child });

describe('children that wait', () => {
  test('one child does all tasks of its key, and is removed with its folder when idle', async () => {
    await using children = new ClipChildren(engine, 300);
    await children.use('pair', clip, inspect);
    const first = running();
    assert.equal(first.length, 1);
    await children.use('pair', clip, inspect);
    assert.deepEqual(running(), first);
    await waitFor('it is gone', () => running().length === 0 && folders().length === 0);
    await children.use('pair', clip, inspect);
    assert.equal(running().length, 1);
  });

  test('another key, or a busy child, gets another child; at most two wait, the newest', async () => {
    await using children = new ClipChildren(engine, LONG_MS);
    await children.use('one', clip, inspect);
    const [one] = running();
    await children.use('two', clip, async (child) => {
      await inspect(child);
      await children.use('two', clip, inspect);
      assert.equal(running().length, 3);
    });
    await waitFor('two wait', () => running().length === 2 && folders().length === 2);
    assert.ok(!running().includes(one!), 'the oldest is gone');
  });

  test('after a failure nothing of it is left, and the next has a child that waits again', async () => {
    await using children = new ClipChildren(engine, LONG_MS);
    const fails = children.use('pair', clip, async (child) => {
      await inspect(child);
      throw new Error('not this time');
    });
    await assert.rejects(fails, /not this time/);
    assert.deepEqual([running(), folders()], [[], []]);
    await children.use('pair', clip, inspect);
    const next = running();
    await children.use('pair', clip, inspect);
    assert.deepEqual(running(), next);
  });

  test('none waits where a task needs its memory, or where there is none left', async () => {
    const budget = new MemoryBudget(10);
    const reserveIdle = (yieldTo: () => void) => budget.lend(3, yieldTo);
    await using children = new ClipChildren({ workRoot, reserveIdle }, LONG_MS);
    await children.use('old', clip, inspect);
    await children.use('new', clip, inspect);
    const [old, recent] = running();
    using _task = await budget.take(6, signal);
    assert.deepEqual(running(), [recent], `${old} has made way, and no more than that was asked for`);
    await children.use('another', clip, inspect);
    await waitFor('it has not stayed', () => running().length === 1);
    assert.deepEqual(running(), [recent]);
    await children.use('new', clip, async () => {
      using _more = await budget.take(4, signal);
    });
    assert.deepEqual(running(), [recent], 'who works holds no room of those that wait');
  });

  test('when it is closed those that wait are gone, and those at work as soon as they have done it', async () => {
    const children = new ClipChildren(engine, LONG_MS);
    await children.use('waits', clip, inspect);
    await children.use('works', clip, async (child) => {
      await inspect(child);
      await children[Symbol.asyncDispose]();
      assert.equal(running().length, 1);
      await inspect(child);
    });
    await waitFor('all are gone', () => running().length === 0 && folders().length === 0);
  });
});
