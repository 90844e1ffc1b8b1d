/** Still pictures of a folder, small. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';

const PICTURE_DEMUXERS = 'jpeg_pipe,png_pipe,webp_pipe,image2';
const PICTURE = /\.(jpe?g|png|webp)$/i;

export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  /** Gamma-encoded, 0..1. */
  readonly rgb: Float64Array;
}

/** All JPEG, PNG and WebP files of a folder and those below it, in the order of their names. */
export function picturesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => PICTURE.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** The picture as area means, of about `pixels` pixels; null when it cannot be decoded. */
export async function readPicture(path: string, pixels: number): Promise<RgbPicture | null> {
  using input = await openInput(path, PICTURE_DEMUXERS);
  if (input.video === null) return null;
  using decoder = await StreamDecoder.open(input, input.video);
  const frame = decoder.next();
  if (frame === null) return null;
  const scale = Math.sqrt(pixels / (frame.width * frame.height));
  const [width, height] = [frame.width, frame.height].map((side) => Math.max(4, Math.round(side * scale)));
  using graph = new LinearGraph(
    'video',
    { num: 1, den: 1 },
    () => `scale=${width}:${height}:flags=area+accurate_rnd+full_chroma_int,format=rgb24`,
  );
  let picture: RgbPicture | null = null;
  graph.push(frame, (small) => {
    const rgb = new Float64Array(width! * height! * 3);
    for (let y = 0; y < height!; y++) {
      const start = y * small.linesize[0];
      const row = small.data![0].subarray(start, start + width! * 3);
      for (const [at, byte] of row.entries()) rgb[y * width! * 3 + at] = byte / 255;
    }
    picture = { width: width!, height: height!, rgb };
  });
  return picture;
}

/** Area means of about `pixels` pixels, in whole levels of eight bits as an analysis sees them. */
export function shrunk({ width, height, rgb }: RgbPicture, pixels: number): RgbPicture {
  const scale = Math.sqrt(pixels / (width * height));
  const [w, h] = [width, height].map((side) => Math.max(4, Math.round(side * scale))) as [number, number];
  const out = new Float64Array(w * h * 3);
  for (let y = 0; y < h; y++) {
    const [top, bottom] = [y, y + 1].map((row) => Math.floor((row * height) / h)) as [number, number];
    for (let x = 0; x < w; x++) {
      const [left, right] = [x, x + 1].map((column) => Math.floor((column * width) / w)) as [number, number];
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let v = top; v < bottom; v++)
          for (let u = left; u < right; u++) sum += rgb[(v * width + u) * 3 + channel];
        out[(y * w + x) * 3 + channel] = Math.round((255 * sum) / ((bottom - top) * (right - left))) / 255;
      }
    }
  }
  return { width: w, height: h, rgb: out };
}
