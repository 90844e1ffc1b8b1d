import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColorAnalysis } from '../../src/analysis/color/color.ts';
import type { ColorFacts, Shot, Transition } from '../../src/analysis/facts.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';
import { measuredDials } from '../support/measured-dials.ts';

const WIDTH = 48;
const HEIGHT = 27;
const FPS = 25;

type Paint = (x: number, y: number, index: number) => readonly [number, number, number];

function frame(index: number, paint: Paint): Frame {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) data.set(paint(x, y, index), (y * WIDTH + x) * 3);
  }
  const color: Picture = { width: WIDTH, height: HEIGHT, channels: 3, data };
  const grey: Picture = { width: 1, height: 1, channels: 1, data: new Uint8Array(1) };
  return { index, timeSeconds: index / FPS, color, grey, detail: null };
}

function shot(startFrame: number, endFrame: number): Shot {
  return { startFrame, endFrame, startSeconds: startFrame / FPS, endSeconds: endFrame / FPS };
}

function analyse(
  frames: number,
  paint: Paint,
  shots: readonly Shot[] = [shot(0, frames)],
  transitions: readonly Transition[] = [],
): ColorFacts {
  const analysis = new ColorAnalysis();
  for (let index = 0; index < frames; index++) analysis.push(frame(index, paint));
  return analysis.finish(shots, transitions);
}

const grey = (level: number) => [level, level, level] as const;

const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

test('a grey ramp has even percentiles and no chroma', () => {
  const { clip } = analyse(25, (x) => {
    const level = Math.round((x / (WIDTH - 1)) * 255);
    return [level, level, level];
  });
  near(clip.lightnessPercentiles[0], 0, 1);
  near(clip.lightnessPercentiles[10], 53.6, 2);
  near(clip.lightnessPercentiles[20], 100, 1);
  assert.deepEqual([clip.meanA, clip.meanB, clip.covariance[0]], [0, 0, 0]);
  assert.equal(clip.skin, null);
  assert.ok(clip.clipped[0] > 0 && clip.clipped[1] > 0);
});

test('each shot has the same weight, however long it is', () => {
  const red = [200, 60, 60] as const;
  const blue = [60, 60, 200] as const;
  const shots = [shot(0, 100), shot(100, 125)];
  const { clip, shots: each } = analyse(125, (_x, _y, index) => (index < 100 ? red : blue), shots);
  near(clip.meanB, (each[0]!.meanB + each[1]!.meanB) / 2, 0.01);
  near(clip.meanA, (each[0]!.meanA + each[1]!.meanA) / 2, 0.01);
});

test('black frames and the bars of each shot are left out', () => {
  const paint: Paint = (x, y, index) =>
    index < 10 || (index < 30 ? x < 6 || x >= 42 : y < 4 || y >= 23) ? [6, 6, 6] : [128, 120, 90];
  const analysis = new ColorAnalysis();
  for (let index = 0; index < 50; index++) analysis.push(frame(index, paint));
  const areas = [
    { x: 6 / 48, y: 0, width: 36 / 48, height: 1 },
    { x: 0, y: 4 / 27, width: 1, height: 19 / 27 },
  ];
  const { clip, moments } = analysis.finish([shot(0, 30), shot(30, 50)], [], [], areas);
  near(clip.lightnessPercentiles[0], clip.lightnessPercentiles[20], 0.6);
  near(clip.lightnessPercentiles[10], 50.6, 1);
  assert.deepEqual([moments.areas[0], moments.areas.at(-1)], areas);
});

test('frames inside a gradual transition are left out', () => {
  const transition: Transition = {
    type: 'dissolve',
    startFrame: 40,
    endFrame: 60,
    startSeconds: 1.6,
    endSeconds: 2.4,
    easing: 'linear',
    confidence: 1,
  };
  const paint: Paint = (_x, _y, index) => (index > 40 && index < 60 ? [255, 0, 255] : [90, 90, 90]);
  const { clip } = analyse(100, paint, [shot(0, 50), shot(50, 100)], [transition]);
  near(clip.meanA, 0, 1e-9);
});

test('captions are left out', () => {
  const analysis = new ColorAnalysis();
  for (let index = 0; index < 50; index++) {
    analysis.push(frame(index, (_x, y) => (y >= 18 ? [255, 255, 255] : [100, 100, 100])));
  }
  const box = { x: 0, y: 0.6, width: 1, height: 0.4 };
  const { clip } = analysis.finish([shot(0, 50)], [], [{ startSeconds: 0, endSeconds: 2, box }]);
  near(clip.lightnessPercentiles[20], clip.lightnessPercentiles[0], 0.6);
});

