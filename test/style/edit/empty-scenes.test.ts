import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TakeMaterial } from '../../../src/analysis/material/take-material.ts';
import { CurveMeans } from '../../../src/style/edit/curve-means.ts';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { emptyMoments } from '../../../src/style/edit/empty-scenes.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeSlot, madeTake } from './made-material.ts';

const SECONDS = 24;
/** Somebody arrives, stays and leaves, twice, each at another place. */
const EVENTS = [4, 8, 14, 18];
const isEvent = (seconds: number) => EVENTS.some((event) => seconds >= event && seconds < event + 2);
const isEmpty = (seconds: number) => seconds < 4 || (seconds >= 10 && seconds < 14) || seconds >= 20;
/** Only a part of somebody is in the picture. */
const isAtEdge = (seconds: number) => [4, 9.5, 14, 19.5].some((at) => seconds >= at && seconds < at + 0.5);

function roomTake(seed = 1): EditTake {
  const made = madeTake({ content: contentOf(seed), seconds: SECONDS, seed });
  const { curves, views, stepSeconds, viewSeconds } = made.material;
  const material: TakeMaterial = {
    ...made.material,
    curves: {
      ...curves,
      motion: curves.motion.map(() => 0),
      activity: curves.activity.map((_, at) => (isEvent(at * stepSeconds) ? 0.03 : 0)),
    },
    views: views.map((view, at) => {
      const seconds = at * viewSeconds;
      if (isEmpty(seconds)) return views[0];
      // Two of 64 cells.
      if (isAtEdge(seconds)) return views[0].map((cell, place) => (place < 2 ? 255 - cell : cell));
      return isEvent(seconds) ? view : views[seconds < 12 ? 15 : 35];
    }),
  };
  return { ...made, material };
}

describe('empty scenes', () => {
  test('the view between events is empty, a person without motion is not', () => {
    const { material } = roomTake();
    const empty = emptyMoments(material);
    for (const [at, share] of empty.entries()) {
      const seconds = (at + 0.5) * material.stepSeconds;
      // A second around empty moments counts as such.
      if (isEvent(seconds)) continue;
      assert.equal(share, isEmpty(seconds) ? 1 : 0, `${seconds} s`);
    }
  });

  test('so is the picture while somebody enters or leaves it at its edge', () => {
    const { material } = roomTake();
    const empty = emptyMoments(material);
    for (const seconds of [4.2, 9.8, 14.2, 19.8])
      assert.equal(empty[Math.round(seconds / material.stepSeconds)], 1);
  });

  test('a figure that stands still is no empty scene, although its view recurs', () => {
    const { material } = roomTake();
    const figure = material.curves.activity.map(() => 1);
    const empty = emptyMoments({ ...material, curves: { ...material.curves, figure } });
    assert.deepEqual(new Set(empty), new Set([0]));
  });

  test('nothing comes or goes within a trimmed shot', () => {
    const { material } = roomTake();
    assert.deepEqual(new Set(emptyMoments({ ...material, durationSeconds: 2.5 })), new Set([0]));
  });

  test('a shot counts as empty by its share of empty time, not by its mean activity', () => {
    const means = new CurveMeans(roomTake().material);
    assert.ok(Math.abs(means.mean('empty', 3, 7.5) - 0.5) < 0.15);
    assert.equal(means.mean('empty', 6, 8), 0);
  });

  test('without a view that recurs, all moments without events count', () => {
    const { material } = roomTake();
    const { views } = madeTake({ content: contentOf(1), seconds: SECONDS, seed: 1 }).material;
    assert.equal(emptyMoments({ ...material, views })[70], 1);
  });

  test('no shot begins or ends with an empty scene, however lively the template is', () => {
    const lively = madeSlot(1.5, { motionRank: 0.2, activityRank: 0.9 });
    const template = {
      slots: [lively, lively, lively],
      onBeatShare: 1,
      tempoBpm: 120,
      cutsPerBarByEnergy: null,
    };
    const { slots } = planEdit(madeRequest({ takes: [1, 2, 3].map(roomTake), template }));
    for (const { sourceStartSeconds, sourceEndSeconds } of slots)
      for (const seconds of [sourceStartSeconds, sourceEndSeconds - 0.01])
        assert.ok(!isEmpty(seconds) && !isAtEdge(seconds), `${sourceStartSeconds} to ${sourceEndSeconds} s`);
  });
});

describe('takes of an edit', () => {
  test('all are shown where there are slots enough, although some fit better', () => {
    const ranks = { contrastRank: 0.95, detailRank: 0.95, activityRank: 0.95, motionRank: 0.95 };
    const slots = Array.from({ length: 6 }, () => madeSlot(1, ranks));
    const template = { slots, onBeatShare: 1, tempoBpm: 120, cutsPerBarByEnergy: null };
    const takes = [1, 2, 3, 4, 5, 6].map((seed) => {
      const take = madeTake({ content: contentOf(seed), seconds: 12, seed });
      const { curves } = take.material;
      const calm = (curve: readonly number[]) => curve.map((value) => (seed > 2 ? value / 10 : value));
      const { motion, activity, contrast, detail } = curves;
      const changed = {
        ...{ ...curves, motion: calm(motion), activity: calm(activity) },
        ...{ contrast: calm(contrast), detail: calm(detail) },
      };
      return { ...take, material: { ...take.material, curves: changed } };
    });
    const plan = planEdit(madeRequest({ takes, template }));
    assert.equal(new Set(plan.slots.map(({ take }) => take)).size, 6);
  });

  test('one that is mostly empty has a smaller share', () => {
    const slots = Array.from({ length: 30 }, () => madeSlot(1.5));
    const template = { slots, onBeatShare: 1, tempoBpm: 120, cutsPerBarByEnergy: null };
    const others = [2, 3].map((seed) => madeTake({ content: contentOf(seed), seconds: SECONDS, seed }));
    const plan = planEdit(madeRequest({ takes: [roomTake(1), ...others], template, order: 'story' }));
    const ofRoom = plan.slots.filter(({ take }) => take === 0);
    assert.ok(ofRoom.length > 0 && ofRoom.length <= plan.slots.length / 6);
  });
});
