import { readFile, writeFile } from 'node:fs/promises';
import type { Frame } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import type { PictureFormat } from '../../domain/preview.ts';
import { emptyFrame } from '../../media/av/empty-frame.ts';
import { cubeOf } from '../../style/look/grade.ts';
import type { Take } from '../../style/model/timeline.ts';
import type { Plane, Yuv } from '../picture/composite.ts';
import { GradeKernel } from '../picture/grade-kernel.ts';
import { planesOf } from '../picture/planes.ts';
import { previewLayout } from './preview-layout.ts';
import { copyInto, writeSheet } from './sheet.ts';

/** Writes frames one after the other, as rows of Y, U and V without padding, so that they need not be decoded again. */
export async function writeFrames(frames: readonly Frame[], path: string): Promise<void> {
  await writeFile(path, Buffer.concat(frames.flatMap((frame) => planesOf(frame).map(packed))));
}

/** Reads a file of `writeFrames` with frames of this size. Throws if its length does not match. */
export async function readFrames(path: string, { width, height }: Size): Promise<Yuv[]> {
  const bytes = await readFile(path);
  const [luma, chroma] = [width * height, (width / 2) * (height / 2)];
  const one = luma + 2 * chroma;
  if (bytes.length === 0 || bytes.length % one !== 0)
    throw new Error(`${bytes.length} bytes are not a whole number of frames of ${width}x${height}`);
  const plane = (at: number, wide: number, high: number): Plane => ({
    data: bytes.subarray(at, at + wide * high),
    stride: wide,
    width: wide,
    height: high,
  });
  return Array.from({ length: bytes.length / one }, (_, index) => {
    const at = index * one;
    const half = { width: width / 2, height: height / 2 };
    return [
      plane(at, width, height),
      plane(at + luma, half.width, half.height),
      plane(at + luma + chroma, half.width, half.height),
    ];
  });
}

/** Draws each frame before and after the grade into one picture. `grade` null: both are equal. */
export async function drawPreview(
  frames: readonly Yuv[],
  grade: Take['grade'],
  format: PictureFormat,
  path: string,
): Promise<void> {
  const kernel = grade === null ? null : new GradeKernel(cubeOf(grade));
  const { width, height } = frames[0][0];
  const layout = previewLayout({ width, height }, frames.length);
  await writeSheet(layout, format, path, (planes) => {
    for (const [index, { before, after }] of layout.cells.entries()) {
      const frame = frames[index];
      copyInto(frame, planes, before);
      const graded = emptyFrame(width, height);
      try {
        const own = planesOf(graded);
        copyInto(frame, own, { x: 0, y: 0 });
        kernel?.apply(own, own);
        copyInto(own, planes, after);
      } finally {
        graded.free();
      }
    }
  });
}

function packed({ data, stride, width, height }: Plane): Buffer {
  const bytes = Buffer.alloc(width * height);
  for (let y = 0; y < height; y++) bytes.set(data.subarray(y * stride, y * stride + width), y * width);
  return bytes;
}
