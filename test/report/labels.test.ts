import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placeLabels } from '../../src/report/axis.ts';
import { hedged } from '../../src/report/guess-mark.ts';

const at = (start: number, width: number, end = start + 5) => ({ start, end, width });

describe('labels above their marks', () => {
  for (const [what, labels, expected] of [
    ['apart', [at(0, 50), at(60, 50)], [0, 0]],
    ['nearer than ten pixels', [at(0, 50), at(59, 50)], [0, 1]],
    ['three at once, and a fourth without room', [at(0, 50), at(1, 50), at(2, 50), at(3, 50)], [0, 1, 2, -1]],
    ['the first lane again', [at(0, 50), at(10, 50), at(70, 50)], [0, 1, 0]],
    ['wider than the axis', [at(0, 302)], [-1]],
  ] as const) {
    test(what, () => {
      assert.deepEqual(
        placeLabels(labels, 3, 300).map(({ lane }) => lane),
        expected,
      );
    });
  }

  test('one that would leave the axis ends with its mark', () => {
    assert.deepEqual(placeLabels([at(250, 50), at(251, 50, 290)], 3, 300), [
      { lane: 0, fromEnd: false },
      { lane: 1, fromEnd: true },
    ]);
  });

  test('none ever lies over another, however many there are', () => {
    const labels = Array.from({ length: 400 }, (_, index) => at(index * 2.5, 40 + ((index * 37) % 90)));
    const lanes = new Map<number, number>();
    let shown = 0;
    for (const [index, { lane, fromEnd }] of placeLabels(labels, 3, 1000).entries()) {
      if (lane < 0) continue;
      shown++;
      const { start, end, width } = labels[index];
      const left = fromEnd ? end - width : start;
      assert.ok(left >= (lanes.get(lane) ?? 0) && left + width <= 1001, `label ${index}`);
      lanes.set(lane, left + width);
    }
    assert.ok(shown >= 24, `${shown} shown`);
  });
});

test('a guess is worded as one', () => {
  assert.deepEqual(
    [
      hedged('112 BPM', 0.49),
      hedged('112 BPM', 0.5),
      hedged('Rock', 0.2),
      hedged('Rock', null),
      hedged('−3 dB', 0.1),
    ],
    ['about 112 BPM', '112 BPM', 'perhaps rock', 'Rock', 'about −3 dB'],
  );
});
