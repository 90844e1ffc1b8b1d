/** Logos and titles on a ground of one color. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Transition } from '../../src/analysis/facts.ts';
import { CardDetector } from '../../src/analysis/subjects/card.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';

type Paint = (x: number, y: number) => readonly [number, number, number];

function picture(width: number, height: number, channels: 1 | 3, paint: Paint): Picture {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = paint((x + 0.5) / width, (y + 0.5) / height);
      const grey = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
      data.set(channels === 1 ? [grey] : [red, green, blue], channels * (y * width + x));
    }
  return { width, height, channels, data };
}

/** Shots of two seconds, ten frames a second, painted by functions of their time. */
const cards = (...shots: readonly ((seconds: number) => Paint)[]) => cardsBetween([], ...shots);

function cardsBetween(transitions: readonly Transition[], ...shots: readonly ((seconds: number) => Paint)[]) {
  const detector = new CardDetector();
  for (const [shot, paintAt] of shots.entries())
    for (let at = 0; at < 20; at++) {
      const paint = paintAt(at / 10);
      const frame: Frame = {
        index: 20 * shot + at,
        timeSeconds: 2 * shot + at / 10,
        color: picture(48, 27, 3, paint),
        grey: picture(160, 90, 1, paint),
        detail: null,
      };
      detector.push(frame);
    }
  return detector.finish(
    shots.map((_, shot) => ({
      startFrame: 20 * shot,
      endFrame: 20 * shot + 20,
      startSeconds: 2 * shot,
      endSeconds: 2 * shot + 2,
    })),
    transitions,
  );
}

const GREEN = [40, 120, 60] as const;
const PAPER = [236, 232, 225] as const;
const logo =
  (
    x: number,
    y: number,
    width: number,
    height: number,
    ground = PAPER as readonly [number, number, number],
  ): Paint =>
  (u, v) =>
    u > x && u < x + width && v > y && v < y + height ? GREEN : ground;
const near = (observed: number, expected: number) =>
  assert.ok(Math.abs(observed - expected) < 0.022, `${observed}, not ${expected}`);

describe('a card', () => {
  for (const [what, x, y, width, height] of [
    ['a logo in the middle', 0.25, 0.4, 0.5, 0.2],
    ['a title at the left', 0.1, 0.3, 0.2, 0.1],
    ['one that reaches nearly across', 0.05, 0.4, 0.9, 0.2],
  ] as const) {
    test(`${what}: its box, extended to include the middle of the picture`, () => {
      const [box] = cards(() => logo(x, y, width, height));
      near(box!.x, Math.min(0.5, x));
      near(box!.y, Math.min(0.5, y));
      near(box!.x + box!.width, Math.max(0.5, x + width));
      near(box!.y + box!.height, Math.max(0.5, y + height));
    });
  }

  test('later and earlier content are both included', () => {
    const [box] = cards((seconds) => (seconds < 1 ? logo(0.2, 0.4, 0.1, 0.1) : logo(0.7, 0.5, 0.1, 0.2)));
    near(box!.x, 0.2);
    near(box!.x + box!.width, 0.8);
    near(box!.y + box!.height, 0.7);
  });

  test('each shot is evaluated alone, and a card that fades in counts', () => {
    const wood: Paint = (u, v) => [90 + 60 * Math.sin(40 * u), 60 + 20 * Math.cos(30 * v), 40];
    const found = cards(
      () => wood,
      (seconds) => (seconds < 0.3 ? wood : logo(0.3, 0.4, 0.4, 0.2)),
      () => wood,
    );
    assert.deepEqual(
      found.map((box) => box !== null),
      [false, true, false],
    );
  });

  test('is one although most of its shot is the dissolve into it', () => {
    const wood: Paint = (u, v) => [90 + 60 * Math.sin(40 * u), 60 + 20 * Math.cos(30 * v), 40];
    const change = { startFrame: 10, endFrame: 34, startSeconds: 1, endSeconds: 3.4 };
    const dissolve: Transition = { type: 'dissolve', ...change, easing: 'linear', confidence: 1 };
    const shots = [() => wood, (seconds: number) => (seconds < 1.4 ? wood : logo(0.3, 0.4, 0.4, 0.2))];
    const isCard = (transitions: readonly Transition[]) =>
      cardsBetween(transitions, ...shots).map((box) => box !== null);
    assert.deepEqual(isCard([dissolve]), [false, true]);
    assert.deepEqual(isCard([]), [false, false]);
  });

  for (const [what, paint] of [
    ['whose ground is another on one side', (u, v) => (u > 0.98 ? GREEN : logo(0.3, 0.4, 0.4, 0.2)(u, v))],
    ['that touches an edge', logo(0.3, 0.7, 0.4, 0.3)],
    ['that is a gradient', (u) => [Math.round(255 * u), 100, 100]],
    ['that is more picture than ground', logo(0.1, 0.1, 0.8, 0.8)],
  ] as readonly (readonly [string, Paint])[]) {
    test(`is none ${what}`, () =>
      assert.deepEqual(
        cards(() => paint),
        [null],
      ));
  }

  test('is none if it is visible for less than most of its shot', () => {
    assert.deepEqual(
      cards((seconds) => (seconds < 1 ? logo(0.3, 0.4, 0.4, 0.2) : (u) => [Math.round(255 * u), 0, 0])),
      [null],
    );
  });
});
