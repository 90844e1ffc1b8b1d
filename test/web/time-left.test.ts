import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressPercent } from '../../src/jobs/model/progress.ts';
import { timeLeft } from '../../web/src/state/time-left.ts';

const rendered = (share: number) => progressPercent('rendering', share);

const ROWS: readonly (readonly [
  what: string,
  percent: number,
  spent: number | null,
  expected: number | null,
])[] = [
  ['before the rendering the service’s estimate', 30, null, 10],
  ['at its very start too', rendered(0.02), 1, 10],
  ['a tenth took 5 s: 45 s are left', rendered(0.1), 5, 45],
  ['half took 25 s: 25 s are left', rendered(0.5), 25, 25],
  ['with an unknown start the service’s estimate', rendered(0.5), null, 10],
];

for (const [what, percent, spent, expected] of ROWS)
  test(`time left: ${what}`, () => {
    const left = timeLeft({ progress_percent: percent, eta_seconds: 10 }, spent);
    // The percent has one decimal.
    assert.ok(left !== null && expected !== null && Math.abs(left - expected) < 0.05 * expected, `${left}`);
  });

test('time left: nothing is known', () => {
  assert.equal(timeLeft({ progress_percent: 30, eta_seconds: null }, null), null);
});
