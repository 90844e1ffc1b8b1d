/** The group `edit` of a Style DNA: the template's shots as slots that other takes can fill. */

import { MIN_CONFIDENCE } from '../../analysis/confident-facts.ts';
import type { ClipFacts, Shot, Span, SubjectTrack, Transition } from '../../analysis/facts.ts';
import { materialOf } from '../../analysis/material/material.ts';
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import { lengthOf, sharedSeconds } from '../../domain/spans.ts';
import { rounded } from '../../signal/rounding.ts';
import { mean } from '../../signal/statistics.ts';
import { MAX_EDIT_SLOTS } from '../model/edit-slots.ts';
import type { Style } from '../model/schema.ts';
import { returningViews } from './returning-views.ts';

type StyleEdit = NonNullable<Style['edit']>;
type StyleSlot = StyleEdit['slots'][number];

/** Seconds from a beat that still count as on it: the precision of editors' cuts and of beat trackers. */
const ON_BEAT_SECONDS = 0.06;
const MIN_BEATS = 4;
const MEASURES = ['motion', 'activity', 'contrast', 'detail', 'lightness'] as const;
/** Share of speech from which a shot counts as speech. */
const SPEAKS_SHARE = 0.4;
/** Heights of a face with its shoulders that separate wide, medium and close shots. */
const MEDIUM_FACE = 0.25;
const CLOSE_FACE = 0.55;

/** Null for a clip of one shot. */
export function editField(facts: ClipFacts): StyleEdit | null {
  const { video, audio } = facts;
  const shots = video.shots.slice(0, MAX_EDIT_SLOTS);
  if (shots.length < 2) return null;
  const beats = audio?.beats.map(({ timeSeconds }) => timeSeconds) ?? [];
  const grid = beats.length >= MIN_BEATS ? beats : null;
  const measures = measuresOf(facts, materialOf(facts), shots);
  const ranks = Object.fromEntries(
    Object.entries(measures).map(([name, values]) => [name, timeRanks(values, shots)]),
  );
  const returns = returningViews(video.picture, shots);
  const cutsPerBar = grid === null ? null : cutsPerBarByEnergy(facts, shots, grid);
  return {
    slots: shots.map((shot, at) => ({
      ...lengthFields(shot, grid),
      ...Object.fromEntries(
        Object.entries(ranks).flatMap(([name, values]) =>
          values[at] === null ? [] : [[`${name}_rank`, values[at]]],
        ),
      ),
      ...Object.fromEntries(
        Object.entries(measures).flatMap(([name, values]) =>
          values[at] === null ? [] : [[name, rounded(values[at], 4)]],
        ),
      ),
      ...sizeFields(facts, shot, at),
      ...moveField(facts, at),
      ...(speaks(facts, shot) ? { speaks: true } : {}),
      ...(returns[at] === null ? {} : { returns_to: returns[at] }),
      ...transitionField(video.transitions, shot, at),
    })),
    ...(grid === null ? {} : { on_beat_share: onBeatShare(shots, grid) }),
    ...(cutsPerBar === null ? {} : { cuts_per_bar: cutsPerBar }),
  };
}

/** Lengths are differences of rounded times, so that their sums do not drift. */
function lengthFields(shot: Shot, grid: readonly number[] | null): StyleSlot {
  const [start, end] = [rounded(shot.startSeconds, 4), rounded(shot.endSeconds, 4)];
  const length = { length_seconds: Math.max(0.001, rounded(end - start, 4)) };
  if (grid === null) return length;
  const from = beatPosition(grid, start);
  const beats = beatPosition(grid, end) - from;
  return {
    ...length,
    length_beats: Math.max(0.001, rounded(beats, 3)),
    phase: rounded(from - Math.floor(from), 3) % 1,
  };
}

/** Fractional number of the beat at a time; the grid is extended beyond its ends. */
function beatPosition(grid: readonly number[], seconds: number): number {
  const next = grid.findIndex((time) => time > seconds);
  const left = next < 0 ? grid.length - 2 : Math.max(0, next - 1);
  return left + (seconds - grid[left]) / (grid[left + 1] - grid[left]);
}

function onBeatShare(shots: readonly Shot[], grid: readonly number[]): number {
  const cuts = shots.slice(1).map(({ startSeconds }) => startSeconds);
  const near = cuts.filter((cut) => grid.some((beat) => Math.abs(beat - cut) <= ON_BEAT_SECONDS));
  return rounded(near.length / cuts.length, 3);
}

