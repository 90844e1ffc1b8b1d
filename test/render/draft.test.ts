/** A draft shows the captions of the whole output, each at its time. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFrames } from '../../src/media/decode/frames.ts';
import { renderDraft } from '../../src/render/draft.ts';
import type { CaptionCue, Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const [WIDTH, HEIGHT, RATE] = [320, 180, 10];
const folder = temporaryFolder();

const cue = (startSeconds: number, endSeconds: number, baselineY: number): CaptionCue => ({
  startSeconds,
  endSeconds,
  lines: ['HHHHHH'],
  face: 'inter-semibold',
  baselineY,
});

const TIMELINE: Timeline = {
  version: 2,
  frameRate: { numerator: RATE, denominator: 1 },
  width: WIDTH,
  height: HEIGHT,
  clips: [timelineClip(0, 3)],
  transitions: [],
  takes: [{ grade: null }],
  audio: null,
  // One above, a gap, one below.
  captions: [cue(0.5, 1.4, 60), cue(1.8, 2.6, 150)],
  captionLook: {
    timing: 'lines',
    face: 'inter-semibold',
    sizePixels: 40,
    pitchPixels: 50,
    lineEm: 17,
    position: 'bottom',
    anchorY: 0.9,
    color: '#ffffff',
    ground: 'outline',
  },
};

test('captions of a draft have the times of the whole, from its first frame on', async () => {
  const sourcePath = await makeClip(folder, { name: 'dark', silent: true, draw: (rgb) => void rgb.fill(40) });
  const outputPath = join(folder, 'draft.mp4');
  await renderDraft(
    {
      takePaths: [sourcePath],
      timeline: TIMELINE,
      outputPath,
      startSeconds: 1,
      durationSeconds: 2,
      preset: 'veryfast',
      crf: 18,
    },
    () => {},
  );
  const shown: string[] = [];
  for await (const { grey } of openFrames(outputPath)) {
    const isLit = (from: number, to: number) =>
      grey.data.subarray(from * grey.width, to * grey.width).some((level) => level > 150);
    const middle = grey.height / 2;
    shown.push(isLit(0, middle) ? 'above' : isLit(middle, grey.height) ? 'below' : 'none');
  }
  // From 1.0 s on: up to 1.4 s, from 1.8 s to 2.6 s.
  const expected = ['above', 'none', 'below', 'none'].flatMap((what, index) =>
    Array<string>([4, 4, 8, 4][index]).fill(what),
  );
  assert.deepEqual(shown, expected);
});
