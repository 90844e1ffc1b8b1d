/** Takes far softer than the others, each too sharp to be a fault. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeTemplate, makeTakes } from './made-material.ts';

const TEMPLATE = madeTemplate([4, 3, 4, 2, 4, 3, 4, 4, 2, 3, 4, 4]);

function withMaterial(
  take: EditTake,
  change: { readonly sharpness?: number; readonly lines?: number },
): EditTake {
  const { sharpness = 0.9, lines = 1080 } = change;
  const { material } = take;
  const curves = { ...material.curves, sharpness: material.curves.sharpness.map(() => sharpness) };
  return { ...take, material: { ...material, lines, curves } };
}

describe('eight takes that are added', () => {
  const good = makeTakes(6, 24).map((take) => withMaterial(take, {}));
  const alone = planEdit(madeRequest({ takes: good, template: TEMPLATE }));
  const used = (change: Parameters<typeof withMaterial>[1]) => {
    const added = makeTakes(8, 24, 100).map((take, at) => ({
      ...withMaterial(take, change),
      content: contentOf(500 + at),
    }));
    const { slots } = planEdit(madeRequest({ takes: [...good, ...added], template: TEMPLATE }));
    const kept = slots.filter((slot, at) => {
      const before = alone.slots[at];
      return slot.take === before?.take && slot.sourceStartSeconds === before.sourceStartSeconds;
    });
    return {
      added: slots.filter(({ take }) => take >= good.length).length,
      kept: kept.length / slots.length,
    };
  };
  test('as sharp: some are shown', () => assert.ok(used({}).added > 0));
  test('blurred: none is shown, and the choices stay', () => {
    const { added, kept } = used({ sharpness: 0.42 });
    assert.ok(added === 0 && kept >= 0.9, `${added} added, ${kept} kept`);
  });
  test('as sharp, but of 240 lines: none is shown', () => assert.equal(used({ lines: 240 }).added, 0));
});

test('takes that are all soft are shown', () => {
  const takes = makeTakes(4, 24).map((take) => withMaterial(take, { sharpness: 0.46, lines: 240 }));
  const { slots } = planEdit(madeRequest({ takes, template: TEMPLATE }));
  assert.equal(new Set(slots.map(({ take }) => take)).size, 4);
});