type Rgb = readonly [number, number, number];
/** Colors and their shares, in columns of 48. */
const PALETTES: readonly [string, readonly (readonly [Rgb, number])[]][] = [
  ['one', [[[40, 90, 160], 48]]],
  [
    'three',
    [
      [[230, 230, 220], 24],
      [[220, 40, 40], 14],
      [[40, 60, 200], 10],
    ],
  ],
  [
    'a small accent',
    [
      [[60, 60, 64], 40],
      [[200, 190, 170], 5],
      [[240, 60, 20], 3],
    ],
  ],
  [
    'eight',
    [
      [[20, 20, 24], 13],
      [[240, 240, 235], 8],
      [[200, 40, 40], 7],
      [[40, 60, 200], 6],
      [[60, 160, 60], 5],
      [[240, 200, 40], 4],
      [[150, 60, 160], 3],
      [[110, 150, 160], 2],
    ],
  ],
];
for (const [name, colors] of PALETTES) {
  test(`the palette of ${name}: the colors by their shares, with any noise`, () => {
    const columns = colors.flatMap(([rgb, count]) => new Array<Rgb>(count).fill(rgb));
    for (const noise of [0, 10]) {
      let seed = 1;
      const shake = () => {
        seed = (seed * 16807) % 2147483647;
        return Math.round(noise * (seed / 2147483647 - 0.5));
      };
      const paint: Paint = (x) =>
        columns[x].map((level) => Math.max(0, Math.min(255, level + shake()))) as never;
      const { palette } = analyse(25, paint);
      assert.equal(palette.length, colors.length);
      for (const [index, [rgb, count]] of colors.entries()) {
        const { hex, weight } = palette[index];
        near(weight, count / 48, 0.005);
        const found = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
        for (const axis of [0, 1, 2]) near(found[axis], rgb[axis], 3);
      }
    }
  });
}

test('a palette has at most eight colors, its weights add up to one, and it is the same every time', () => {
  const paint: Paint = (x, y, index) => [x * 5, y * 9, (x * y + index * 10) % 256];
  const { palette } = analyse(25, paint);
  assert.ok(palette.length > 4 && palette.length <= 8);
  near(
    palette.reduce((sum, { weight }) => sum + weight, 0),
    1,
    0.004,
  );
  assert.deepEqual(analyse(25, paint).palette, palette);
});

const SKINS: readonly [string, Rgb, boolean][] = [
  ['light', [236, 200, 180], true],
  ['medium', [205, 150, 125], true],
  ['tan', [160, 110, 80], true],
  ['dark', [95, 65, 50], true],
  ['grey', [128, 128, 128], false],
  ['foliage', [80, 120, 50], false],
  ['sky', [110, 160, 220], false],
  ['signal red', [220, 30, 30], false],
];
for (const [name, rgb, isSkin] of SKINS) {
  test(`skin or not: ${name}`, () => {
    const { clip } = analyse(25, (x) => (x < 24 ? rgb : [90, 100, 110]));
    if (!isSkin) return assert.equal(clip.skin, null);
    near(clip.skin!.share, 0.5, 0.03);
    near(clip.skin!.hueDegrees, 53, 12);
  });
}

test('clipped shares count the ends of the range', () => {
  const { clip } = analyse(25, (x) => grey(x < 12 ? 0 : x < 18 ? 255 : 100));
  near(clip.clipped[0], 0.25, 0.01);
  near(clip.clipped[1], 0.125, 0.01);
});

test('a picture half grey, half colored: its chroma does not jump with a little more of one', () => {
  const half = (columns: number) =>
    analyse(25, (x) => (x < columns ? grey(120) : [200, 90, 60])).clip.medianChroma;
  assert.ok(half(22) > half(26));
  assert.ok(half(22) / half(26) < 1.5, `${half(22)} and ${half(26)}`);
});

test('a cast colors greys and saturates nothing', () => {
  const plain = analyse(25, (x) => grey(60 + x * 3)).clip.medianChroma;
  const warm = analyse(25, (x) => [70 + x * 3, 60 + x * 3, 45 + x * 3]).clip;
  near(plain, 0, 0.01);
  assert.ok(warm.medianChroma < 0.65 * Math.hypot(warm.meanA, warm.meanB));
});

