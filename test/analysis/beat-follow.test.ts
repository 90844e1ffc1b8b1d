/** Beats of changing tempo, and evidence from cycles and divisions of the beat, on sounds with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acousticKit, emptyTrack, finishTrack, playPart } from '../../bench/generate/band.ts';
import { GROOVES } from '../../bench/generate/grooves.ts';
import { layBeats, ramp, rubato } from '../../bench/generate/metre.ts';
import { Random } from '../../bench/generate/random.ts';
import { beatFMeasure } from '../../bench/score/beats.ts';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { cyclesOf } from '../../src/analysis/beats/bars.ts';
import { decodeBeats } from '../../src/analysis/beats/decode.ts';
import { feelOf } from '../../src/analysis/beats/feel.ts';
import { joinOctaves, type Pulse, pulseOf } from '../../src/analysis/beats/pulse.ts';
import { pulseClarity, pulseWindows, straighten } from '../../src/analysis/beats/tempo.ts';
import { HarmonicChange } from '../../src/analysis/spectrum/chroma.ts';
import { blocksOf } from '../support/audio.ts';

const FRAMES = 2400;

/** Frames of beats that press on and hold back by 12 % within eight beats. */
function freeBeats(interval: number): number[] {
  const beats: number[] = [];
  for (let t = 0, beat = 0; t < FRAMES; beat++) {
    beats.push(Math.round(t));
    t += interval * (1 - 0.12 * Math.sin((2 * Math.PI * (beat + 0.5)) / 8));
  }
  return beats;
}

const spikesAt = (frames: readonly number[], strength = 1) => {
  const curve = new Float32Array(FRAMES);
  for (const frame of frames) if (frame < FRAMES) curve[Math.round(frame)] = strength;
  return curve;
};

describe('a tempo that varies', () => {
  const beats = freeBeats(60);
  const curve = spikesAt(beats);

  it('is followed from beat to beat', () => {
    const { frames } = decodeBeats(curve, { shortest: 28, longest: 109 });
    const met = beats.filter((beat) => frames.some((frame) => Math.abs(frame - beat) <= 4));
    assert.ok(met.length >= beats.length - 2, `${met.length} of ${beats.length}`);
  });

  it('is even and repeats once its time is straightened', () => {
    const straight = straighten(curve, beats, 60);
    const sounding = [...straight.keys()].filter((frame) => straight[frame] > 0);
    assert.equal(sounding.length, beats.length - 1);
    assert.ok(
      sounding.every((frame) => frame % 60 === 0),
      `${sounding}`,
    );
    const clarity = (of: Float32Array) => pulseClarity(pulseWindows(of)[0], 60);
    assert.ok(clarity(straight) > 3 * clarity(curve), `${clarity(straight)}, ${clarity(curve)}`);
  });

  it('has no time without beats', () => {
    assert.equal(straighten(curve, [], 60).length, 0);
    assert.equal(straighten(curve, [10], 60).length, 0);
  });
});

describe('played music', () => {
  const levels = { kick: 1, snare: 0.8, hat: 0.35, open: 0, bass: 0.4, chords: 0.2, lead: 0.2 };
  const cases = [
    ['slows down by a tenth', 0.95, ramp(128, 115, 20), GROOVES.rock, levels],
    [
      'presses on and holds back without drums',
      0.75,
      rubato(88, 0.08),
      GROOVES.ballad,
      { ...levels, kick: 0, snare: 0, hat: 0, bass: 0.6, chords: 0.6, lead: 0.6 },
    ],
  ] as const;
  for (const [name, least, law, groove, balance] of cases) {
    it(name, () => {
      const random = new Random(7);
      const metre = layBeats(law, { from: 0.2, to: 20 });
      const track = emptyTrack(20);
      playPart(
        track,
        metre,
        { groove, sounds: acousticKit(random), levels: balance, looseSeconds: 0.004 },
        random,
      );
      const analysis = new AudioAnalysis({ sampleRate: 44_100, channels: 1 });
      for (const block of blocksOf([finishTrack(track, 0.8, random)])) analysis.push(block);
      const { beats } = analysis.finish();
      const f = beatFMeasure(
        beats.map(({ timeSeconds }) => timeSeconds),
        metre.beatsSeconds,
      );
      assert.ok(f >= least, `F ${f}`);
    });
  }
});

describe('what divides and gathers beats', () => {
  const silent = new Float32Array(FRAMES);
  const empty = { full: silent, low: silent, mid: silent, high: silent, kick: silent, snare: silent };
  const grid = (interval: number) =>
    Array.from({ length: Math.floor(FRAMES / interval) }, (_, k) => k * interval);

  it('is a bar of four beats if the bass plays every fourth', () => {
    const harmony = new HarmonicChange(new Float64Array(12));
    const curve = { ...empty, low: spikesAt(grid(200), 10) };
    for (const [interval, bar] of [
      [100, 2],
      [50, 4],
      [25, 8],
    ] as const) {
      const found = cyclesOf(grid(interval), curve, harmony);
      const [two, four, eight] = [2, 4, 8].map((beats) => found[`cycle.low.${beats}`]);
      const own = found[`cycle.low.${bar}`];
      assert.ok(own > 0.9 * Math.log(bar) && own <= Math.log(bar), `${interval}: ${own}`);
      const shorter = [two, four, eight].filter((_, i) => 2 ** (i + 1) < bar);
      assert.ok(
        shorter.every((other) => other < 0.7 * own),
        `${interval}: ${shorter}`,
      );
    }
  });

  it('is swing if the second half is late, and its reverse off the beat', () => {
    const hats = { ...empty, high: spikesAt([...grid(60), ...grid(60).map((frame) => frame + 39)], 10) };
    assert.ok(feelOf(grid(60), 60, hats)['late.high'] > 1);
    const turned = grid(60).map((frame) => frame + 39);
    assert.ok(feelOf(turned, 60, hats)['late.high'] < -1);
  });
});

describe('stretches of one tempo', () => {
  const stretch = (curve: Float32Array, from: number, to: number, interval: number, first: number): Pulse =>
    pulseOf(
      curve,
      { from, to, clarity: 0.1 },
      Array.from({ length: Math.floor((to - from - first) / interval) }, (_, k) => first + k * interval),
      interval,
    );
  const beats = (from: number, to: number, interval: number) =>
    Array.from({ length: Math.floor((to - from) / interval) }, (_, k) => from + k * interval);
  const cases: [string, Float32Array, number, number][] = [
    ['are one where the tracker drops every other beat', spikesAt(beats(0, FRAMES, 40)), 80, 1],
    ['are two where the tempo changes', spikesAt([...beats(0, 1200, 40), ...beats(1200, FRAMES, 52)]), 52, 2],
    ['are two where the beat is lost', spikesAt([...beats(0, 1200, 40), ...beats(1219, FRAMES, 80)]), 80, 2],
  ];
  for (const [name, curve, interval, count] of cases) {
    it(name, () => {
      const first = curve[1200] > 0 ? 0 : 19;
      const parts = [stretch(curve, 0, 1200, 40, 0), stretch(curve, 1200, FRAMES, interval, first)];
      const found = joinOctaves(parts, curve);
      assert.equal(found.length, count);
      assert.ok(Math.abs(found[0].grid.interval - 40) < 0.1, `${found[0].grid.interval}`);
      assert.deepEqual([found[0].from, found.at(-1)!.to], [0, FRAMES]);
    });
  }
});
