import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransitionType } from '../../src/analysis/facts.ts';
import { sketchFrame } from '../../src/analysis/frames/sketch.ts';
import { toneChange } from '../../src/analysis/shots/tone.ts';
import {
  asFrame,
  detect,
  drawn,
  flat,
  HEIGHT,
  type Image,
  mixed,
  Place,
  times,
  WIDTH,
} from './shot-scenes.ts';

const a = new Place(11).view();
const b = new Place(23).view();
const frame = (image: Image) => asFrame(image, 0, 0, () => 0);

/** The whole picture shrunk into what black bars leave of it: a circle would become an ellipse. */
function barred(image: Image, left: number, top: number): Image {
  const out = flat(0);
  const width = WIDTH - 2 * left;
  const height = HEIGHT - 2 * top;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 3 * (Math.floor((y * HEIGHT) / height) * WIDTH + Math.floor((x * WIDTH) / width));
      out.set(image.subarray(from, from + 3), 3 * ((y + top) * WIDTH + x + left));
    }
  }
  return out;
}

describe('shots between black bars', () => {
  for (const [left, top] of [
    [0, 12],
    [50, 0],
  ] as const) {
    it(`cuts are found in place with bars of ${left} and ${top} pixels`, () => {
      const images = [...times(30, a), ...times(30, b), ...times(30, a)].map((one) => barred(one, left, top));
      const { transitions, shots } = detect(images, { withMotion: true });
      assert.deepEqual(
        transitions.map(({ type, endFrame }) => [type, endFrame]),
        [
          ['cut', 30],
          ['cut', 60],
        ],
      );
      assert.equal(shots.length, 3);
    });

    for (const type of ['fade_white', 'slide', 'wipe'] satisfies TransitionType[]) {
      it(`change by a ${type}, bars of ${left} and ${top} pixels`, () => {
        const between = Array.from({ length: 15 }, (_, i) => drawn(type, 'left', a, b, (i + 1) / 16));
        const images = [...times(25, a), ...between, ...times(25, b)].map((one) => barred(one, left, top));
        const { transitions } = detect(images);
        assert.deepEqual(
          transitions.map((one) => one.type),
          [type],
        );
      });
    }
  }

  it('are cropped again when a fade reveals the bars', () => {
    const images = [...times(10, flat(0)), ...times(12, a), ...times(12, b)].map((one) => barred(one, 50, 0));
    const opening = Array.from({ length: 12 }, (_, i) => barred(mixed(flat(0), a, (i + 1) / 13), 50, 0));
    const { transitions } = detect([...images.slice(0, 10), ...opening, ...images.slice(10)]);
    assert.deepEqual(
      transitions.map(({ type, edge }) => [type, edge]),
      [
        ['fade_black', 'start'],
        ['cut', undefined],
      ],
    );
  });

  it('a film that opens from black is measured inside bars that appear during the fade', () => {
    const opening = Array.from({ length: 14 }, (_, i) => mixed(flat(0), a, (i + 1) / 15));
    const images = [...opening, ...times(40, a)].map((one) => barred(one, 0, 12));
    const [fade, ...others] = detect(images).transitions;
    assert.deepEqual(
      [fade?.type, fade?.edge, fade?.startFrame, fade?.endFrame, others],
      ['fade_black', 'start', 0, 14, []],
    );
    // .92 if the frames before the bars appeared keep them.
    assert.ok(fade!.confidence > 0.98, `${fade!.confidence}`);
  });
});

/** Cuts were seen up to .65 explained, and other framings of one place to leave nearly all. */
const isLight = ({ explained, left }: ReturnType<typeof toneChange>): boolean =>
  explained > 0.85 && left < 0.4;

describe('one picture under two lights', () => {
  const exposed = (gain: number, offset: number): Image =>
    a.map((value) => Math.min(255, Math.max(0, gain * value + offset)));
  const cases: readonly [string, Image, boolean][] = [
    ['brighter, clipped', exposed(2.2, 30), true],
    ['darker, clipped', exposed(0.8, -80), true],
    ['another picture', b, false],
    ['another framing', new Place(11).view(0, 0, 1.2), false],
  ];
  for (const [what, image, expected] of cases) {
    it(`is found: ${what}`, () => {
      const [one, other] = [a, image].map((each) => sketchFrame(frame(each), null, null));
      assert.equal(isLight(toneChange(one, other)), expected);
      assert.equal(isLight(toneChange(other, one)), expected);
    });
  }
});

describe('what interrupts a shot', () => {
  it('is no wipe: somebody walks past the lens', () => {
    const cloth = new Place(5).view(0, 0, 3);
    const passing = Array.from({ length: 21 }, (_, i) =>
      i <= 10 ? drawn('wipe', 'right', a, cloth, i / 10) : drawn('wipe', 'right', cloth, a, (i - 10) / 10),
    );
    assert.deepEqual(detect([...times(30, a), ...passing, ...times(30, a)]).transitions, []);
  });
});
