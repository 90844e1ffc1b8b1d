/** Instruments as sums of sines and shaped noise, added to a mono track at 44.1 kHz. */
import type { Random } from './random.ts';

export const SOUND_RATE = 44_100;

/** A note's start, level 0..1 and, where it has one, its pitch and length. */
interface Note {
  readonly atSeconds: number;
  readonly level: number;
  readonly hz?: number;
  readonly lengthSeconds?: number;
}

export type Instrument = (track: Float32Array, note: Note, random: Random) => void;

function addTo(track: Float32Array, { atSeconds }: Note, seconds: number, voice: (t: number) => number) {
  const start = Math.round(atSeconds * SOUND_RATE);
  const end = Math.min(track.length, start + Math.round(seconds * SOUND_RATE));
  for (let n = Math.max(0, start); n < end; n++) track[n] += voice((n - start) / SOUND_RATE);
}

/** Noise between two corners by two one-pole filters. */
function noiseBand(random: Random, lowHz: number, highHz: number): () => number {
  const a = 1 - Math.exp((-2 * Math.PI * highHz) / SOUND_RATE);
  const b = 1 - Math.exp((-2 * Math.PI * lowHz) / SOUND_RATE);
  let top = 0;
  let bottom = 0;
  return () => {
    top += a * (random.next() * 2 - 1 - top);
    bottom += b * (top - bottom);
    return top - bottom;
  };
}

/** A falling sine; `seconds` long for an 808, short for a rock kick with a beater's click. */
export function kick(lowHz: number, seconds: number, click: number): Instrument {
  return (track, note, random) => {
    const bright = noiseBand(random, 1500, 6000);
    addTo(track, note, seconds * 4, (t) => {
      const turns = lowHz * t + lowHz * 3 * 0.02 * (1 - Math.exp(-t / 0.02));
      const body = Math.sin(2 * Math.PI * turns) * Math.exp(-t / seconds);
      return note.level * (0.9 * body + click * bright() * Math.exp(-t / 0.004));
    });
  };
}

/** A kick whose pitch falls from `1 + sweep` times its own, at its own speed: none is a thud, much of it a drum machine. */
export function sweptKick(drum: {
  lowHz: number;
  sweep: number;
  sweepSeconds: number;
  seconds: number;
  click: number;
}): Instrument {
  return (track, note, random) => {
    const bright = noiseBand(random, 1000, 8000);
    addTo(track, note, drum.seconds * 4, (t) => {
      const fallen = drum.sweep * drum.sweepSeconds * (1 - Math.exp(-t / drum.sweepSeconds));
      const body = Math.sin(2 * Math.PI * drum.lowHz * (t + fallen)) * Math.exp(-t / drum.seconds);
      return (
        note.level * (0.9 * body * Math.min(1, t / 0.001) + drum.click * bright() * Math.exp(-t / 0.003))
      );
    });
  };
}

/** Noise between two corner frequencies that decays: brushes, shakers, tambourines, rides; a shaker is slow to speak. */
export function noiseHit(lowHz: number, highHz: number, seconds: number, attackSeconds = 0): Instrument {
  return (track, note, random) => {
    const hiss = noiseBand(random, lowHz, highHz);
    addTo(track, note, seconds * 5 + attackSeconds, (t) => {
      const swell = t < attackSeconds ? t / attackSeconds : Math.exp(-(t - attackSeconds) / seconds);
      return note.level * 1.2 * hiss() * swell;
    });
  };
}

/** Wood, bell sounds, electric pianos: few inharmonic partials, at the note's pitch unless it has one of its own. */
export function struck(seconds: number, ownHz?: number): Instrument {
  return (track, note) => {
    const hz = ownHz ?? note.hz ?? 440;
    const length = Math.min(seconds * 4, Math.max(seconds, note.lengthSeconds ?? seconds * 4));
    for (const [ratio, level] of [
      [1, 0.5],
      [2.76, 0.15],
      [5.4, 0.08],
    ] as const) {
      addPartial(track, note, {
        hz: hz * ratio,
        phase: 0,
        level: note.level * level,
        decaySeconds: seconds / ratio,
        attackSeconds: 0.001,
        seconds: length,
      });
    }
  };
}

/** A sine an octave low, with some of its third harmonic. */
export function subBass(attackSeconds: number, third: number): Instrument {
  return (track, note) => {
    const hz = note.hz ?? 55;
    const seconds = note.lengthSeconds ?? 0.3;
    for (const [ratio, level] of [
      [1, 0.6],
      [3, 0.3 * third],
    ] as const) {
      const partial = { phase: 0, decaySeconds: 3, attackSeconds, seconds };
      addPartial(track, note, { ...partial, hz: hz * ratio, level: note.level * level });
    }
  };
}

export function snare(toneHz: number, seconds: number, toneShare: number): Instrument {
  return (track, note, random) => {
    const rattle = noiseBand(random, 700, 9000);
    addTo(track, note, seconds * 5, (t) => {
      const tone = Math.sin(2 * Math.PI * toneHz * t) * Math.exp(-t / (seconds / 2));
      return note.level * (toneShare * 0.6 * tone + 0.8 * rattle() * Math.exp(-t / seconds));
    });
  };
}

