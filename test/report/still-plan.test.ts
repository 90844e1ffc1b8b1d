import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Shot } from '../../src/analysis/facts.ts';
import { planStills } from '../../src/report/still-plan.ts';

function shotsOf(lengths: readonly number[]): Shot[] {
  let startSeconds = 0;
  return lengths.map((length) => {
    const shot = { startSeconds, endSeconds: startSeconds + length, startFrame: 0, endFrame: 0 };
    startSeconds = shot.endSeconds;
    return shot;
  });
}

describe('planStills', () => {
  for (const { what, lengths, stills } of [
    { what: 'no shot', lengths: [], stills: 0 },
    { what: 'a single frame', lengths: [0.04], stills: 1 },
    { what: 'one long shot', lengths: [600], stills: 44 },
    { what: 'a long shot among short ones', lengths: [1, 60, 1], stills: 44 },
    { what: 'a hundred shots', lengths: Array(100).fill(2), stills: 100 },
    { what: 'a feature film', lengths: Array.from({ length: 1500 }, (_, at) => 2 + (at % 7)), stills: 140 },
  ]) {
    test(`${what} gets ${stills} pictures, each inside its shot, in order`, () => {
      const shots = shotsOf(lengths);
      const plan = planStills(shots);
      assert.equal(plan.stills.length, stills);
      for (const { shot, timeSeconds } of plan.stills) {
        assert.ok(timeSeconds > shots[shot].startSeconds && timeSeconds < shots[shot].endSeconds);
      }
      const times = plan.stills.map(({ timeSeconds }) => timeSeconds);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
      );
      const pictured = new Set(plan.stills.map(({ shot }) => shot));
      assert.equal(pictured.size, Math.min(shots.length, 140));
      assert.ok(plan.stills.length * plan.areaPixels <= 60 * 256 * 144, 'a page that can be sent by mail');
    });
  }

  test('a shot with one picture has that of its middle', () => {
    const [first] = planStills(shotsOf(Array(50).fill(3))).stills;
    assert.equal(first!.timeSeconds, 1.5);
  });
});
