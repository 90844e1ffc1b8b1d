import type { AudioFacts, Beat, Span } from '../facts.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import { bandReader } from './band.ts';
import { BAR_BEATS } from './evidence.ts';
import { ONSET_DELAY_SECONDS } from './onset.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear, sliceCurve } from './onset-curve.ts';
import { type TrackedPassage, trackSection } from './section.ts';
import { SAME_TEMPO } from './tempo.ts';

/** Sections keep time and memory linear in the length of the clip. */
const SECTION_SECONDS = 240;
/** A beat may be silent, but a silence of this length has no beats. */
const MAX_REST_SECONDS = 3;
/** Share of a passage's confidence for a beat without an onset. */
const SILENT_BEAT_FACTOR = 0.5;

interface PlacedPassage extends TrackedPassage {
  /** Frames of the section in the clip; beats are relative to its beginning. */
  readonly from: number;
  readonly to: number;
}

/**
 * Tempo and beats of a clip. The tempo is that of most of its beats; null, without beats, if there is no
 * pulse.
 */
export function trackBeats(
  curve: OnsetCurve,
  harmony: HarmonicChange,
  clipPeak: number,
  silences: readonly Span[],
  durationSeconds: number,
): { tempo: AudioFacts['tempo']; beats: readonly Beat[] } {
  const passages = trackSections(curve, harmony, clipPeak);
  const bandAt = bandReader(curve);
  const rests = restsOf(silences, durationSeconds);
  const beats: Beat[] = [];
  for (const passage of passages) {
    for (const own of passage.beats) {
      const frame = own + passage.from;
      if (frame >= passage.to) continue;
      const timeSeconds = frame / FPS + ONSET_DELAY_SECONDS;
      const previous = beats.at(-1)?.timeSeconds ?? Number.NEGATIVE_INFINITY;
      if (timeSeconds - previous < passage.interval / FPS / 2) continue;
      if (rests.some((rest) => timeSeconds > rest.startSeconds && timeSeconds < rest.endSeconds)) continue;
      const strength = Math.min(1, peakNear(curve.full, frame) / Math.max(clipPeak, 1e-3));
      const confidence =
        passage.confidence.beats * (SILENT_BEAT_FACTOR + (1 - SILENT_BEAT_FACTOR) * Math.sqrt(strength));
      beats.push({ timeSeconds, confidence, band: bandAt(frame) });
    }
  }
  // A bar is the shortest repeated unit.
  if (beats.length < BAR_BEATS) return { tempo: null, beats: [] };
  return { tempo: dominantTempo(passages), beats };
}

function trackSections(curve: OnsetCurve, harmony: HarmonicChange, clipPeak: number): PlacedPassage[] {
  const total = curve.full.length;
  const count = Math.max(1, Math.round(total / (SECTION_SECONDS * FPS)));
  const placed: PlacedPassage[] = [];
  for (let s = 0; s < count; s++) {
    const from = Math.round((s * total) / count);
    const to = Math.round(((s + 1) * total) / count);
    for (const tracked of trackSection(sliceCurve(curve, from, to), harmony.from(from / FPS), clipPeak)) {
      placed.push({ ...tracked, from, to });
    }
  }
  return placed;
}

/**
 * Silences without beats: long ones, and those at the clip's ends. Onset times are accurate to a frame or
 * two.
 */
function restsOf(silences: readonly Span[], durationSeconds: number): readonly Span[] {
  const slack = 2 / FPS;
  return silences.flatMap(({ startSeconds, endSeconds }) => {
    const isAtStart = startSeconds === 0;
    const isAtEnd = endSeconds > durationSeconds - slack;
    if (!isAtStart && !isAtEnd && endSeconds - startSeconds < MAX_REST_SECONDS) return [];
    return [
      {
        startSeconds: isAtStart ? Number.NEGATIVE_INFINITY : startSeconds + slack,
        endSeconds: isAtEnd ? Number.POSITIVE_INFINITY : endSeconds - slack,
      },
    ];
  });
}

/** The tempo of most beats. Tempi of other passages and votes of the second estimator are alternatives. */
function dominantTempo(passages: readonly PlacedPassage[]): AudioFacts['tempo'] {
  const groups: { interval: number; beats: number; members: PlacedPassage[] }[] = [];
  for (const passage of passages) {
    const group = groups.find((g) => Math.abs(g.interval / passage.interval - 1) < SAME_TEMPO);
    if (group === undefined) {
      groups.push({ interval: passage.interval, beats: passage.beats.length, members: [passage] });
      continue;
    }
    group.members.push(passage);
    group.beats += passage.beats.length;
    group.interval = weighted(group.members, (member) => member.interval);
  }
  groups.sort((a, b) => b.beats - a.beats);
  const [main, ...others] = groups;
  const total = groups.reduce((sum, group) => sum + group.beats, 0);
  const share = main.beats / total;
  const confidenceOf = ({ members }: (typeof groups)[number]) =>
    weighted(members, (member) => member.confidence.tempo);
  const alternatives = [
    ...others.map((group) => ({
      interval: group.interval,
      confidence: (confidenceOf(group) * group.beats) / total,
    })),
    ...otherVotes(main.members[0], main.interval),
  ];
  return {
    bpm: bpmOf(main.interval),
    confidence: confidenceOf(main) * share,
    support: weighted(main.members, (member) => member.support.tempo) * share,
    alternatives: alternatives
      .map((other) => ({ bpm: bpmOf(other.interval), confidence: other.confidence }))
      .sort((a, b) => b.confidence - a.confidence),
  };
}

function otherVotes(
  passage: TrackedPassage,
  interval: number,
): readonly { interval: number; confidence: number }[] {
  return passage.votes
    .filter((vote) => Math.abs(vote.interval / interval - 1) > SAME_TEMPO)
    .map((vote) => ({ interval: vote.interval, confidence: vote.weight * passage.confidence.tempo }));
}

function weighted(members: readonly PlacedPassage[], value: (member: PlacedPassage) => number): number {
  const beats = members.reduce((sum, member) => sum + member.beats.length, 0);
  return members.reduce((sum, member) => sum + value(member) * member.beats.length, 0) / beats;
}

function bpmOf(interval: number): number {
  return (60 * FPS) / interval;
}
