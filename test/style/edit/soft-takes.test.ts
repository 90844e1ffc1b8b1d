/** Takes far softer than the others, or with less to see, each without a fault. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeTemplate, makeTakes } from './made-material.ts';

const TEMPLATE = madeTemplate([4, 3, 4, 2, 4, 3, 4, 4, 2, 3, 4, 4]);

function withMaterial(
  take: EditTake,
  change: { readonly sharpness?: number; readonly lines?: number; readonly worth?: number },
): EditTake {
  const { sharpness = 0.9, lines = 1080, worth = 0.5 } = change;
  const { material } = take;
  const constant = (value: number) => material.curves.sharpness.map(() => value);
  const curves = { ...material.curves, sharpness: constant(sharpness), worth: constant(worth) };
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
  test('as sharp, with nothing to see: none is shown, and the choices stay', () => {
    const { added, kept } = used({ worth: 0.12 });
    assert.ok(added === 0 && kept >= 0.9, `${added} added, ${kept} kept`);
  });
  test('as sharp, but of 240 lines: none is shown', () => assert.equal(used({ lines: 240 }).added, 0));
});

describe('blurred takes beside sharp ones', () => {
  const plan = (sharp: readonly EditTake[], sharpness: number) => {
    const blurred = makeTakes(8, 24, 100).map((take) => withMaterial(take, { sharpness }));
    const { slots, takes } = planEdit(madeRequest({ takes: [...sharp, ...blurred], template: TEMPLATE }));
    const shown = slots.filter(({ take }) => take >= sharp.length).length;
    const seconds = slots.at(-1)!.endSeconds;
    return { shown, seconds, reasons: takes.at(-1)!.passedOver.map(({ reason }) => reason.code) };
  };
  // The template lasts 20.5 s.
  const few = makeTakes(3, 3.5).map((take) => withMaterial(take, {}));
  test('the edit is shorter rather than blurred, and says so', () => {
    const { shown, seconds, reasons } = plan(few, 0.5);
    assert.equal(shown, 0);
    assert.ok(seconds > 7, `${seconds} s`);
    assert.deepEqual(reasons, ['blurred']);
  });
  test('one sharp take alone is no edit', () => {
    const [one] = makeTakes(1, 24).map((take) => withMaterial(take, {}));
    assert.ok(plan([one], 0.5).shown > 0);
  });
  test('limits: .55, and three quarters of the others', () => {
    // [sharpness of the others, of the blurred ones, are any shown]
    for (const [others, sharpness, isShown] of [
      [0.9, 0.54, false],
      [0.9, 0.56, true],
      [0.68, 0.5, false],
      [0.68, 0.52, true],
    ] as const) {
      const sharp = makeTakes(3, 3.5).map((take) => withMaterial(take, { sharpness: others }));
      assert.equal(plan(sharp, sharpness).shown > 0, isShown, `${sharpness} beside ${others}`);
    }
  });
});

test('takes that are all soft are shown', () => {
  const takes = makeTakes(4, 24).map((take) => withMaterial(take, { sharpness: 0.46, lines: 240 }));
  const { slots } = planEdit(madeRequest({ takes, template: TEMPLATE }));
  assert.equal(new Set(slots.map(({ take }) => take)).size, 4);
});

test('less to see never earns a take more time', () => {
  let most = Number.POSITIVE_INFINITY;
  for (const worth of [0.5, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05]) {
    const takes = makeTakes(4, 24).map((take, at) => withMaterial(take, at === 2 ? { worth } : {}));
    const { slots } = planEdit(madeRequest({ order: 'story', takes, template: TEMPLATE }));
    const own = slots.filter(({ take }) => take === 2);
    const seconds = own.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
    // A slot of the template lasts up to 2 s: choices move by whole slots.
    assert.ok(seconds <= most + 1, `${seconds} s at ${worth}, at most ${most}`);
    most = Math.min(most, seconds);
  }
  assert.equal(most, 0);
});

test('soft takes are shown rather than one view of three sharp ones again and again', () => {
  const takes = makeTakes(8, 40).map((take, at) => {
    const { material, ...more } = withMaterial(take, at < 3 ? {} : { lines: 240 });
    const [view] = material.views;
    return { ...more, material: { ...material, views: material.views.map(() => view!) } };
  });
  const { slots } = planEdit(madeRequest({ takes, template: TEMPLATE }));
  const shown = new Set(slots.map(({ take }) => take));
  assert.ok(shown.size > 3, `${shown.size} takes`);
});
