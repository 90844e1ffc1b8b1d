import { clamp } from '../../signal/interpolation.ts';
import { mean, standardDeviation } from '../../signal/statistics.ts';
import type { AudioFacts, Beat, Span } from '../facts.ts';
import { VOICE_FRAMES_PER_SECOND as FPS, type VoiceCurves } from './voice.ts';

/** Speech is judged over 2 s, about twice a second: long enough for several syllables. */
const WINDOW = 2 * FPS;
const HOP = Math.round(FPS / 2);
const THRESHOLD = 0.7;
/** A voiced frame: a clear pitch in a frame that is not much weaker than its window. */
const VOICED_HARMONICITY = 0.55;
const VOICED_LEVEL = 0.3;
/** A pause between phrases: this far (power) below the loud frames of its window, for so long. */
const PAUSE_POWER = 1e-3;
const PAUSE_SECONDS = 0.3;
const MIN_SPAN_SECONDS = 0.4;
/** What songs, noise and film scores gave of each cue, and what spoken recordings gave. */
const CUES = {
  dips: [0.05, 0.3],
  syllabic: [0.3, 0.55],
  swing: [0.3, 0.6],
  voiced: [0.15, 0.4],
  /** The other way round: who sings holds a voice for longer than who speaks. */
  sung: [0.85, 1],
  harmonicity: [0.14, 0.22],
  brightnessDb: [4, 9],
  gliding: [0.45, 0.75],
} as const;
/** Gliding pitch counts as much as three other cues. */
const GLIDING_WEIGHT = 3;
/** By which a pitch moves that glides: less is a note that stands, more is another note. */
const GLIDE_OCTAVES = { least: 0.004, most: 0.15 } as const;
/** The envelope's movement from syllable to syllable. */
const SYLLABLES_HZ = { from: 2.5, to: 7 } as const;
/** Places within a beat where music plays, and how near to them. */
const SUBDIVISIONS = [0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1];
const SUBDIVISION_SECONDS = 0.025;
/** Syllables over music left at most 0.99 of the onsets' strength on such places, drum loops all of it. */
const PLAYED_SHARE = 0.995;
const MIN_ONSETS = 3;
/** Power of a window between 300 Hz and 4 kHz below which nothing can be judged: about −70 dBFS. */
const MIN_POWER = 0.05;

/**
 * Where somebody speaks, without learned weights: energy that comes and goes with the syllables, near 4 Hz, and
 * often drops (E. Scheirer, M. Slaney, ICASSP 1997); voiced and unvoiced sounds in turn (J. Saunders, ICASSP 1996);
 * a pitch that glides, where that of music steps or stays. Speech under loud music is not found. Drums pass for
 * syllables at times: `withoutPlayedSpans` takes those back.
 * Spans are phrases: they end at pauses of 0.3 s.
 */
export function findSpeech(curves: VoiceCurves, durationSeconds: number): AudioFacts['speech'] {
  const frames = curves.speechPower.length;
  const starts: number[] = [];
  for (let start = 0; start + WINDOW <= frames; start += HOP) starts.push(start);
  // What is shorter than a window is judged as one.
  if (starts.length === 0 && frames > FPS / 2) starts.push(0);
  const votes = new Float32Array(frames);
  const judges = new Float32Array(frames);
  const clearness: number[] = [];
  for (const start of starts) {
    const score = scoreWindow(curves, start, Math.min(frames, start + WINDOW));
    if (score === null) continue;
    clearness.push(Math.min(1, Math.abs(score - THRESHOLD) / 0.25));
    for (let t = start; t < Math.min(frames, start + WINDOW); t++) {
      votes[t] += score;
      judges[t] += 1;
    }
  }
  const speaking = votes.map((vote, t) => (judges[t] > 0 && vote / judges[t] >= THRESHOLD ? 1 : 0));
  const spans = phrases(speaking, curves.speechPower);
  return {
    share: shareOf(spans, durationSeconds),
    spans,
    confidence: clearness.length === 0 ? 1 : mean(clearness),
  };
}

/** Speech without the spans in which every onset falls on a subdivision of the beat: those are played. */
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
  let next = 0;
  let count = 0;
  let all = 0;
  let placed = 0;
  for (const { timeSeconds, strength } of onsets) {
    if (timeSeconds < startSeconds || timeSeconds >= endSeconds) continue;
    while (next < beats.length && beats[next].timeSeconds <= timeSeconds) next += 1;
    if (next === 0 || next === beats.length) continue;
    const interval = beats[next].timeSeconds - beats[next - 1].timeSeconds;
    const place = (timeSeconds - beats[next - 1].timeSeconds) / interval;
    const distance = Math.min(...SUBDIVISIONS.map((subdivision) => Math.abs(place - subdivision))) * interval;
    count += 1;
    all += strength;
    if (distance < SUBDIVISION_SECONDS) placed += strength;
  }
  return count >= MIN_ONSETS && placed >= PLAYED_SHARE * all;
}

