/** The fit behind `shots/cut-weights.ts`: on steps of which is known what makes them cuts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitted } from '../../bench/fit/cut-network.ts';
import { Random } from '../../bench/generate/random.ts';
import type { CutEvidence } from '../../src/analysis/shots/cut-evidence.ts';
import { cutProbability } from '../../src/analysis/shots/cut-network.ts';
import { WEIGHTS } from '../../src/analysis/shots/cut-weights.ts';

const NAMES = Object.keys(WEIGHTS.mean) as (keyof CutEvidence)[];

/** A step is a cut when one of two pieces of evidence is large and not both: which no weighted sum can express. */
function stepsMade(count: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const evidence = Object.fromEntries(
      NAMES.map((name) => [name, random.between(0, 4)]),
    ) as unknown as CutEvidence;
    return { evidence, isWanted: evidence.gone > 2 !== evidence.peak > 2, isTolerated: false };
  });
}

describe('the network for cuts', () => {
  const weights = fitted(stepsMade(3000, 1));

  it('classifies unseen steps', () => {
    const unseen = stepsMade(1000, 2);
    const right = unseen.filter(
      ({ evidence, isWanted }) => cutProbability(weights, evidence) > 0.5 === isWanted,
    );
    assert.ok(right.length > 930, `${right.length} of 1000`);
    const byOne = unseen.filter(({ evidence, isWanted }) => evidence.gone > 2 === isWanted);
    assert.ok(byOne.length < 550, `one piece of evidence alone tells ${byOne.length}`);
  });

  it('is the same for the same steps', () => {
    assert.deepEqual(fitted(stepsMade(3000, 1)), weights);
  });
});
