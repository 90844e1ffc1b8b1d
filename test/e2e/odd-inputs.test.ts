/** Unusual sources and templates, each from file to file. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV444P } from 'node-av/constants';
import type { Picture } from '../../src/domain/footage.ts';
import { Studio } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import { type OddAudio, type OddClip, writeOddClip } from '../support/odd-clips.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });

const evenly = (seconds: number, rate = 25) =>
  Array.from({ length: Math.round(seconds * rate) }, (_, index) => index / rate);
const tone =
  (hertz: number): OddAudio['sample'] =>
  (seconds) =>
    0.3 * Math.sin(2 * Math.PI * hertz * seconds);
const STEREO: OddAudio = { channels: 2, durationSeconds: 2, sample: tone(440) };
/** A light square that wanders over a grey ramp. */
const wandering =
  (width: number, height: number): OddClip['luma'] =>
  (x, y, frame) =>
    Math.abs(x - (0.2 + 0.01 * frame) * width) < height / 8 && Math.abs(y - height / 2) < height / 8
      ? 0.9
      : 0.15 + (0.5 * x) / width;

interface Case {
  readonly what: string;
  readonly source?: Partial<OddClip>;
  /** Default: a preset. */
  readonly template?: Partial<OddClip>;
  /** Of the output; default: 1.78, the template's, and two seconds. */
  readonly ratio?: number;
  readonly durationSeconds?: number;
  /** Pitch of the output's sound; null: it has none. Default 440. */
  readonly hertz?: number | null;
}

/** With cuts, white flashes, push-ins, a strong grade and heavy bass: little of a source is left alone. */
const PRESET = 'neon-night';

const CASES: readonly Case[] = [
  {
    what: 'a template shorter than any shot',
    template: { timesSeconds: evenly(0.6), audioStreams: [{ ...STEREO, durationSeconds: 0.6 }] },
  },
  { what: 'a template of few frames', template: { timesSeconds: [0, 0.5, 1], audioStreams: [] } },
  { what: 'a template without sound or cuts', template: { audioStreams: [] } },
  {
    what: 'a source shorter than a transition',
    source: { timesSeconds: evenly(0.6), audioStreams: [{ ...STEREO, durationSeconds: 0.6 }] },
    durationSeconds: 0.6,
  },
  {
    what: 'a square source in an upright style',
    source: { width: 240, height: 240 },
    template: { width: 180, height: 320 },
    ratio: 9 / 16,
  },
  { what: 'odd sizes', source: { width: 321, height: 181, format: AV_PIX_FMT_YUV444P }, ratio: 320 / 180 },
  { what: 'ten bits', source: { format: AV_PIX_FMT_YUV420P10LE } },
  {
    what: 'fields',
    ratio: 160 / 88,
    // At the size of the inspected picture. Each line is of its field's moment.
    source: {
      width: 160,
      height: 88,
      interlaced: true,
      luma: (x, y, frame) => ((x + 6 * (2 * frame + (y % 2))) % 64 < 32 ? 0.8 : 0.2),
    },
  },
  {
    what: 'a variable frame rate',
    source: { timesSeconds: [...evenly(1, 30), ...evenly(1, 8).map((seconds) => 1 + seconds)] },
  },
  { what: 'mono sound', source: { audioStreams: [{ ...STEREO, channels: 1 }] } },
  { what: '5.1 sound', source: { audioStreams: [{ ...STEREO, channels: 6 }] } },
  { what: 'no sound', source: { audioStreams: [] }, hertz: null },
  { what: 'sound shorter than the picture', source: { audioStreams: [{ ...STEREO, durationSeconds: 1 }] } },
  { what: 'sound longer than the picture', source: { audioStreams: [{ ...STEREO, durationSeconds: 4 }] } },
  {
    what: 'several sound tracks: the one marked as default',
    source: {
      audioStreams: [STEREO, { ...STEREO, sample: tone(880) }, { ...STEREO, channels: 6, sample: tone(220) }],
    },
  },
];

function clipOf(part: Partial<OddClip>): OddClip {
  const { width = 320, height = 180 } = part;
  return {
    timesSeconds: evenly(2),
    luma: wandering(width, height),
    audioStreams: [STEREO],
    ...part,
    width,
    height,
  };
}

async function applied({ what, source = {}, template }: Case) {
  const name = what.replaceAll(/\W+/g, '-');
  const output = join(folder, `${name}.mp4`);
  const look =
    template === undefined
      ? { preset: PRESET }
      : { template: await writeOddClip(join(folder, `${name}-template.mkv`), clipOf(template)) };
  const path = await writeOddClip(join(folder, `${name}-source.mkv`), clipOf(source));
  // Drawn pictures keep their shape, unless it is requested.
  const components = { aspect_ratio: template !== undefined };
  await studio.apply({ source: path, output, look, config: { quality: 'low', components } });
  return output;
}

/** Half a minute: it runs with the tests of faults. */
const LEFT_OUT = process.env['TEST_LONG'] === '1' ? false : 'takes half a minute: npm run test:long';

describe('odd inputs', () => {
  for (const one of CASES) {
    test(one.what, { skip: LEFT_OUT }, async () => {
      const output = await applied(one);
      const { ratio = 16 / 9, durationSeconds = 2, hertz = 440 } = one;
      const probed = await probeFile(output, { maxDurationSeconds: 60 });
      assert.ok(
        Math.abs(probed.width / probed.height / ratio - 1) < 0.02,
        `${probed.width}x${probed.height}`,
      );
      assert.ok(Math.abs(probed.durationSeconds - durationSeconds) < 0.1, `${probed.durationSeconds} s`);
      assert.equal(probed.audioCodec, hertz === null ? null : 'aac');
      if (hertz !== null) assert.ok(Math.abs((await pitchOf(output)) / hertz - 1) < 0.03);
      assert.ok((await combing(output)) < 1.5, 'lines of two moments in one frame');
      assert.deepEqual(readdirSync(join(folder, 'work')), []);
    });
  }
});

/** By its crossings of zero, where there is sound. */
async function pitchOf(path: string): Promise<number> {
  let [crossings, samples, before] = [0, 0, 0];
  for await (const { channels } of openSamples(path, { sampleRate: 48_000, channels: 'stereo' })) {
    for (const value of channels[0]) {
      if (Math.abs(value) < 1e-3) continue;
      if (before < 0 && value > 0) crossings++;
      before = value;
      samples++;
    }
  }
  return (48_000 * crossings) / samples;
}

/** How much more neighbouring lines differ than lines two apart: levels of 255, the worst frame's. */
async function combing(path: string): Promise<number> {
  let worst = 0;
  for await (const { grey } of openFrames(path)) worst = Math.max(worst, combingOf(grey));
  return worst;
}

function combingOf({ width, height, channels, data }: Picture): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 0; x < width; x++) {
      const at = (row: number) => data[(row * width + x) * channels];
      sum += Math.abs(at(y) - at(y - 1)) - Math.abs(at(y + 1) - at(y - 1)) / 2;
    }
  }
  return sum / (width * (height - 2));
}
