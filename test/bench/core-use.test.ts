import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { corePicture, cpuSeconds } from '../../bench/lib/core-picture.ts';
import { type CoreUse, coreUseOf, workOf } from '../../bench/lib/core-use.ts';

const IDLE = { JavaScript: 0, decoding: 0, encoding: 0, 'compiling, collecting': 0, other: 0 };
const USES: readonly CoreUse[] = [
  { endSeconds: 0.5, cores: { ...IDLE, JavaScript: 1 }, elsewhere: 0.5 },
  { endSeconds: 1, cores: { ...IDLE, JavaScript: 0.5, encoding: 1.5 }, elsewhere: 0 },
];

describe('threads by their names', () => {
  for (const [name, work] of [
    ['node', 'JavaScript'],
    ['MainThread', 'JavaScript'],
    ['av:h264:df0', 'decoding'],
    ['libuv-worker', 'encoding'],
    ['ffmpeg', 'encoding'],
    ['V8Worker', 'compiling, collecting'],
    ['unshare', 'other'],
  ] as const) {
    test(`${name}: ${work}`, () => assert.equal(workOf(name), work));
  }
});

test('processor time is cores times seconds', () => assert.equal(cpuSeconds(USES), 1.5));

test('the picture stacks what ran, on one scale', () => {
  const svg = corePicture([{ name: 'one', uses: USES }], 2);
  assert.match(svg, /one: 1\.0 s, 1\.5 of processor time/);
  // Both cores of the second half are in use: 110 lines are two cores.
  const heights = [...svg.matchAll(/height="(\d+\.\d)" fill="#(e69f00|0072b2)"/g)].map(([, height]) =>
    Number(height),
  );
  assert.deepEqual(
    heights.filter((height) => height > 0),
    [55, 27.5, 82.5],
  );
});

test('a program that computes for a while is seen to', { skip: process.platform !== 'linux' }, async () => {
  const busy = 'for (const end = performance.now() + 700; performance.now() < end;);';
  const uses = await coreUseOf(process.execPath, ['-e', busy]);
  const seen = uses.reduce((sum, { cores }) => Math.max(sum, cores.JavaScript), 0);
  assert.ok(seen > 0.05 && seen < 1.2, `${seen} cores`);
  await assert.rejects(coreUseOf(process.execPath, ['-e', 'process.exit(3)']), /ended with 3/);
});
