/** Silhouettes, light, picture faults and single frames, which are no transitions, and transitions that resemble them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sketchFrame } from '../../src/analysis/frames/sketch.ts';
import type { Candidate } from '../../src/analysis/transitions/candidate.ts';
import { isNoTransition } from '../../src/analysis/transitions/no-transition.ts';
import { RGB } from '../../src/domain/footage.ts';
import {
  asFrame,
  changesOf,
  drawn,
  FPS,
  flat,
  here,
  type Image,
  mixed,
  Place,
  random,
  shot,
  there,
  times,
  WIDTH,
} from './shot-scenes.ts';

/** Each pixel by its place. */
function painted(colorAt: (x: number, y: number) => readonly [number, number, number]): Image {
  return flat(0).map((_, at) => {
    const pixel = Math.floor(at / RGB);
    return colorAt(pixel % WIDTH, Math.floor(pixel / WIDTH))[at % RGB];
  });
}

describe('silhouettes before a plain color', () => {
  const GREEN = [20, 255, 10] as const;
  const BLACK = [2, 2, 2] as const;
  /** A figure whose right edge is at `edge`, uneven like shoulders and a head. */
  const figure = (edge: number) =>
    painted((x, y) => (x < edge + 6 * Math.sin(y / 9) + (y < 30 ? -12 : 0) ? BLACK : GREEN));

  for (const share of [0.6, 0.8]) {
    it(`that enter up to ${share} of the picture: no transition`, () => {
      const images = times(120, (i) =>
        figure(WIDTH * share * Math.max(0, Math.min(1, (i - 45) / 20)) - 30 * Math.max(0, 1 - i / 45)),
      );
      assert.deepEqual(changesOf(images), []);
    });
  }

  /** A page of words: short bars in rows. */
  const page = (ground: number, ink: number, seed: number): Image => {
    const next = random(seed);
    const isInk = Array.from({ length: 15 * 20 }, () => next() < 0.4);
    return painted((x, y) => {
      const level = isInk[Math.floor(y / 6) * 20 + Math.floor(x / 8)] && y % 6 > 1 ? ink : ground;
      return [level, level, level];
    });
  };

  it('a black page that pushes a white one away: a slide', () => {
    const [white, black] = [page(250, 10, 3), page(5, 240, 4)];
    const pushed = times(11, (i) => drawn('slide', 'left', white, black, (i + 1) / 12));
    const images = [...times(40, () => white), ...pushed, ...times(40, () => black)];
    assert.deepEqual(
      changesOf(images).map(([type]) => type),
      ['slide'],
    );
  });
});

describe('bursts', () => {
  it('two shots of two frames between two like ones: all cuts', () => {
    const views = [here.view(), there.view(), new Place(31).view(), here.view()];
    const lengths = [40, 2, 2, 40];
    const images = views.flatMap((view, k) => times(lengths[k], () => view));
    assert.deepEqual(changesOf(images), [
      ['cut', 40],
      ['cut', 42],
      ['cut', 44],
    ]);
  });
});

describe('light', () => {
  const samplesOf = (images: readonly Image[]) =>
    images.map((image, i) =>
      sketchFrame(
        asFrame(image, i, i / FPS, () => 0),
        null,
        null,
      ),
    );
  const zoom = (end: number): Candidate => ({
    ...{ start: 0, end, type: 'zoom' as const, logScale: 0.5, residual: 0.1 },
    fit: { start: 0, end, easing: 'linear', error: 0 },
  });

  it('that is brighter than the pictures before and after a cut: no transition', () => {
    const flash = (image: Image) => mixed(image, flat(255), 0.9);
    const images = [here.view(), flash(here.view()), there.view(), there.view()];
    assert.equal(isNoTransition(samplesOf(images), zoom(3)), true);
  });

  it('that changes from one picture to the other: a transition', () => {
    const images = times(7, (i) => drawn('zoom', 'left', here.view(), there.view(), i / 6));
    assert.equal(isNoTransition(samplesOf(images), zoom(6)), false);
  });
});

describe('a cut that parts of the picture precede or follow', () => {
  it('a circle of two drawn frames: a cut', () => {
    const [a, b] = [here.view(), there.view()];
    const circle = [0.3, 0.9].map((share) => drawn('circle', 'right', a, b, share));
    const images = [...times(40, () => a), ...circle, ...times(40, () => b)];
    assert.deepEqual(changesOf(images), [['cut', 41]]);
  });

  it('a cut behind a still quarter of the picture: a cut', () => {
    const [a, b] = [here.view(), there.view()];
    const half = b.slice();
    half.set(a.subarray(0, a.length / 4), 0);
    assert.deepEqual(changesOf([...times(40, () => a), ...times(40, () => half)]), [['cut', 40]]);
  });
});

describe('single frames at the ends of a clip', () => {
  it('are no shots', () => {
    assert.deepEqual(changesOf([...shot(here, 0, 60), ...shot(there, 0, 1)]), []);
    assert.deepEqual(changesOf([...shot(there, 0, 1), ...shot(here, 0, 60)]), []);
  });

  it('are shots from two on', () => {
    assert.deepEqual(changesOf([...shot(here, 0, 60), ...shot(there, 0, 2)]), [['cut', 60]]);
    assert.deepEqual(changesOf([...shot(there, 0, 2), ...shot(here, 0, 60)]), [['cut', 2]]);
  });
});
