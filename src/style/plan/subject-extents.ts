/** Where the subjects of a source are along the sides of its picture, and how much each counts. */
import type { Box, ClipFacts, FigureLook, Span, SubjectTrack } from '../../analysis/facts.ts';
import { placeAt } from '../../signal/interpolation.ts';
import { HEAD_TAIL, stretchOf, type WeightedStretch } from './figure-stretch.ts';
import { subjectsBetween } from './segments.ts';

/** A box counts for this long around its time. */
const BOX_REACH_SECONDS = 0.35;
/**
 * Weight of each kind of finding, for each unit of its salience. Fitted by a conditional logit to the tuning
 * half of `bench/framing/marks.json` (76 moments that a crop can hold). Ranges with the same result:
 * docs/notebook/framing.md, "Constants".
 */
const KIND_WEIGHT = { face: 1.5, motion: 0.5, color: 0.7 } as const satisfies Record<
  SubjectTrack['kind'],
  number
>;
/**
 * Weight of the whole attention profile. Marked moments, tuning: from .1 to .2 crops hold the same, with .3
 * less (docs/notebook/framing.md, "Constants").
 */
const ATTENTION_WEIGHT = 0.2;
/** Weight of the whole profile of figures. On the tuning half crops hold as much of the time from .5 to 1. */
export const FIGURES_WEIGHT = 1;
/** The middle share of a box that is worth holding: arms, shoulders and what flutters at its edge may be cut. */
export const CORE_SHARE = { face: 0.6, motion: 0.6, color: 0.8 } as const satisfies Record<
  SubjectTrack['kind'],
  number
>;
interface Place {
  readonly x: number;
  readonly y: number;
}

/** What counts along both sides of the picture. */
export interface Extents {
  readonly across: readonly WeightedStretch[];
  readonly down: readonly WeightedStretch[];
}

/** Weight of a subject relative to others. */
export function weightOf({ kind, salience }: Pick<SubjectTrack, 'kind' | 'salience'>): number {
  return KIND_WEIGHT[kind] * salience;
}

/** The cores of the subjects' boxes. A track is weighted by the share of the time in which it exists. */
export function subjectExtents({ motion }: ClipFacts, start: number, end: number, height: number): Extents {
  const [across, down]: [WeightedStretch[], WeightedStretch[]] = [[], []];
  for (const track of subjectsBetween(motion, start, end)) {
    const boxes = track.boxes.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end);
    const lasting = Math.min(end, track.endSeconds) - Math.max(start, track.startSeconds);
    const weight = (weightOf(track) * Math.min(1, lasting / (end - start))) / boxes.length;
    for (const { box } of boxes) {
      across.push(...boxExtents(box, track.kind, 'x', height, weight));
      down.push(...boxExtents(box, track.kind, 'y', height, weight));
    }
  }
  return { across, down };
}

/**
 * The part of a box to hold along an axis. Half the weight is its core's, half that of all of it, so that a
 * box that fits lies more in the middle. Of tall boxes the top is contained, as much as the framing's
 * `height` shows: people have their heads there.
 */
function boxExtents(
  box: Box,
  kind: SubjectTrack['kind'],
  axis: 'x' | 'y',
  height: number,
  weight: number,
): WeightedStretch[] {
  return [CORE_SHARE[kind], 1].map((share) =>
    axis === 'x'
      ? { from: box.x + ((1 - share) / 2) * box.width, size: share * box.width, weight: weight / 2 }
      : { from: box.y, size: Math.min(share * box.height, height), weight: weight / 2 },
  );
}

/** The attention that each part of the picture draws. */
export function attentionExtents({ video }: ClipFacts, start: number, end: number): Extents {
  const [across, down]: [WeightedStretch[], WeightedStretch[]] = [[], []];
  for (const [index, profile] of video.attention.entries()) {
    const shot = video.shots[index];
    const share =
      (Math.min(end, shot.endSeconds) - Math.max(start, shot.startSeconds)) / Math.max(1e-6, end - start);
    if (share <= 0) continue;
    across.push(...extentsOf(profile.across, ATTENTION_WEIGHT * share));
    down.push(...extentsOf(profile.down, ATTENTION_WEIGHT * share));
  }
  return { across, down };
}

/** The figures, where they are at each time. */
export function figureExtents({ video }: ClipFacts, start: number, end: number, height: number): Extents {
  const [across, down]: [WeightedStretch[], WeightedStretch[]] = [[], []];
  const looks = looksBetween(video.figures, start, end);
  for (const look of looks) {
    const points = look.way?.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end) ?? [];
    const places = points.length > 0 ? points : [placeOf(look, start)];
    const weight = FIGURES_WEIGHT / looks.length / places.length;
    for (const place of places) {
      across.push(...extentsOfFigure(look, place, 'x', height, weight));
      down.push(...extentsOfFigure(look, place, 'y', height, weight));
    }
  }
  return { across, down };
}

