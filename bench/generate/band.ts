/** A band that plays patterns over a metre: drums, bass, chords and melody of several manners. */
import type { Groove } from './grooves.ts';
import {
  clap,
  distorted,
  hat,
  type Instrument,
  kick,
  plucked,
  SOUND_RATE,
  snare,
  sustained,
  synthBass,
} from './instruments.ts';
import type { Metre } from './metre.ts';
import type { Random } from './random.ts';

export interface Sounds {
  readonly kick: Instrument;
  readonly snare: Instrument;
  readonly hat: Instrument;
  readonly open: Instrument;
  readonly bass: Instrument;
  readonly chords: Instrument;
  readonly lead: Instrument;
}

/** Parts of the chords I, IV, V, vi and ii in semitones above the key. */
const CHORDS = [
  [0, 4, 7],
  [5, 9, 12],
  [7, 11, 14],
  [9, 12, 16],
  [2, 5, 9],
] as const;
const SCALE = [0, 2, 4, 7, 9, 12, 14, 16] as const;

export function electronicSounds(random: Random): Sounds {
  return {
    kick: kick(random.between(42, 55), random.between(0.08, 0.16), 0.5),
    snare: clap(),
    hat: hat(0.015),
    open: hat(0.07),
    bass: synthBass(),
    chords: sustained(0.01, 8, 0),
    lead: sustained(0.01, 6, 1),
  };
}

export function acousticKit(random: Random): Sounds {
  return {
    kick: kick(random.between(55, 75), random.between(0.05, 0.09), 1),
    snare: snare(random.between(170, 240), random.between(0.05, 0.1), 0.6),
    hat: hat(random.between(0.02, 0.05)),
    open: hat(0.12),
    bass: plucked(6, 0.5, 0.6),
    chords: plucked(10, 0.6, 0.75),
    lead: plucked(8, 0.4, 0.8),
  };
}

export function rockBand(random: Random): Sounds {
  return { ...acousticKit(random), bass: synthBass(), chords: distorted(0.35), lead: distorted(0.5) };
}

export function deepSounds(random: Random): Sounds {
  return {
    ...acousticKit(random),
    kick: kick(44, 0.3, 0.4),
    snare: clap(),
    hat: hat(0.012),
    bass: synthBass(),
  };
}

export interface Part {
  readonly groove: Groove;
  readonly sounds: Sounds;
  readonly levels: Readonly<Record<'kick' | 'snare' | 'hat' | 'open' | 'bass' | 'chords' | 'lead', number>>;
  /** Standard deviation of the players' timing. */
  readonly looseSeconds: number;
  /** Beats from..to of the metre that the part plays. */
  readonly from?: number;
  readonly to?: number;
}

export function playPart(track: Float32Array, metre: Metre, part: Part, random: Random): void {
  const key = 40 + random.whole(0, 11);
  const progression = Array.from({ length: 4 }, (_, i) => (i === 0 ? CHORDS[0] : random.pick(CHORDS)));
  const total = part.to ?? metre.beatsSeconds.length;
  const { beats } = part.groove;
  for (let bar = 0, first = part.from ?? 0; first < total; bar++, first += beats) {
    const chord = progression[bar % 4];
    for (const voice of ['kick', 'snare', 'hat', 'open', 'bass', 'chords'] as const) {
      if (part.levels[voice] > 0) playVoice(track, metre, { part, voice, first, total, chord, key }, random);
    }
    if (part.levels.lead > 0) playLead(track, metre, { part, first, total, key }, random);
  }
}

type Voice = 'kick' | 'snare' | 'hat' | 'open' | 'bass' | 'chords';

function playVoice(
  track: Float32Array,
  metre: Metre,
  bar: { part: Part; voice: Voice; first: number; total: number; chord: readonly number[]; key: number },
  random: Random,
): void {
  const { part, voice, first, chord, key } = bar;
  const pattern: string = part.groove[voice] ?? '';
  for (let step = 0; step < pattern.length; step++) {
    const mark = pattern[step];
    const beat = first + (step * part.groove.beats) / pattern.length;
    if (mark === '.' || beat >= bar.total) continue;
    const next = [...pattern.slice(step + 1)].findIndex((other) => other !== '.');
    const steps = next < 0 ? pattern.length - step : next + 1;
    // Triplet grooves swing by themselves.
    const place = pattern.length % 3 === 0 && part.groove.beats === 4 ? unswung(metre, beat) : metre.at(beat);
    const lengthSeconds =
      Math.min(4, metre.at(beat + (steps * part.groove.beats) / pattern.length) - place) * 0.95;
    const level = part.levels[voice] * (mark === 'o' ? 0.45 : 1) * random.between(0.85, 1);
    const atSeconds = place + looseness(random, part.looseSeconds);
    const pitches = voice === 'chords' ? chord.map((n) => n + 12) : voice === 'bass' ? [chord[0] - 12] : [0];
    for (const pitch of pitches) {
      part.sounds[voice](track, { atSeconds, level, lengthSeconds, hz: hertz(key + pitch) }, random);
    }
  }
}

function playLead(
  track: Float32Array,
  metre: Metre,
  bar: { part: Part; first: number; total: number; key: number },
  random: Random,
): void {
  const { part, first, total, key } = bar;
  for (let beat = first; beat < Math.min(total, first + part.groove.beats); ) {
    const length = random.pick([0.5, 0.5, 1, 1, 1.5, 0.25]);
    if (random.chance(0.75)) {
      const atSeconds = metre.at(beat) + looseness(random, part.looseSeconds);
      const lengthSeconds = Math.max(0.08, metre.at(beat + length) - atSeconds);
      const hz = hertz(key + 24 + random.pick(SCALE));
      part.sounds.lead(
        track,
        { atSeconds, level: part.levels.lead * random.between(0.6, 1), lengthSeconds, hz },
        random,
      );
    }
    beat += length;
  }
}

function unswung(metre: Metre, beat: number): number {
  const whole = Math.floor(beat);
  const from = metre.at(whole);
  return from + (metre.at(whole + 1) - from) * (beat - whole);
}

/** Nearly Gaussian: the sum of three even ones. */
function looseness(random: Random, seconds: number): number {
  return (random.next() + random.next() + random.next() - 1.5) * 2 * seconds;
}

/** Frequency of a MIDI note. */
function hertz(note: number): number {
  return 440 * 2 ** ((note - 69) / 12);
}

/** Reverberation and level: a little hiss below, the loudest sample at `peak`. */
export function finishTrack(track: Float32Array, peak: number, random: Random): Float32Array {
  let most = 1e-6;
  for (const value of track) most = Math.max(most, Math.abs(value));
  return track.map((value) => (value * peak) / most + 1e-4 * (random.next() * 2 - 1));
}

export function emptyTrack(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * SOUND_RATE));
}
