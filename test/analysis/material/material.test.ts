/** The material of a take, from facts with known faults. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MotionCurve } from '../../../src/analysis/facts.ts';
import { materialOf } from '../../../src/analysis/material/material.ts';
import type { TakeFault } from '../../../src/analysis/material/take-material.ts';
import type { PictureFacts } from '../../../src/analysis/picture-facts.ts';
import { clipFacts, cutAt, pictureFacts } from '../../support/clip-facts.ts';

const SECONDS = 20;
const EVERY = 0.3;
const FPS = 25;
const TIMES = Array.from({ length: Math.ceil(SECONDS / EVERY) }, (_, i) => i * EVERY);

/** A good picture, but from 8 to 12 seconds. */
function picture(spoiled: Readonly<Partial<Record<keyof PictureFacts, number>>> = {}): PictureFacts {
  const good = {
    ...{ sharpness: 0.8, noise: 0, detail: 0.1, contrast: 0.2, lightness: 50 },
    ...{ black: 0, white: 0, highlight: 220, colorSpread: 0.1, change: 100, difference: 0.1 },
  };
  const columns = Object.entries(good).map(([name, value]) => [
    name,
    TIMES.map((at) => (at >= 8 && at < 12 ? (spoiled[name as keyof PictureFacts] ?? value) : value)),
  ]);
  return pictureFacts({ timesSeconds: TIMES, ...Object.fromEntries(columns) });
}

function curve(shiftX: (seconds: number) => number): MotionCurve {
  const timesSeconds = Array.from({ length: SECONDS * FPS }, (_, frame) => frame / FPS);
  const zeros = timesSeconds.map(() => 0);
  return {
    timesSeconds,
    shiftX: timesSeconds.map(shiftX),
    ...{ shiftY: zeros, logScale: zeros, rotation: zeros, residual: zeros, support: zeros.map(() => 1) },
  };
}

function faultsWith(spoiled: Parameters<typeof picture>[0], motion = curve(() => 0)) {
  const video = { durationSeconds: SECONDS, picture: picture(spoiled) };
  return materialOf(clipFacts({ video, motion: { curve: motion } })).faults;
}

