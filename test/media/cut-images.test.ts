/** An image that is cut off is refused as damaged, in all formats; a JPEG that lacks its end marker only is whole. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import { heicOf, writeAvif } from '../support/heif.ts';
import { encodeImage } from '../support/image.ts';
import { mediaPath } from '../support/media.ts';
import { writePhoneClip } from '../support/phone-clip.ts';

const folder = temporaryFolder();
const LIMITS = { maxDurationSeconds: 60 };
const SIZE = { width: 320, height: 192 };
/** Nothing is flat, so that each part of a file changes pixels. */
const busy = (x: number, y: number) =>
  [(7 * x * y) % 256, (x * x) % 256, (5 * y + 3 * x) % 256] as [number, number, number];
/** A progressive JPEG of 32×16 pixels by Pillow 9.4 (quality 30), because FFmpeg writes none. */
const PROGRESSIVE = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAQACADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAABAIBA//EABUBAQEAAAAAAAAAAAAAAAAAAAEC/9oADAMBAAIQAxAAAAELSMmuV5Sf/8QAFxABAQEBAAAAAAAAAAAAAAAAAAIBMv/aAAgBAQABBQKcRieUoTy//8QAGBEAAgMAAAAAAAAAAAAAAAAAAAECETH/2gAIAQMBAT8BklQ9P//EABcRAQADAAAAAAAAAAAAAAAAAAABAhH/2gAIAQIBAT8BtDH/xAAYEAACAwAAAAAAAAAAAAAAAAAAAQIQcf/aAAgBAQAGPwKnhG3hE//EABwQAAICAgMAAAAAAAAAAAAAAAABITERQVGhwf/aAAgBAQABPyHNLFcCqoJTBb0URM7wXo//2gAMAwEAAgADAAAAELdv/8QAGREAAgMBAAAAAAAAAAAAAAAAAAERMUHw/9oACAEDAQE/EFKiKXYf/8QAGREAAgMBAAAAAAAAAAAAAAAAAAERMUHw/9oACAECAQE/EHQXfYf/xAAfEAACAgICAwEAAAAAAAAAAAABEQAxQVEhgWFxkbH/2gAIAQEAAT8QCFAEZCHuz1HQAmpaMGEk0PLH2Ue1s4gMyWPUzOH+EAtbp4qf/9k=',
  'base64',
);

const phone = await writePhoneClip(join(folder, 'phone.mp4'), {
  ...{ ...SIZE, framesPerSecond: 30, frameCount: 2 },
});
const IMAGES: Readonly<Record<string, Buffer>> = {
  jpeg: await encodeImage('jpeg', SIZE, busy),
  'progressive JPEG': PROGRESSIVE,
  png: await encodeImage('png', SIZE, busy),
  webp: await encodeImage('webp', SIZE, busy),
  avif: readFileSync(await writeAvif(join(folder, 'still.avif'), SIZE, (x, y) => 16 + ((7 * x * y) % 200))),
  heic: heicOf(phone, SIZE),
};
/** PNG: without its last chunk, which is empty, the picture is whole. */
const END_BYTES = { jpeg: 2, 'progressive JPEG': 2, png: 12 } as const;

let files = 0;
function stored(bytes: Buffer): string {
  const path = join(folder, `${files++}`);
  writeFileSync(path, bytes);
  return path;
}

function refused(bytes: Buffer): Promise<void> {
  return assert.rejects(probeFile(stored(bytes), LIMITS), {
    code: 'INVALID_VIDEO',
    detail: /damaged or cut off/,
  });
}

describe('an image that is cut off', () => {
  for (const [kind, whole] of Object.entries(IMAGES)) {
    test(`${kind}: the whole file is accepted`, async () => {
      assert.deepEqual((await probeFile(stored(whole), LIMITS)).warnings, []);
    });

    for (const share of [0.5, 0.6, 0.8, 0.97])
      test(`${kind}: refused at ${share} of its bytes`, () =>
        refused(whole.subarray(0, share * whole.length)));

    for (const missing of [3, 6, 20]) {
      const bytes = missing + (END_BYTES[kind as keyof typeof END_BYTES] ?? 0);
      test(`${kind}: refused without its last ${bytes} bytes`, () => refused(whole.subarray(0, -bytes)));
    }
  }
});

describe('a JPEG without its end marker', () => {
  for (const kind of ['jpeg', 'progressive JPEG'] as const) {
    const whole = IMAGES[kind]!;
    for (const missing of [1, 2])
      test(`${kind}, ${missing} bytes missing: its scans are whole, so it is accepted`, async () => {
        const { warnings } = await probeFile(stored(whole.subarray(0, -missing)), LIMITS);
        assert.deepEqual(warnings, []);
      });
  }

  test('a progressive JPEG that ends between two scans is refused', async () => {
    const starts = [...PROGRESSIVE.entries()].filter(
      ([at, byte]) => byte === 0xff && PROGRESSIVE[at + 1] === 0xda,
    );
    assert.ok(starts.length > 5, `${starts.length} scans`);
    // Behind the second scan; its data end at the next marker.
    const next = PROGRESSIVE.indexOf(Buffer.from([0xff, 0xc4]), starts[1]![0]);
    await refused(PROGRESSIVE.subarray(0, next));
  });

  test('a second picture does not replace the missing end of the first', async () => {
    const { jpeg } = IMAGES;
    await refused(Buffer.concat([jpeg!.subarray(0, 0.7 * jpeg!.length), jpeg!]));
  });
});

const wild = mediaPath('wild/truncated.jpg');
test('a cut photo of a public report', { skip: wild === null && 'needs ../shared/media/wild' }, () =>
  refused(readFileSync(wild!)),
);
