/** The confidence in a tempo: its weights are the fitted ones, from examples that are heard as stored. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confidentOf, fitConfidence, judgeBy } from '../../bench/fit/tempo-confidence.ts';
import { measureSamples, storedExamples, tempoExample } from '../../bench/fit/tempo-examples.ts';
import { Random } from '../../bench/generate/random.ts';
import { recipesOf } from '../../bench/generate/sounds.ts';
import { CONFIDENCE_POWER, CONFIDENCE_WEIGHTS } from '../../src/analysis/beats/confidence-weights.ts';

/** The first of the generated pieces. */
const SEED = 31;
const FIT_AGAIN = 'measure and fit again: node bench/fit-tempo-confidence.ts --hear LIST --write';

describe('the confidence in a tempo', () => {
  const all = storedExamples();

  it('has the weights that the fit gives', () => {
    const fitted = fitConfidence(all);
    assert.deepEqual({ ...fitted.weights }, { ...CONFIDENCE_WEIGHTS }, FIT_AGAIN);
    assert.equal(fitted.power, CONFIDENCE_POWER, FIT_AGAIN);
  });

  it('is fitted to examples that are measured as today', async () => {
    const recipes = Object.entries(recipesOf(SEED));
    for (const kind of ['rock', 'waltz', 'composed_ternary']) {
      const place = recipes.findIndex(([name]) => name === kind);
      const { samples, truth } = await recipes[place][1](new Random(SEED * 100 + place));
      const song = { name: `${kind}-${SEED}`, family: 'generated', bpm: truth.bpm! };
      const stored = all.examples.find(({ name }) => name === song.name);
      assert.deepEqual(tempoExample(measureSamples(samples), song)?.example, stored, FIT_AGAIN);
    }
  });

  it('is right for .95 of the songs with a confidence of at least .8', () => {
    const judgments = judgeBy(all, CONFIDENCE_WEIGHTS, CONFIDENCE_POWER);
    const { count, right } = confidentOf(judgments);
    assert.ok(right / count >= 0.95, `${right} of ${count}`);
  });
});