describe('faults', () => {
  for (const [fault, spoiled] of [
    ['blurred', { sharpness: 0.4 }],
    ['blurred', { sharpness: 0.55 }],
    ['dark', { lightness: 2, highlight: 20 }],
    ['dark', { lightness: 22, highlight: 140 }],
    ['overexposed', { white: 0.6, lightness: 90 }],
    ['covered', { contrast: 0.01, detail: 0, sharpness: 0 }],
    ['frozen', { change: 1.5 }],
    ['frozen', { change: 40, difference: 0.01 }],
  ] as const satisfies readonly (readonly [TakeFault, object])[]) {
    test(`${fault}: ${JSON.stringify(spoiled)}`, () => {
      // Where nothing moves, the beginning of a frozen picture is less certain.
      const moving = curve((at) => (at >= 8 && at < 12 ? 0 : 0.01 / FPS));
      const motion = fault === 'frozen' ? moving : undefined;
      const faults = faultsWith(spoiled, motion).filter((span) => span.fault === fault);
      assert.equal(faults.length, 1);
      assert.ok(Math.abs(faults[0].startSeconds - 8) <= 0.7 && Math.abs(faults[0].endSeconds - 12) <= 0.4);
    });
  }
  test('white bars and grounds overexpose nothing', () => {
    for (const [white, lightness] of [
      [0.44, 49],
      [0.46, 50],
      [0.42, 66],
    ] as const)
      assert.deepEqual(faultsWith({ white, lightness }), []);
  });
  test('of a fault that is missed for a moment', () => {
    const { sharpness, ...rest } = picture();
    const missed = sharpness.map((value, at) =>
      TIMES[at]! >= 8 && TIMES[at]! < 12 && at !== 33 ? 0.3 : value,
    );
    const video = { durationSeconds: SECONDS, picture: { ...rest, sharpness: missed } };
    const { faults } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } }));
    assert.deepEqual(
      faults.map(({ fault }) => fault),
      ['blurred'],
    );
  });
  test('a short take is not measured against itself', () => {
    const durationSeconds = 2;
    const lightness = TIMES.map((at) => (at < 1 ? 50 : 22));
    const sharpness = TIMES.map((at) => (at < 1 ? 0.8 : 0.5));
    const video = { durationSeconds, picture: { ...picture(), lightness, sharpness } };
    assert.deepEqual(materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } })).faults, []);
  });
  describe('a blur of .6 s parts a recording, not a shot that somebody trimmed', () => {
    for (const [seconds, blurredSeconds, isFault] of [
      [2, 0.6, false],
      [2, 1.4, true],
      [2, 2, true],
      [6, 0.6, true],
    ] as const)
      test(`${blurredSeconds} of ${seconds} s`, () => {
        const sharpness = TIMES.map((at) => (at < blurredSeconds ? 0.3 : 0.8));
        const video = { durationSeconds: seconds, picture: { ...picture(), sharpness } };
        const { faults } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } }));
        assert.equal(faults.length > 0, isFault);
      });
  });
  test('a trimmed shot shows what somebody chose: all of it has full worth and quality', () => {
    const of = (durationSeconds: number) => {
      const bare = { detail: TIMES.map(() => 0.01), sharpness: TIMES.map((at) => (at % 2 < 1 ? 0.9 : 0.7)) };
      const video = { durationSeconds, picture: { ...picture(), ...bare } };
      const { curves } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } }));
      return [Math.min(...curves.worth!), Math.min(...curves.quality!)];
    };
    assert.deepEqual(of(2), [1, 1]);
    assert.ok(of(6).every((least) => least < 0.9));
  });
  test('moments with more color are worth more', () => {
    const colorSpread = TIMES.map((at) => (at < 10 ? 0.05 : 0.2));
    const video = { durationSeconds: SECONDS, picture: { ...picture(), colorSpread } };
    const { curves } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } }));
    const [grey, colored] = [curves.worth!.at(1)!, curves.worth!.at(-2)!];
    assert.ok(colored > grey + 0.2, `${grey} and ${colored}`);
  });
  test('a picture as a video is motionless, not frozen; with motion anywhere in it, it is frozen', () => {
    const change = TIMES.map(() => 1.5);
    const materialWith = (motion: MotionCurve) =>
      materialOf(
        clipFacts({
          video: { durationSeconds: SECONDS, picture: { ...picture(), change } },
          motion: { curve: motion },
        }),
      );
    const still = materialWith(curve(() => 0));
    assert.deepEqual([still.isMotionless, still.faults], [true, []]);
    const moving = materialWith(curve((at) => (at < 1 ? 0.1 / FPS : 0)));
    assert.equal(moving.isMotionless, false);
    assert.ok(moving.faults.some(({ fault }) => fault === 'frozen'));
  });
  test('an untouched picture has none', () => assert.deepEqual(faultsWith({}), []));
  test('a slow fall of sharpness is none', () => {
    const sharpness = TIMES.map((at) => 0.8 - 0.015 * at);
    const video = { durationSeconds: SECONDS, picture: { ...picture(), sharpness } };
    assert.deepEqual(materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } })).faults, []);
  });
  test('a sway of 3 % is shaken, one of 1 % is not', () => {
    const sway = (share: number) => {
      const x = (at: number) => share * Math.sin(2 * Math.PI * 3 * at);
      return curve((at) => (at >= 8 && at < 12 ? x(at) - x(at - 1 / FPS) : 0));
    };
    assert.deepEqual([...new Set(faultsWith({}, sway(0.03)).map(({ fault }) => fault))], ['shaken']);
    assert.deepEqual(faultsWith({}, sway(0.01)), []);
  });
  test('a picture without structure whose motion cannot be measured counts as shaken', () => {
    const unmeasured = curve(() => 0);
    const support = unmeasured.timesSeconds.map((at) => (at >= 8 && at < 12 ? 0 : 1));
    const activity = unmeasured.timesSeconds.map((at) => (at >= 8 && at < 12 ? 0.0002 : 0));
    const motion = { ...unmeasured, support, residual: activity };
    assert.deepEqual(
      [...new Set(faultsWith({ detail: 0.001 }, motion).map(({ fault }) => fault))],
      ['shaken'],
    );
    assert.deepEqual(faultsWith({}, motion), []);
    assert.deepEqual(faultsWith({ detail: 0.001 }), []);
  });
  test('a camera that turns around within half a second is not shaken', () => {
    const turn = curve((at) => (at < 10 ? 0.15 : -0.15) / FPS);
    assert.deepEqual(faultsWith({}, turn), []);
  });
  test('change that is small, but measured as motion, is not frozen', () => {
    const drift = curve(() => 0.01 / FPS);
    assert.deepEqual(faultsWith({ change: 40, difference: 0.01 }, drift), []);
  });
  test('a slow pan is none, a whip pan is swinging', () => {
    const pan = (widthsPerSecond: number) => curve(() => widthsPerSecond / FPS);
    assert.deepEqual(faultsWith({}, pan(0.4)), []);
    assert.deepEqual([...new Set(faultsWith({}, pan(1.5)).map(({ fault }) => fault))], ['swinging']);
  });
  describe('by night', () => {
    /** Fireworks for a second in three; `dim`: what the rest is like. */
    const night = (dim: Readonly<Partial<Record<keyof PictureFacts, number>>>) => {
      const lit = { lightness: 25, highlight: 180, black: 0.5, ...{ sharpness: 0.8, noise: 0, detail: 0.1 } };
      const columns = Object.entries({ ...lit, contrast: 0.2, white: 0, change: 100, difference: 0.1 }).map(
        ([name, value]) => [
          name,
          TIMES.map((at) => (at % 3 < 1 ? value : (dim[name as keyof PictureFacts] ?? value))),
        ],
      );
      const video = {
        durationSeconds: SECONDS,
        picture: pictureFacts({ timesSeconds: TIMES, ...Object.fromEntries(columns) }),
      };
      return materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } })).faults;
    };
    test('lights that go off are no fault', () => {
      assert.deepEqual(night({ lightness: 9, highlight: 90, black: 0.6 }), []);
    });
    test('a lower exposure is, which turns most of the picture black', () => {
      const faults = night({ lightness: 9, highlight: 90, black: 0.9 });
      assert.deepEqual([...new Set(faults.map(({ fault }) => fault))], ['dark']);
    });
  });
  test('near own cuts', () => {
    const video = { durationSeconds: SECONDS, picture: picture(), transitions: [cutAt(10)] };
    const { faults } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } }));
    assert.equal(faults.length, 1);
    assert.equal(faults[0].fault, 'own_cut');
    assert.ok(faults[0].startSeconds <= 9.75 && faults[0].endSeconds >= 10.25);
  });
});

