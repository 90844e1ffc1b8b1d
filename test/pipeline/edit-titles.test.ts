/** Titles of an edit in the pixels of its frames. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { drawBlocks, makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const SIZE = { width: 640, height: 360 };
/** Brighter than the takes, whose blocks have levels of 40 to 140, and darker than the white letters. */
const LETTER = 180;

/** The number of pixels of letters in the frame on screen at each of these times. */
async function letterCounts(path: string, times: readonly number[]): Promise<readonly number[]> {
  using input = await openInput(path);
  using source = await SourceFrames.open(input, {}, () => {});
  return times.map((seconds) => {
    const [{ data, stride, width, height }] = planesOf(source.at(seconds, 0, seconds));
    let count = 0;
    for (let y = 0; y < height; y++)
      count += data.subarray(y * stride, y * stride + width).filter((luma) => luma > LETTER).length;
    return count;
  });
}

test('each title is in the picture at its time, or in a warning', async () => {
  const take = await makeClip(folder, {
    ...SIZE,
    name: 'take',
    durationSeconds: 12,
    draw: drawBlocks(SIZE.width, SIZE.height),
  });
  const output = join(folder, 'edit.mp4');
  const made = await new Studio({ workRoot: join(folder, 'work') }).edit({
    ...{ takes: [take], output, look: { preset: 'noir' } },
    options: {
      ...{ duration: 4, sound: 'takes' },
      titles: [
        { at: 'start', text: 'MM' },
        { at: 1.2, text: 'MMMMMMMM' },
        { at: 1.2, text: 'MM' },
        { at: 30, text: 'after' },
      ],
    },
    config: { quality: 'low', components: { color: false, transitions: false } },
  });
  const totalSeconds = made.edit.duration_seconds;
  assert.ok(totalSeconds > 3.3 && totalSeconds <= 4, `the edit lasts ${totalSeconds} s`);
  const counts = await letterCounts(output, [0.1, 0.7, 1.6, 2.6, totalSeconds - 0.1]);
  const [first, narrow, wide, narrowAgain, last] = counts;
  assert.deepEqual([first, last], [0, 0], `plain frames: ${counts}`);
  assert.ok(narrow! > 20 && narrowAgain! > 20, `narrow titles: ${counts}`);
  assert.ok(wide! > 2 * narrow!, `a wide title: ${counts}`);
  const warnings = made.warnings.filter(({ code }) => code.startsWith('TITLE_'));
  assert.deepEqual(
    warnings.map(({ code, message }) => `${code}: ${message}`),
    [
      'TITLE_MOVED: Titles were moved, so that there is time to read them: "MM" is shown at 2.03 s instead of 1.2 s',
      `TITLE_LEFT_OUT: Titles are not shown: "after" at 30 s: the edit ends at ${totalSeconds.toFixed(2)} s`,
    ],
  );
});
