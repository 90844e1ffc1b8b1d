import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCaptionFile, writeSubRip } from '../../src/style/captions/file.ts';
import { captionsOf, startOf, subRipOf } from '../../web/src/words/sub-rip.ts';

const FILE = writeSubRip([
  { startSeconds: 1, endSeconds: 2.5, lines: ['I counted on that'] },
  { startSeconds: 3725, endSeconds: 3726, lines: ['12', '13'] },
]);

test('the page reads the captions that the service writes', () => {
  const captions = captionsOf(FILE);
  assert.deepEqual(captions.map(startOf), ['0:01', '62:05']);
  assert.deepEqual(
    captions.map(({ text }) => text),
    ['I counted on that', '12 13'],
  );
});

test('the service reads the captions that the page writes, without those that were emptied', () => {
  const [one, two] = captionsOf(FILE);
  const edited = [
    { ...one, text: ' Latin \n\n now ' },
    { ...two, text: ' ' },
  ];
  const { cues } = parseCaptionFile(Buffer.from(subRipOf(edited)));
  assert.deepEqual(cues, [{ startSeconds: 1, endSeconds: 2.5, text: 'Latin now' }]);
});
