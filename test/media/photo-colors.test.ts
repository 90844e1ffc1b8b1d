/** Colors of photos and videos with a color profile or with tags of a wide gamut, in each place that shows them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE432,
  AVCOL_TRC_BT709,
  AVCOL_TRC_BT2020_10,
  AVCOL_TRC_IEC61966_2_1,
} from 'node-av/constants';
import { isAdobeRgb } from '../../src/media/av/exif-colors.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import {
  jpegWithProfile,
  pngWithChunk,
  pngWithProfile,
  profileOf,
  webpWithProfile,
} from '../support/color-profile.ts';
import { exifOf, jpegWithExif } from '../support/exif.ts';
import { heicOf } from '../support/heif.ts';
import { encodeImage } from '../support/image.ts';
import { GREY_PROFILE, PROFILES, SRGB_PROFILE, STRIPES } from '../support/known-profiles.ts';
import { mediaPath } from '../support/media.ts';
import { showPhoto } from '../support/shown-photo.ts';
import { type StripedClip, writeStripedClip } from '../support/striped-clip.ts';

type Rgb = readonly [number, number, number];

const folder = temporaryFolder();
const LIMITS = { maxDurationSeconds: 60 };
const SIZE = { width: 320, height: 192 };
/** The target for colors; encoding 8-bit YUV rounds red and blue by up to two levels more (ITU-R BT.709-6, section 3). */
const MAX_LEVELS = 2;
const CODING_LEVELS = 2;
/** FFmpeg's JPEG encoder stores colors that are up to two levels off; a wide gamut enlarges that. */
const JPEG_LEVELS = 2;
const stripeAt = (x: number) => STRIPES[Math.floor((x / SIZE.width) * STRIPES.length)]!;
const GREYS = [30, 90, 150, 220, 128];
/** The stripes of grey in a JPEG of one component, by Pillow 9.4 (quality 100), because FFmpeg writes none. */
const GREY_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCADAAUABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAoJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwCO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgACO8AAbwAADeAAAUYAACR8AAR3gADeAAAbwAACjAAASPgAD/2Q==',
  'base64',
);

const png = await encodeImage('png', SIZE, stripeAt);
const jpeg = await encodeImage('jpeg', SIZE, stripeAt);
const webp = await encodeImage('webp', SIZE, stripeAt);
const P3 = PROFILES['Display P3']!;
/** BT.2020 with the curve of sRGB, by littleCMS 2.14. */
const BT2020_SRGB: readonly Rgb[] = [
  [255, 0, 0],
  [230, 130, 104],
  [0, 177, 76],
  [53, 90, 198],
  [128, 128, 128],
];

let files = 0;
function stored(bytes: Buffer): string {
  const path = join(folder, `${files++}`);
  writeFileSync(path, bytes);
  return path;
}

async function assertShown(path: string, colors: readonly Rgb[], levels = MAX_LEVELS + CODING_LEVELS) {
  for (const { place, at } of await showPhoto(folder, path, SIZE)) {
    for (const [index, wanted] of colors.entries()) {
      const found = at((index + 0.5) / colors.length, 0.5);
      const difference = Math.max(...found.map((level, axis) => Math.abs(level - wanted[axis]!)));
      assert.ok(difference <= levels, `${place}, stripe ${index}: ${found} for ${wanted}`);
    }
  }
}

