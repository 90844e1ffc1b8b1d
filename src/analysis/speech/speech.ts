import { totalSeconds } from '../../domain/spans.ts';
import { mean } from '../../signal/statistics.ts';
import { PARTS_BETWEEN } from '../beats/metrical-hypothesis.ts';
import type { AudioFacts, Beat, Span } from '../facts.ts';
import { MIN_SILENCE_SECONDS } from '../loudness/silence.ts';
import type { TalkFacts } from '../talk-facts.ts';
import { talkCertainty } from './pauses.ts';
import { type SpeechEvidence, speechEvidence } from './speech-evidence.ts';
import { WEIGHTS } from './speech-weights.ts';
import { VOICE_FRAMES_PER_SECOND as FPS, type VoiceCurves } from './voice.ts';

/** Speech is scored over 2 s, about twice a second: long enough for several syllables. */
const WINDOW = 2 * FPS;
const HOP = Math.round(FPS / 2);
/**
 * Power of a pause between phrases relative to the loud frames of its window. A pause lasts at least as long
 * as a silence.
 */
const PAUSE_POWER = 1e-3;
/** Positions within a beat at which music plays, and the tolerance. */
const SUBDIVISIONS = [0, ...PARTS_BETWEEN, 1];
/**
 * With those of swung eighths if two beats were detected as one. Some syllables are close to so many
 * positions by chance.
 */
const SWUNG_SUBDIVISIONS = [...SUBDIVISIONS, 1 / 6, 5 / 6];
const MIN_SWUNG_ONSETS = 20;
const SUBDIVISION_SECONDS = 0.025;
/** Syllables over music have at most 0.99 of the onsets' strength at such positions, drum loops all of it. */
const PLAYED_SHARE = 0.995;
const MIN_ONSETS = 3;
/** Least power of a window between 300 Hz and 4 kHz that can be scored: about −70 dBFS. */
const MIN_POWER = 0.05;

/**
 * Finds speech by fitted weights of the evidence in each window. Speech under loud music is not found. Drums
 * sometimes resemble syllables: `withoutPlayedSpans` removes those. Spans are phrases: they end at pauses of
 * 0.3 s, those of `talk` if it is certain, else where the level falls far.
 */
export function findSpeech(
  curves: VoiceCurves,
  durationSeconds: number,
  talk: TalkFacts | null = null,
): AudioFacts['speech'] {
  const votes = new Float32Array(curves.speechPower.length);
  const clearness: number[] = [];
  for (const [from, to] of judgedWindows(curves)) {
    const verdict = verdictOn(speechEvidence(curves, from, to));
    clearness.push(Math.abs(verdict));
    for (let t = from; t < to; t++) votes[t] += verdict;
  }
  const spans = phrases(
    votes,
    talkCertainty(talk) > 0 ? inRuns(talk!, votes.length) : loudFrames(curves.speechPower),
  );
  return {
    share: shareOf(spans, durationSeconds),
    spans,
    confidence: clearness.length === 0 ? 1 : mean(clearness),
  };
}

/** The frames `from` to `to` of each window that is not almost silent. Shorter sound is one window. */
export function judgedWindows({ speechPower }: VoiceCurves): (readonly [from: number, to: number])[] {
  const frames = speechPower.length;
  const windows: (readonly [number, number])[] = [];
  for (let from = 0; from + WINDOW <= frames; from += HOP) windows.push([from, from + WINDOW]);
  if (windows.length === 0 && frames > FPS / 2) windows.push([0, frames]);
  return windows.filter(
    ([from, to]) => mean(Array.from(speechPower.subarray(from, to), Math.sqrt)) ** 2 >= MIN_POWER,
  );
}

/** From −1, certainly no speech, over 0, undecided, to 1. */
function verdictOn(evidence: SpeechEvidence): number {
  const names = Object.keys(WEIGHTS) as (keyof SpeechEvidence)[];
  return Math.tanh(names.reduce((sum, name) => sum + WEIGHTS[name] * evidence[name], 0) / 2);
}

