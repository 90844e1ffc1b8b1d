import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputMoment } from '../../src/style/model/output-moment.ts';
import { wholeClip } from '../../src/style/model/timeline.ts';

const HALF = { x: 0, y: 0, width: 0.5, height: 0.5 };
const OTHER = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
/** 2 to 4 s and 6 to 10 s of the source; in the second the framing goes from one corner to the other. */
const clips = [wholeClip(2, 4), { ...wholeClip(6, 10, 'trim'), from: HALF, to: OTHER }];

for (const { at, output, x } of [
  { at: 1.99, output: null, x: null },
  { at: 2, output: 0, x: 0 },
  { at: 3.5, output: 1.5, x: 0 },
  { at: 4, output: null, x: null },
  { at: 5.99, output: null, x: null },
  { at: 6, output: 2, x: 0 },
  { at: 8, output: 4, x: 0.25 },
  { at: 10, output: 6, x: 0.5 },
  { at: 12, output: 6, x: 0.5 },
]) {
  test(`the source's ${at} s in the output`, () => {
    const found = outputMoment({ clips }, at);
    assert.equal(found?.outputSeconds ?? null, output);
    assert.equal(found?.framing.x ?? null, x);
  });
}