describe('an ICC profile', () => {
  for (const [name, { profile, srgb }] of Object.entries(PROFILES)) {
    test(`${name} in a PNG`, () => assertShown(stored(pngWithProfile(png, profile)), srgb));
    test(`${name} in a JPEG`, () =>
      assertShown(stored(jpegWithProfile(jpeg, profile)), srgb, MAX_LEVELS + CODING_LEVELS + JPEG_LEVELS));
  }

  test('in a WebP', () => assertShown(stored(webpWithProfile(webp, P3.profile, SIZE)), P3.srgb));

  test('in several segments of a JPEG', () =>
    assertShown(
      stored(jpegWithProfile(jpeg, P3.profile, 100)),
      P3.srgb,
      MAX_LEVELS + CODING_LEVELS + JPEG_LEVELS,
    ));

  test('in a HEIC', async () => {
    const clip = await stripes('hevc.mp4', { codec: 'libx265' });
    const color = Buffer.concat([Buffer.from('prof', 'latin1'), P3.profile]);
    await assertShown(stored(heicOf(clip, SIZE, 'hvc1', color)), P3.srgb);
  });

  test('of sRGB changes nothing', async () => {
    await assertShown(stored(pngWithProfile(png, SRGB_PROFILE)), STRIPES);
    const plain = await showPhoto(folder, stored(jpeg), SIZE);
    const profiled = await showPhoto(folder, stored(jpegWithProfile(jpeg, SRGB_PROFILE)), SIZE);
    for (const [index, { at }] of plain.entries())
      for (const x of [0.1, 0.3, 0.5, 0.7, 0.9]) assert.deepEqual(profiled[index]!.at(x, 0.5), at(x, 0.5));
  });
});

describe('a grey photo', () => {
  test('with a profile', async () => {
    await assertShown(
      stored(jpegWithProfile(GREY_JPEG, GREY_PROFILE.profile)),
      GREY_PROFILE.srgb,
      MAX_LEVELS,
    );
  });

  test('without a profile has the full range', async () => {
    await assertShown(
      stored(GREY_JPEG),
      GREYS.map((level): Rgb => [level, level, level]),
      MAX_LEVELS,
    );
  });
});

/** Codes of ITU-T H.273: primaries, curve, matrix, full range. */
const CODES = { p3: Buffer.from([12, 13, 0, 1]), bt2020: Buffer.from([9, 14, 0, 1]) };

describe('a photo that Exif data mark as Adobe RGB', () => {
  const adobe = PROFILES['Adobe RGB']!;
  for (const isLittle of [true, false])
    test(`is converted: ${isLittle ? 'little' : 'big'} endian`, () => {
      const exif = exifOf({ isLittle, colorSpace: 0xffff, index: 'R03' });
      return assertShown(
        stored(jpegWithExif(jpeg, exif)),
        adobe.srgb,
        MAX_LEVELS + CODING_LEVELS + JPEG_LEVELS,
      );
    });

  test('follows its profile if it has one', () => {
    const exif = exifOf({ isLittle: true, colorSpace: 0xffff, index: 'R03' });
    const photo = jpegWithProfile(jpegWithExif(jpeg, exif), P3.profile);
    return assertShown(stored(photo), P3.srgb, MAX_LEVELS + CODING_LEVELS + JPEG_LEVELS);
  });

  const marked = exifOf({ isLittle: true, colorSpace: 0xffff, index: 'R03' });
  for (const [what, exif] of [
    ['sRGB', exifOf({ isLittle: true, colorSpace: 1, index: 'R98' })],
    ['another space', exifOf({ isLittle: false, colorSpace: 0xffff, index: 'R98' })],
    ...[3, 8, 20, 40, 60].map(
      (bytes) => [`cut off after ${bytes} bytes`, marked.subarray(0, bytes)] as const,
    ),
    ['a directory beyond the end', Buffer.concat([marked.subarray(0, 4), Buffer.alloc(4, 0xff)])],
  ] as const)
    test(`is none: ${what}`, () => {
      assert.equal(isAdobeRgb(exif), false);
    });
});

