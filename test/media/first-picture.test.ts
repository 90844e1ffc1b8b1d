/** Of a JPEG with several pictures, the first one is the photo, in each place that shows it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openFrames } from '../../src/media/decode/frames.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { mediaPath } from '../support/media.ts';
import { showPhoto } from '../support/shown-photo.ts';

const folder = temporaryFolder();
const LIMITS = { maxDurationSeconds: 60 };
const SIZE = { width: 320, height: 192 };
const LARGER = { width: 640, height: 480 };
const [RED, BLUE, GREEN, GREY] = [
  [200, 60, 40],
  [40, 80, 190],
  [40, 180, 60],
  [128, 128, 128],
] as const;
const halves = (x: number) => (x < SIZE.width / 2 ? RED : BLUE);

const photo = await encodeImage('jpeg', SIZE, halves);
const gainMap = await encodeImage('jpeg', { width: 80, height: 48 }, () => GREY);
const other = await encodeImage('jpeg', LARGER, () => GREEN);
const motion = readFileSync(await makeClip(folder, { name: 'motion', durationSeconds: 1 }));

/** A segment behind the start marker. */
function withSegment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([photo.subarray(0, 2), head, body, photo.subarray(2)]);
}

/** The index of a multi-picture file (CIPA DC-007, section 5.2), big endian, as far as readers need it to recognize one. */
const INDEX = Buffer.from('MPF\0MM\0*\0\0\0\x08\0\x01\xb0\0\0\x07\0\0\0\x040100\0\0\0\0', 'latin1');

const FILES: Readonly<Record<string, Buffer>> = {
  'a gain map behind it': Buffer.concat([photo, gainMap]),
  'a larger picture behind it': Buffer.concat([photo, other]),
  'three pictures behind it, the last one cut off': Buffer.concat([
    ...[photo, gainMap, other, other.subarray(0, 700)],
  ]),
  'filling bytes and a second view, as cameras store both': Buffer.concat([
    ...[withSegment(0xe2, INDEX), Buffer.alloc(500), other],
  ]),
  'a preview in its Exif segment': withSegment(
    0xe1,
    Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1'), gainMap]),
  ),
  'a motion part behind it': Buffer.concat([photo, motion]),
  'a motion part that is cut off': Buffer.concat([photo, motion.subarray(0, motion.length >> 1)]),
};

function assertColor(found: readonly number[], wanted: readonly number[], what: string): void {
  for (const [axis, level] of wanted.entries())
    assert.ok(Math.abs(found[axis]! - level) <= 4, `${what}: ${found.map(Math.round)} for ${wanted}`);
}

describe('a photo with', () => {
  for (const [name, bytes] of Object.entries(FILES)) {
    test(`${name}: the photo counts, everywhere`, async () => {
      const path = join(folder, 'photo');
      writeFileSync(path, bytes);
      const { width, height, warnings } = await probeFile(path, LIMITS);
      assert.deepEqual({ width, height, warnings }, { ...SIZE, warnings: [] });
      for (const { place, at } of await showPhoto(folder, path, SIZE)) {
        assertColor(at(0.2, 0.5), RED, `${place}, left`);
        assertColor(at(0.8, 0.5), BLUE, `${place}, right`);
      }
    });
  }

  for (const kind of ['png', 'webp'] as const) {
    test(`another ${kind} behind it: one picture`, async () => {
      const path = join(folder, 'photo');
      const second = await encodeImage(kind, LARGER, () => GREEN);
      writeFileSync(path, Buffer.concat([await encodeImage(kind, SIZE, halves), second]));
      const { width, height } = await probeFile(path, LIMITS);
      assert.deepEqual({ width, height }, SIZE);
      const shown = (await showPhoto(folder, path, SIZE)).find(({ place }) => place === 'output')!;
      assertColor(shown.at(0.2, 0.5), RED, 'output');
      assert.equal((await Array.fromAsync(openFrames(path))).length, 1);
    });
  }
});

describe('files after public reports', () => {
  const WILD_SIZE = { width: 640, height: 480 };
  for (const name of ['ultrahdr-gain-map.jpg', 'jpeg-with-a-second-jpeg-behind-it.jpg']) {
    const path = mediaPath(`wild/${name}`);
    test(name, { skip: path === null && 'needs ../shared/media/wild' }, async () => {
      for (const { place, at } of await showPhoto(folder, path!, WILD_SIZE)) {
        const [red, green, blue] = at(0.1, 0.1);
        assert.ok(red > green + 100 && red > blue + 100, `${place}: ${[red, green, blue]}, not red`);
      }
    });
  }
});
