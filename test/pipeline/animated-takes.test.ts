/** Animated pictures in an edit of many takes. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { animatedWebpOf, gifOf } from '../support/animation.ts';
import { temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const SIZE = { width: 640, height: 360 };
/** Tiles that move, sharp and well exposed, so that no fault is found. */
const pictures = Array.from({ length: 30 }, (_, index) => ({
  delaySeconds: 0.1,
  colorAt: (x: number, y: number) => {
    const block = Math.floor((x + 3 * index) / 12) * 7 + Math.floor(y / 12) * 13;
    const level = 40 + ((block * 37) % 101);
    return [level, level, level, 255] as const;
  },
}));

for (const [kind, encode] of [
  ['gif', async () => gifOf(SIZE, pictures)],
  ['webp', () => animatedWebpOf(SIZE, pictures)],
] as const) {
  test(`an animated ${kind} is a take that moves`, async () => {
    const path = join(folder, `bar.${kind}`);
    writeFileSync(path, await encode());
    const { edit, files, plan } = await studio.planEdit({
      takes: [path],
      look: { preset: 'blockbuster' },
      options: { duration: 2, pins: [{ slot: 0, file: path, startSeconds: 0.7 }] },
    });
    assert.ok(edit.slots.length > 0);
    for (const slot of edit.slots) assert.equal(files[slot.video_id], path);
    // A photo has no times of its own, so no pin can choose one.
    assert.ok(Math.abs(edit.slots[0]!.source_start_seconds - 0.7) < 0.05);
    assert.ok(!plan.warnings.some(({ code }) => code === 'TAKE_LEFT_OUT'));
  });
}
