import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorFiles, filesToBring } from '../../web/src/words/editors.ts';

const ALL = ['poster.jpg', 'grade.cube', 'timeline.xml', 'timeline.otio'];

test('timelines precede the LUT, and only existing files are listed', () => {
  const names = (files: readonly string[]) => editorFiles(files, false).map(({ name }) => name);
  assert.deepEqual(names(ALL), ['timeline.otio', 'timeline.xml', 'grade.cube']);
  assert.deepEqual(names(['timeline.otio']), ['timeline.otio']);
});

test('of many takes the LUT is that of the first', () => {
  const use = (isOfManyTakes: boolean) => editorFiles(['grade.cube'], isOfManyTakes)[0]!.use;
  assert.match(use(true), /first take/);
  assert.doesNotMatch(use(false), /take/);
});

test('the files that a timeline needs are named', () => {
  const takes = [{ video_id: 'a' }, { video_id: 'b' }];
  assert.equal(filesToBring('holiday.mp4', null), 'holiday.mp4');
  assert.equal(filesToBring(null, null), 'the video that it was made from');
  assert.equal(filesToBring('a.mp4', { takes }), '2 takes');
  assert.equal(filesToBring('a.mp4', { takes, music: { video_id: 'c' } }), '2 takes and the song');
});