/**
 * The part of a figure, moved by `gone`, that the framing holds along an axis. If the figure is taller than the
 * framing's `height`, this is its top.
 */
function extentsOfFigure(
  look: FigureLook,
  gone: Place,
  axis: 'x' | 'y',
  height: number,
  weight: number,
): WeightedStretch[] {
  if (axis === 'x')
    return extentsOf(look.across, weight).map((extent) => ({ ...extent, from: extent.from + gone.x }));
  const stretch = stretchOf(look.down, 0, 1, HEAD_TAIL);
  if (stretch === null) return [];
  return [{ from: stretch.from + gone.y, size: Math.min(stretch.size, height), weight }];
}

/** Displacement of the figures of a look at a later time. */
function placeOf({ way }: FigureLook, time: number): Place {
  return way === undefined ? { x: 0, y: 0 } : placeAt(way, time);
}

/** The looks between two times; without any, the previous one. */
export function looksBetween(
  looks: readonly FigureLook[],
  start: number,
  end: number,
): readonly FigureLook[] {
  const inside = looks.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end);
  if (inside.length > 0) return inside;
  const before = looks.findLast(({ timeSeconds }) => timeSeconds < start);
  return before === undefined ? [] : [before];
}

/** The same as all three above at one time, along one side. `size`: of the framing along it. */
export function extentsAt(
  { video }: ClipFacts,
  time: number,
  run: RunSubjects,
  { axis, size }: { readonly axis: 'x' | 'y'; readonly size: number },
): WeightedStretch[] {
  // At the end of the clip none ends later: −1 is the last shot's.
  const shot = video.shots.findIndex(({ endSeconds }) => time < endSeconds);
  const attention = video.attention.at(shot);
  const extents =
    attention === undefined ? [] : extentsOf(attention[axis === 'x' ? 'across' : 'down'], ATTENTION_WEIGHT);
  for (const { look, gone, share } of around(run.looks, time))
    extents.push(...extentsOfFigure(look, gone, axis, size, FIGURES_WEIGHT * share));
  for (const track of run.tracks) {
    const box = boxAt(track.boxes, time);
    if (box !== null) extents.push(...boxExtents(box, track.kind, axis, size, weightOf(track)));
  }
  return extents;
}

/** Figures and other subjects of a run. */
export interface RunSubjects {
  readonly looks: readonly FigureLook[];
  readonly tracks: readonly SubjectTrack[];
}

export function subjectsOfRun({ video, motion }: ClipFacts, { startSeconds, endSeconds }: Span): RunSubjects {
  return {
    looks: looksBetween(video.figures, startSeconds, endSeconds),
    tracks: subjectsBetween(motion, startSeconds, endSeconds),
  };
}

/** The looks on either side of a time, by how near they are, and how far from there their figures are then. */
function around(looks: readonly FigureLook[], time: number) {
  const right = looks.findIndex(({ timeSeconds }) => timeSeconds >= time);
  const [before, after] = [looks[right - 1], looks[right]];
  if (right <= 0 || before === undefined || after === undefined) {
    const only = right === -1 ? looks.at(-1) : after;
    return only === undefined ? [] : [{ look: only, gone: placeOf(only, time), share: 1 }];
  }
  const share = (time - before.timeSeconds) / (after.timeSeconds - before.timeSeconds);
  const [gone, reached] = [placeOf(before, time), placeOf(before, after.timeSeconds)];
  // Another picture in between ends the path.
  const isOneWay = before.way?.at(-1)?.timeSeconds === after.timeSeconds;
  const back = isOneWay ? { x: gone.x - reached.x, y: gone.y - reached.y } : { x: 0, y: 0 };
  return [
    { look: before, gone, share: 1 - share },
    { look: after, gone: back, share },
  ];
}

/** The box that is nearest to a time; null where none is near. */
export function boxAt(boxes: SubjectTrack['boxes'], time: number): Box | null {
  let best: Box | null = null;
  let least = BOX_REACH_SECONDS;
  for (const { timeSeconds, box } of boxes) {
    const distance = Math.abs(timeSeconds - time);
    if (distance <= least) [least, best] = [distance, box];
  }
  return best;
}

function extentsOf(values: readonly number[], weight: number): WeightedStretch[] {
  const size = 1 / values.length;
  return values.map((value, part) => ({ from: part * size, size, weight: weight * value }));
}
