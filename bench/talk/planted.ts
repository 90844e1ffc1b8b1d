/** A talk made of utterances with known pauses between them, clean, in noise, or in a noisy room. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { quantile } from '../../src/signal/statistics.ts';

export const CONDITIONS = ['clean', 'noise', 'room', 'softer'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Level of the voice's loud frames, dB. */
export const VOICE_DB = -22;
/** Frames of speech are within this of it. */
export const SPEECH_RANGE_DB = 40;
/** Recordings with more noise, dB below the voice, have no known borders. */
const MAX_NOISE_DB = 48;
/** Mean level of speech below its loud frames, dB. */
export const MEAN_DB = -4;
const PAUSE_SECONDS = { least: 0.5, most: 2.5 } as const;
const FRAMES_PER_SECOND = 100;

export interface PlantedTalk {
  readonly samples: Float32Array;
  readonly rate: number;
  readonly pauses: readonly (readonly [start: number, end: number])[];
  /** Level of the voice alone, dB above the least that counts as speech, 100 frames a second. */
  readonly speechDb: Float32Array;
}

const evenly: PauseOf = (share) => PAUSE_SECONDS.least + (PAUSE_SECONDS.most - PAUSE_SECONDS.least) * share;

/** Length of a pause from a share of the distribution. */
export type PauseOf = (share: number) => number;

/** Null: too few recordings of the folder are quiet enough. */
export function plantedTalk(
  folder: string,
  condition: Condition,
  seconds: number,
  pauseOf: PauseOf = evenly,
): PlantedTalk | null {
  const random = seededRandom(1);
  const voice = dryTalk(folder, seconds, random, pauseOf);
  return voice && { ...voice, samples: recorded(voice.samples, voice.rate, condition, random) };
}

/** Voice alone, without a background. */
export function dryTalk(
  folder: string,
  seconds: number,
  random: () => number,
  pauseOf: PauseOf = evenly,
): PlantedTalk | null {
  const parts: Float32Array[] = [];
  let [rate, total] = [0, 0];
  for (const name of readdirSync(folder).sort()) {
    const wave = readWave(join(folder, name));
    const utterance = trimmed(wave);
    if (utterance === null) continue;
    rate = wave.rate;
    parts.push(utterance);
    total += utterance.length / rate + 1.5;
    if (total > seconds) break;
  }
  if (parts.length < 3) return null;
  const lengths = parts.map(() => pauseOf(random()));
  const voice = new Float32Array(
    parts.reduce((sum, part, at) => sum + part.length + Math.round(lengths[at] * rate), Math.round(rate / 2)),
  );
  const pauses: [number, number][] = [];
  let at = Math.round(rate / 2);
  for (const [index, part] of parts.entries()) {
    voice.set(part, at);
    at += part.length;
    const end = at + Math.round(lengths[index] * rate);
    if (index + 1 < parts.length) pauses.push([at / rate, end / rate]);
    at = end;
  }
  const speechDb = levels(voice, rate).map((level) => level - VOICE_DB + SPEECH_RANGE_DB);
  return { samples: voice, rate, pauses, speechDb };
}

/** 16 bits, one channel. */
export function readWave(path: string): { readonly rate: number; readonly samples: Float32Array } {
  const bytes = readFileSync(path);
  let at = 12;
  while (bytes.toString('ascii', at, at + 4) !== 'data') at += 8 + bytes.readUInt32LE(at + 4);
  const samples = new Float32Array((bytes.length - at - 8) >> 1);
  for (let n = 0; n < samples.length; n++) samples[n] = bytes.readInt16LE(at + 8 + 2 * n) / 32768;
  return { rate: bytes.readUInt32LE(24), samples };
}

/** The speech of an utterance at the common level; null: too noisy. */
export function trimmed({ rate, samples }: ReturnType<typeof readWave>): Float32Array | null {
  const level = levels(samples, rate);
  const loud = quantile(level, 0.95);
  if (quantile(level, 0.03) > loud - MAX_NOISE_DB) return null;
  const isSpeech = Array.from(level, (one) => one > loud - SPEECH_RANGE_DB);
  const [first, last] = [isSpeech.indexOf(true), isSpeech.lastIndexOf(true)];
  const frame = rate / FRAMES_PER_SECOND;
  const part = samples.slice(Math.max(0, Math.floor((first - 1) * frame)), Math.ceil((last + 2) * frame));
  return part.map((sample) => sample * 10 ** ((VOICE_DB - loud) / 20));
}

export function levels(samples: Float32Array, rate: number): Float32Array {
  const frame = rate / FRAMES_PER_SECOND;
  return Float32Array.from({ length: Math.floor(samples.length / frame) }, (_, at) => {
    let sum = 0;
    const [from, to] = [Math.floor(at * frame), Math.floor((at + 1) * frame)];
    for (let n = from; n < to; n++) sum += samples[n] ** 2;
    return 10 * Math.log10(sum / (to - from) + 1e-12);
  });
}

function recorded(
  voice: Float32Array,
  rate: number,
  condition: Condition,
  random: () => number,
): Float32Array {
  const mean = VOICE_DB + MEAN_DB;
  if (condition === 'noise') return withNoise(voice, mean - 15, random);
  if (condition === 'room')
    return withRumble(withNoise(reverberant(voice, rate, random), mean - 20, random), mean - 4, random);
  const clean = withNoise(voice, mean - 50, random);
  return condition === 'softer' ? clean.map((sample) => sample / 4) : clean;
}

/** Pink noise by three poles (P. Kellet). */
export function withNoise(samples: Float32Array, levelDb: number, random: () => number): Float32Array {
  let [slow, middle, fast, power] = [0, 0, 0, 0];
  const noise = samples.map(() => {
    const white = random() + random() + random() - 1.5;
    slow = 0.99765 * slow + white * 0.099046;
    middle = 0.963 * middle + white * 0.2965164;
    fast = 0.57 * fast + white * 1.0526913;
    const pink = slow + middle + fast + white * 0.1848;
    power += pink * pink;
    return pink;
  });
  const gain = 10 ** (levelDb / 20) / Math.sqrt(power / samples.length);
  return samples.map((sample, n) => sample + gain * noise[n]);
}

/** An exponential decay of .4 s in 800 reflections. */
export function reverberant(samples: Float32Array, rate: number, random: () => number): Float32Array {
  const wet = samples.slice();
  for (let tap = 1; tap < 800; tap++) {
    const delay = Math.round(0.35 * rate * random());
    const gain = (random() - 0.5) * 0.14 * Math.exp((-6.9 * delay) / (0.4 * rate));
    for (let n = delay; n < wet.length; n++) wet[n] += gain * samples[n - delay];
  }
  return wet;
}

/** Noise below some 20 Hz to 100 Hz, such as traffic and air conditioning. */
export function withRumble(samples: Float32Array, levelDb: number, random: () => number): Float32Array {
  let low = 0;
  const rumble = samples.map(() => (low += 0.008 * (random() + random() + random() - 1.5 - low)));
  const power = rumble.reduce((sum, one) => sum + one * one, 0) / rumble.length;
  const gain = 10 ** (levelDb / 20) / Math.sqrt(power);
  return samples.map((sample, n) => sample + gain * rumble[n]);
}
