/** ICC profiles (ICC.1:2022), and images that have them. */
import { deflateSync } from 'node:zlib';
import { pngChunk } from './png.ts';

export interface ProfileContent {
  readonly name: string;
  readonly space: 'RGB ' | 'GRAY' | 'CMYK';
  /** XYZ of red, green and blue in the connection space; left out: none. */
  readonly colorants?: readonly (readonly [number, number, number])[];
  /** Bodies of tags by signature, such as a tone curve. */
  readonly tags: Readonly<Record<string, Buffer>>;
}

/** Of sRGB (IEC 61966-2-1): a parametric curve of the third function. */
export const SRGB_CURVE = parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]);

export function parametric(kind: number, values: readonly number[]): Buffer {
  const head = Buffer.concat([Buffer.from('para\0\0\0\0', 'latin1'), short(kind), short(0)]);
  return Buffer.concat([head, ...values.map(fixed)]);
}

export function gamma(value: number): Buffer {
  return Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), long(1), short(Math.round(256 * value))]);
}

export function table(count: number, curve: (level: number) => number): Buffer {
  const values = Array.from({ length: count }, (_, index) =>
    short(Math.round(65_535 * curve(index / (count - 1)))),
  );
  return Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), long(count), ...values]);
}

export function profileOf({ name, space, colorants = [], tags }: ProfileContent): Buffer {
  const described = Buffer.concat([
    Buffer.from('mluc\0\0\0\0', 'latin1'),
    ...[long(1), long(12), Buffer.from('enUS', 'latin1'), long(2 * name.length), long(28)],
    Buffer.from(name, 'utf16le').swap16(),
  ]);
  const bodies: [string, Buffer][] = [
    ['desc', described],
    ['wtpt', xyz([0.9642, 1, 0.8249])],
    ...colorants.map((colorant, index): [string, Buffer] => [`${'rgb'[index]}XYZ`, xyz(colorant)]),
    ...Object.entries(tags),
  ];
  const entries: Buffer[] = [];
  const parts: Buffer[] = [];
  let at = 128 + 4 + 12 * bodies.length;
  for (const [tag, body] of bodies) {
    entries.push(Buffer.from(tag, 'latin1'), long(at), long(body.length));
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
    parts.push(padded);
    at += padded.length;
  }
  return Buffer.concat([header(space, at), long(bodies.length), ...entries, ...parts]);
}

function header(space: string, bytes: number): Buffer {
  const head = Buffer.alloc(128);
  head.writeUInt32BE(bytes, 0);
  head.writeUInt32BE(0x04300000, 8);
  head.write(`mntr${space}XYZ `, 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  xyz([0.9642, 1, 0.8249]).copy(head, 68, 8);
  return head;
}

/** In segments of APP2 (ICC.1:2022, annex B.4). `segmentBytes`: longer profiles are divided. */
export function jpegWithProfile(jpeg: Buffer, profile: Buffer, segmentBytes = 65_000): Buffer {
  const count = Math.ceil(profile.length / segmentBytes);
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * segmentBytes, (index + 1) * segmentBytes);
    const body = Buffer.concat([
      ...[Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([index + 1, count]), part],
    ]);
    return Buffer.concat([Buffer.from([0xff, 0xe2]), short(body.length + 2), body]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** Bytes of IHDR and of the signature. */
const PNG_HEAD = 33;

/** A PNG with a chunk before its pixels. */
export function pngWithChunk(png: Buffer, type: string, body: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, PNG_HEAD), pngChunk(type, body), png.subarray(PNG_HEAD)]);
}

export function pngWithProfile(png: Buffer, profile: Buffer): Buffer {
  return pngWithChunk(png, 'iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]));
}

/** A simple WebP in the extended form (RFC 9649, section 2.7), whose flag 0x20 announces a profile. */
export function webpWithProfile(
  webp: Buffer,
  profile: Buffer,
  { width, height }: { width: number; height: number },
) {
  const chunk = (type: string, body: Buffer) => {
    const padding = Buffer.alloc(body.length % 2);
    return Buffer.concat([Buffer.from(type, 'latin1'), littleLong(body.length), body, padding]);
  };
  const extended = Buffer.alloc(10);
  extended[0] = 0x20;
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const content = [chunk('VP8X', extended), chunk('ICCP', profile), webp.subarray(12)];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...content]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), littleLong(body.length), body]);
}

function xyz(values: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...values.map(fixed)]);
}

function fixed(value: number): Buffer {
  return long(Math.round(65_536 * value) >>> 0);
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function littleLong(value: number): Buffer {
  return long(value).reverse();
}

function short(value: number): Buffer {
  return long(value).subarray(2);
}