describe('codes of color', () => {
  test('Display P3 in a PNG', () => assertShown(stored(pngWithChunk(png, 'cICP', CODES.p3)), P3.srgb));

  test('BT.2020 in a PNG', () => assertShown(stored(pngWithChunk(png, 'cICP', CODES.bt2020)), BT2020_SRGB));

  test('precede a profile in a PNG', () =>
    assertShown(
      stored(pngWithProfile(pngWithChunk(png, 'cICP', CODES.p3), PROFILES['Adobe RGB']!.profile)),
      P3.srgb,
    ));

  test('chromaticities of Display P3 in a PNG', () => {
    const values = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000];
    const body = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) body.writeUInt32BE(value, 4 * index);
    return assertShown(stored(pngWithChunk(png, 'cHRM', body)), P3.srgb);
  });

  test('Display P3 in the box of a HEIC', async () => {
    const clip = await stripes('untagged.mp4', { codec: 'libx265' });
    const color = Buffer.concat([Buffer.from('nclx', 'latin1'), Buffer.from([0, 12, 0, 13, 0, 1, 0])]);
    await assertShown(stored(heicOf(clip, SIZE, 'hvc1', color)), P3.srgb);
  });

  const tagged = { primaries: AVCOL_PRI_SMPTE432, transfer: AVCOL_TRC_IEC61966_2_1 };
  test('Display P3 in an AVIF', async () => {
    const path = await stripes('p3.avif', {
      container: 'avif',
      codec: 'libsvtav1',
      frameCount: 1,
      ...tagged,
    });
    await assertShown(path, P3.srgb);
  });

  const bt2020 = { primaries: AVCOL_PRI_BT2020, matrix: 'bt2020' } as const;
  for (const [name, tags, colors] of [
    ['Display P3', { ...tagged, transfer: AVCOL_TRC_BT709 }, P3.srgb],
    ['Display P3 with the curve of sRGB', tagged, P3.srgb],
    ['BT.2020', { ...bt2020, transfer: AVCOL_TRC_BT709 }, BT2020_SRGB],
    ['BT.2020 with its own curve', { ...bt2020, transfer: AVCOL_TRC_BT2020_10 }, BT2020_SRGB],
  ] as const)
    test(`${name} in a video`, async () => assertShown(await stripes(`${files++}.mp4`, tags), colors));
});

function stripes(name: string, tags: Partial<StripedClip>): Promise<string> {
  const clip = { stripes: STRIPES, container: 'mp4', codec: 'libx264', frameCount: 10 } as const;
  return writeStripedClip(join(folder, name), { ...SIZE, ...clip, ...tags });
}

describe('a profile that cannot be applied is reported, and the photo is shown without it', () => {
  const tables = { A2B0: Buffer.from('mft2\0\0\0\0\x03\x03\x02\0', 'latin1') };
  for (const [name, profile, reason] of [
    [
      'of tables',
      profileOf({ name: 'Scanner 7', space: 'RGB ', tags: tables }),
      /"Scanner 7" \(RGB\).*tables/,
    ],
    ['of ink', profileOf({ name: 'Coated', space: 'CMYK', tags: tables }), /"Coated" \(CMYK\).*tables/],
    ['of grey, in colors', GREY_PROFILE.profile, /"Dot Gain" \(GRAY\).*color space/],
    ['cut off', P3.profile.subarray(0, 300), /damaged/],
  ] as const) {
    test(name, async () => {
      const path = stored(jpegWithProfile(jpeg, profile));
      const { warnings } = await probeFile(path, LIMITS);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['COLOR_PROFILE_IGNORED'],
      );
      assert.match(warnings[0]!.message, reason);
      await assertShown(path, STRIPES);
    });
  }

  test('data that are no profile have no effect', async () => {
    const path = stored(jpegWithProfile(jpeg, Buffer.from('not a profile')));
    assert.deepEqual((await probeFile(path, LIMITS)).warnings, []);
    await assertShown(path, STRIPES);
  });
});

for (const name of ['icc-display-p3.jpg', 'icc-display-p3.heic']) {
  const path = mediaPath(`wild/${name}`);
  test(`${name}: the corners`, { skip: path === null && 'needs ../shared/media/wild' }, async () => {
    for (const { place, at } of await showPhoto(folder, path!, { width: 640, height: 480 })) {
      for (const [x, y, wanted] of [
        [0.1, 0.1, [241, 0, 0]],
        [0.9, 0.1, [0, 205, 0]],
        [0.1, 0.9, [25, 24, 230]],
        [0.9, 0.9, [220, 221, 0]],
      ] as const) {
        const found = at(x, y);
        const difference = Math.max(...found.map((level, axis) => Math.abs(level - wanted[axis]!)));
        assert.ok(difference <= MAX_LEVELS, `${place}: ${found} for ${wanted}`);
      }
    }
  });
}
