/** The player's clock by the system's time, as where a browser has no sound device: Node has none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from '../../../web/src/player/clock.ts';

test('it runs from its start, stands while it is held or stopped, and never goes back', async (t) => {
  let systemSeconds = 1000;
  t.mock.method(performance, 'now', () => systemSeconds * 1000);
  const clock = new Clock();
  assert.equal(clock.seconds, 0);
  // [command, seconds of the system that pass after it, position then]
  const rows: readonly (readonly [string, () => void | Promise<void>, number, number])[] = [
    ['before its start', () => clock.open(), 5, 0],
    ['started', () => clock.start(3), 2, 5],
    ['released without a hold', () => clock.release(), 1, 6],
    ['the system’s time goes back', () => {}, -2, 6],
    ['and continues', () => {}, 3, 7],
    ['held', () => clock.hold(), 4, 7],
    ['held twice', () => clock.hold(), 4, 7],
    ['released', () => clock.release(), 1, 8],
    ['stopped', () => clock.stop(), 9, 8],
    ['held while stopped', () => clock.hold(), 1, 8],
    ['started earlier', () => clock.start(2), 0.5, 2.5],
    ['sound has no device', () => clock.schedule(2, new Float32Array(9), new Float32Array(9)), 1, 3.5],
    ['closed', () => clock.close(), 0.5, 4],
  ];
  for (const [name, command, passed, expected] of rows) {
    await command();
    systemSeconds += passed;
    assert.ok(Math.abs(clock.seconds - expected) < 1e-9, `${name}: ${clock.seconds}`);
  }
});
