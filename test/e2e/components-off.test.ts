/** A strength of 0, or `false`, leaves one component of the source as it is while all others are followed, by measurement of outputs. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { COMPONENT_NAMES, type ComponentName } from '../../src/domain/job-choices.ts';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { presetNamed } from '../../src/presets/presets.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { measureByEbur128 } from '../support/ebur128.ts';
import { noiseScene } from '../support/moving-picture.ts';

const folder = temporaryFolder();
const LEFT_OUT = process.env['TEST_LONG'] === '1' ? false : 'takes half a minute: npm run test:long';
const studio = new Studio({ workRoot: join(folder, 'work') });
const [WIDTH, HEIGHT, SECONDS, CUT_SECONDS] = [320, 180, 8, 4];
const BARS = [120, 200] as const;

/** Every component differs from the source's. */
const STYLE = {
  ...presetNamed('neon-night').style,
  ...{ aspect_ratio: '1:1', frame_rate: 12.5, cut_frequency: 0.8, zoom_usage: 1, motion_intensity: 0.8 },
  ...{ transition_mix: { fade_white: 1 }, use_subtitles: true },
  subtitle_style: CAPTIONED_STYLE.subtitle_style,
};

interface Measured {
  readonly size: string;
  readonly frames: number;
  /** Levels of 255 that the upper half is off grey, over time. */
  readonly chroma: number;
  /** The mean luma of the brightest frame around the source's cut. */
  readonly brightest: number;
  /** Changes of the framing's size by more than a tenth between frames, away from the source's cut. */
  readonly reframings: number;
  /** The largest change of the framing's size, as a ratio, over a run without reframings. */
  readonly zoom: number;
  readonly hasCaptions: boolean;
  readonly lufs: number;
}

/** Distance of the two bars in pixels, by the rows of the middle; null: they are not seen. */
function barDistance({ width, height, linesize, data }: Frame): number | null {
  const columns = new Float64Array(width);
  for (let y = height >> 2; y < height >> 1; y++)
    for (let x = 0; x < width; x++) columns[x] += data![0][y * linesize[0] + x];
  const [low, high] = [Math.min(...columns), Math.max(...columns)];
  const limit = low + 0.75 * (high - low);
  const middles: number[] = [];
  for (let x = 0; x < width; x++) {
    if (columns[x] < limit) continue;
    const from = x;
    while (x < width && columns[x] >= limit) x++;
    middles.push((from + x - 1) / 2);
  }
  return middles.length === 2 ? middles[1] - middles[0] : null;
}

const meanOf = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function measure(path: string): Promise<Measured> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!);
  let [frames, chroma, brightest, reframings, zoom, size] = [0, 0, 0, 0, 1, ''];
  let hasCaptions = false;
  // Distances of the bars at the start and the end of the current run; 0: none.
  let [first, last] = [0, 0];
  for (let frame = decoder.next(); frame !== null; frame = decoder.next(), frames++) {
    const { width, height, linesize, data } = frame;
    size = `${width}x${height}`;
    // Without the padding behind each row.
    const upper = (plane: number, rows: number) =>
      Buffer.concat(
        Array.from({ length: rows }, (_, y) => {
          const at = y * linesize[plane];
          return data![plane].subarray(at, at + (plane === 0 ? width : width >> 1));
        }),
      );
    chroma += Math.max(...[1, 2].map((plane) => Math.abs(meanOf(upper(plane, height >> 2)) - 128)));
    hasCaptions ||= upper(1, height >> 1).some((level) => level < 60);
    if (Math.abs(decoder.frameSeconds(frame) - CUT_SECONDS) < 0.5) {
      brightest = Math.max(brightest, meanOf(upper(0, height)));
      first = 0;
      continue;
    }
    const distance = barDistance(frame);
    if (distance === null) continue;
    if (first > 0 && Math.abs(distance / last - 1) > 0.1) {
      reframings++;
      first = 0;
    }
    if (first === 0) first = distance;
    last = distance;
    zoom = Math.max(zoom, distance / first, first / distance);
  }
  const lufs = (await measureByEbur128(path, 48_000)).integratedLufs;
  return { size, frames, chroma: chroma / frames, brightest, reframings, zoom, hasCaptions, lufs };
}

/** Components but the talk, for which nobody speaks in this source: `test/e2e/talk.test.ts`. */
type SeenComponent = Exclude<ComponentName, 'talk'>;

/** Whether an output has the component of the source, by how both measure. */
const IS_LEFT: Readonly<Record<SeenComponent, (output: Measured, source: Measured) => boolean>> = {
  color: (output) => output.chroma < 1,
  audio: (output, source) => Math.abs(output.lufs - source.lufs) < 0.3,
  pacing: ({ reframings }) => reframings === 0,
  transitions: ({ brightest }) => brightest < 130,
  motion: ({ zoom }) => zoom < 1.015,
  aspect_ratio: (output, source) => output.size === source.size,
  frame_rate: (output, source) => Math.abs(output.frames - source.frames) <= 1,
  subtitles: ({ hasCaptions }) => !hasCaptions,
};

describe('with all components followed but', { skip: LEFT_OUT }, () => {
  let source: string;
  let captions: string;
  let before_: Measured;
  before(async () => {
    const scenes = [31, 77].map((seed) => noiseScene(seed, 400, 240, 6));
    source = await makeClip(folder, {
      ...{ name: 'source', durationSeconds: SECONDS, width: WIDTH, height: HEIGHT },
      draw: (rgb, seconds, index) => {
        const { data, width } = scenes[seconds < CUT_SECONDS ? 0 : 1];
        const moved = Math.floor(index / 10) % 60;
        for (let y = 0, at = 0; y < HEIGHT; y++) {
          for (let x = 0; x < WIDTH; x++, at += 3) {
            const isBar = BARS.some((middle) => Math.abs(x - middle) < 3);
            const noise = 40 + data[(y + 10) * width + x + moved] / 3;
            rgb.fill(isBar ? 250 : noise, at, at + 3);
          }
        }
      },
      audio: (seconds) => 0.2 * Math.exp(-20 * (seconds % 0.5)) * Math.sin(2 * Math.PI * 220 * seconds),
    });
    captions = join(folder, 'captions.srt');
    writeFileSync(captions, '1\n00:00:01,000 --> 00:00:03,000\nHello there\n');
    before_ = await measure(source);
  });

  async function assertLeft(left: SeenComponent | null, setting: 0 | false): Promise<void> {
    const settings = COMPONENT_NAMES.map((name) => [name, name === left ? setting : true]);
    const config = { quality: 'low', style_strength: 1, components: Object.fromEntries(settings) } as const;
    const output = join(folder, `${left}-${setting}.mp4`);
    await studio.apply({ source, output, captions, look: { style: STYLE }, config });
    const measured = await measure(output);
    const found = Object.entries(IS_LEFT).flatMap(([name, isLeft]) =>
      isLeft(measured, before_) ? [name] : [],
    );
    assert.deepEqual(found, left === null ? [] : [left], JSON.stringify(measured));
  }

  test('none', () => assertLeft(null, 0));
  for (const name of ['color', 'audio', 'pacing', 'transitions', 'motion'] as const)
    test(`${name} at 0`, () => assertLeft(name, 0));
  for (const name of ['aspect_ratio', 'frame_rate', 'subtitles'] as const)
    test(`${name} off`, () => assertLeft(name, false));
});
