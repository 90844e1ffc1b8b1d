/**
 * Makes the template of the example (`web/public/example/template.mp4`): four scenes of real footage (NOTICE.md has their licenses), graded
 * by StyleDNA itself to a cold evening and cut on the beats of a song; and a smaller copy of the flower, which is a take.
 * Usage: node scripts/example-clips/draw.ts SONG, a song with 120 beats a minute, the first one at 0 s
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Picture } from '../../src/domain/footage.ts';
import { EXAMPLE } from '../../src/example/example.ts';
import { jobConfigSchema, Studio } from '../../src/library.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { type AuthoredLook, lookOfAuthored } from '../../src/presets/look.ts';
import { writtenStyle } from '../../src/presets/presets.ts';
import { writeDrawnClip } from '../../test/support/drawn-clip.ts';
import { decodeJpeg } from '../../test/support/jpeg.ts';
import { zoomed } from '../preset-pictures/zoom.ts';

const SIZE = { width: 854, height: 480 };
const RATE = 25;
/** Without visible loss: it is graded and encoded again. */
const SOURCE_CRF = 8;
/** It is shipped: 12 s have .6 MB. */
const TEMPLATE_CRF = 33;
const BEAT_SECONDS = 0.5;
/** A photo's camera moves in by this share of its width. */
const PUSH_IN = 0.25;
const SAMPLE_RATE = 48_000;

/** Blue shadows under pale light. */
const COLD_EVENING: AuthoredLook = {
  tones: [9, 40, 80],
  shadows: [-3, -13],
  midtones: [-3, -9],
  highlights: [0, 3],
  chroma: 9,
};

const SCENES = {
  cat: { file: 'preset-pictures/footage/cat.png', from: 0, seconds: 4 },
  rocket: { file: 'preset-pictures/footage/rocket.jpg', from: 0, seconds: 4 },
  monster: { file: 'example-clips/footage/monster.webm', from: 0.8, seconds: 5 },
  elf: { file: 'example-clips/footage/elf.webm', from: 0.4, seconds: 5 },
} as const;
type SceneName = keyof typeof SCENES;

/** Each with its place in the scene in seconds and its length in beats; a third of them dissolve into the next one. */
const SHOTS: readonly (readonly [SceneName, number, number, 'dissolve'?])[] = [
  ['rocket', 0, 3],
  ['cat', 0, 2],
  ['monster', 3.4, 2, 'dissolve'],
  ['elf', 0.2, 3],
  ['rocket', 2.5, 2],
  ['monster', 0, 2],
  ['cat', 2, 2, 'dissolve'],
  ['elf', 3.5, 2],
  ['monster', 2, 2],
  ['rocket', 1.6, 2],
  ['cat', 3, 2],
];
const DISSOLVE_SECONDS = 0.32;

const [song] = process.argv.slice(2);
if (song === undefined) throw new Error('Usage: node scripts/example-clips/draw.ts SONG');
const folder = join(tmpdir(), 'styledna-example-clips');
mkdirSync(folder, { recursive: true });
const studio = new Studio();
const style = writtenStyle(lookOfAuthored(COLD_EVENING), { cut_frequency: 0 });
const config = jobConfigSchema.parse({
  quality: 'ultra',
  components: { audio: false, pacing: false, transitions: false, motion: false, color: 1 },
});
const graded = Object.fromEntries(
  await Promise.all(
    Object.entries(SCENES).map(async ([name, { file, from, seconds }]) => {
      const source = join(folder, `${name}.mp4`);
      const output = join(folder, `${name}-graded.mp4`);
      await writeClip(source, await sceneFrames(join('..', file), from, seconds), SOURCE_CRF);
      await studio.apply({ source, output, look: { style }, config });
      return [name, await pictures(output, frameTimes(0, seconds))] as const;
    }),
  ),
) as Record<SceneName, readonly Picture[]>;

const frames = SHOTS.flatMap(([name, from, beats, end], index) => {
  const count = Math.round(beats * BEAT_SECONDS * RATE);
  return Array.from({ length: count }, (_, at) => {
    const own = frameOf(name, from, at);
    const share = (at - count) / (DISSOLVE_SECONDS * RATE) + 1;
    const next = SHOTS[index + 1];
    if (end === undefined || share <= 0 || next === undefined) return own;
    return mixed(own, frameOf(next[0], next[1], at - count), share);
  });
});
await writeClip(fileURLToPath(EXAMPLE.template), frames, TEMPLATE_CRF, await samplesOf(song));
await writeClip(
  fileURLToPath(EXAMPLE.takes[0]),
  await pictures(footage('../preset-pictures/footage/flower.mp4'), frameTimes(0, 4.9)),
  TEMPLATE_CRF,
);

/** Frames before the scene's start show its first one. */
function frameOf(name: SceneName, fromSeconds: number, at: number): Picture {
  const scene = graded[name];
  return scene[Math.min(scene.length - 1, Math.max(0, Math.round(fromSeconds * RATE) + at))]!;
}

async function sceneFrames(file: string, fromSeconds: number, seconds: number): Promise<readonly Picture[]> {
  const times = frameTimes(fromSeconds, seconds);
  if (file.endsWith('.webm'))
    return (await pictures(footage(file), times)).map((picture) => zoomed(picture, 1, SIZE));
  const [photo] = await pictures(footage(file), [0]);
  return times.map((_, at) => zoomed(photo!, 1 - (PUSH_IN * at) / times.length, SIZE));
}

function mixed(one: Picture, other: Picture, share: number): Picture {
  return { ...one, data: one.data.map((value, at) => value + share * (other.data[at]! - value)) };
}

async function samplesOf(path: string): Promise<(seconds: number) => number> {
  const blocks: Float32Array[] = [];
  for await (const { channels } of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'mono' }))
    blocks.push(Float32Array.from(channels[0]!));
  const all = Float32Array.from(blocks.flatMap((block) => [...block]));
  return (seconds) => all[Math.round(seconds * SAMPLE_RATE)] ?? 0;
}

/** The middles of all frames. */
function frameTimes(fromSeconds: number, seconds: number): number[] {
  return Array.from({ length: Math.round(seconds * RATE) }, (_, at) => fromSeconds + (at + 0.5) / RATE);
}

async function pictures(path: string, timesSeconds: readonly number[]): Promise<readonly Picture[]> {
  const areaPixels = SIZE.width * SIZE.height;
  const stills = await readThumbnails(path, { timesSeconds, areaPixels, onProgress: () => {} });
  return await Promise.all(stills.map(({ jpeg }) => decodeJpeg(jpeg)));
}

function writeClip(
  path: string,
  pictures: readonly Picture[],
  crf: number,
  audio?: (seconds: number) => number,
): Promise<void> {
  const { width, height } = pictures[0]!;
  return writeDrawnClip(path, {
    ...{ width: width - (width % 2), height: height - (height % 2) },
    frameRate: { numerator: RATE, denominator: 1 },
    durationSeconds: pictures.length / RATE,
    draw: (rgb, _, index) => rgb.set(pictures[index]!.data),
    ...{ crf, ...(audio === undefined ? {} : { audio }) },
  });
}

function footage(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
