import { slidingMean } from '../../signal/statistics.ts';
import { ONSET_FRAMES_PER_SECOND } from '../beats/onset-curve.ts';
import type { AudioFacts } from '../facts.ts';
import { decodeFingerprint, FINGERPRINT_STEP_SECONDS } from './chromaprint.ts';

/** Features of a clip's sound that identify it. */
export interface SoundtrackFeatures {
  readonly fingerprint: string;
  readonly onsets: AudioFacts['onsets'];
  readonly durationSeconds: number;
}

export interface SoundtrackMatch {
  /** Sound at time t of the first clip is at t + this in the second. */
  readonly offsetSeconds: number;
  /** The offset is from onsets, accurate to some milliseconds; else from the fingerprint, to about 60 ms. */
  readonly precise: boolean;
  /** Duration of the shared sound, within the range of fingerprints (two minutes). */
  readonly sharedSeconds: number;
  /**
   * 0..1: confidence that the clips share sound. Confidence in the offset follows from `otherOffsetsSeconds`.
   */
  readonly confidence: number;
  /** Offsets that fit nearly as well, because the music repeats. */
  readonly otherOffsetsSeconds: readonly number[];
}

/** Most different bits, of 32, of two fingerprint numbers of the same sound; unrelated ones differ by 16. */
const MAX_DIFFERENT_BITS = 10.5;
/**
 * Fingerprint numbers per second. Differences are averaged over as many to each side. A number that is
 * constant for as long is silence or a sustained tone, which identifies no recording.
 */
const SECOND_NUMBERS = Math.round(1 / FINGERPRINT_STEP_SECONDS);
/**
 * Duration of sound in the first number: 4,096 samples and 19 steps of 1,366 at 11,025 Hz (Chromaprint's 5
 * and 16 frames of chroma).
 */
const WINDOW_SECONDS = (4096 + 19 * 1366) / 11_025;
/** Range of fingerprints. */
const MAX_SECONDS = 120;
const MIN_SHARED_SECONDS = 4;
/**
 * Without matching onsets more is needed: among 2,556 pairs of unrelated songs 33 shared between 4 and 5 s by
 * chance.
 */
const MIN_IMPRECISE_SECONDS = 5;
/** An offset with at least this share of the best agreement is an alternative. */
const ALTERNATIVE_SHARE = 0.7;
const MAX_CANDIDATES = 12;

/**
 * Bin width of the histogram of onset differences, which spans one fingerprint step to each side of the
 * coarse offset.
 */
const FINE_BIN_SECONDS = 0.002;
/** Onset times are accurate to a frame of their curve in each clip. */
const FINE_RADIUS_BINS = Math.round(1 / (ONSET_FRAMES_PER_SECOND * FINE_BIN_SECONDS));
const MIN_PAIRS = 8;
const MIN_PAIRED_SHARE = 0.3;

interface Candidate {
  /** In numbers of the fingerprint. */
  readonly shift: number;
  /** Interpolated position of the largest agreement between this shift and its neighbors. */
  readonly exactShift: number;
  /** Sum over the shared part of the bits below the limit. */
  readonly agreement: number;
  readonly sharedSeconds: number;
  /** Mean share of different bits in it. */
  readonly errorRate: number;
  /** Span of the shared part in the first clip. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

interface FineOffset {
  readonly offsetSeconds: number;
  /** Share of the onsets' strength that has a partner. */
  readonly paired: number;
  readonly pairs: number;
}

/**
 * Finds whether two clips share a soundtrack, and the offset. Fingerprints give the coarse offset (steps of
 * 124 ms), differences between onset times the fine one. Null if less than 4 s are shared. Sound at another
 * speed is not recognized.
 */
