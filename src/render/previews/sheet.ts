import type { Size } from '../../domain/footage.ts';
import type { PictureFormat, PixelBox } from '../../domain/preview.ts';
import { emptyFrame } from '../../media/av/empty-frame.ts';
import { writeJpeg, writePng } from '../../media/read/still.ts';
import type { Yuv } from '../picture/composite.ts';
import { planesOf } from '../picture/planes.ts';

/** Luma and chroma between the pictures: a neutral dark gray, which does not change how colors appear. */
const [BACKGROUND_LUMA, NEUTRAL_CHROMA] = [40, 128];

/** Writes one picture that contains several. `draw` receives its planes, filled with the background. */
export async function writeSheet(
  { width, height }: Size,
  format: PictureFormat,
  path: string,
  draw: (planes: Yuv) => void | Promise<void>,
): Promise<void> {
  const sheet = emptyFrame(width, height);
  try {
    const planes = planesOf(sheet);
    for (const [index, { data }] of planes.entries())
      data.fill(index === 0 ? BACKGROUND_LUMA : NEUTRAL_CHROMA);
    await draw(planes);
    await (format === 'png' ? writePng(sheet, path) : writeJpeg(sheet, path));
  } finally {
    sheet.free();
  }
}

/** Copies a picture to the upper left corner of `box`, in even luma pixels. */
export function copyInto(from: Yuv, to: Yuv, box: Pick<PixelBox, 'x' | 'y'>): void {
  for (const [index, { data, stride }] of to.entries()) {
    const shift = index === 0 ? 0 : 1;
    const source = from[index];
    for (let y = 0; y < source.height; y++) {
      const at = ((box.y >> shift) + y) * stride + (box.x >> shift);
      data.set(source.data.subarray(y * source.stride, y * source.stride + source.width), at);
    }
  }
}
