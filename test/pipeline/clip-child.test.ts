/** One child for the tasks of one clip: seen among this process's own children. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClipChild } from '../../src/pipeline/engine/clip-child.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { childrenOf } from '../../src/sandbox/processes.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 60 });
const { signal } = new AbortController();
let clip: string;
let opened = 0;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 0.4 });
  await engine.prepare();
});

function openChild(): ClipChild {
  const own = join(folder, `child-${++opened}`);
  mkdirSync(own);
  return new ClipChild(clip, own);
}

const running = () => childrenOf(process.pid);
const inspect = (child: ClipChild, options = {}) =>
  engine.run('inspect', { path: clip }, { signal, child, ...options });

describe('a child of one clip', () => {
  test('begins with the first task that reads it, does the next ones as well, and is gone when disposed', async () => {
    const alone = await engine.run('inspect', { path: clip }, { signal });
    await using child = openChild();
    await engine.run('ping', null, { signal, child });
    assert.deepEqual(running(), []);
    assert.deepEqual(await inspect(child), alone);
    const first = running();
    assert.equal(first.length, 1);
    assert.deepEqual(await inspect(child), alone);
    assert.equal(await engine.run('ping', null, { signal, child }), 'pong');
    assert.deepEqual(running(), first);
    await child[Symbol.asyncDispose]();
    assert.deepEqual(running(), []);
    assert.deepEqual(await inspect(child), alone);
    assert.deepEqual(running(), []);
  });

  test('refuses a task that needs more than its memory', async () => {
    await using child = openChild();
    await inspect(child, { mediaSeconds: 10 });
    const [pid] = running();
    const other = await makeClip(folder, { name: 'other', durationSeconds: 0.2, width: 64, height: 64 });
    await Promise.all([
      // Longer, or of another file, or in another folder: each by a child of its own, none of which is left.
      inspect(child, { mediaSeconds: 11 }),
      engine.run('inspect', { path: other }, { signal, child }),
      inspect(child, { folder }),
    ]);
    assert.deepEqual(running(), [pid]);
    // Busy with one, it leaves the other to another child.
    await Promise.all([inspect(child), inspect(child)]);
    assert.deepEqual(running(), [pid]);
  });

  test('is gone after a task that failed, and after one that was stopped: the next has its own', async () => {
    const noLog = (child: ClipChild) =>
      engine.run('motion', { motionLogPath: join(child.folder, 'none.bin') } as never, { signal, child });
    // Sent in the middle of its work: the measuring follows.
    const stopped = (child: ClipChild) => {
      const stopping = new AbortController();
      const onFound = () => stopping.abort(new Error('stopped'));
      const motionLogPath = join(child.folder, 'motion.bin');
      const input = { path: clip, motionLogPath, styleAt: null, withSubjects: true };
      return engine.run('analyse', input, { signal: stopping.signal, child, onFound });
    };
    for (const [fail, what] of [
      [noLog, /ENOENT/],
      [stopped, /stopped/],
    ] as const) {
      await using child = openChild();
      const found = await inspect(child);
      assert.equal(running().length, 1);
      await assert.rejects(fail(child), what);
      assert.deepEqual(running(), []);
      assert.deepEqual(await inspect(child), found);
    }
  });

  test('that was killed between two tasks is not missed', async () => {
    await using child = openChild();
    const found = await inspect(child);
    const [pid] = running();
    process.kill(pid!, 'SIGKILL');
    while (running().includes(pid!)) await sleep(5);
    assert.deepEqual(await inspect(child), found);
  });
});