export function matchSoundtracks(
  first: SoundtrackFeatures,
  second: SoundtrackFeatures,
): SoundtrackMatch | null {
  const a = decodeFingerprint(first.fingerprint);
  const b = decodeFingerprint(second.fingerprint);
  if (a === null || b === null) return null;
  const candidates = candidateShifts(a, b);
  const ranked = candidates
    .map((candidate) => {
      const fine = fineOffset(first.onsets, second.onsets, candidate);
      return { candidate, fine, score: candidate.agreement * (0.5 + fine.paired) };
    })
    .filter(({ candidate, fine }) => isPrecise(fine) || candidate.sharedSeconds >= MIN_IMPRECISE_SECONDS)
    .sort((x, y) => y.score - x.score);
  const [best] = ranked;
  if (best === undefined) return null;
  const offsetOf = ({ candidate, fine }: (typeof ranked)[number]) =>
    isPrecise(fine) ? fine.offsetSeconds : candidate.exactShift * FINGERPRINT_STEP_SECONDS;
  const { sharedSeconds, errorRate } = best.candidate;
  const offsetSeconds = offsetOf(best);
  return {
    offsetSeconds,
    precise: isPrecise(best.fine),
    sharedSeconds: Math.min(sharedSeconds + WINDOW_SECONDS, overlapSeconds(first, second, offsetSeconds)),
    confidence: (1 - 2 * errorRate) * Math.min(1, sharedSeconds / (2 * MIN_SHARED_SECONDS)),
    otherOffsetsSeconds: ranked
      .slice(1)
      .filter(({ score }) => score >= ALTERNATIVE_SHARE * best.score)
      .map(offsetOf),
  };
}

/** Duration of the overlap of the clips at an offset. */
function overlapSeconds(
  first: SoundtrackFeatures,
  second: SoundtrackFeatures,
  offsetSeconds: number,
): number {
  const [one, other] = [first, second].map(({ durationSeconds }) => Math.min(MAX_SECONDS, durationSeconds));
  return Math.min(one!, other! - offsetSeconds) - Math.max(0, -offsetSeconds);
}

function isPrecise({ pairs, paired }: FineOffset): boolean {
  return pairs >= MIN_PAIRS && paired >= MIN_PAIRED_SHARE;
}

/** Shifts with some seconds of agreement, best first, each the best among its neighbors. */
function candidateShifts(a: Uint32Array, b: Uint32Array): Candidate[] {
  const distinctiveA = distinctiveNumbers(a);
  const distinctiveB = distinctiveNumbers(b);
  const all: Omit<Candidate, 'exactShift'>[] = [];
  for (let shift = 1 - a.length; shift < b.length; shift++)
    all.push(judgeShift(a, b, distinctiveA, distinctiveB, shift));
  const agreementAt = (place: number) => all[place]?.agreement ?? 0;
  return all
    .map((one, place) => ({ ...one, exactShift: one.shift + peakOffset(agreementAt, place) }))
    .filter((one, place) => {
      const near = [-2, -1, 1, 2].map((distance) => agreementAt(place + distance));
      return one.sharedSeconds >= MIN_SHARED_SECONDS && Math.max(...near) <= one.agreement;
    })
    .sort((x, y) => y.agreement - x.agreement)
    .slice(0, MAX_CANDIDATES);
}

/** Vertex of the parabola through three neighbors, relative to the middle one. */
function peakOffset(valueAt: (place: number) => number, place: number): number {
  const [before, here, after] = [valueAt(place - 1), valueAt(place), valueAt(place + 1)];
  const bend = before - 2 * here + after;
  return bend >= 0 ? 0 : (0.5 * (before - after)) / bend;
}

