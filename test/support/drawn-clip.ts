import type { Frame } from 'node-av/lib';
import { type FrameRate, framesPerSecond } from '../../src/domain/time.ts';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/av/output-sample-rate.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';
import { luma709 } from '../../src/signal/color-space.ts';

/** A computed clip, for tests with known answers, benchmarks, and the clips that come with StyleDNA. */
export interface DrawnClip {
  /** Both even. */
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  readonly durationSeconds: number;
  /** Fills RGB bytes, row by row, for the frame at `timeSeconds`. */
  readonly draw: (rgb: Uint8Array, timeSeconds: number, frameIndex: number) => void | Promise<void>;
  /** The sample at a time, -1..1, the same for both channels; left out: no sound. */
  readonly audio?: (timeSeconds: number) => number;
  readonly crf?: number;
}

const YIELD_FRAMES = 8;

/** Writes a computed clip into an MP4 file. */
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
  const lightAt = (at: number) => luma709(rgb[at], rgb[at + 1], rgb[at + 2]);
  // For non-negative numbers this equals `Math.round` in a fifth of the time.
  const written = (light: number) => (16.5 + (219 / 255) * light) | 0;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = (y * width + x) * 3;
      const below = at + width * 3;
      const to = y * lumaStride + x;
      const one = lightAt(at);
      const two = lightAt(at + 3);
      const three = lightAt(below);
      const four = lightAt(below + 3);
      luma[to] = written(one);
      luma[to + 1] = written(two);
      luma[to + lumaStride] = written(three);
      luma[to + lumaStride + 1] = written(four);
      const light = one + two + three + four;
      const cb = rgb[at + 2] + rgb[at + 5] + rgb[below + 2] + rgb[below + 5] - light;
      const cr = rgb[at] + rgb[at + 3] + rgb[below] + rgb[below + 3] - light;
      blue[(y >> 1) * blueStride + (x >> 1)] = (128.5 + ((224 / 255) * cb) / 4 / 1.8556) | 0;
      red[(y >> 1) * redStride + (x >> 1)] = (128.5 + ((224 / 255) * cr) / 4 / 1.5748) | 0;
    }
  }
  return frame;
}