describe('quality never rises from one tenth of a take to the next, and ends at less than a third, with more', () => {
  const degreeAt = (seconds: number) => Math.floor((10 * seconds) / SECONDS) / 9;
  const columns = (of: Readonly<Partial<Record<keyof PictureFacts, (degree: number) => number>>>) => ({
    ...picture(),
    ...Object.fromEntries(
      Object.entries(of).map(([name, value]) => [name, TIMES.map((at) => value(degreeAt(at)))]),
    ),
  });
  const sway = (at: number) => 0.03 * degreeAt(at) * Math.sin(2 * Math.PI * 3 * at);
  for (const [name, facts, motion] of [
    ['blur', columns({ sharpness: (degree) => 0.9 * (1 - degree) }), curve(() => 0)],
    ['noise', columns({ noise: (degree) => 8 * degree }), curve(() => 0)],
    [
      'darkness',
      columns({ lightness: (degree) => 50 * (1 - degree), highlight: (degree) => 220 * (1 - degree) }),
      curve(() => 0),
    ],
    ['shake', picture(), curve((at) => sway(at) - sway(at - 1 / FPS))],
  ] as const)
    test(name, () => {
      const video = { durationSeconds: SECONDS, picture: facts };
      const quality = materialOf(clipFacts({ video, motion: { curve: motion } })).curves.quality!;
      const tenths = Array.from({ length: 10 }, (_, tenth) => quality[tenth * 10 + 5]);
      for (let at = 1; at < 10; at++) assert.ok(tenths[at] <= tenths[at - 1] + 1e-9, tenths.join(' '));
      assert.ok(tenths[9] < tenths[0] / 3, tenths.join(' '));
    });
});

