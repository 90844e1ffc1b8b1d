import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Curve, detect, faded, here, type Image, type Place, there, WIDTH } from './shot-scenes.ts';

const linear: Curve = (share) => share;
const slowFromColor: Curve = (share) => share ** 2;
const slowToWhole: Curve = (share) => 1 - (1 - share) ** 2.3;
const both: Curve = (share) => (1 - Math.cos(Math.PI * share)) / 2;

/** A pan into which something dark moves: its level moves while it is faded. */
function passing(place: Place, frame: number): Image {
  return place.view(frame * 0.7).map((value, i) => ((i / 3) % WIDTH < 2 * frame - 40 ? 0.7 * value : value));
}

const WHOLE = 20;

describe('the ends of a fade', () => {
  const rows: readonly (readonly [string, number, number, Curve, number, number, Curve])[] = [
    ['both sides alike, through black', 0, 14, linear, 1, 14, linear],
    ['a short side and a long one', 0, 8, linear, 1, 26, linear],
    ['sides of other curves', 0, 20, slowFromColor, 3, 12, slowToWhole],
    ['slow at both ends', 0, 24, both, 4, 18, both],
    ['through white', 255, 12, slowToWhole, 2, 22, slowToWhole],
    ['slow from and to white', 255, 22, both, 1, 10, slowFromColor],
  ];
  for (const [what, level, out, leaves, rest, come, arrives] of rows) {
    it(`are exact to two frames: ${what}`, () => {
      const goes = Array.from({ length: WHOLE + out }, (_, i) =>
        faded(passing(here, i), level, leaves(Math.min(1, (WHOLE + out - i) / out))),
      );
      const plain = Array.from({ length: rest }, () => faded(here.view(), level, 0));
      const comes = Array.from({ length: WHOLE + come }, (_, i) =>
        faded(passing(there, i), level, arrives(Math.min(1, (i + 1) / come))),
      );
      const { transitions } = detect([...goes, ...plain, ...comes]);
      assert.equal(transitions.length, 1, JSON.stringify(transitions));
      const [{ type, startFrame, endFrame }] = transitions;
      assert.equal(type, level === 0 ? 'fade_black' : 'fade_white');
      const expected = { start: WHOLE, end: WHOLE + out + rest + come - 1 };
      const errors = [startFrame - expected.start, endFrame - expected.end];
      assert.ok(Math.max(...errors.map(Math.abs)) <= 2, `off by ${errors.join(' and ')} frames`);
    });
  }
});
