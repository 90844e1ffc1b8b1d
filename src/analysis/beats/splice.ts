import { BAR_BEATS } from './evidence.ts';
import type { OnsetCurve } from './onset-curve.ts';

/** Positions within a beat at which levels are compared: twelfths include halves, thirds and quarters. */
const BEAT_PLACES = 12;
const PLACES = BAR_BEATS * BEAT_PLACES;
/** Compared bars on each side of a splice; a side with fewer is not scored. */
const SIDE_BARS = { least: 3, most: 8 } as const;
/** Neighboring positions are equal: played beats deviate from a constant grid. */
const NEAR_PLACES = 1;
/**
 * Gain in agreement by rotating one side by parts of a beat, and resulting agreement; each pair is
 * sufficient. Of 52 songs spliced at half a beat 44 reach one, of 250 songs and pieces without a splice 6.
 */
const SUFFICIENT = [
  { gain: 0.03, agreement: 0.85 },
  { gain: 0.1, agreement: 0.7 },
] as const;
const BANDS = ['low', 'mid', 'high', 'kick', 'snare'] as const;

export interface Splice {
  /** Number of the first beat after it. */
  readonly beat: number;
  /** 0..1: similarity of the bars on both sides after the rotation. */
  readonly agreement: number;
}

/**
 * Finds where the beats of a constant grid continue at another phase, as after an edit of the sound; null if
 * both sides agree best without a rotation. Drums and bands of the bars after a splice equal those before it,
 * rotated.
 */
export function findSplice(beats: readonly number[], interval: number, curve: OnsetCurve): Splice | null {
  const sums = barSums(beats, interval, curve);
  let best = { beat: 0, gain: 0, agreement: 0 };
  for (let beat = BAR_BEATS * SIDE_BARS.least; beat + BAR_BEATS * SIDE_BARS.least <= beats.length; beat++) {
    const bars = Math.floor(Math.min(beat, beats.length - beat) / BAR_BEATS);
    const side = BAR_BEATS * Math.min(SIDE_BARS.most, bars);
    const left = sums[beat].map((sum, i) => sum - sums[beat - side][i]);
    const right = sums[beat + side].map((sum, i) => sum - sums[beat][i]);
    const { whole, aside } = agreements(left, right);
    if (aside - whole > best.gain) best = { beat, gain: aside - whole, agreement: aside };
  }
  return SUFFICIENT.some(({ gain, agreement }) => best.gain >= gain && best.agreement >= agreement)
    ? best
    : null;
}

/** For each beat the sum of the profiles of the bars before it, four beats apart. */
function barSums(beats: readonly number[], interval: number, curve: OnsetCurve): readonly Float64Array[] {
  const profiles = beats.map((beat) => profileOf(beat, interval, curve));
  const sums: Float64Array[] = [];
  for (let beat = 0; beat <= beats.length; beat++) {
    const sum = new Float64Array(BANDS.length * PLACES);
    if (beat >= BAR_BEATS) {
      sum.set(sums[beat - BAR_BEATS]);
      for (let part = 0; part < BAR_BEATS; part++) {
        const profile = profiles[beat - BAR_BEATS + part];
        for (let b = 0; b < BANDS.length; b++)
          for (let place = 0; place < BEAT_PLACES; place++)
            sum[b * PLACES + part * BEAT_PLACES + place] += profile[b * BEAT_PLACES + place];
      }
    }
    sums.push(sum);
  }
  return sums;
}

/** Levels of the bands at the positions of a beat. */
function profileOf(beat: number, interval: number, curve: OnsetCurve): Float64Array {
  const profile = new Float64Array(BANDS.length * BEAT_PLACES);
  BANDS.forEach((band, b) => {
    for (let place = 0; place < BEAT_PLACES; place++) {
      const from = Math.max(0, Math.round(beat + ((place - 0.5) / BEAT_PLACES) * interval));
      const to = Math.round(beat + ((place + 0.5) / BEAT_PLACES) * interval);
      let most = 0;
      for (let t = from; t < to && t < curve.full.length; t++)
        if (curve[band][t] > most) most = curve[band][t];
      profile[b * BEAT_PLACES + place] = Math.sqrt(most);
    }
  });
  return profile;
}

/** Largest correlation of two bars, with the second rotated by whole beats and by parts of a beat. */
function agreements(left: Float64Array, right: Float64Array): { whole: number; aside: number } {
  const [a, b] = [aboutMeans(left), aboutMeans(right)];
  let [whole, aside] = [-1, -1];
  for (let turn = 0; turn < PLACES; turn++) {
    const place = turn % BEAT_PLACES;
    const isWhole = place <= NEAR_PLACES || place >= BEAT_PLACES - NEAR_PLACES;
    let dot = 0;
    for (let band = 0; band < a.length; band += PLACES)
      for (let i = 0; i < PLACES; i++) dot += a[band + i] * b[band + ((i + turn) % PLACES)];
    if (isWhole) whole = Math.max(whole, dot);
    else aside = Math.max(aside, dot);
  }
  return { whole, aside };
}

/** Subtracts the mean of each band and scales the whole to length 1. */
function aboutMeans(bar: Float64Array): Float64Array {
  const centred = bar.slice();
  for (let band = 0; band < bar.length; band += PLACES) {
    const own = centred.subarray(band, band + PLACES);
    const average = own.reduce((sum, value) => sum + value, 0) / PLACES;
    for (let i = 0; i < PLACES; i++) own[i] -= average;
  }
  const length = Math.hypot(...centred);
  return length === 0 ? centred : centred.map((value) => value / length);
}
