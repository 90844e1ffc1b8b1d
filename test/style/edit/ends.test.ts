import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { median } from '../../../src/signal/statistics.ts';
import type { TemplateEdit } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { madeRequest, madeSong, madeTemplate, makeTakes } from './made-material.ts';

const FADE = { type: 'fade_black', durationSeconds: 0.4, easing: 'linear' } as const;
const music = (bpm: number) => ({ song: madeSong(bpm, 400), startSeconds: null, templateStartSeconds: null });

/** With fades to black into the named slots. */
function withFades(template: TemplateEdit, into: readonly number[]): TemplateEdit {
  return {
    ...template,
    slots: template.slots.map((slot, at) => (into.includes(at) ? { ...slot, transition: FADE } : slot)),
  };
}

describe('the ends of an edit', () => {
  // [beats of the template's shots, at 120 beats a minute; tempo of the song].
  const rows: readonly (readonly [readonly number[], number])[] = [
    [[6, 6, 6, 6, 6, 6, 6, 1], 120],
    [[6, 6, 6, 6, 6, 6, 6, 2], 100],
    [[1, 4, 5, 4, 4, 5, 4, 4], 120],
    [[0.5, 4, 5, 4, 4, 5, 4, 0.5], 90],
    [[2, 2, 2, 2, 2, 2, 2, 2, 1], 140],
    [[1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 2, 1], 120],
  ];
  for (const order of ['story', 'free'] as const)
    for (const [beats, bpm] of rows)
      test(`are no stubs after shots of ${beats.join(', ')} beats, ${order}, ${bpm} beats a minute`, () => {
        const { slots } = planEdit(
          madeRequest({ order, takes: makeTakes(9, 20), template: madeTemplate(beats), music: music(bpm) }),
        );
        const lengths = slots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
        const usual = 0.7 * median(lengths);
        assert.ok(lengths[0]! >= Math.max(0.5, Math.min(1, usual)) - 0.02, `${lengths}`);
        assert.ok(lengths.at(-1)! >= Math.max(1, Math.min(1.3, usual)) - 0.02, `${lengths}`);
      });
});

describe('fades to a color', () => {
  // [slots of ten into which the template fades, whether an edit of as many takes does].
  const rows: readonly (readonly [readonly number[], boolean])[] = [
    [[], false],
    [[4], false],
    [[3, 7], true],
    [[2, 4, 6, 8], true],
  ];
  for (const [into, isFollowed] of rows)
    test(`${into.length} of nine joins of the template: ${isFollowed ? 'followed' : 'cuts'}`, () => {
      const template = withFades(madeTemplate(Array.from({ length: 10 }, () => 4)), into);
      const { slots } = planEdit(madeRequest({ takes: makeTakes(10, 20), template, order: 'story' }));
      const hasFades = slots.some(({ transition }) => transition !== null);
      assert.equal(hasFades, isFollowed);
    });

  test('one of eleven joins is none, two of eleven neither', () => {
    for (const into of [[5], [5, 9]]) {
      const template = withFades(madeTemplate(Array.from({ length: 12 }, () => 4)), into);
      const { slots } = planEdit(madeRequest({ takes: makeTakes(12, 20), template, order: 'story' }));
      assert.ok(slots.every(({ transition }) => transition === null));
    }
  });

  test('none lies between two moments of one take', () => {
    const template = withFades(madeTemplate(Array.from({ length: 8 }, () => 4)), [1, 2, 3, 4, 5, 6, 7]);
    const { slots } = planEdit(
      madeRequest({
        takes: makeTakes(3, 20),
        template,
        order: 'story',
        duration: { kind: 'seconds', seconds: 16 },
      }),
    );
    const joins = slots.slice(1).map((slot, at) => [slot, slots[at]!] as const);
    assert.ok(joins.some(([slot, before]) => slot.take === before.take));
    for (const [slot, before] of joins) assert.equal(slot.transition !== null, slot.take !== before.take);
  });
});
