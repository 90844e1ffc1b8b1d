/** When changed values are sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitMs } from '../../web/src/state/paced.ts';

for (const [what, sinceLastMs, isBusy, wait] of [
  ['the first change at once', Number.POSITIVE_INFINITY, false, 0],
  ['the next one after a pause', 50, false, 70],
  ['a later one at once', 120, false, 0],
  ['not during a request', 130, true, 870],
  ['but during one that takes too long', 1000, true, 0],
] as const)
  test(what, () => assert.equal(waitMs(sinceLastMs, isBusy), wait));
