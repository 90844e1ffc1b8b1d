import type { SampleBlock } from '../../src/domain/footage.ts';

export const SAMPLE_RATE = 44100;

/** Repeatable noise in -1..1 (multiplicative congruential generator of Lehmer, minimal standard). */
export function noiseSource(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647) * 2 - 1;
  };
}

export function sine(
  frequencyHz: number,
  levelDbfs: number,
  durationSeconds: number,
  sampleRate = SAMPLE_RATE,
  phaseDegrees = 0,
): Float32Array {
  const amplitude = 10 ** (levelDbfs / 20);
  const phase = (phaseDegrees * Math.PI) / 180;
  return Float32Array.from(
    { length: Math.round(durationSeconds * sampleRate) },
    (_, n) => amplitude * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRate + phase),
  );
}

export function noise(levelDbfs: number, durationSeconds: number): Float32Array {
  const next = noiseSource();
  const amplitude = 10 ** (levelDbfs / 20) * Math.sqrt(3);
  return Float32Array.from({ length: Math.round(durationSeconds * SAMPLE_RATE) }, () => amplitude * next());
}

export function joined(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function* blocksOf(
  channels: readonly Float32Array[],
  { blockLength = SAMPLE_RATE, startSeconds = 0, sampleRate = SAMPLE_RATE } = {},
): Generator<SampleBlock> {
  for (let at = 0; at < channels[0].length; at += blockLength) {
    yield {
      startSeconds: startSeconds + at / sampleRate,
      sampleRate,
      channels: channels.map((channel) => channel.subarray(at, at + blockLength)),
    };
  }
}

/** What sounds on which sixteenth of a bar of `length` sixteenths; `swing` delays every other eighth (beats). */
export interface DrumPattern {
  readonly kick?: readonly number[];
  readonly snare?: readonly number[];
  readonly hat?: readonly number[];
  readonly length?: number;
  readonly swing?: number;
}

/** A drum machine: sine kick, noise-and-tone snare, bright noise hat, over a little hiss. */
export function drums(bpm: number, durationSeconds: number, pattern: DrumPattern): Float32Array {
  const next = noiseSource(7);
  let last = 0;
  // Differentiated noise: bright, next to nothing below 1 kHz.
  const bright = () => {
    const before = last;
    last = next();
    return last - before;
  };
  const mix = Float32Array.from({ length: Math.round(durationSeconds * SAMPLE_RATE) }, () => 1e-4 * next());
  const voices: [readonly number[], number, (t: number) => number][] = [
    [pattern.kick ?? [], 0.4, (t) => 0.8 * Math.sin(2 * Math.PI * (50 * t + 8)) * Math.exp(-12 * t)],
    [pattern.snare ?? [], 0.25, (t) => 0.5 * (next() + Math.sin(1200 * t)) * Math.exp(-20 * t)],
    [pattern.hat ?? [], 0.08, (t) => 0.1 * bright() * Math.exp(-60 * t)],
  ];
  const sixteenth = 15 / bpm;
  for (let n = 0; n * sixteenth < durationSeconds; n++) {
    const place = n % (pattern.length ?? 16);
    const late = place % 4 === 2 ? (pattern.swing ?? 0) * 4 * sixteenth : 0;
    const start = Math.round((n * sixteenth + late) * SAMPLE_RATE);
    for (const [places, seconds, voice] of voices) {
      if (!places.includes(place)) continue;
      for (let i = 0; i < seconds * SAMPLE_RATE && start + i < mix.length; i++) {
        mix[start + i] += voice(i / SAMPLE_RATE);
      }
    }
  }
  return mix;
}

export const ROCK: DrumPattern = { kick: [0, 8, 10], snare: [4, 12], hat: [0, 2, 4, 6, 8, 10, 12, 14] };

/** Short 1 kHz clicks, the first at `startSeconds`. */
export function clicks(bpm: number, durationSeconds: number, startSeconds = 0): Float32Array {
  const track = new Float32Array(Math.round(durationSeconds * SAMPLE_RATE));
  for (let t = startSeconds; t < durationSeconds; t += 60 / bpm) {
    const start = Math.round(t * SAMPLE_RATE);
    for (let i = 0; i < 400 && start + i < track.length; i++) {
      track[start + i] += Math.sin((2 * Math.PI * 1000 * i) / SAMPLE_RATE) * Math.exp(-i / 100);
    }
  }
  return track;
}

/** Decaying tones at times (s), each of a frequency (Hz), an amplitude and a decay (s). */
export function tones(
  seconds: number,
  events: readonly (readonly [number, number, number, number])[],
): Float32Array {
  const track = new Float32Array(seconds * SAMPLE_RATE);
  for (const [at, hz, amplitude, decay] of events) {
    const start = Math.round(at * SAMPLE_RATE);
    const length = Math.max(0.2, 6 * decay) * SAMPLE_RATE;
    for (let i = 0; i < length && start + i < track.length; i++)
      track[start + i] +=
        amplitude * Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE) * Math.exp(-i / SAMPLE_RATE / decay);
  }
  return track;
}

export function beatTimes(bpm: number, fromSeconds: number, toSeconds: number): number[] {
  const count = Math.ceil(((toSeconds - fromSeconds) * bpm) / 60 - 1e-9);
  return Array.from({ length: count }, (_, k) => fromSeconds + (k * 60) / bpm);
}

/** F-measure of found against true times within ±70 ms, each used once (MIREX beat tracking). */
export function beatScore(found: readonly number[], truth: readonly number[]): number {
  const free = [...found];
  let hits = 0;
  for (const time of truth) {
    const at = free.findIndex((candidate) => Math.abs(candidate - time) <= 0.07);
    if (at < 0) continue;
    free.splice(at, 1);
    hits += 1;
  }
  return found.length + truth.length === 0 ? 1 : (2 * hits) / (found.length + truth.length);
}
