/** Clips in which there is next to nothing to measure: a number is right or left out, never NaN, never made up. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { measureClip } from '../../bench/lib/measure.ts';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { type Style, styleSchema } from '../../src/style/model/schema.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';
import { makeClip, type TestClip, temporaryFolder } from '../support/clips.ts';
import type { DrawnClip } from '../support/drawn-clip.ts';

const folder = temporaryFolder();

interface Seen {
  readonly facts: ClipFacts;
  readonly style: Style;
}

async function see(path: string): Promise<Seen> {
  const { seen, audio } = await measureClip(path);
  const facts: ClipFacts = { ...seen!, audio };
  const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
  // Values that JSON lacks (NaN, infinities) return as null and are refused.
  styleSchema.parse(JSON.parse(JSON.stringify(style)));
  return { facts, style };
}

const black: DrawnClip['draw'] = (rgb) => void rgb.fill(0);

const textures: Uint8Array[] = [];
/** A picture with texture everywhere, shifted sideways: every shot another one, drawn once. */
function texture(rgb: Uint8Array, width: number, shot: number): void {
  const drawn = textures[shot];
  if (drawn !== undefined) {
    rgb.set(drawn);
    return;
  }
  for (let at = 0, pixel = 0; at < rgb.length; at += 3, pixel++) {
    const x = pixel % width;
    const y = (pixel / width) | 0;
    const wave = Math.sin(x / (7 + 3 * shot)) * Math.cos(y / (11 - 2 * shot)) * 60;
    rgb[at] = 128 + wave;
    rgb[at + 1] = 110 + 30 * shot + wave / 2;
    rgb[at + 2] = 150 - 40 * shot;
  }
  textures[shot] = rgb.slice();
}

let noiseState = 1;
const noise: DrawnClip['draw'] = (rgb) => {
  for (let at = 0; at < rgb.length; at++) {
    noiseState = (Math.imul(noiseState, 1_664_525) + 1_013_904_223) | 0;
    rgb[at] = noiseState >>> 24;
  }
};

const oneColor =
  (grain: number): DrawnClip['draw'] =>
  (rgb) => {
    for (let at = 0; at < rgb.length; at++) {
      noiseState = (Math.imul(noiseState, 1_664_525) + 1_013_904_223) | 0;
      rgb[at] = [200, 40, 60][at % 3] + ((noiseState >>> 24) / 255 - 0.5) * 2 * grain;
    }
  };
const nearlyBlack: DrawnClip['draw'] = (rgb) => {
  for (let at = 0; at < rgb.length; at++) {
    noiseState = (Math.imul(noiseState, 1_664_525) + 1_013_904_223) | 0;
    rgb[at] = noiseState >>> 29;
  }
};

const perSecond = (rate: number) => ({ numerator: rate, denominator: 1 });
/** Two cuts, at 1 s and at 2 s. */
const twoCuts: DrawnClip['draw'] = (rgb, seconds) => texture(rgb, 320, Math.floor(seconds + 1e-6));

const noShots = ({ facts, style }: Seen) => {
  assert.deepEqual(facts.video.transitions, []);
  assert.equal(facts.video.shots.length, 1);
  assert.equal(style.cut_frequency, 0);
  assert.equal(style.primary_transition, undefined);
  assert.equal(style.use_subtitles, false);
};
const atRest = ({ facts, style }: Seen) => {
  noShots({ facts, style });
  assert.equal(style.motion_intensity, 0);
  assert.equal(style.zoom_usage, 0);
  assert.equal(facts.motion.shots[0].label, 'static');
};
/** Applied fields of a style are left out or neutral. */
const saysNothing = ({ facts, style }: Seen) => {
  const { color, pacing, transitions, motion } = style.confidence!;
  assert.deepEqual([color, pacing, transitions, motion], [0, 0, 0, 0]);
  assert.deepEqual(new Set(Object.values(style.color_grade)), new Set([0]));
  for (const name of [
    'palette',
    'color_statistics',
    'camera_shake',
    'shot_lengths',
    'transition_mix',
  ] as const)
    assert.equal(style[name], undefined, name);
  assert.equal(style.extraction_confidence, 0);
  const config = jobConfigSchema.parse({});
  const source = clipFacts({ video: { transitions: [cutAt(10)] } });
  const { timeline, warnings } = planTimeline({ source, style, template: facts, config });
  assert.equal(timeline.takes[0]!.grade, null);
  assert.deepEqual([timeline.clips.length, timeline.transitions.length], [2, 0]);
  const codes = warnings.map(({ code }) => code);
  assert.ok(codes.includes('COLOR_NOT_MEASURED') && codes.includes('STYLE_NOT_MEASURED'), codes.join());
};
const noPulse = ({ style }: Seen) => {
  assert.equal(style.tempo_bpm, undefined);
  assert.deepEqual(style.detected_beats ?? [], []);
};
const cutsAt = (rate: number) => (seen: Seen) => {
  assert.equal(seen.style.frame_rate, rate);
  const cuts = seen.facts.video.transitions;
  assert.deepEqual(
    cuts.map(({ type, endFrame }) => [type, endFrame]),
    [
      ['cut', rate],
      ['cut', 2 * rate],
    ],
  );
};