/** Removes spans in which every onset is on a subdivision of the beat: these are played by instruments. */
export function withoutPlayedSpans(
  speech: AudioFacts['speech'],
  onsets: AudioFacts['onsets'],
  beats: readonly Beat[],
  durationSeconds: number,
): AudioFacts['speech'] {
  const spans = speech.spans.filter((span) => !isPlayed(span, onsets, beats));
  return spans.length === speech.spans.length
    ? speech
    : { ...speech, spans, share: shareOf(spans, durationSeconds) };
}

function isPlayed(
  { startSeconds, endSeconds }: Span,
  onsets: AudioFacts['onsets'],
  beats: readonly Beat[],
): boolean {
  const inside = onsets.filter(({ timeSeconds }) => timeSeconds >= startSeconds && timeSeconds < endSeconds);
  const subdivisions = inside.length < MIN_SWUNG_ONSETS ? SUBDIVISIONS : SWUNG_SUBDIVISIONS;
  let next = 0;
  let count = 0;
  let all = 0;
  let placed = 0;
  for (const { timeSeconds, strength } of inside) {
    while (next < beats.length && beats[next].timeSeconds <= timeSeconds) next += 1;
    if (next === 0 || next === beats.length) continue;
    const interval = beats[next].timeSeconds - beats[next - 1].timeSeconds;
    const place = (timeSeconds - beats[next - 1].timeSeconds) / interval;
    const distance = Math.min(...subdivisions.map((subdivision) => Math.abs(place - subdivision))) * interval;
    count += 1;
    all += strength;
    if (distance < SUBDIVISION_SECONDS) placed += strength;
  }
  return count >= MIN_ONSETS && placed >= PLAYED_SHARE * all;
}

function shareOf(spans: readonly Span[], durationSeconds: number): number {
  const spoken = totalSeconds(spans);
  return durationSeconds > 0 ? Math.min(1, spoken / durationSeconds) : 0;
}

/**
 * Runs of speech frames, split at pauses, each at least as long as a pause, without the silence at their
 * ends.
 */
function phrases(votes: Float32Array, isVoice: Uint8Array): Span[] {
  const spans: Span[] = [];
  let start = -1;
  let lastLoud = -1;
  const close = () => {
    if (start >= 0 && (lastLoud + 1 - start) / FPS >= MIN_SILENCE_SECONDS) {
      spans.push({ startSeconds: start / FPS, endSeconds: (lastLoud + 1) / FPS });
    }
    start = -1;
  };
  for (let t = 0; t < votes.length; t++) {
    const loud = votes[t] > 0 && isVoice[t] === 1;
    if (loud) {
      if (start < 0) start = t;
      lastLoud = t;
    } else if (start >= 0 && (votes[t] <= 0 || t - lastLoud > MIN_SILENCE_SECONDS * FPS)) {
      close();
    }
  }
  close();
  return spans;
}

/** 1 in stretches of voice. */
function inRuns({ runs }: TalkFacts, frames: number): Uint8Array {
  const isVoice = new Uint8Array(frames);
  for (const { startSeconds, endSeconds } of runs)
    isVoice.fill(1, Math.round(startSeconds * FPS), Math.round(endSeconds * FPS));
  return isVoice;
}

/** 1 where the level is not far below that of the second on both sides. */
function loudFrames(power: Float32Array): Uint8Array {
  return Uint8Array.from(power, (one, t) => (one > PAUSE_POWER * loudestAround(power, t) ? 1 : 0));
}

function loudestAround(power: Float32Array, place: number): number {
  let most = MIN_POWER;
  for (let t = Math.max(0, place - FPS); t < Math.min(power.length, place + FPS); t++) {
    if (power[t] > most) most = power[t];
  }
  return most;
}
