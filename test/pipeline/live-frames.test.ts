/** Live frames of a rendering child, and their limits. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveFrame } from '../../src/domain/stage.ts';
import { LiveFrames } from '../../src/pipeline/stages/live-frames.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { temporaryFolder } from '../support/clips.ts';

const root = temporaryFolder();
const blobs = await openFileStore(join(root, 'blobs'));

/** Frames of a job, each looked at as soon as it may be. */
function watched(jobId: string) {
  const folder = join(root, jobId);
  mkdirSync(folder);
  const told: LiveFrame[] = [];
  const onFrame = (frame: LiveFrame) => told.push(frame);
  const frames = new LiveFrames(blobs, { jobId, attempt: 3, onFrame }, folder);
  const left = () => readdirSync(folder);
  const stored = () => Array.fromAsync(blobs.list(`jobs/${jobId}/`));
  const look = async () => {
    frames.storeNewest();
    // A quarter of a second is the least between two looks.
    await sleep(300);
  };
  return { folder, told, frames, look, left, stored };
}

test('the newest is stored under a number, the one before stays, the rest and the end leave nothing', async () => {
  const { folder, told, frames, look, left, stored } = watched('a');
  await look();
  assert.deepEqual(told, []);
  const leave = (milliseconds: number) =>
    writeFileSync(join(folder, `frame-${milliseconds}.jpg`), `at ${milliseconds}`);
  leave(40);
  leave(1500);
  await look();
  leave(9000);
  await look();
  leave(10_000);
  await look();
  assert.deepEqual(told, [
    { sequence: 1, atSeconds: 1.5 },
    { sequence: 2, atSeconds: 9 },
    { sequence: 3, atSeconds: 10 },
  ]);
  assert.deepEqual(left(), []);
  assert.deepEqual((await stored()).sort(), ['jobs/a/3/frame-2.jpg', 'jobs/a/3/frame-3.jpg']);
  assert.equal(await text(await blobs.get('jobs/a/3/frame-3.jpg')), 'at 10000');
  await frames[Symbol.asyncDispose]();
  assert.deepEqual(await stored(), []);
});

test('two looks at once are one', async () => {
  const { folder, told, frames, left } = watched('b');
  writeFileSync(join(folder, 'frame-1.jpg'), 'x');
  frames.storeNewest();
  frames.storeNewest();
  await frames[Symbol.asyncDispose]();
  assert.deepEqual([told.length, left()], [1, []]);
});

test('a link, a folder, an empty file, a large one and other names are no frames', async () => {
  for (const [index, make] of [
    (path: string) => symlinkSync('/etc/passwd', path),
    (path: string) => mkdirSync(path),
    (path: string) => writeFileSync(path, ''),
    (path: string) => writeFileSync(path, Buffer.alloc(400_001)),
  ].entries()) {
    const { folder, told, frames, look, stored } = watched(`c${index}`);
    make(join(folder, 'frame-7.jpg'));
    for (const name of ['frame-.jpg', 'frame-1.jpg.x', 'frame--1.jpg', 'output.mp4'])
      writeFileSync(join(folder, name), 'x');
    await look();
    assert.deepEqual([told, await stored()], [[], []], `case ${index}`);
    await frames[Symbol.asyncDispose]();
  }
});

test('a failing store does not disturb rendering', async () => {
  const folder = join(root, 'd');
  mkdirSync(folder);
  writeFileSync(join(folder, 'frame-7.jpg'), 'x');
  const fails = () => Promise.reject(new Error('no store'));
  const frames = new LiveFrames({ put: fails, remove: fails }, { jobId: 'd', attempt: 1 }, folder);
  frames.storeNewest();
  await frames[Symbol.asyncDispose]();
});

test('a store that hangs does not keep the end waiting', async () => {
  const folder = join(root, 'e');
  mkdirSync(folder);
  writeFileSync(join(folder, 'frame-7.jpg'), 'x');
  const hangs = () => new Promise<never>(() => {});
  const frames = new LiveFrames({ put: hangs, remove: hangs }, { jobId: 'e', attempt: 1 }, folder);
  frames.storeNewest();
  const began = performance.now();
  // Its timer keeps no process alive; a test's does.
  const alive = setTimeout(() => {}, 10_000);
  await frames[Symbol.asyncDispose]();
  clearTimeout(alive);
  assert.ok(performance.now() - began < 8_000);
});
