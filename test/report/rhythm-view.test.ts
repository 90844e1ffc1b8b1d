import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { rhythmView } from '../../src/report/edit-view.ts';

const FACTS = {
  video: { shots: [], shotConfidence: 1 },
  audio: { tempo: { confidence: 1 } },
} as unknown as ClipFacts;

describe('the rhythm in a report', () => {
  for (const [share, words] of [
    [0.42, '42 % more than by chance'],
    [0, 'no more than by chance'],
    [-0.09, 'no more than by chance'],
  ] as const) {
    test(`cuts on the beat: ${share} beyond chance`, () => {
      const { readings } = rhythmView(FACTS, { cuts_on_beat: share }, []);
      assert.equal(readings.find(({ label }) => label === 'Cuts on the beat')?.value, words);
    });
  }
});
