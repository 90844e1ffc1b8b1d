import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TitleMeter, titleRanges } from '../../src/analysis/captions/title-meter.ts';
import {
  arriving,
  atOnce,
  type DrawnTitle,
  drawTitle,
  END,
  leaving,
  SAMPLE,
  START,
  TITLE_PICTURE,
} from '../support/drawn-title.ts';

const RATE = TITLE_PICTURE.rate;

function measure(drawn: DrawnTitle, blends: ConstructorParameters<typeof TitleMeter>[1] = []) {
  const meter = new TitleMeter(SAMPLE, blends);
  for (const [from, to] of titleRanges(SAMPLE))
    for (let frame = Math.ceil(from * RATE); frame < to * RATE; frame++)
      meter.push(frame / RATE, drawTitle(frame / RATE, drawn));
  return meter.finish();
}

describe('box of a title', () => {
  for (const [name, box] of [
    ['opaque', { rgb: [0, 0, 0], opacity: 1 }],
    ['red, half transparent', { rgb: [200, 20, 40], opacity: 0.5 }],
    ['dark, of .7', { rgb: [20, 30, 60], opacity: 0.7 }],
  ] as const)
    test(name, () => {
      const found = measure({ box }).box;
      assert.ok(found !== undefined);
      const rgb = [1, 3, 5].map((at) => Number.parseInt(found.color.slice(at, at + 2), 16));
      for (const [c, level] of rgb.entries()) assert.ok(Math.abs(level - box.rgb[c]!) <= 12, found.color);
      assert.ok(Math.abs(found.opacity - box.opacity) <= 0.06, String(found.opacity));
    });

  test('a soft shadow is none', () =>
    assert.equal(measure({ box: { rgb: [0, 0, 0], opacity: 0.8, soft: true } }).box, undefined));
  test('letters on the picture have none', () => assert.equal(measure({}).box, undefined));
});

describe('animation of a title', () => {
  for (const [name, stateAt, which, type, side] of [
    ['at once', atOnce, 'animationIn', 'cut', undefined],
    ['fades in', arriving((opacity) => ({ opacity })), 'animationIn', 'fade', undefined],
    ['slides from the left', arriving((done) => ({ x: -60 * (1 - done) })), 'animationIn', 'slide', 'left'],
    ['slides from below', arriving((done) => ({ y: 40 * (1 - done) })), 'animationIn', 'slide', 'bottom'],
    ['grows', arriving((done) => ({ scale: 0.3 + 0.7 * done })), 'animationIn', 'pop', undefined],
    ['fades out', leaving((opacity) => ({ opacity })), 'animationOut', 'fade', undefined],
    ['leaves to the top', leaving((rest) => ({ y: -40 * (1 - rest) })), 'animationOut', 'slide', 'top'],
    ['disappears at once', atOnce, 'animationOut', 'cut', undefined],
  ] as const)
    test(name, () => {
      const found = measure({ stateAt })[which];
      assert.deepEqual([found?.type, found?.side], [type, side]);
      // Letters that are small or nearly in place are not followed.
      if (type !== 'cut') assert.ok(found!.seconds > 0.2 && found!.seconds < 0.5, String(found!.seconds));
      else assert.equal(found!.seconds, 0);
    });

  test('letter by letter is unknown', () =>
    assert.equal(measure({ stateAt: arriving((typed) => ({ typed })) }).animationIn, undefined));
  test('a fade with the picture is unknown', () => {
    const blends = [{ startSeconds: START - 0.2, endSeconds: START + 0.4 }];
    assert.equal(measure({ stateAt: arriving((opacity) => ({ opacity })) }, blends).animationIn, undefined);
  });
  test('a title that is there from the first frame on is unknown', () =>
    assert.equal(measure({ stateAt: (seconds) => (seconds < END ? {} : null) }).animationIn, undefined));
});

test('titles are read as a whole, long ones at both ends', () => {
  assert.deepEqual(titleRanges({ startSeconds: 0.5, endSeconds: 2 }), [[0, 2.9]]);
  assert.deepEqual(titleRanges({ startSeconds: 5, endSeconds: 15 }), [
    [4.1, 6.2],
    [13.8, 15.9],
  ]);
});
