import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SampleBlock } from '../../src/domain/footage.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { openSamples, samplesForAll } from '../../src/media/decode/samples.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { remux } from '../support/remux.ts';

const RATE = 8000;
const folder = temporaryFolder();
const clip = await makeClip(folder, { name: 'clicks', durationSeconds: 4 });

/** Clicks are at 0, 1, 2 and 3 s of the clip; from one moment on the sound is late. */
async function heard(name: string, delayOf: (seconds: number) => number, format = 'matroska') {
  const path = join(folder, `${name}.${format}`);
  await remux(clip, format, path, delayOf);
  const blocks = await Array.fromAsync(openSamples(path, { sampleRate: RATE, channels: 'mono' }));
  const clicks: number[] = [];
  for (const { startSeconds, channels } of blocks) {
    for (const [n, value] of channels[0].entries()) {
      const seconds = startSeconds + n / RATE;
      if (value > 0.2 && seconds - (clicks.at(-1) ?? -1) > 0.5) clicks.push(seconds);
    }
  }
  const longest = Math.max(...blocks.map(({ channels }) => channels[0].length)) / RATE;
  return {
    clicks,
    longest,
    endSeconds: blocks.reduce((sum, { channels }) => sum + channels[0].length / RATE, 0),
  };
}

const cases: readonly {
  readonly what: string;
  readonly delayOf: (seconds: number) => number;
  readonly format?: string;
  readonly clicks: readonly number[];
  readonly endSeconds: number;
}[] = [
  { what: 'no gap', delayOf: () => 0, clicks: [0, 1, 2, 3], endSeconds: 4 },
  {
    what: 'a gap of 45 ms, where it is',
    format: 'mp4',
    delayOf: (t: number) => (t > 1.5 ? 0.045 : 0),
    clicks: [0, 1, 2.045, 3.045],
    endSeconds: 4.045,
  },
  {
    what: 'stamps in steps of 26 ms',
    delayOf: (t: number) => Math.round(t / 0.026) * 0.026 - t,
    clicks: [0, 1, 2, 3],
    endSeconds: 4,
  },
  {
    what: 'a gap of half a second',
    delayOf: (t: number) => (t > 1.5 ? 0.5 : 0),
    clicks: [0, 1, 2.5, 3.5],
    endSeconds: 4.5,
  },
  {
    what: 'a gap of a minute',
    delayOf: (t: number) => (t > 1.5 ? 60 : 0),
    clicks: [0, 1, 62, 63],
    endSeconds: 64,
  },
  {
    what: 'stamps that jump by a day',
    delayOf: (t: number) => (t > 1.5 ? 86_400 : 0),
    clicks: [0, 1, 2, 3],
    endSeconds: 4,
  },
];

for (const { what, delayOf, clicks, endSeconds, format } of cases) {
  test(`sound by time stamps: ${what}`, async () => {
    const found = await heard(what.replaceAll(' ', '-'), delayOf, format);
    assert.equal(found.clicks.length, clicks.length, String(found.clicks));
    for (const [n, seconds] of clicks.entries())
      assert.ok(Math.abs(found.clicks[n] - seconds) < 0.03, `${found.clicks}`);
    assert.ok(Math.abs(found.endSeconds - endSeconds) < 0.1, `${found.endSeconds}`);
    assert.ok(found.longest <= 2.1, 'a gap costs no memory');
  });
}

test('several resamplings of one decoding equal separate ones, except for skipped samples', async () => {
  const path = join(folder, 'several.mkv');
  await remux(clip, 'matroska', path, (seconds) => (seconds > 1.5 ? 60 : 0));
  const kinds = [
    { sampleRate: 44_100, channels: 'source' },
    { sampleRate: RATE, channels: 'mono' },
    { sampleRate: RATE, channels: 'mono', seconds: 2 },
  ] as const;
  using input = await openInput(path);
  const found: SampleBlock[][] = kinds.map(() => []);
  for await (const [kind, block] of samplesForAll(input, kinds)) found[kind].push(block);
  const alone = kinds.map(async ({ ...kind }) =>
    Array.fromAsync(openSamples(path, { ...kind, seconds: 999 })),
  );
  const [source, mono] = await Promise.all(alone);
  assert.deepEqual(found.slice(0, 2), [source, mono]);
  // A second, the rest before the gap, and a second of the gap.
  assert.deepEqual(found[2], mono!.slice(0, 3));
  assert.ok(mono!.length > 3);
});
