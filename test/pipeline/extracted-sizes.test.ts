import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { Studio } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { drawBlocks, makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';

const [WIDTH, HEIGHT] = [480, 360];
const SHOT_SECONDS = 3;
const SPEECH = 'video/mdn_friday_speech.mp4';
const path = mediaPath(SPEECH);

/** Two speakers in grey, a pattern, and the speakers again. */
async function threeShots(): Promise<string> {
  const speakers: { readonly timeSeconds: number; readonly detail: Picture }[] = [];
  for await (const { timeSeconds, detail } of openFrames(path!))
    if (detail !== null) speakers.push({ timeSeconds, detail });
  const drawPattern = drawBlocks(WIDTH, HEIGHT);
  return makeClip(temporaryFolder(), {
    ...{ name: 'talk', width: WIDTH, height: HEIGHT, durationSeconds: 3 * SHOT_SECONDS },
    draw(rgb, seconds, index) {
      const shown = seconds % SHOT_SECONDS;
      if (Math.floor(seconds / SHOT_SECONDS) === 1) return drawPattern(rgb, seconds, index);
      const { width, height, data } = speakers.findLast(({ timeSeconds }) => timeSeconds <= shown)!.detail;
      for (let y = 0; y < HEIGHT; y++)
        for (let x = 0; x < WIDTH; x++) {
          const from = Math.floor((y * height) / HEIGHT) * width + Math.floor((x * width) / WIDTH);
          rgb.fill(data[from]!, 3 * (y * WIDTH + x), 3 * (y * WIDTH + x + 1));
        }
    },
  });
}

test('an extracted style has the sizes of shots, by which a talk has its share of pictures', {
  skip: path === null && `needs ../shared/media/${SPEECH}`,
}, async () => {
  const studio = new Studio({ workRoot: temporaryFolder() });
  const clip = await threeShots();
  for (const style of [await studio.extract(clip), await studio.extractCommon([clip])]) {
    const { slots } = style.edit!;
    assert.ok(
      slots.some(({ size }) => size !== undefined),
      JSON.stringify(slots),
    );
  }
});
