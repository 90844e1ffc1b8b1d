/** What fast edits are made of, and the limits of what counts as a change of shot, each from both sides. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detect, flat, type Image, mixed, Place, times } from './shot-scenes.ts';

const RATES = [24, 30, 60];
const places = [11, 23, 31, 47, 59, 61].map((seed) => new Place(seed));
const [here, there] = places as [Place, Place];
const [a, b] = [here.view(), there.view()];
const typesOf = (images: readonly Image[], framesPerSecond = 25): string[] =>
  detect(images, { framesPerSecond, withMotion: true }).transitions.map(({ type }) => type);
const cutsOf = (images: readonly Image[], framesPerSecond: number): number[] =>
  detect(images, { framesPerSecond, withMotion: true }).transitions.map(({ endFrame }) => endFrame);

describe('short shots', () => {
  for (const rate of RATES) {
    for (const length of [2, 3, 8]) {
      it(`are found from ${length} frames on at ${rate} frames a second`, () => {
        const burst = places.slice(1, 5).flatMap((place) => times(length, (i) => place.view(i)));
        const images = [...times(24, (i) => here.view(i)), ...burst, ...times(24, (i) => here.view(20 + i))];
        const starts = [0, 1, 2, 3, 4].map((k) => 24 + k * length);
        assert.deepEqual(cutsOf(images, rate), starts);
      });
    }
  }

  it('are found between stills, a quarter of a second each', () => {
    const images = places.flatMap((place) => times(15, place.view()));
    assert.deepEqual(cutsOf(images, 60), [15, 30, 45, 60, 75]);
  });

  it('may be an insert, after which the previous shot continues; a flash is none', () => {
    const around = (middle: Image) => [...times(24, a), ...times(3, middle), ...times(24, a)];
    assert.deepEqual(cutsOf(around(b), 30), [24, 27]);
    assert.deepEqual(cutsOf(around(mixed(a, flat(255), 0.7)), 30), []);
  });
});

/** The picture in a pane; the rest of the frame stays as it is. */
function inPane(image: Image, share: number): Image {
  const out = flat(90);
  const width = Math.round(160 * share);
  for (let y = 0; y < 90; y++) out.set(image.subarray(480 * y, 480 * y + 3 * width), 480 * y);
  return out;
}

describe('dissolves', () => {
  const dissolve = (from: Image, to: Image, length: number) => [
    ...times(25, from),
    ...times(length, (i) => mixed(from, to, i / length)),
    ...times(25, to),
  ];

  it('are found in a part of the frame that is large enough', () => {
    const part = (share: number) => typesOf(dissolve(inPane(a, share), inPane(b, share), 12));
    assert.deepEqual(part(0.8), ['dissolve']);
    assert.deepEqual(part(0.3), []);
  });

  it('are none between one scene and itself in another light', () => {
    const dim = a.map((value) => 0.45 * value);
    assert.deepEqual(typesOf(dissolve(a, dim, 12)), []);
    assert.deepEqual(typesOf(dissolve(a, b, 12)), ['dissolve']);
  });
});

describe('fades', () => {
  const through = (from: Image, to: Image, level: number, arm: number) => [
    ...times(30, from),
    ...times(arm, (i) => mixed(from, flat(level), i / arm)),
    ...times(4, flat(level)),
    ...times(arm, (i) => mixed(flat(level), to, i / arm)),
    ...times(30, to),
  ];

  for (const [level, type] of [
    [0, 'fade_black'],
    [255, 'fade_white'],
  ] as const) {
    it(`lead from one shot to another, not back: ${type}`, () => {
      assert.deepEqual(typesOf(through(a, b, level, 10)), [type]);
      assert.ok(!typesOf(through(a, a, level, 10)).includes(type));
    });
  }

  it('with one side take longer than light that goes out', () => {
    const out = (length: number) =>
      typesOf([
        ...times(30, a),
        ...times(length, (i) => mixed(a, flat(0), i / length)),
        ...times(6, flat(0)),
        ...times(30, b),
      ]);
    assert.deepEqual(out(10), ['fade_black']);
    assert.ok(!out(3).includes('fade_black'));
  });
});

/** A logo in the middle of a plain level, of this share of the frame's sides. */
function logoOn(level: number, share: number, shown = 1): Image {
  const out = flat(level);
  const [width, height] = [Math.round(160 * share), Math.round(90 * share)];
  const [left, top] = [Math.round((160 - width) / 2), Math.round((90 - height) / 2)];
  for (let y = top; y < top + height; y++)
    out.fill(level + shown * (128 - level), 3 * (160 * y + left), 3 * (160 * y + left + width));
  return out;
}

describe('cards', () => {
  for (const [level, type] of [
    [0, 'fade_black'],
    [255, 'fade_white'],
  ] as const) {
    it(`with a logo, dissolved from or to a shot: ${type}`, () => {
      const card = logoOn(level, 0.4);
      const into = [...times(30, a), ...times(12, (i) => mixed(a, card, i / 12)), ...times(30, card)];
      assert.deepEqual(typesOf(into), [type]);
      assert.deepEqual(typesOf(into.toReversed()), [type]);
    });

    it(`on which a logo appears after a cut: ${type} if it fades in, only the cut if it grows`, () => {
      const appearing = (logo: (share: number) => Image) => [
        ...times(30, a),
        ...times(40, (i) => logo(Math.min(1, i / 15))),
      ];
      assert.deepEqual(typesOf(appearing((share) => logoOn(level, 0.4, share))), [type]);
      assert.deepEqual(typesOf(appearing((share) => logoOn(level, 0.1 + 0.3 * share))), ['cut']);
    });
  }
});
