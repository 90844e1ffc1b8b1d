/** The fit behind `beats/weights.ts`: on choices whose weights are known. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Choice, choose, fitChoices } from '../../bench/fit/conditional-logit.ts';
import { fitHypotheses, leaveOut, type Taught } from '../../bench/fit-beats.ts';
import { Random } from '../../bench/generate/random.ts';

const TRUE_WEIGHTS = Float64Array.from([2, -1, 0]);

/** Choices between four candidates, made with the odds of the true weights. */
function choicesMade(count: number): Choice[] {
  const random = new Random(5);
  return Array.from({ length: count }, () => {
    const candidates = Array.from({ length: 4 }, () =>
      Float64Array.from(TRUE_WEIGHTS, () => random.between(-1, 1)),
    );
    const odds = candidates.map((one) =>
      Math.exp(one.reduce((sum, value, k) => sum + value * TRUE_WEIGHTS[k], 0)),
    );
    const mark = random.next() * odds.reduce((sum, value) => sum + value, 0);
    const upTo = odds.map((_, i) => odds.slice(0, i + 1).reduce((sum, value) => sum + value, 0));
    const picked = upTo.findIndex((value) => value > mark);
    return { candidates, right: new Set([picked]) };
  });
}

describe('conditional logit', () => {
  const choices = choicesMade(4000);

  it('finds the weights that the choices were made with', () => {
    const weights = fitChoices(choices, 1);
    const errors = weights.map((weight, k) => Math.abs(weight - TRUE_WEIGHTS[k]));
    assert.ok(Math.max(...errors) < 0.15, `${weights}`);
  });

  it('shrinks weights with a higher penalty', () => {
    const [free, held] = [1, 5000].map((penalty) => fitChoices(choices, penalty)[0]);
    assert.ok(held! > 0 && held! < free! / 2, `${held}, ${free}`);
  });

  it('keeps weights near their prior with a high penalty', () => {
    const prior = Float64Array.from([0, 3, 1]);
    const weights = fitChoices(choices, 1e6, prior);
    const errors = weights.map((weight, k) => Math.abs(weight - prior[k]));
    assert.ok(Math.max(...errors) < 0.1, `${weights}`);
  });

  it('chooses the candidate of the highest score', () => {
    const candidates = [0, 1, -1].map((value) => Float64Array.from([value]));
    assert.equal(choose(candidates, Float64Array.from([3])), 1);
  });
});

describe('the fit of hypotheses', () => {
  /** The right hypothesis has more of `a`; where nothing is right there is nothing to learn. */
  const taught: Taught[] = choicesMade(60).map((_, i) => ({
    kind: i % 2 === 0 ? 'even' : 'odd',
    example: {
      hypotheses: [
        { evidence: { a: 1 + (i % 3), b: i % 5 }, f: i % 10 === 0 ? 0.3 : 1 },
        { evidence: { a: 0, b: i % 7 }, f: 0.2 },
      ],
    },
  }));

  it('weighs features by name, and scores left-out kinds', () => {
    const weights = fitHypotheses(taught);
    assert.deepEqual(Object.keys(weights), ['a', 'b']);
    assert.ok(weights['a']! > 3 * Math.abs(weights['b']!), JSON.stringify(weights));
    const lines = leaveOut(taught);
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]),
      ['even', 'odd', 'all'],
    );
    assert.ok(lines[2].includes('0.930 left out'), lines[2]);
  });
});