/** Means of the curves over each shot, as for the takes that fill them; null if motion was not measured. */
function measuresOf(
  facts: ClipFacts,
  material: TakeMaterial,
  shots: readonly Shot[],
): Record<(typeof MEASURES)[number], (number | null)[]> {
  const hasMotion = facts.motion.confidence >= MIN_CONFIDENCE.motion;
  const hasPicture = facts.video.picture.timesSeconds.length > 0;
  const over = (name: (typeof MEASURES)[number]) =>
    shots.map(({ startSeconds, endSeconds }) => {
      const isMeasured = name === 'motion' || name === 'activity' ? hasMotion : hasPicture;
      const from = Math.round(startSeconds / material.stepSeconds);
      const to = Math.max(from + 1, Math.round(endSeconds / material.stepSeconds));
      const values = material.curves[name].slice(from, to);
      return isMeasured && values.length > 0 ? mean(values) : null;
    });
  return {
    motion: over('motion'),
    activity: over('activity'),
    contrast: over('contrast'),
    detail: over('detail'),
    lightness: over('lightness'),
  };
}

/** For each value the share of the clip's time in shots with smaller ones, plus half of equal ones: 0..1. */
function timeRanks(values: readonly (number | null)[], shots: readonly Shot[]): (number | null)[] {
  const known = values.flatMap((value, at) =>
    value === null ? [] : [{ value, weight: shots[at].endSeconds - shots[at].startSeconds }],
  );
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  return values.map((value) => {
    if (value === null || total <= 0) return null;
    const below = known.reduce((sum, other) => sum + (other.value < value ? other.weight : 0), 0);
    const equal = known.reduce((sum, other) => sum + (other.value === value ? other.weight : 0), 0);
    return rounded((below + equal / 2) / total, 3);
  });
}

/** Size of a shot by its largest face; nothing without a face. */
function sizeFields({ video }: ClipFacts, shot: Shot, at: number): Partial<StyleSlot> {
  const heights = video.faces.map((face) => faceHeightIn(face, shot) / video.shotAreas[at].height);
  const largest = Math.max(0, ...heights);
  if (largest === 0) return {};
  const size = largest >= CLOSE_FACE ? 'close' : largest >= MEDIUM_FACE ? 'medium' : 'wide';
  const distances = [MEDIUM_FACE, CLOSE_FACE].map((limit) => Math.abs(Math.log(largest / limit)));
  return { size, size_confidence: rounded(Math.min(1, Math.min(...distances) / 0.5), 3) };
}

function faceHeightIn(face: SubjectTrack, shot: Shot): number {
  const seen = face.boxes.filter(
    ({ timeSeconds }) => timeSeconds >= shot.startSeconds && timeSeconds < shot.endSeconds,
  );
  return mean(seen.map(({ box }) => box.height));
}

function moveField({ motion }: ClipFacts, at: number): Partial<StyleSlot> {
  const shot = motion.shots[at];
  if (shot === undefined || shot.confidence < MIN_CONFIDENCE.camera || shot.label === 'moving') return {};
  return { move: shot.label };
}

function speaks({ audio }: ClipFacts, shot: Span): boolean {
  const spoken = sharedSeconds(shot, audio?.speech.spans ?? []);
  return spoken >= SPEAKS_SHARE * lengthOf(shot);
}

function transitionField(transitions: readonly Transition[], shot: Shot, at: number): Partial<StyleSlot> {
  if (at === 0) return {};
  const into = transitions.find(
    ({ type, edge, startSeconds, endSeconds }) =>
      type !== 'cut' &&
      edge === undefined &&
      startSeconds <= shot.startSeconds &&
      endSeconds >= shot.startSeconds,
  );
  if (into === undefined) return {};
  const { type, easing, direction, startSeconds, endSeconds } = into;
  return {
    transition: {
      type,
      duration_ms: Math.min(10000, Math.round((endSeconds - startSeconds) * 1000)),
      easing,
      ...(direction === undefined ? {} : { direction }),
    },
  };
}

/** Cuts per bar in thirds of the music by its short-term loudness; null if the sound is too short or even. */
function cutsPerBarByEnergy(
  { audio }: ClipFacts,
  shots: readonly Shot[],
  grid: readonly number[],
): [number, number, number] | null {
  const levels = (audio?.loudness.shortTermLufs ?? []).map((level) => level ?? -70);
  if (levels.length < 12) return null;
  const sorted = [...levels].sort((one, other) => one - other);
  const limits = [sorted[Math.floor(levels.length / 3)], sorted[Math.floor((2 * levels.length) / 3)]];
  // Thirds that differ by less than 1 have one level of energy.
  if (limits[1] - limits[0] < 1) return null;
  const thirdAt = (seconds: number) => {
    const level = levels[Math.max(0, Math.min(levels.length - 1, Math.floor(seconds)))];
    return level < limits[0] ? 0 : level < limits[1] ? 1 : 2;
  };
  const barSeconds = (4 * (grid.at(-1)! - grid[0])) / (grid.length - 1);
  const cuts = [0, 0, 0];
  for (const { startSeconds } of shots.slice(1)) cuts[thirdAt(startSeconds)] += 1;
  const seconds = [0, 0, 0];
  levels.forEach((_, at) => {
    seconds[thirdAt(at)] += 1;
  });
  return cuts.map((count, third) => rounded((count * barSeconds) / Math.max(1, seconds[third]), 3)) as [
    number,
    number,
    number,
  ];
}
