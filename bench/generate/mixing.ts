/** Effects of a mix: ducking, reverberation, drive, narrow loudspeakers. */
import { SOUND_RATE } from './instruments.ts';
import type { Random } from './random.ts';

/** Lowers a track after each time, as a compressor keyed by the kick does. */
export function duck(track: Float32Array, timesSeconds: readonly number[], depth: number): void {
  const length = Math.round(0.3 * SOUND_RATE);
  for (const time of timesSeconds) {
    const start = Math.max(0, Math.round(time * SOUND_RATE));
    for (let n = 0; n < length && start + n < track.length; n++) {
      track[start + n] *= 1 - depth * (1 - n / length);
    }
  }
}

/** Four feedback combs of a small or large room (M. Schroeder, JAES 10, 1962), mixed under the track. */
function addRoom(track: Float32Array, share: number, size: number): void {
  const dry = track.slice();
  for (const seconds of [0.0297, 0.0371, 0.0411, 0.0437]) {
    const delay = Math.round(seconds * size * SOUND_RATE);
    const line = new Float32Array(delay);
    for (let n = 0; n < track.length; n++) {
      const late = line[n % delay];
      line[n % delay] = dry[n] + 0.72 * late;
      track[n] += (share / 4) * late;
    }
  }
}

/** One-pole filters: nothing much below `lowHz` or above `highHz`. */
function narrow(track: Float32Array, lowHz: number, highHz: number): void {
  const rise = 1 - Math.exp((-2 * Math.PI * highHz) / SOUND_RATE);
  const fall = 1 - Math.exp((-2 * Math.PI * lowHz) / SOUND_RATE);
  let top = 0;
  let bottom = 0;
  for (let n = 0; n < track.length; n++) {
    top += rise * (track[n] - top);
    bottom += fall * (top - bottom);
    track[n] = top - bottom;
  }
}

/** Drives the track into soft clipping: quiet parts become louder, peaks stay. */
function drive(track: Float32Array, gain: number): void {
  let most = 1e-6;
  for (const value of track) most = Math.max(most, Math.abs(value));
  for (let n = 0; n < track.length; n++) track[n] = Math.tanh((track[n] * gain) / most);
}

/** Some of these, as mixes go: half of them hardly anything. */
export function mixDown(track: Float32Array, random: Random): void {
  if (random.chance(0.4)) addRoom(track, random.between(0.1, 0.8), random.between(0.6, 1.8));
  if (random.chance(0.4)) drive(track, random.between(1, 5));
  // A telephone, a small loudspeaker, an old record.
  if (random.chance(0.25)) narrow(track, random.pick([20, 150, 300]), random.pick([3500, 7000, 12_000]));
}