test('a photo has one step, no duration and no faults', () => {
  const photo = pictureFacts({
    ...{ timesSeconds: [0], sharpness: [0], noise: [0], detail: [0], contrast: [0], lightness: [1] },
    ...{ black: [1], white: [0], highlight: [3], colorSpread: [0], change: [null], viewTimesSeconds: [0] },
    views: Buffer.alloc(64, 128).toString('base64'),
  });
  const video = { durationSeconds: 0, isStill: true, picture: photo };
  const material = materialOf(clipFacts({ video, audio: null }));
  assert.deepEqual([material.durationSeconds, material.isPhoto, material.faults], [0, true, []]);
  for (const values of Object.values(material.curves)) assert.equal(values.length, 1);
  assert.equal(material.views.length, 1);
});

test('motion is in diagonals per second', () => {
  const video = { durationSeconds: SECONDS, picture: picture() };
  const { curves } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0.2 / FPS) } }));
  const expected = (0.2 * 16) / Math.hypot(16, 9);
  assert.ok(Math.abs(curves.motion[50] - expected) < 0.002);
});

describe('places of the camera', () => {
  const placesOf = (motion: MotionCurve, more: object = {}) => {
    const video = { durationSeconds: SECONDS, picture: picture(), ...more };
    return materialOf(clipFacts({ video, motion: { curve: motion } })).places!;
  };
  const width = 16 / Math.hypot(16, 9);

  test('are in diagonals, one in the middle of each view', () => {
    const places = placesOf(curve((seconds) => (seconds >= 10 ? 0.1 / FPS : 0)));
    assert.equal(places.length, SECONDS);
    for (const [at, seconds] of [
      [3, 0],
      [9, 0],
      [10, 0.5],
      [19, 9.5],
    ] as const)
      assert.ok(Math.abs(places[at]!.x - 0.1 * width * seconds) < 0.01, `view ${at}`);
    assert.ok(places.every(({ y, zoom, part }) => y === 0 && zoom === 0 && part === 0));
  });

  test('a part ends at a cut, and where the motion is lost for more than a flash', () => {
    const motion = curve(() => 0);
    const lost = (seconds: number) => ({
      ...motion,
      support: motion.timesSeconds.map((at) => (at >= 12 && at < 12 + seconds ? 0.1 : 1)),
    });
    const partsBeside = (places: readonly { readonly part: number }[], view: number) =>
      places[view - 1]!.part === places[view + 1]!.part;
    assert.equal(partsBeside(placesOf(motion, { transitions: [cutAt(12.2, FPS)] }), 12), false);
    assert.equal(partsBeside(placesOf(lost(0.1)), 12), true);
    assert.equal(partsBeside(placesOf(lost(0.5)), 12), false);
  });
});

test('a figure counts between two samples that both show it', () => {
  const across = [0, 1];
  const figures = [0, 3, 6, 9].map((timeSeconds) => ({
    timeSeconds,
    ...(timeSeconds === 3 || timeSeconds === 6 ? { across, down: across } : { across: [0, 0], down: [0, 0] }),
  }));
  const video = { durationSeconds: SECONDS, picture: picture(), figures };
  const { figure } = materialOf(clipFacts({ video, motion: { curve: curve(() => 0) } })).curves;
  const seen = figure!.flatMap((value, step) => (value === 1 ? [step * 0.2] : []));
  assert.ok(Math.abs(seen[0] - 3) < 0.3 && Math.abs(seen.at(-1)! - 6) < 0.3);
});
