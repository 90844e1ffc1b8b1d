/** When beats fall: constant, drifting, wandering, rubato or changing in the middle. */
import type { MadeTruth, TruthFile } from '../lib/truth.ts';
import type { Random } from './random.ts';

export interface Metre {
  /** Every beat of the piece, ascending, from before its end. */
  readonly beatsSeconds: readonly number[];
  /** Seconds of a place in beats, fractions too; eighths are swung. */
  readonly at: (beat: number) => number;
}

/** `intervalAt(t)` gives the seconds of the beat that starts at t; `swing` is the share of the first eighth. */
export function layBeats(
  intervalAt: (seconds: number, beat: number) => number,
  span: { readonly from: number; readonly to: number },
  swing = 0.5,
): Metre {
  const beats: number[] = [];
  for (let t = span.from; t < span.to - 0.02; t += intervalAt(t, beats.length - 1)) beats.push(t);
  const end = beats.at(-1)! + intervalAt(beats.at(-1)!, beats.length);
  const at = (place: number) => {
    const whole = Math.floor(place);
    const part = place - whole;
    const swung = part < 0.5 ? part * 2 * swing : swing + (part - 0.5) * 2 * (1 - swing);
    const from = beats[whole] ?? end + (whole - beats.length) * (60 / 120);
    const to = beats[whole + 1] ?? end;
    return from + (to - from) * swung;
  };
  return { beatsSeconds: beats, at };
}

export function steady(bpm: number) {
  return () => 60 / bpm;
}

/** Tempo that runs from one to another in a straight line. */
export function ramp(fromBpm: number, toBpm: number, seconds: number) {
  return (t: number) => 60 / (fromBpm + (toBpm - fromBpm) * Math.min(1, t / seconds));
}

/** A player without a click: tempo wanders within `reach` (a share), slowly. */
export function wander(bpm: number, reach: number, random: Random) {
  const waves = [random.between(7, 13), random.between(15, 29)].map((period) => ({
    period,
    phase: random.next() * 7,
  }));
  return (t: number) => {
    const sum = waves.reduce(
      (total, { period, phase }) => total + Math.sin((2 * Math.PI * t) / period + phase),
      0,
    );
    return (60 / bpm) * (1 + (reach / 2) * sum);
  };
}

/** Phrases of eight beats that press on and hold back. */
export function rubato(bpm: number, reach: number) {
  return (_t: number, beat: number) =>
    (60 / bpm) * (1 - reach * Math.sin((2 * Math.PI * ((beat % 8) + 0.5)) / 8));
}

/** Truth of a piece that plays these beats for this time. */
export function beatTruth(metre: Metre, seconds: number, more: MadeTruth = {}): Omit<TruthFile, 'file'> {
  const beats = metre.beatsSeconds.filter((t) => t < seconds);
  const steps = beats
    .slice(1)
    .map((t, i) => t - beats[i])
    .sort((a, b) => a - b);
  return {
    bpm: 60 / steps[Math.floor(steps.length / 2)],
    beat_times_s: beats.map((t) => Number(t.toFixed(4))),
    ...more,
  };
}