function judgeShift(
  a: Uint32Array,
  b: Uint32Array,
  distinctiveA: Uint8Array,
  distinctiveB: Uint8Array,
  shift: number,
): Omit<Candidate, 'exactShift'> {
  const from = Math.max(0, -shift);
  const to = Math.min(a.length, b.length - shift);
  const differences = new Float32Array(Math.max(0, to - from));
  for (let i = from; i < to; i++) {
    differences[i - from] = distinctiveA[i] & distinctiveB[i + shift] ? countBits(a[i] ^ b[i + shift]) : 16;
  }
  const smooth = slidingMean(differences, SECOND_NUMBERS);
  let agreement = 0;
  let shared = 0;
  let bits = 0;
  let first = -1;
  let last = -1;
  for (let i = 0; i < smooth.length; i++) {
    if (smooth[i] > MAX_DIFFERENT_BITS) continue;
    agreement += MAX_DIFFERENT_BITS + 1 - smooth[i];
    bits += differences[i];
    shared += 1;
    if (first < 0) first = i;
    last = i;
  }
  return {
    shift,
    agreement,
    sharedSeconds: shared * FINGERPRINT_STEP_SECONDS,
    errorRate: shared === 0 ? 0 : bits / shared / 32,
    fromSeconds: (from + first) * FINGERPRINT_STEP_SECONDS,
    toSeconds: (from + last) * FINGERPRINT_STEP_SECONDS,
  };
}

function distinctiveNumbers(numbers: Uint32Array): Uint8Array {
  const areDistinctive = new Uint8Array(numbers.length).fill(1);
  for (let i = 0; i < numbers.length; ) {
    let end = i + 1;
    while (end < numbers.length && countBits(numbers[end] ^ numbers[i]) <= 1) end += 1;
    if (end - i >= SECOND_NUMBERS) areDistinctive.fill(0, i, end);
    i = end;
  }
  return areDistinctive;
}

/** Set bits of a 32-bit number (H. Warren, "Hacker's Delight", §5-1). */
function countBits(value: number): number {
  let v = value - ((value >>> 1) & 0x5555_5555);
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** The offset near a candidate's with the largest sum of onset strengths. */
function fineOffset(
  first: AudioFacts['onsets'],
  second: AudioFacts['onsets'],
  candidate: Candidate,
): FineOffset {
  const coarse = candidate.exactShift * FINGERPRINT_STEP_SECONDS;
  const inside = first.filter(
    (o) => o.timeSeconds >= candidate.fromSeconds && o.timeSeconds <= candidate.toSeconds,
  );
  const bins = new Float32Array(2 * Math.round(FINGERPRINT_STEP_SECONDS / FINE_BIN_SECONDS) + 1);
  const middle = (bins.length - 1) / 2;
  const pairs = pairsNear(inside, second, coarse);
  for (const { difference, weight } of pairs)
    bins[middle + Math.round((difference - coarse) / FINE_BIN_SECONDS)] += weight;
  const smooth = slidingMean(bins, FINE_RADIUS_BINS);
  let peak = middle;
  for (let i = 0; i < smooth.length; i++) if (smooth[i] > smooth[peak]) peak = i;
  const centre = coarse + (peak - middle) * FINE_BIN_SECONDS;
  const near = pairs.filter(
    ({ difference }) => Math.abs(difference - centre) <= (FINE_RADIUS_BINS + 1) * FINE_BIN_SECONDS,
  );
  const weight = near.reduce((sum, pair) => sum + pair.weight, 0);
  const usual = inside.reduce((sum, onset) => sum + onset.strength, 0);
  if (weight === 0 || usual === 0) return { offsetSeconds: coarse, paired: 0, pairs: 0 };
  return {
    offsetSeconds: near.reduce((sum, pair) => sum + pair.weight * pair.difference, 0) / weight,
    paired: Math.min(1, weight / usual),
    pairs: near.length,
  };
}

function pairsNear(first: AudioFacts['onsets'], second: AudioFacts['onsets'], coarse: number) {
  const pairs: { difference: number; weight: number }[] = [];
  let start = 0;
  for (const onset of first) {
    const expectedSeconds = onset.timeSeconds + coarse;
    const [from, to] = [
      expectedSeconds - FINGERPRINT_STEP_SECONDS,
      expectedSeconds + FINGERPRINT_STEP_SECONDS,
    ];
    while (start < second.length && second[start].timeSeconds < from) start += 1;
    for (let j = start; j < second.length && second[j].timeSeconds <= to; j++) {
      const weight = Math.min(onset.strength, second[j].strength);
      pairs.push({ difference: second[j].timeSeconds - onset.timeSeconds, weight });
    }
  }
  return pairs;
}
