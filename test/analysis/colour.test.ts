import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColourAnalysis } from '../../src/analysis/colour.ts';
import type { ColourFacts, Shot, Transition } from '../../src/analysis/facts.ts';
import type { Frame, Picture } from '../../src/footage.ts';

const WIDTH = 48;
const HEIGHT = 27;
const FPS = 25;

type Paint = (x: number, y: number, index: number) => readonly [number, number, number];

function frame(index: number, paint: Paint): Frame {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) data.set(paint(x, y, index), (y * WIDTH + x) * 3);
  }
  const colour: Picture = { width: WIDTH, height: HEIGHT, channels: 3, data };
  const grey: Picture = { width: 1, height: 1, channels: 1, data: new Uint8Array(1) };
  return { index, timeSeconds: index / FPS, colour, grey, detail: null };
}

function shot(startFrame: number, endFrame: number): Shot {
  return { startFrame, endFrame, startSeconds: startFrame / FPS, endSeconds: endFrame / FPS };
}

function analyse(
  frames: number,
  paint: Paint,
  shots: readonly Shot[] = [shot(0, frames)],
  transitions: readonly Transition[] = [],
): ColourFacts {
  const analysis = new ColourAnalysis();
  for (let index = 0; index < frames; index++) analysis.push(frame(index, paint));
  return analysis.finish(shots, transitions);
}

const near = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

test('a grey ramp has even percentiles and no chroma', () => {
  const { clip } = analyse(25, (x) => {
    const level = Math.round((x / (WIDTH - 1)) * 255);
    return [level, level, level];
  });
  near(clip.lightnessPercentiles[0]!, 0, 1);
  near(clip.lightnessPercentiles[10]!, 53.6, 2);
  near(clip.lightnessPercentiles[20]!, 100, 1);
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

test('letterbox, pillarbox and black frames are left out', () => {
  const paint: Paint = (x, y, index) =>
    index < 10 || y < 4 || y >= 23 || x < 6 || x >= 42 ? [0, 0, 0] : [128, 120, 90];
  const { clip, confidence } = analyse(50, paint);
  near(clip.lightnessPercentiles[0]!, clip.lightnessPercentiles[20]!, 0.6);
  assert.ok(confidence > 0.5);
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
  const analysis = new ColourAnalysis();
  for (let index = 0; index < 50; index++) {
    analysis.push(frame(index, (_x, y) => (y >= 18 ? [255, 255, 255] : [100, 100, 100])));
  }
  const box = { x: 0, y: 0.6, width: 1, height: 0.4 };
  const { clip } = analysis.finish([shot(0, 50)], [], [{ startSeconds: 0, endSeconds: 2, box }]);
  near(clip.lightnessPercentiles[20]!, clip.lightnessPercentiles[0]!, 0.6);
});

test('the palette holds the colours by their shares', () => {
  const { palette } = analyse(25, (x) => (x < 12 ? [220, 40, 40] : x < 24 ? [40, 60, 200] : [230, 230, 220]));
  assert.equal(palette.length, 3);
  near(palette[0]!.weight, 0.5, 0.03);
  assert.match(palette[0]!.hex, /^#e[4-8]e[4-8]d[a-f]$/);
});

test('skin is found by its hue', () => {
  const { clip } = analyse(25, (x) => (x < 24 ? [205, 150, 125] : [90, 100, 110]));
  near(clip.skin!.share, 0.5, 0.03);
  near(clip.skin!.hueDegrees, 48, 8);
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
  const analysis = new ColourAnalysis(64);
  const paint: Paint = (_x, _y, index) => (index < 1000 ? [200, 60, 60] : [60, 60, 200]);
  for (let index = 0; index < 2000; index++) analysis.push(frame(index, paint));
  const { shots } = analysis.finish([shot(0, 1000), shot(1000, 2000)], []);
  assert.ok(shots[0]!.meanB > 0 && shots[1]!.meanB < 0);
});
