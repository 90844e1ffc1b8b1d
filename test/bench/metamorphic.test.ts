/** Files and relations of the metamorphic bench. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameChoices } from '../../bench/metamorphic/relations.ts';
import { VARIANTS, variantPath } from '../../bench/metamorphic/variants.ts';
import { madeTake, madeTemplate } from '../style/edit/made-material.ts';

test('each variant of each take has its own file, also where two takes have one name', () => {
  const paths = ['first/video1.mp4', 'second/video1.mp4'].flatMap((take) =>
    VARIANTS.map((variant) => variantPath(take, variant, 'folder')),
  );
  assert.equal(new Set(paths).size, paths.length);
});

for (const order of ['free', 'story'] as const)
  test(`the same takes have the same plan in ${order} order, others do not`, () => {
    const takes = (seed: number) =>
      [0, 1, 2].map((at) => madeTake({ content: `${at}`, seconds: 20, seed: seed + at }).material);
    const template = madeTemplate([2, 2, 4, 1, 3, 2, 2]);
    const field = `plan, ${order} order`;
    assert.deepEqual(sameChoices(takes(1), takes(1), template, order), { field, text: '1.00', within: true });
    assert.equal(sameChoices(takes(1), takes(40), template, order).within, false);
  });
