/** Songs with known bars and sections, played by the synthetic band. */

import type { AudioFacts } from '../../src/analysis/facts.ts';
import {
  acousticKit,
  electronicSounds,
  emptyTrack,
  finishTrack,
  type Part,
  playPart,
  rockBand,
} from '../generate/band.ts';
import { GROOVES, type Groove } from '../generate/grooves.ts';
import { layBeats, type Metre, steady } from '../generate/metre.ts';
import { Random } from '../generate/random.ts';
import { analysisOf } from '../lib/analysed-sound.ts';

export interface MadeSong {
  readonly name: string;
  readonly audio: AudioFacts;
  readonly beatsPerBar: number;
  readonly downbeatsSeconds: readonly number[];
  /** Beginnings of sections after the first. */
  readonly bordersSeconds: readonly number[];
}

type Levels = Part['levels'];
const FULL: Levels = { kick: 1, snare: 0.8, hat: 0.35, open: 0.4, bass: 0.5, chords: 0.3, lead: 0.3 };
/** What is played of the full band. */
const PARTS: Readonly<Record<string, Partial<Levels>>> = {
  intro: { kick: 0, snare: 0, hat: 0, open: 0, lead: 0 },
  verse: { lead: 0, chords: 0.12, open: 0 },
  chorus: {},
  bridge: { kick: 0, snare: 0, bass: 0.25 },
};
const FORMS = [
  ['intro', 'verse', 'chorus', 'verse', 'chorus', 'bridge', 'chorus'],
  ['verse', 'chorus', 'bridge', 'chorus'],
  ['intro', 'chorus', 'verse', 'chorus'],
] as const;
const SONG_GROOVES = ['rock', 'pop', 'ballad', 'house', 'funk', 'hipHop', 'waltz', 'slowWaltz'] as const;

export function madeSong(seed: number): MadeSong {
  const random = new Random(seed);
  const name = SONG_GROOVES[seed % SONG_GROOVES.length];
  const groove: Groove = GROOVES[name];
  const form = random.pick(FORMS);
  const bars = form.map((part) => (part === 'intro' || part === 'bridge' ? 8 : random.pick([8, 16])));
  const beats = bars.reduce((sum, count) => sum + count * groove.beats, 0);
  const bpm = random.between(80, 140);
  const metre = layBeats(steady(bpm), { from: random.between(0, 1.5), to: 600 });
  const seconds = metre.at(beats) + 1;
  const sounds = random.pick([acousticKit, electronicSounds, rockBand])(random);
  const track = emptyTrack(seconds);
  const harmony = random.whole(1, 1e6);
  const borders: number[] = [];
  let from = 0;
  form.forEach((part, at) => {
    const to = from + bars[at] * groove.beats;
    if (at > 0) borders.push(metre.at(from));
    const levels = { ...FULL, ...PARTS[part] };
    playPart(track, metre, { groove, sounds, levels, looseSeconds: 0.004, from, to }, new Random(harmony));
    from = to;
  });
  const samples = finishTrack(track, 0.8, random);
  return {
    name: `${name} ${seed}`,
    audio: analysisOf(samples).finish(),
    beatsPerBar: groove.beats,
    downbeatsSeconds: downbeatsOf(metre, beats, groove.beats),
    bordersSeconds: borders,
  };
}

function downbeatsOf(metre: Metre, beats: number, beatsPerBar: number): number[] {
  return Array.from({ length: beats / beatsPerBar }, (_, bar) => metre.at(bar * beatsPerBar));
}
