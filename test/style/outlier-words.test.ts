import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlierWords } from '../../src/style/model/outlier-words.ts';

test('the templates that differ, each with the parts in which it does', () => {
  const templates = [
    { name: 'a.mp4', weight: 1, outlier_in: [] },
    { name: 'b.mp4', weight: 1, outlier_in: ['pacing'] },
    { name: 'c.mp4', weight: 1, outlier_in: ['color', 'audio', 'shape'] },
  ];
  const style = {
    consensus: { templates, agreement: {}, spread: {} },
  };
  assert.deepEqual(outlierWords(style), ['b.mp4 differs in pace', 'c.mp4 differs in color, sound and shape']);
  assert.deepEqual(outlierWords({}), []);
});