function shareOf(spans: readonly Span[], durationSeconds: number): number {
  const spoken = spans.reduce((sum, span) => sum + span.endSeconds - span.startSeconds, 0);
  return durationSeconds > 0 ? Math.min(1, spoken / durationSeconds) : 0;
}

/** 0 (not speech) to 1; null where there is next to no sound. */
function scoreWindow(curves: VoiceCurves, from: number, to: number): number | null {
  const levels = Array.from(curves.speechPower.subarray(from, to), Math.sqrt);
  const level = mean(levels);
  if (level * level < MIN_POWER) return null;
  const harmonicity = curves.harmonicity.subarray(from, to);
  const voiced = levels.map((l, i) => harmonicity[i] > VOICED_HARMONICITY && l > VOICED_LEVEL * level);
  const voicedShare = voiced.filter(Boolean).length / voiced.length;
  const cues = [
    ramp(levels.filter((l) => l < level / 2).length / levels.length, CUES.dips),
    ramp(syllabicShare(levels, level), CUES.syllabic),
    ramp(standardDeviation(levels) / level, CUES.swing),
    ramp(voicedShare, CUES.voiced) * (1 - ramp(voicedShare, CUES.sung)),
    ramp(standardDeviation(harmonicity), CUES.harmonicity),
    ramp(standardDeviation(curves.brightnessDb.subarray(from, to)), CUES.brightnessDb),
  ];
  const gliding = ramp(glideShare(voiced, curves.pitchHz.subarray(from, to)), CUES.gliding);
  const sum = cues.reduce((all, cue) => all + cue, GLIDING_WEIGHT * gliding);
  return sum / (cues.length + GLIDING_WEIGHT);
}

function ramp(value: number, [none, full]: readonly [number, number]): number {
  return clamp((value - none) / (full - none), 0, 1);
}

/** Share of the envelope's movement that is of syllables. */
function syllabicShare(levels: readonly number[], level: number): number {
  const count = levels.length;
  let all = 0;
  let syllabic = 0;
  for (let k = 1; k <= count / 2; k++) {
    let re = 0;
    let im = 0;
    for (let n = 0; n < count; n++) {
      const turn = (2 * Math.PI * k * n) / count;
      const value = (levels[n] - level) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / count));
      re += value * Math.cos(turn);
      im += value * Math.sin(turn);
    }
    const power = re * re + im * im;
    const hertz = (k * FPS) / count;
    all += power;
    if (hertz >= SYLLABLES_HZ.from && hertz <= SYLLABLES_HZ.to) syllabic += power;
  }
  return all === 0 ? 0 : syllabic / all;
}

/** Among neighbouring voiced frames those whose pitch glides; of fewer than three pairs nothing is told. */
function glideShare(voiced: readonly boolean[], pitchHz: Float32Array): number {
  let pairs = 0;
  let gliding = 0;
  for (let i = 1; i < voiced.length; i++) {
    if (!voiced[i] || !voiced[i - 1]) continue;
    pairs += 1;
    const octaves = Math.abs(Math.log2(pitchHz[i] / pitchHz[i - 1]));
    if (octaves > GLIDE_OCTAVES.least && octaves < GLIDE_OCTAVES.most) gliding += 1;
  }
  return pairs < 3 ? 0 : gliding / pairs;
}

/** Runs of speaking frames, cut at pauses, without the quiet at their ends. */
function phrases(speaking: Float32Array, power: Float32Array): Span[] {
  const spans: Span[] = [];
  let start = -1;
  let lastLoud = -1;
  const close = () => {
    if (start >= 0 && (lastLoud + 1 - start) / FPS >= MIN_SPAN_SECONDS) {
      spans.push({ startSeconds: start / FPS, endSeconds: (lastLoud + 1) / FPS });
    }
    start = -1;
  };
  for (let t = 0; t < speaking.length; t++) {
    const loud = speaking[t] === 1 && power[t] > PAUSE_POWER * loudestAround(power, t);
    if (loud) {
      if (start < 0) start = t;
      lastLoud = t;
    } else if (start >= 0 && (speaking[t] === 0 || t - lastLoud > PAUSE_SECONDS * FPS)) {
      close();
    }
  }
  close();
  return spans;
}

function loudestAround(power: Float32Array, place: number): number {
  let most = MIN_POWER;
  for (let t = Math.max(0, place - FPS); t < Math.min(power.length, place + FPS); t++) {
    if (power[t] > most) most = power[t];
  }
  return most;
}