export function clap(): Instrument {
  return (track, note, random) => {
    const hiss = noiseBand(random, 900, 4000);
    addTo(track, note, 0.25, (t) => {
      const flutter = t < 0.03 ? 1 - ((t * 100) % 1) : Math.exp(-(t - 0.03) / 0.05);
      return note.level * hiss() * flutter;
    });
  };
}

export function hat(seconds: number): Instrument {
  return (track, note, random) => {
    const hiss = noiseBand(random, 7000, 16_000);
    addTo(track, note, seconds * 5, (t) => note.level * 1.2 * hiss() * Math.exp(-t / seconds));
  };
}

/** One decaying partial by the recurrence of a damped oscillator: no sine per sample. */
function addPartial(
  track: Float32Array,
  note: Note,
  partial: {
    hz: number;
    phase: number;
    level: number;
    decaySeconds: number;
    attackSeconds: number;
    seconds: number;
  },
): void {
  const start = Math.max(0, Math.round(note.atSeconds * SOUND_RATE));
  const count = Math.min(track.length - start, Math.round(partial.seconds * SOUND_RATE));
  const turn = (2 * Math.PI * partial.hz) / SOUND_RATE;
  const damping = Math.exp(-1 / (partial.decaySeconds * SOUND_RATE));
  const feedback = 2 * damping * Math.cos(turn);
  let last = Math.sin(partial.phase - turn) / damping;
  let before = Math.sin(partial.phase - 2 * turn) / (damping * damping);
  const attack = partial.attackSeconds * SOUND_RATE;
  const release = Math.min(partial.attackSeconds + 0.02, partial.seconds / 2) * SOUND_RATE;
  for (let n = 0; n < count; n++) {
    const value = feedback * last - damping * damping * before;
    before = last;
    last = value;
    const gate = Math.min(1, n / attack, (partial.seconds * SOUND_RATE - n) / release);
    track[start + n] += partial.level * gate * value;
  }
}

/** A string that is struck or plucked: partials that die away, the higher the sooner. */
export function plucked(partials: number, seconds: number, brightness: number): Instrument {
  return (track, note) => {
    const hz = note.hz ?? 220;
    const length = Math.min(seconds * 2.5, note.lengthSeconds ?? seconds * 2.5);
    for (let p = 1; p <= partials && p * hz < 16_000; p++) {
      addPartial(track, note, {
        hz: hz * p,
        phase: p,
        level: (note.level * 0.5 * brightness ** (p - 1)) / p ** 0.5,
        decaySeconds: seconds / p ** 0.7,
        attackSeconds: 0.002,
        seconds: length,
      });
    }
  };
}

/** Strings, organ or pad: slow to speak and to die; `beating` Hz between two players of each partial. */
export function sustained(attackSeconds: number, partials: number, beating: number): Instrument {
  return (track, note) => {
    const hz = note.hz ?? 220;
    const seconds = (note.lengthSeconds ?? 1) + attackSeconds;
    for (let p = 1; p <= partials && p * hz < 12_000; p++) {
      const level = (note.level * 0.35) / p ** 1.1;
      const partial = { phase: p * p, level, decaySeconds: 60, attackSeconds, seconds };
      addPartial(track, note, { ...partial, hz: hz * p });
      if (beating > 0) addPartial(track, note, { ...partial, hz: hz * p + beating * p, level: level / 2 });
    }
  };
}

/** A power chord through an overdriven amplifier; short when the palm damps it. */
export function distorted(seconds: number): Instrument {
  return (track, note, random) => {
    const hz = note.hz ?? 110;
    const length = Math.min(note.lengthSeconds ?? seconds, seconds);
    const hiss = noiseBand(random, 500, 5000);
    let smooth = 0;
    addTo(track, note, length, (t) => {
      const saw = (f: number) => 2 * ((f * t) % 1) - 1;
      const drive = 6 * (saw(hz) + saw(hz * 1.498) + 0.7 * saw(hz * 2.003)) + 3 * hiss();
      smooth += 0.45 * (Math.tanh(drive * Math.exp(-t / (seconds * 2))) - smooth);
      return note.level * 0.3 * smooth * Math.min(1, t / 0.003, (length - t) / 0.01);
    });
  };
}

/** Synthesiser bass: a saw through a closing filter. */
export function synthBass(): Instrument {
  return (track, note) => {
    const hz = note.hz ?? 55;
    const length = note.lengthSeconds ?? 0.3;
    let smooth = 0;
    addTo(track, note, length, (t) => {
      smooth += (0.03 + 0.2 * Math.exp(-t / 0.08)) * (2 * ((hz * t) % 1) - 1 - smooth);
      return note.level * 0.8 * smooth * Math.min(1, t / 0.004, (length - t) / 0.01);
    });
  };
}
