import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PresentationClock } from '../../src/analysis/frames/presentation-clock.ts';
import { framesPerSecond } from '../../src/domain/time.ts';

function clock(times: readonly number[], containerSeconds: number | null = null) {
  const presentation = new PresentationClock();
  for (const time of times) presentation.push(time);
  return presentation.finish(containerSeconds);
}

const even = (rate: number, count: number) => Array.from({ length: count }, (_, i) => i / rate);
const toMilliseconds = (times: readonly number[]) => times.map((time) => Math.round(1000 * time) / 1000);

const rates: readonly [string, readonly number[], number][] = [
  ['24', even(24, 48), 24],
  ['23.976', even(24000 / 1001, 240), 24000 / 1001],
  ['29.97', even(30000 / 1001, 240), 30000 / 1001],
  ['59.94 in milliseconds', toMilliseconds(even(60000 / 1001, 601)), 60000 / 1001],
  ['30 in milliseconds', toMilliseconds(even(30, 301)), 30],
  ['240 in milliseconds', toMilliseconds(even(240, 481)), 240],
  ['12.5', even(12.5, 50), 12.5],
  ['8', even(8, 20), 8],
];
for (const [name, times, rate] of rates) {
  it(`finds ${name} frames a second`, () => {
    const found = clock(times);
    assert.equal(framesPerSecond(found.frameRate), rate);
    assert.equal(found.variableFrameRate, false);
    assert.equal(found.frameCount, times.length);
    assert.ok(Math.abs(found.durationSeconds - times.length / rate) < 0.002);
  });
}

it('reports the modal rate if frames are dropped', () => {
  const found = clock(even(30, 300).filter((_, i) => i % 60 !== 7));
  assert.equal(framesPerSecond(found.frameRate), 30);
  assert.equal(found.variableFrameRate, false);
});

it('detects a variable rate', () => {
  const times = even(60, 120).filter((_, i) => i < 40 || i % 3 === 0);
  assert.equal(clock(times).variableFrameRate, true);
});

const durations: readonly [string, readonly number[], number | null, number][] = [
  ['the last frame lasts as long as the others', even(25, 50), null, 2],
  ['a container that says about the same is believed', even(25, 50), 2.01, 2.01],
  ['a false duration is not', even(25, 50), 4294967.294, 2],
  ['sound that goes on does not count', even(25, 50), 3.5, 2],
  ['a still at the end of a variable rate does', [0, 0.1, 0.15, 0.5, 0.52, 0.9], 4, 4],
  ['one frame lasts as long as the container says', [0], 5, 5],
  ['one frame of which nothing is known', [0], null, 0.04],
];
for (const [name, times, container, expected] of durations) {
  it(`duration: ${name}`, () => {
    assert.ok(Math.abs(clock(times, container).durationSeconds - expected) < 1e-9);
  });
}