/** Many colors about grey, as a street has them. */
const motley: Paint = (x, y) => [
  60 + ((x * 37 + y * 11) % 140),
  60 + ((x * 17 + y * 53) % 140),
  60 + ((x * 71 + y * 29) % 140),
];

const GAINS: readonly [string, (amount: number) => Rgb, 'temperature' | 'tint'][] = [
  ['red up and blue down', (x) => [1 + 0.2 * x, 1, 1 - 0.2 * x], 'temperature'],
  ['green down', (x) => [1, 1 - 0.2 * x, 1], 'tint'],
];
for (const [name, gains, dial] of GAINS) {
  test(`${name}: ${dial} follows, step by step, through grey`, () => {
    const dials = [-1, -0.5, 0, 0.5, 1].map((amount) => {
      const paint: Paint = (x, y, index) =>
        motley(x, y, index).map((level, axis) =>
          Math.min(255, Math.round(level * gains(amount)[axis])),
        ) as never;
      return measuredDials(analyse(5, paint).clip)[dial];
    });
    for (let step = 1; step < dials.length; step++) assert.ok(dials[step] > dials[step - 1] + 3, `${dials}`);
    near(dials[2], 0, 8);
  });
}

test('a shot of one strong color is no cast of the others, and by itself one of low confidence', () => {
  const screen: Paint = (x, y, index) =>
    index < 50 ? [30 + (x % 9), 170 + (y % 9), 40] : motley(x, y, index);
  const both = measuredDials(analyse(100, screen, [shot(0, 50), shot(50, 100)]).clip);
  const others = measuredDials(analyse(50, motley).clip);
  near(both.tint, others.tint, 8);
  near(both.temperature, others.temperature, 8);
  assert.ok(analyse(50, screen).confidence < 0.5);
});

test("confidence is low if a cast may be the content's, high if shots agree on it or there is none", () => {
  const shots = [0, 1, 2, 3, 4].map((at) => shot(at * 20, at * 20 + 20));
  const confidence = (paint: Paint, parts = [shot(0, 100)]) => analyse(100, paint, parts).confidence;
  const warm: Paint = (x, y) => [150 + (x % 20), 110 + (y % 20), 60 + (x % 20)];
  const meadow = confidence((x, y) => [80 + (x % 20), 140 + (y % 20), 40]);
  const neutral = confidence(motley);
  const agreed = confidence(warm, shots);
  const sole = confidence(warm);
  const mixed: readonly Rgb[] = [
    [180, 120, 60],
    [60, 120, 180],
    [60, 160, 60],
    [170, 90, 160],
    [200, 130, 80],
  ];
  const various = confidence(
    (x, _y, index) => mixed[Math.floor(index / 20)].map((level) => level + (x % 20)) as never,
    shots,
  );
  assert.ok(meadow < 0.6 && sole < 0.6, `${meadow} ${sole}`);
  assert.ok(neutral > 0.9, `${neutral}`);
  assert.ok(agreed > sole + 0.15 && agreed > various, `${agreed} ${sole} ${various}`);
});

const DEGENERATE: readonly [string, number, Paint][] = [
  ['no frame at all', 0, () => [0, 0, 0]],
  ['one frame', 1, () => [10, 200, 30]],
  ['all black', 50, () => [0, 0, 0]],
];
for (const [name, frames, paint] of DEGENERATE) {
  test(`${name}: finite figures`, () => {
    const facts = analyse(frames, paint, frames === 0 ? [] : [shot(0, frames)]);
    const text = JSON.stringify(facts);
    assert.ok(!/null,null,null|NaN|Infinity/.test(text), text);
    assert.equal(facts.clip.lightnessPercentiles.length, 21);
    if (name !== 'one frame') assert.equal(facts.confidence, 0);
  });
}

test('memory stays bounded: beyond the limit samples are thinned and the figures stay', () => {
  const analysis = new ColorAnalysis({ maxSamples: 64 });
  const paint: Paint = (_x, _y, index) => (index < 1000 ? [200, 60, 60] : [60, 60, 200]);
  for (let index = 0; index < 2000; index++) analysis.push(frame(index, paint));
  const { shots } = analysis.finish([shot(0, 1000), shot(1000, 2000)], []);
  assert.ok(shots[0]!.meanB > 0 && shots[1]!.meanB < 0);
});
