/** Real recordings as material: whole files in mono, and the same at another speed. */
import { MEDIA } from '../lib/long-clip.ts';
import { readMono } from '../lib/mono-audio.ts';
import { SOUND_RATE } from './instruments.ts';

const stored = new Map<string, Promise<Float32Array>>();

/** Mono at 44.1 kHz. */
export function readSound(name: string): Promise<Float32Array> {
  const known = stored.get(name) ?? readMono(MEDIA + name, SOUND_RATE);
  stored.set(name, known);
  return known;
}

/** From a place on, `speed` times as fast, pitch and all (cubic Hermite interpolation). */
export function atSpeed(
  samples: Float32Array,
  speed: number,
  fromSeconds: number,
  seconds: number,
): Float32Array {
  const start = fromSeconds * SOUND_RATE;
  const length = Math.min(Math.round(seconds * SOUND_RATE), Math.floor((samples.length - start) / speed));
  const at = (n: number) => samples[n] ?? 0;
  return Float32Array.from({ length: Math.max(0, length) }, (_, n) => {
    const place = start + n * speed;
    const i = Math.floor(place);
    const f = place - i;
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    return b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)));
  });
}

/** Adds a sound to a track at a level in dB against the track's own (root mean square over what sounds). */
export function mixIn(track: Float32Array, sound: Float32Array, relativeDb: number): void {
  const gain = 10 ** (relativeDb / 20) * (levelOf(track) / Math.max(1e-9, levelOf(sound)));
  for (let n = 0; n < track.length; n++) track[n] += gain * (sound[n] ?? 0);
}

function levelOf(samples: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (const value of samples) {
    if (Math.abs(value) < 1e-4) continue;
    sum += value * value;
    count += 1;
  }
  return Math.sqrt(sum / Math.max(1, count));
}
