import type { Frame } from 'node-av/lib';
import { luma709 } from '../../signal/colour-space.ts';
import { type FrameRate, framesPerSecond } from '../../time.ts';
import { OUTPUT_SAMPLE_RATE } from '../av/audio-frame.ts';
import { emptyFrame } from '../av/empty-frame.ts';
import { Mp4Writer } from './encode.ts';

/** A clip made by arithmetic: for the demonstration and for tests, where every answer must be known. */
export interface DrawnClip {
  /** Both even. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  readonly durationSeconds: number;
  /** Fills RGB bytes, row by row, for the frame at `timeSeconds`. */
  readonly draw: (rgb: Uint8Array, timeSeconds: number, frameIndex: number) => void | Promise<void>;
  /** The sample at a time, -1..1, alike in both channels; left out: no sound. */
  readonly audio?: (timeSeconds: number) => number;
  readonly crf?: number;
}

const YIELD_FRAMES = 8;

/** Draws a clip into an MP4 file. */
export async function writeDrawnClip(path: string, clip: DrawnClip): Promise<void> {
  const rate = framesPerSecond(clip.frameRate);
  const frameCount = Math.round(clip.durationSeconds * rate);
  const encoding = { ...clip, preset: 'veryfast', crf: clip.crf ?? 20 };
  using writer = await Mp4Writer.open(path, encoding, clip.audio !== undefined);
  const rgb = new Uint8Array(clip.width * clip.height * 3);
  let samples = 0;
  for (let index = 0; index < frameCount; index++) {
    await clip.draw(rgb, index / rate, index);
    const frame = frameOf(rgb, clip.width, clip.height);
    writer.writeFrame(frame);
    frame.free();
    if (clip.audio !== undefined) {
      const upTo = Math.round(((index + 1) / rate) * OUTPUT_SAMPLE_RATE);
      const block = new Float32Array(upTo - samples);
      for (let i = 0; i < block.length; i++) block[i] = clip.audio((samples + i) / OUTPUT_SAMPLE_RATE);
      writer.writeSamples(block, block);
      samples = upTo;
    }
    if (index % YIELD_FRAMES === 0) await new Promise(setImmediate);
  }
  await writer.finish();
}

function frameOf(rgb: Uint8Array, width: number, height: number): Frame {
  const frame = emptyFrame(width, height);
  const [luma, blue, red] = frame.data as [Buffer, Buffer, Buffer];
  const [lumaStride, blueStride, redStride] = frame.linesize as [number, number, number];
  // ITU-R BT.709-6, section 3, limited range; chroma is the mean of four pixels.
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let cb = 0;
      let cr = 0;
      for (let corner = 0; corner < 4; corner++) {
        const px = x + (corner & 1);
        const py = y + (corner >> 1);
        const at = (py * width + px) * 3;
        const light = luma709(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!);
        luma[py * lumaStride + px] = Math.round(16 + (219 / 255) * light);
        cb += rgb[at + 2]! - light;
        cr += rgb[at]! - light;
      }
      blue[(y >> 1) * blueStride + (x >> 1)] = Math.round(128 + ((224 / 255) * cb) / 4 / 1.8556);
      red[(y >> 1) * redStride + (x >> 1)] = Math.round(128 + ((224 / 255) * cr) / 4 / 1.5748);
    }
  }
  return frame;
}
