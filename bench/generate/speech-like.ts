/** Speech-like sound by source and filter (G. Fant, "Acoustic Theory of Speech Production", 1960): no words, but syllables. */
import { SOUND_RATE } from './instruments.ts';
import type { Random } from './random.ts';

/** First three formants in Hz of ten vowels, men's means (G. Peterson, H. Barney, JASA 24, 1952). */
const VOWELS = [
  [270, 2290, 3010],
  [390, 1990, 2550],
  [530, 1840, 2480],
  [660, 1720, 2410],
  [730, 1090, 2440],
  [570, 840, 2410],
  [440, 1020, 2240],
  [300, 870, 2240],
  [640, 1190, 2390],
  [490, 1350, 1690],
] as const;
const BANDWIDTHS_HZ = [70, 100, 150];

export interface SpokenTrack {
  readonly samples: Float32Array;
  /** Phrases; the pauses between them are longer than 0.35 s. */
  readonly spans: readonly (readonly [number, number])[];
}

export function speakLike(random: Random, durationSeconds: number): SpokenTrack {
  const samples = new Float32Array(Math.round(durationSeconds * SOUND_RATE));
  const spans: [number, number][] = [];
  const voice = new Voice(random, random.between(85, 230), random.between(0.9, 1.2));
  let at = random.between(0.1, 0.8);
  while (at < durationSeconds - 1) {
    const syllables = random.whole(4, 16);
    const start = at;
    for (let s = 0; s < syllables && at < durationSeconds - 0.4; s++)
      at = voice.syllable(samples, at, s / syllables);
    spans.push([start, at]);
    at += random.between(0.4, 1.1);
  }
  return { samples, spans };
}

class Voice {
  readonly #random: Random;
  readonly #pitchHz: number;
  readonly #tract: number;
  #phase = 0;
  #glottis = 0;
  #formants: number[] = [...VOWELS[0]];
  readonly #state = new Float64Array(6);

  constructor(random: Random, pitchHz: number, tract: number) {
    this.#random = random;
    this.#pitchHz = pitchHz;
    this.#tract = tract;
  }

  /** Consonant and vowel; returns where the syllable ends. `through` is the place within the phrase. */
  syllable(into: Float32Array, fromSeconds: number, through: number): number {
    const random = this.#random;
    let at = fromSeconds;
    const kind = random.next();
    if (kind < 0.35) at = this.#fricative(into, at);
    else if (kind < 0.65) at += random.between(0.03, 0.08);
    const target = random.pick(VOWELS).map((hz) => hz * this.#tract);
    const length = random.between(0.07, 0.22);
    // Declination over the phrase, an accent on some syllables, a glide in each.
    const pitch =
      this.#pitchHz * (1.12 - 0.28 * through) * (random.chance(0.3) ? random.between(1.05, 1.3) : 1);
    this.#vowel(into, at, {
      length,
      target,
      pitch,
      glide: random.between(-0.18, 0.12),
      level: random.between(0.5, 1),
    });
    return at + length;
  }

  #fricative(into: Float32Array, at: number): number {
    const length = this.#random.between(0.05, 0.13);
    const level = this.#random.between(0.02, 0.08);
    const start = Math.round(at * SOUND_RATE);
    const count = Math.round(length * SOUND_RATE);
    let last = 0;
    for (let n = 0; n < count && start + n < into.length; n++) {
      const white = this.#random.next() * 2 - 1;
      into[start + n] += level * (white - last) * Math.sin((Math.PI * n) / count);
      last = white;
    }
    return at + length;
  }

  #vowel(
    into: Float32Array,
    at: number,
    sound: { length: number; target: readonly number[]; pitch: number; glide: number; level: number },
  ): void {
    const start = Math.round(at * SOUND_RATE);
    const count = Math.round(sound.length * SOUND_RATE);
    for (let n = 0; n < count && start + n < into.length; n++) {
      const share = n / count;
      for (let f = 0; f < 3; f++) this.#formants[f] += 0.0012 * (sound.target[f] - this.#formants[f]);
      const hz = sound.pitch * (1 + sound.glide * share) * (1 + 0.01 * Math.sin(n / 1400));
      this.#phase += hz / SOUND_RATE;
      const pulse = this.#phase >= 1 ? 1 : 0;
      this.#phase -= pulse;
      // Spectral slope of the glottis, some 12 dB an octave less 6 dB of radiation.
      this.#glottis = 0.96 * this.#glottis + pulse + 0.002 * (this.#random.next() - 0.5);
      const envelope = Math.min(1, share * 6, (1 - share) * 4);
      into[start + n] += 0.35 * sound.level * envelope * this.#resonate(this.#glottis);
    }
  }

  /** Three resonators in parallel, weaker upwards. */
  #resonate(x: number): number {
    let y = 0;
    for (let f = 0; f < 3; f++) {
      const radius = Math.exp((-Math.PI * BANDWIDTHS_HZ[f]) / SOUND_RATE);
      const turn = Math.cos((2 * Math.PI * this.#formants[f]) / SOUND_RATE);
      const value =
        (1 - radius) * x + 2 * radius * turn * this.#state[2 * f] - radius * radius * this.#state[2 * f + 1];
      this.#state[2 * f + 1] = this.#state[2 * f];
      this.#state[2 * f] = value;
      y += value * [1, 0.5, 0.25][f];
    }
    return y;
  }
}