interface Case extends TestClip {
  readonly holds: readonly ((seen: Seen) => void)[];
}

const CASES: readonly Case[] = [
  {
    name: 'black and silent',
    draw: black,
    audio: () => 0,
    holds: [
      atRest,
      noPulse,
      ({ style }) => {
        assert.equal(style.music_genre, 'silence');
        assert.equal(style.fingerprint, undefined);
        assert.equal(style.confidence!.audio, 0);
      },
      saysNothing,
    ],
  },
  { name: 'white', draw: (rgb) => void rgb.fill(255), silent: true, holds: [atRest, saysNothing] },
  { name: 'one color', draw: oneColor(0), silent: true, holds: [atRest, saysNothing] },
  { name: 'one color with grain', draw: oneColor(6), silent: true, holds: [atRest, saysNothing] },
  { name: 'nearly black, with noise', draw: nearlyBlack, silent: true, holds: [atRest, saysNothing] },
  {
    name: 'half a second with a cut in it',
    draw: (rgb, seconds) => texture(rgb, 320, seconds < 0.28 ? 0 : 1),
    durationSeconds: 0.6,
    silent: true,
    holds: [
      ({ facts, style }) => {
        assert.equal(facts.video.transitions.length, 1);
        assert.deepEqual([style.confidence!.pacing, style.cut_frequency], [0, 0]);
        assert.equal(style.shot_lengths, undefined);
      },
    ],
  },
  {
    name: 'noise over a picture',
    draw: (rgb) => texture(rgb, 320, 0),
    audio: () => 0.3 * (2 * Math.abs((Math.sin(++noiseState * 12.9898) * 43_758.5453) % 1) - 1),
    durationSeconds: 8,
    holds: [atRest, noPulse, ({ style }) => assert.equal(style.music_genre, 'unknown')],
  },
  {
    name: 'one frame, no sound',
    draw: (rgb) => texture(rgb, 320, 0),
    durationSeconds: 0.04,
    silent: true,
    holds: [
      atRest,
      noPulse,
      ({ facts, style }) => {
        assert.equal(facts.video.frameCount, 1);
        assert.equal(style.audio_style, undefined);
        assert.ok(style.extraction_confidence < 0.5, `confidence ${style.extraction_confidence}`);
      },
    ],
  },
  { name: 'one still', draw: (rgb) => texture(rgb, 320, 0), durationSeconds: 4, holds: [atRest] },
  {
    name: 'white noise',
    draw: noise,
    width: 160,
    height: 90,
    durationSeconds: 2,
    silent: true,
    holds: [
      noShots,
      ({ style }) => {
        assert.equal(style.zoom_usage, 0);
        assert.ok(style.confidence!.motion! < 0.5, `motion confidence ${style.confidence!.motion}`);
      },
    ],
  },
  {
    name: 'pure tone over black',
    draw: black,
    audio: (seconds) => 0.3 * Math.sin(2 * Math.PI * 440 * seconds),
    holds: [atRest, noPulse],
  },
  { name: '8 frames a second', draw: twoCuts, frameRate: perSecond(8), holds: [cutsAt(8)] },
  {
    name: '240 frames a second',
    draw: twoCuts,
    frameRate: perSecond(240),
    silent: true,
    crf: 30,
    holds: [cutsAt(240)],
  },
];

for (const { holds, ...clip } of CASES) {
  test(clip.name, async () => {
    const seen = await see(await makeClip(folder, { ...clip, name: clip.name.replaceAll(/\W/g, '-') }));
    for (const hold of holds) hold(seen);
  });
}

test('20 hours in the header, 3 seconds in the file', async () => {
  const path = await makeClip(folder, { name: 'long-header', draw: twoCuts });
  claimSeconds(path, 72_000);
  const { facts, style } = await see(path);
  // The sound's last block of 1024 samples reaches a little further than the picture.
  assert.ok(Math.abs(style.source_duration_seconds - 3) < 0.05, `${style.source_duration_seconds} s`);
  assert.equal(facts.video.transitions.length, 2);
  assert.ok(facts.motion.activity.length <= 4, `${facts.motion.activity.length} seconds of activity`);
  assert.ok(Math.abs(style.cut_frequency - 2 / 3) < 0.01);
});

/** Overwrites the durations that the boxes of ISO 14496-12 announce: movie, tracks, media and edit lists (version 0). */
function claimSeconds(path: string, seconds: number): void {
  const file = readFileSync(path);
  const boxesOf = (type: string) => {
    const found: number[] = [];
    for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 4)) found.push(at + 4);
    return found;
  };
  const movieScale = file.readUInt32BE(boxesOf('mvhd')[0] + 12);
  for (const at of boxesOf('mvhd')) file.writeUInt32BE(seconds * movieScale, at + 16);
  for (const at of boxesOf('tkhd')) file.writeUInt32BE(seconds * movieScale, at + 20);
  for (const at of boxesOf('mdhd')) file.writeUInt32BE(seconds * file.readUInt32BE(at + 12), at + 16);
  for (const at of boxesOf('elst')) file.writeUInt32BE(seconds * movieScale, at + 8);
  writeFileSync(path, file);
}
