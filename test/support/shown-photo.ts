/** Every place where a photo is shown, as pixels. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'node-av/lib';
import type { Picture, Size } from '../../src/domain/footage.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { writePhotoProxy } from '../../src/render/proxy.ts';
import { render } from '../../src/render/render.ts';
import { drawStoryboard } from '../../src/render/storyboard.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { decodeJpeg } from './jpeg.ts';
import { decodePng } from './png.ts';
import { timelineClip, timelineOf } from './timeline-clip.ts';

export interface ShownPhoto {
  readonly place: 'analysis' | 'poster' | 'proxy' | 'storyboard' | 'output';
  /** Mean color around a point of the photo, 0..1 of its sides. */
  readonly at: (x: number, y: number) => [number, number, number];
}

const RADIUS = 2;
let shown = 0;

/** Shows a photo without framing and grade. `size`: the photo's, even. */
export async function showPhoto(folder: string, path: string, size: Size): Promise<ShownPhoto[]> {
  const name = join(folder, `shown-${shown++}`);
  const [grid] = await Array.fromAsync(openFrames(path));
  const { poster } = await readVideoPictures(path, 0, () => {});
  await writePhotoProxy({ sourcePath: path, proxyPath: `${name}.jpg` });
  const timeline: Timeline = {
    ...timelineOf([timelineClip(0, 0.4, { take: 0, reason: 'slot' })]),
    ...size,
    frameRate: { numerator: 25, denominator: 1 },
    takes: [{ grade: null }],
  };
  const drawn = { timeline, takePaths: [path] };
  const board = { slots: [{ seconds: 0.2, label: '' }], format: 'png', picturePath: `${name}.png` } as const;
  const layout = await drawStoryboard({ ...drawn, ...board }, () => {});
  const outputPath = `${name}.mp4`;
  await render({ ...drawn, preset: 'veryfast', crf: 4, outputPath }, () => {});
  const sheet = decodePng(readFileSync(board.picturePath));
  return [
    { place: 'analysis', at: sampler(grid!.color) },
    { place: 'poster', at: sampler(await decodeJpeg(poster)) },
    { place: 'proxy', at: sampler(await decodeJpeg(readFileSync(`${name}.jpg`))) },
    { place: 'storyboard', at: sampler(sheet, layout.tiles[0]) },
    { place: 'output', at: sampler(await lastFrame(outputPath)) },
  ];
}

function sampler(
  { width, channels, data, height }: Picture,
  box: Size & { readonly x: number; readonly y: number } = { x: 0, y: 0, width, height },
): ShownPhoto['at'] {
  return (x, y) => {
    const [left, top] = [box.x + Math.floor(x * box.width), box.y + Math.floor(y * box.height)];
    const sum: [number, number, number] = [0, 0, 0];
    for (let row = top - RADIUS; row <= top + RADIUS; row++)
      for (let column = left - RADIUS; column <= left + RADIUS; column++)
        for (const index of sum.keys()) sum[index]! += data[(row * width + column) * channels + index]!;
    return sum.map((value) => value / (2 * RADIUS + 1) ** 2) as [number, number, number];
  };
}

/** The last frame of an output, by the matrix of BT.709, limited range (ITU-R BT.709-6, section 3). */
async function lastFrame(path: string): Promise<Picture> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!, { threads: 1 });
  let picture: Picture | null = null;
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) picture = toRgb(frame);
  if (picture === null) throw new Error('the output has no frame');
  return picture;
}

function toRgb(frame: Frame): Picture {
  const { width, height } = frame;
  const [luma, blue, red] = planesOf(frame);
  const data = new Uint8ClampedArray(3 * width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const level = (luma.data[y * luma.stride + x]! - 16) / 219;
      const chroma = (y >> 1) * blue.stride + (x >> 1);
      const [cb, cr] = [(blue.data[chroma]! - 128) / 224, (red.data[chroma]! - 128) / 224];
      data[at] = 255 * (level + 1.5748 * cr);
      data[at + 1] = 255 * (level - 0.187324 * cb - 0.468124 * cr);
      data[at + 2] = 255 * (level + 1.8556 * cb);
    }
  }
  return { width, height, channels: 3, data: new Uint8Array(data.buffer) };
}
