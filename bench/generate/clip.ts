/** Writes a generated clip and, beside it, its truth in the form of `truth.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameRate } from '../../src/domain/time.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/av/output-sample-rate.ts';
import { writeDrawnClip } from '../../test/support/drawn-clip.ts';
import type { TruthFile } from '../lib/truth.ts';
import type { RgbPicture } from './footage.ts';

export interface GeneratedClip {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  readonly frameCount: number;
  /** The picture of a frame, requested in order. */
  readonly frameAt: (index: number) => RgbPicture | Promise<RgbPicture>;
  /** Mono at 48 kHz; left out: no sound. */
  readonly sound?: Float32Array;
  readonly crf?: number;
  readonly truth: Omit<TruthFile, 'file'>;
}

/** Writes `NAME.mp4` and `NAME.truth.json` into the folder. */
export async function writeGeneratedClip(folder: string, clip: GeneratedClip): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { sound } = clip;
  const rate = framesPerSecond(clip.frameRate);
  let picture = await clip.frameAt(0);
  await writeDrawnClip(join(folder, `${clip.name}.mp4`), {
    width: clip.width,
    height: clip.height,
    frameRate: clip.frameRate,
    durationSeconds: clip.frameCount / rate,
    crf: clip.crf ?? 20,
    draw: async (rgb, _seconds, index) => {
      if (index > 0) picture = await clip.frameAt(index);
      rgb.set(picture.data);
    },
    ...(sound === undefined
      ? {}
      : { audio: (seconds: number) => sound[Math.round(seconds * OUTPUT_SAMPLE_RATE)] ?? 0 }),
  });
  const truth: TruthFile = { file: `${clip.name}.mp4`, ...clip.truth };
  writeFileSync(join(folder, `${clip.name}.truth.json`), `${JSON.stringify(truth, null, 1)}\n`);
}
