/** Clips made of others: as a camera's logarithmic profile would have filmed them, and set to music. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { LinearGraph } from '../../src/media/av/graph.ts';
import type { Input } from '../../src/media/av/input.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/av/output-sample-rate.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';

const RATE = 25;
const HEIGHT = 540;
/** Black at 24 %, white at 74 %, bent upwards; a third of the color. */
export const LOGARITHMIC = "lutyuv=y='16+219*(0.24+0.5*pow(clip((val-16)/219,0,1),0.75))',hue=s=0.38";

/**
 * The path of the flat clip, without sound; made at the first call and cached in the folder for temporary
 * files.
 */
export function flatClip(original: string): Promise<string> {
  return stored(`flat-${basename(original)}.mp4`, (path) =>
    remake(original, path, { filters: `,${LOGARITHMIC}` }),
  );
}

/** The clip repeated for the length of the music, cached in the same folder. */
export function musicClip(original: string, music: string): Promise<string> {
  return stored(`${basename(original)}-${basename(music)}.mp4`, (path) => remake(original, path, { music }));
}

async function stored(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), 'styledna-bench');
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}.mp4`;
  await make(unfinished);
  renameSync(unfinished, path);
  return path;
}

async function remake(
  original: string,
  path: string,
  change: { readonly filters?: string; readonly music?: string },
): Promise<void> {
  const clipSeconds = (await outlineOf(original)).durationSeconds ?? 0;
  const seconds =
    change.music === undefined ? clipSeconds : ((await outlineOf(change.music)).durationSeconds ?? 0);
  const size = await sizeOf(original);
  const encoding = { ...size, frameRate: { numerator: RATE, denominator: 1 }, preset: 'fast', crf: 14 };
  using writer = await Mp4Writer.open(path, encoding, change.music !== undefined);
  if (change.music !== undefined) {
    for await (const { channels } of openSamples(change.music, {
      sampleRate: OUTPUT_SAMPLE_RATE,
      channels: 'stereo',
    }))
      writer.writeSamples(channels[0], channels[1]);
  }
  for (let left = Math.floor(seconds * RATE); left > 0; ) {
    const count = Math.min(left, Math.floor(clipSeconds * RATE));
    using input = await openInput(original);
    await writeFrames(writer, input, { count, size, filters: change.filters ?? '' });
    left -= count;
  }
  await writer.finish();
}

async function sizeOf(original: string): Promise<{ width: number; height: number }> {
  using input = await openInput(original);
  using source = await SourceFrames.open(input);
  source.at(0, 0, 0);
  const { width, height } = source.video;
  return { width: 2 * Math.round((width * HEIGHT) / height / 2), height: HEIGHT };
}

async function writeFrames(
  writer: Mp4Writer,
  input: Input,
  run: { readonly count: number; readonly size: { width: number; height: number }; readonly filters: string },
): Promise<void> {
  using source = await SourceFrames.open(input);
  const { width, height } = run.size;
  using graph = new LinearGraph(
    'video',
    { num: 1, den: RATE },
    () =>
      `scale=${width}:${height}:in_color_matrix=${source.video.matrix}:out_color_matrix=bt709:out_range=limited,format=yuv420p${run.filters}`,
  );
  const first = writer.frameCount;
  for (let number = 0; number < run.count; number++) {
    const frame = source.at(number / RATE, 0.5 / RATE, number / RATE).clone()!;
    frame.pts = BigInt(first + number);
    graph.push(frame, (out) => writer.writeFrame(out));
    frame.free();
  }
}
