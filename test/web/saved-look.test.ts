import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SavedStyle } from '../../src/client/api-types.ts';
import { originWords, usedWords } from '../../web/src/words/saved-look.ts';

const videos = (...names: readonly string[]) =>
  names.map((filename, at) => ({ video_id: `${at}`, filename }));

const ORIGINS: readonly (readonly [SavedStyle['origin'], string])[] = [
  [{ kind: 'videos', videos: videos('a.mp4'), job_id: null }, 'Of a.mp4'],
  [{ kind: 'videos', videos: videos('a.mp4', 'b.mp4', 'c.mp4'), job_id: null }, 'Of a.mp4 and 2 more'],
  [{ kind: 'job', videos: [], job_id: 'j' }, 'Of a result'],
  [{ kind: 'style_json', videos: [], job_id: null }, 'From a file'],
];
for (const [origin, words] of ORIGINS) test(words, () => assert.equal(originWords(origin), words));

test('how often a look was used', () => {
  assert.deepEqual([0, 1, 2].map(usedWords), ['Not used yet', 'Used once', 'Used 2 times']);
});
