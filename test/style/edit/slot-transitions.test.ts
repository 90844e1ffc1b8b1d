import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditTake, PlannedSlot, SlotTransition } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { madeRequest, madeTemplate, makeTakes } from './made-material.ts';

const COUNT = 6;

/** Takes that show one picture in the lightness of each, with this contrast. */
function takesOf(lightness: readonly number[], contrast: number, isAlike: boolean): EditTake[] {
  const takes = makeTakes(COUNT, 12);
  return takes.map((take, at) => {
    const { material } = take;
    const same = (value: number) => material.curves.motion.map(() => value);
    const curves = {
      ...material.curves,
      lightness: same(lightness[at % lightness.length]!),
      contrast: same(contrast),
    };
    // Opposite pictures in turn.
    const view = Array.from({ length: 64 }, (_, cell) => {
      const isLight = cell % 8 < 4 === (isAlike || at % 2 === 0);
      return (isLight ? 170 : 86) + ((cell * (7 + at)) % 5);
    });
    return { ...take, material: { ...material, curves, views: material.views.map(() => view) } };
  });
}

function slotsWith(type: SlotTransition['type'], takes: EditTake[]): PlannedSlot[] {
  const transition: SlotTransition = { type, durationSeconds: 0.4, easing: 'linear', direction: 'left' };
  const template = madeTemplate(Array.from({ length: COUNT }, () => 4));
  const slots = template.slots.map((slot, at) => (at === 0 ? slot : { ...slot, transition }));
  const request = madeRequest({ takes, template: { ...template, slots }, order: 'story' });
  return planEdit(request).slots.slice(1);
}

describe('between pictures that', () => {
  // [how they look, lightness of the takes in turn, contrast, whether they are alike, transition, whether it is followed].
  const rows = [
    ['differ in their parts', [50, 50], 0.2, false, 'wipe', true],
    ['differ in lightness', [30, 70], 0.1, true, 'wipe', true],
    ['differ in their parts', [50, 50], 0.2, false, 'slide', true],
    ['look alike', [50, 55], 0.2, true, 'wipe', false],
    ['look alike', [50, 55], 0.2, true, 'slide', false],
    ['have little contrast', [50, 52], 0.06, false, 'wipe', false],
    ['look alike', [50, 55], 0.2, true, 'dissolve', true],
    ['are light', [60, 60], 0.2, false, 'fade_white', true],
    ['are dark and light', [20, 60], 0.2, false, 'fade_black', true],
    ['are dark', [15, 20], 0.15, false, 'fade_white', false],
    ['are dark', [15, 20], 0.15, false, 'fade_black', false],
    ['are dark', [15, 20], 0.15, false, 'dissolve', true],
  ] as const;
  for (const [look, lightness, contrast, isAlike, type, isFollowed] of rows)
    test(`${look}, ${type}: ${isFollowed ? 'followed' : 'cut'}`, () => {
      const slots = slotsWith(type, takesOf(lightness, contrast, isAlike));
      const found = slots.map(({ transition }) => transition?.type ?? 'cut');
      assert.equal(found.includes(type), isFollowed, found.join(', '));
      for (const { transition, reasons } of slots) {
        const isSaid = reasons.some(({ code }) => code === 'cut_instead');
        assert.ok(isSaid ? transition === null : isFollowed, found.join(', '));
      }
    });
});
