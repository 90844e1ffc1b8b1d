import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TakeMaterial } from '../../../src/analysis/material/take-material.ts';
import { CurveMeans } from '../../../src/style/edit/curve-means.ts';
import { emptyMoments } from '../../../src/style/edit/empty-scenes.ts';
import { contentOf, madeTake } from './made-material.ts';

const SECONDS = 24;
/** Somebody arrives, stays and leaves, twice, each at another place. */
const EVENTS = [4, 8, 14, 18];
const isEvent = (seconds: number) => EVENTS.some((event) => seconds >= event && seconds < event + 2);
const isEmpty = (seconds: number) => seconds < 4 || (seconds >= 10 && seconds < 14) || seconds >= 20;

function room(): TakeMaterial {
  const { material } = madeTake({ content: contentOf(1), seconds: SECONDS, seed: 1 });
  const { curves, views, stepSeconds, viewSeconds } = material;
  return {
    ...material,
    curves: {
      ...curves,
      motion: curves.motion.map(() => 0),
      activity: curves.activity.map((_, at) => (isEvent(at * stepSeconds) ? 0.03 : 0)),
    },
    views: views.map((view, at) => {
      const seconds = at * viewSeconds;
      if (isEmpty(seconds)) return views[0];
      return isEvent(seconds) ? view : views[seconds < 12 ? 15 : 35];
    }),
  };
}

describe('empty scenes', () => {
  test('the view between events is empty, a person without motion is not', () => {
    const material = room();
    const empty = emptyMoments(material);
    for (const [at, share] of empty.entries()) {
      const seconds = (at + 0.5) * material.stepSeconds;
      // Motion is averaged over half a second to both sides.
      if ([-0.6, 0.6].some((shift) => isEvent(seconds + shift))) continue;
      assert.equal(share, isEmpty(seconds) ? 1 : 0, `${seconds} s`);
    }
  });

  test('a shot counts as empty by its share of empty time, not by its mean activity', () => {
    const means = new CurveMeans(room());
    assert.ok(Math.abs(means.mean('empty', 2, 5) - 0.5) < 0.1);
    assert.equal(means.mean('empty', 6, 9), 0);
  });

  test('without a view that recurs, all moments without events count', () => {
    const material = room();
    const { views } = madeTake({ content: contentOf(1), seconds: SECONDS, seed: 1 }).material;
    assert.equal(emptyMoments({ ...material, views })[70], 1);
  });
});
