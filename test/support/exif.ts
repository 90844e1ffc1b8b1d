/** Exif data (CIPA DC-008) of a JPEG that name its color space. */

/** Field types of TIFF. */
const [ASCII, SHORT, LONG] = [2, 3, 4];

export interface ExifColors {
  readonly isLittle: boolean;
  /** 1: sRGB; 0xffff: another one. */
  readonly colorSpace: number;
  /** `R98` for sRGB, `R03` for Adobe RGB. */
  readonly index: string;
}

/** A TIFF header and three directories: the picture's, the camera's and that of interoperability. */
export function exifOf({ isLittle, colorSpace, index }: ExifColors): Buffer {
  const short = (value: number) => {
    const bytes = Buffer.alloc(2);
    if (isLittle) bytes.writeUInt16LE(value);
    else bytes.writeUInt16BE(value);
    return bytes;
  };
  const long = (value: number) => {
    const bytes = Buffer.alloc(4);
    if (isLittle) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  const field = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([short(tag), short(type), long(count), value, Buffer.alloc(4 - value.length)]);
  const directory = (...fields: Buffer[]) => Buffer.concat([short(fields.length), ...fields, long(0)]);
  const [camera, interoperability] = [8 + 18, 8 + 18 + 30];
  return Buffer.concat([
    Buffer.from(isLittle ? 'II' : 'MM', 'latin1'),
    ...[short(42), long(8)],
    directory(field(0x8769, LONG, 1, long(camera))),
    directory(field(0xa001, SHORT, 1, short(colorSpace)), field(0xa005, LONG, 1, long(interoperability))),
    directory(field(1, ASCII, 4, Buffer.from(`${index}\0`, 'latin1'))),
  ]);
}

/** In a segment of its own, before all others. */
export function jpegWithExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 8, 2);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    head,
    Buffer.from('Exif\0\0', 'latin1'),
    exif,
    jpeg.subarray(2),
  ]);
}
