/** Rendering the same plan of the same source gives the same file, byte for byte. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { render } from '../../src/render/render.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { wholeClip } from '../../src/style/model/timeline.ts';
import { temporaryFolder } from '../support/clips.ts';
import { writeDrawnClip } from '../support/drawn-clip.ts';

const SECONDS = 2;
const RENDERINGS = 4;

describe('an output of the same plan is the same', () => {
  const folder = temporaryFolder();

  // With 45 macroblocks a row, x264's AVX-512 code is not deterministic without `cpu-independent`.
  for (const [width, height] of [
    [720, 480],
    [540, 960],
  ] as const) {
    test(`${width}x${height}`, async () => {
      const sourcePath = join(folder, `${width}.mp4`);
      const random = seededRandom(7);
      const grain = Uint8Array.from({ length: width * height * 3 }, () => random() * 60);
      await writeDrawnClip(sourcePath, {
        width,
        height,
        frameRate: { numerator: 25, denominator: 1 },
        durationSeconds: SECONDS,
        crf: 28,
        // Slides at a pace of its own in each half, so that blocks are predicted from others.
        draw: (rgb, _, index) => {
          for (let at = 0; at < rgb.length; at++) {
            const shift = at < rgb.length / 2 ? 9 * index : 15 * index;
            rgb[at] = 60 + ((at / 3 / width) >> 3) + grain[(at + shift) % grain.length];
          }
        },
      });
      const hashes = new Set<string>();
      for (let turn = 0; turn < RENDERINGS; turn++) {
        const outputPath = join(folder, `${width}-${turn}.mp4`);
        const timeline = {
          version: 2,
          frameRate: { numerator: 25, denominator: 1 },
          width,
          height,
          clips: [wholeClip(0, SECONDS)],
          transitions: [],
          takes: [{ grade: null }],
          audio: null,
          captions: [],
        } as const;
        await render(
          { takePaths: [sourcePath], timeline, preset: 'veryfast', crf: 28, outputPath },
          () => {},
        );
        hashes.add(createHash('sha256').update(readFileSync(outputPath)).digest('hex'));
      }
      assert.equal(hashes.size, 1, `${RENDERINGS} renderings gave ${hashes.size} files`);
    });
  }
});
