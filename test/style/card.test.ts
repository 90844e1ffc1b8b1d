/** Cards: their text, and framings around it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { about, cardOf, hullOf, isHeld } from '../../src/style/plan/card.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';

const LOGO = { x: 0.4, y: 0.4, width: 0.2, height: 0.1 };
const TITLE = { x: 0.2, y: 0.6, width: 0.5, height: 0.2 };
const WHOLE = { x: 0, y: 0, width: 1, height: 1 };

describe('texts on the cards of a run', () => {
  const found = (cards: readonly (typeof LOGO | null)[], shotAreas: readonly (typeof LOGO)[], end = 8) =>
    cardOf(
      clipFacts({ video: { durationSeconds: 8, transitions: [cutAt(4)], cards, shotAreas } }).video,
      0,
      end,
    );
  const rounded = (box: typeof LOGO | null) =>
    box && [box.x, box.y, box.width, box.height].map((value) => Number(value.toFixed(6)));
  for (const [what, box, wanted] of [
    ['has room about it', found([LOGO, null], [WHOLE, WHOLE], 4), [0.37, 0.37, 0.26, 0.16]],
    ['is all of it', found([LOGO, TITLE], [WHOLE, WHOLE]), [0.17, 0.37, 0.56, 0.46]],
    ['is nothing where a shot is none', found([LOGO, null], [WHOLE, WHOLE]), null],
    ['nor where a shot has bars above', found([LOGO, TITLE], [WHOLE, { ...WHOLE, height: 0.8 }]), null],
    ['nor at the sides', found([LOGO, TITLE], [{ ...WHOLE, width: 0.8 }, WHOLE]), null],
    ['shots whose bars were not looked for have none', found([LOGO, TITLE], []), [0.17, 0.37, 0.56, 0.46]],
    ['is nothing where no shot is', cardOf(clipFacts({ video: { cards: [LOGO] } }).video, 90, 99), null],
  ] as const)
    test(what, () => assert.deepEqual(rounded(box), wanted));
});

test('a window contains a box that is no larger on either side', () => {
  const window = { width: 0.5, height: 0.25 };
  for (const [width, height, wanted] of [
    [0.5, 0.25, true],
    [0.51, 0.25, false],
    [0.5, 0.26, false],
    [0.1, 0.1, true],
  ] as const)
    assert.equal(isHeld({ width, height }, window), wanted, `${width} × ${height}`);
  assert.deepEqual(hullOf({ width: 0.2, height: 0.5 }, window), { width: 0.5, height: 0.5 });
});

describe('a framing has a box in its middle, as far as the picture goes', () => {
  const size = { width: 0.5, height: 0.25 };
  for (const [what, box, x, y] of [
    ['in the midst', { x: 0.5, y: 0.5, width: 0.25, height: 0.125 }, 0.375, 0.4375],
    ['at the upper left', { x: 0, y: 0, width: 0.25, height: 0.125 }, 0, 0],
    ['at the lower right', { x: 0.75, y: 0.875, width: 0.25, height: 0.125 }, 0.5, 0.75],
  ] as const)
    test(what, () => assert.deepEqual(about(box, size), { x, y, ...size }));
});
