/** Screen recordings: found by cells that stand still; neither cropped to another shape nor shown closer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SubjectTrack } from '../../src/analysis/facts.ts';
import { isScreenRecording } from '../../src/style/look/screen.ts';
import { canComeCloser } from '../../src/style/plan/closer-framing.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { COUNT, greyVideo, type Level } from '../support/grey-video.ts';

/** Letters that appear on a dark page, a line in each picture. */
const page =
  (ground: number, letters: number): Level =>
  (x, y, time) =>
    y === time && x < 20 ? letters : ground;
const noise: Level = (x, y, time) => 90 + 3 * Math.sin(x * 12.9 + y * 78.2 + time * 2.1);
const FACE: SubjectTrack = {
  ...{ kind: 'face', startSeconds: 0, endSeconds: COUNT, salience: 1 },
  boxes: [{ timeSeconds: 0, box: { x: 0.4, y: 0.3, width: 0.2, height: 0.4 } }],
};
describe('screen recordings', () => {
  for (const [what, video, isScreen] of [
    ['a dark page', greyVideo(page(30, 200)), true],
    ['a white page', greyVideo(page(250, 20)), true],
    ['a camera on a tripod', greyVideo(noise), false],
    ['half of the picture moves', greyVideo((x, _y, time) => (x < 12 ? 80 : 100 + 20 * (time % 2))), false],
    ['a camera in the dark', greyVideo((x, y) => (x < 2 && y < 2 ? 200 : 8)), false],
    ['somebody before a still ground', greyVideo(page(30, 200), [FACE]), false],
  ] as const)
    test(`${what}: ${isScreen ? 'found, without closer framings' : 'none'}`, () => {
      assert.equal(isScreenRecording(video), isScreen);
      const run = { startSeconds: 0, endSeconds: COUNT };
      assert.equal(canComeCloser(clipFacts({ video }), run, { focus: null, needsFace: false }), !isScreen);
    });
});
