/** Moments of a take in which its people are seen. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { madeRequest, madeTemplate, makeTakes } from './made-material.ts';

const TEMPLATE = madeTemplate([4, 3, 4, 2, 4, 3, 4, 4]);
const SECONDS = 24;
/** A third of each take, elsewhere in each. */
const FACES = { seconds: 8, of: (take: number) => (take * 5) % (SECONDS - 8) };

describe('the same takes whose people are seen for 8 of 24 s', () => {
  const seenShare = (seen: number, unseen: number) => {
    const takes = makeTakes(6, SECONDS).map((take, index) => {
      const { stepSeconds, curves } = take.material;
      const people = curves.motion.map((_, at) => {
        const since = at * stepSeconds - FACES.of(index);
        return since >= 0 && since < FACES.seconds ? seen : unseen;
      });
      return { ...take, material: { ...take.material, curves: { ...curves, people } } };
    });
    const { slots } = planEdit(madeRequest({ takes, template: TEMPLATE }));
    const shared = slots.map(({ take, sourceStartSeconds: start, sourceEndSeconds: end }) =>
      Math.max(0, Math.min(end, FACES.of(take) + FACES.seconds) - Math.max(start, FACES.of(take))),
    );
    const total = slots.reduce(
      (sum, { sourceStartSeconds, sourceEndSeconds }) => sum + sourceEndSeconds - sourceStartSeconds,
      0,
    );
    return shared.reduce((sum, one) => sum + one, 0) / total;
  };
  const rows = [
    ['nobody anywhere', 0, 0],
    ['a whole figure, nobody elsewhere', 0.5, 0],
    ['two faces, nobody elsewhere', 1, 0],
    ['two faces, figures without heads elsewhere', 1, -0.4],
  ] as const;
  const shares = rows.map(([name, seen, unseen]) => [name, seenShare(seen, unseen)] as const);
  test('shown the more, the better they are seen there and the worse elsewhere', () => {
    for (let at = 1; at < shares.length; at++)
      assert.ok(shares[at]![1] >= shares[at - 1]![1], JSON.stringify(shares));
    assert.ok(shares[0]![1] < 0.5 && shares.at(-1)![1] > 0.9, JSON.stringify(shares));
  });
});
