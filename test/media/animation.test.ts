/** Animated GIF, WebP and PNG are videos without sound, of one picture photos; pixels with alpha lie on black. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openFrames } from '../../src/media/decode/frames.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { writeVideoProxy } from '../../src/render/proxy.ts';
import { type AnimationPicture, animatedPngOf, animatedWebpOf, gifOf } from '../support/animation.ts';
import { temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { showPhoto } from '../support/shown-photo.ts';

type Rgb = readonly [number, number, number];

const folder = temporaryFolder();
const LIMITS = { maxDurationSeconds: 60 };
const SIZE = { width: 160, height: 96 };
const RED = [200, 60, 40, 255] as const;
const BLUE = [40, 80, 190, 255] as const;
const CLEAR = [255, 255, 255, 0] as const;
/** Encoding 8-bit YUV rounds red and blue by up to two levels (ITU-R BT.709-6, section 3), JPEG by two more. */
const MAX_LEVELS = 4;

const KINDS = {
  gif: async (pictures: readonly AnimationPicture[]) => gifOf(SIZE, pictures),
  webp: (pictures: readonly AnimationPicture[]) => animatedWebpOf(SIZE, pictures),
  png: async (pictures: readonly AnimationPicture[]) => animatedPngOf(SIZE, pictures),
};
const CODECS = { gif: 'gif', webp: 'webp_anim', png: 'apng' };

let files = 0;
function stored(bytes: Buffer): string {
  const path = join(folder, `${files++}`);
  writeFileSync(path, bytes);
  return path;
}

const plain =
  (color: AnimationPicture['colorAt'] extends (...at: never[]) => infer Color ? Color : never) => () =>
    color;

function assertColor(found: Rgb, wanted: readonly number[], where: string): void {
  const difference = Math.max(...found.map((level, axis) => Math.abs(level - wanted[axis]!)));
  assert.ok(difference <= MAX_LEVELS, `${where}: ${found} for ${wanted}`);
}

/** Time and mean color of each frame. */
async function framesOf(path: string): Promise<{ readonly seconds: number; readonly color: Rgb }[]> {
  const frames: { seconds: number; color: Rgb }[] = [];
  for await (const { timeSeconds, color } of openFrames(path)) {
    const at = 3 * (Math.floor(color.height / 2) * color.width + Math.floor(color.width / 2));
    frames.push({ seconds: timeSeconds, color: [...color.data.subarray(at, at + 3)] as unknown as Rgb });
  }
  return frames;
}

for (const kind of ['gif', 'webp', 'png'] as const) {
  const encode = KINDS[kind];
  describe(`an animated ${kind}`, () => {
    for (const [name, delays, times] of [
      ['has the times of its delays', [0.5, 0.2, 1.3], [0, 0.5, 0.7, 2]],
      [
        'without delays has ten pictures a second',
        [0, 0, 0, 0.01, 0.01, 0.01],
        [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
      ],
    ] as const) {
      test(name, async () => {
        const colors = delays.map((_, index) => (index % 2 === 0 ? RED : BLUE));
        const path = stored(
          await encode(
            delays.map((delaySeconds, index) => ({ delaySeconds, colorAt: plain(colors[index]!) })),
          ),
        );
        const { durationSeconds, frameRate, ...probed } = await probeFile(path, LIMITS);
        assert.deepEqual(probed, {
          contentType: `image/${kind}`,
          container: kind,
          ...SIZE,
          rotation: 0,
          videoCodec: CODECS[kind],
          audioCodec: null,
          warnings: [],
        });
        const end = times.at(-1)!;
        assert.ok(Math.abs(durationSeconds - end) < 1e-6, String(durationSeconds));
        assert.ok(Math.abs(frameRate - delays.length / end) < 1e-6, String(frameRate));
        const frames = await framesOf(path);
        assert.deepEqual(
          frames.map(({ seconds }) => Number(seconds.toFixed(6))),
          times.slice(0, -1),
        );
        for (const [index, { color }] of frames.entries()) assertColor(color, colors[index]!, `${index}`);
        const proxyPath = `${path}.mp4`;
        await writeVideoProxy(
          {
            ...{ sourcePath: path, proxyPath, durationSeconds: end, hasSound: false },
            frameRate: { numerator: 10, denominator: 1 },
          },
          () => {},
        );
        for (const { seconds, color } of await framesOf(proxyPath)) {
          const shown = times.findLastIndex((time) => time <= seconds + 0.001);
          assertColor(color, colors[shown]!, `proxy at ${seconds} s`);
        }
      });
    }

    test('with transparent pixels lies on black in each place', async () => {
      const colorAt = (x: number) => (x < SIZE.width / 2 ? CLEAR : BLUE);
      const path = stored(await encode([1, 1].map((delaySeconds) => ({ delaySeconds, colorAt }))));
      for (const { place, at } of await showPhoto(folder, path, SIZE)) {
        assertColor(at(0.25, 0.5), [0, 0, 0], `${place}, transparent`);
        assertColor(at(0.75, 0.5), BLUE, place);
      }
    });

    test('of one picture is a photo', async () => {
      const colorAt = (x: number) => (x < SIZE.width / 2 ? CLEAR : RED);
      const path = stored(await encode([{ delaySeconds: 0.1, colorAt }]));
      const { contentType, durationSeconds, frameRate } = await probeFile(path, LIMITS);
      assert.deepEqual([contentType, durationSeconds, frameRate], [`image/${kind}`, 0, 0]);
      for (const { place, at } of await showPhoto(folder, path, SIZE)) {
        assertColor(at(0.25, 0.5), [0, 0, 0], `${place}, transparent`);
        assertColor(at(0.75, 0.5), RED, place);
      }
    });

    test('of one picture that is cut off is refused', async () => {
      const noise = (x: number, y: number) => [(37 * x * y) & 0xf0, 80, 0, 255] as const;
      const bytes = await encode([{ delaySeconds: 0.1, colorAt: noise }]);
      await assert.rejects(probeFile(stored(bytes.subarray(0, bytes.length - 200)), LIMITS), {
        code: 'INVALID_VIDEO',
      });
    });
  });
}

describe('alpha of a photo', () => {
  const half = [200, 120, 40, 128] as const;
  const stripes = [RED, half, CLEAR, BLUE];
  const shown = [RED, [100, 60, 20], [0, 0, 0], BLUE];
  for (const kind of ['png', 'webp'] as const) {
    test(`in a ${kind} lies on black in each place`, async () => {
      const stripeAt = (x: number) => stripes[Math.floor((x / SIZE.width) * stripes.length)]!;
      const path = stored(await encodeImage(kind, SIZE, stripeAt, 4));
      for (const { place, at } of await showPhoto(folder, path, SIZE))
        for (const [index, wanted] of shown.entries())
          assertColor(at((index + 0.5) / shown.length, 0.5), wanted, `${place}, stripe ${index}`);
    });
  }
});
