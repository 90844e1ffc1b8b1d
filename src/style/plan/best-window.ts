import type { Box, ClipFacts, FigureLook, Span, SubjectTrack } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { placeAt } from '../../signal/interpolation.ts';
import type { Reframe } from '../model/timeline.ts';
import { captionedSeconds, captionRoom } from './area.ts';
import { HEAD_TAIL, stretchOf, type WeightedStretch } from './figure-stretch.ts';
import { captionsBetween } from './lettering.ts';
import { type FrameGrid, type Segment, secondsAt, subjectsBetween } from './segments.ts';
import { headlinesBetween } from './watermarks.ts';

/**
 * Vertical middle of a framing without findings, in shares of what may be shown. People stand with their heads in the
 * upper part: of marked boxes in square and upright clips the middle lies at .4 on the mean. A closer look hardly moves.
 */
const RESTING_HEIGHT = { subject: 0.4, padded: 0.4, middle: 0.46 } as const;
export const FOCUS_STEPS = 64;
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
/** Cost of the squared distance from the middle, by the same fit as `KIND_WEIGHT`. */
const CENTRE_WEIGHT = 3;
/**
 * A framing that holds less than this of the subjects does not hold them. Of two subjects, one that counts
 * less than half of the other may be outside.
 */
export const MIN_HELD = 0.75;
/**
 * Captions that are visible for a smaller share of a run's time, or that fit no framing of its size, do not
 * move the framing off its subjects. A name shown for three seconds moves no framing off someone who talks
 * for thirty. `framing.ts` pads a video from the same share of the time.
 */
const MIN_CAPTIONED_SHARE = 1 / 3;
/** Least share of its subjects that a framing keeps where it moves to hold a headline whole. Not fitted: one of 82 clips has such a headline. */
const MIN_HELD_BESIDE_HEADLINE = 0.95;
/** The middle share of a box that is worth holding: arms, shoulders and what flutters at its edge may be cut. */
export const CORE_SHARE = { face: 0.6, motion: 0.6, color: 0.8 } as const satisfies Record<
  SubjectTrack['kind'],
  number
>;
/**
 * This middle share of a framing counts for more. Subjects then lie in its middle with a margin, and are not
 * cut at its edge for the sake of the picture's middle. Marked moments, tuning: from .5 to .7 crops hold the
 * same within .005 of the boxes.
 */
const MIDDLE_SHARE = 0.6;
/**
 * Share of the worth that comes from the middle. At half, one of two people who just fit would be cut to have
 * the other in the middle. Less from above, where the top of tall subjects is contained. A padded picture is
 * as wide as its subjects need. Ranges with the same result: docs/notebook/framing.md, "Constants".
 */
const MIDDLE_WEIGHT = { x: 0.45, y: 0.2 } as const;
const NO_WEIGHT = { x: 0, y: 0 } as const;
/** Cost of leaving the middle, per distance: a closer framing rests unless a subject would be cut. */
const CLOSER_WEIGHT = 0.05;

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Along {
  readonly extents: readonly WeightedStretch[];
  readonly start: number;
  readonly whole: number;
  readonly size: number;
  readonly middle: number;
  /** Share of the worth that is that of the framing's middle. */
  readonly middleWeight: number;
}

/** Weight of a subject relative to others. */
export function weightOf({ kind, salience }: Pick<SubjectTrack, 'kind' | 'salience'>): number {
  return KIND_WEIGHT[kind] * salience;
}

/**
 * The window of `size` inside `outer` with the greatest salience in a run of frames. Captions are inside unless that costs more than their
 * weight.
 */
export function bestWindow(
  source: ClipFacts,
  grid: FrameGrid,
  run: Segment,
  outer: Reframe,
  size: Size,
  about: 'subject' | 'padded' | 'middle',
): Reframe {
  const [start, end] = [secondsAt(grid, run.startFrame), secondsAt(grid, run.endFrame)];
  const subjects = subjectExtents(source, start, end, size.height);
  const isCloser = about === 'middle';
  const nothing = { across: [], down: [] };
  const figures = isCloser ? nothing : figureProfiles(source, start, end, size.height);
  const attention = isCloser ? nothing : attentionProfiles(source, start, end);
  const middle = {
    x: outer.x + outer.width / 2,
    y: outer.y + outer.height * RESTING_HEIGHT[about],
  };
  const cost = isCloser ? closerCost : squaredCost;
  const middleWeight = about === 'subject' ? MIDDLE_WEIGHT : NO_WEIGHT;
  const across = {
    extents: [...subjects.across, ...attention.across, ...figures.across],
    start: outer.x,
    whole: outer.width,
    size: size.width,
    middle: middle.x,
    middleWeight: middleWeight.x,
  };
  const down = {
    extents: [...subjects.down, ...attention.down, ...figures.down],
    start: outer.y,
    whole: outer.height,
    size: size.height,
    middle: middle.y,
    middleWeight: middleWeight.y,
  };
  const focus = { x: focusAlong(across, cost), y: focusAlong(down, cost) };
  const heldIn = ({ x, y, width, height }: Reframe) =>
    heldBy([...subjects.across, ...figures.across], x, width) +
    heldBy([...subjects.down, ...figures.down], y, height);
  let free = windowAbout(outer, size, focus, null);
  const headlines = headlinesBetween(source.video, { startSeconds: start, endSeconds: end }, size);
  if (headlines.length > 0) {
    const beside = windowAbout(outer, size, focus, captionRoom(headlines));
    if (heldIn(beside) >= MIN_HELD_BESIDE_HEADLINE * heldIn(free)) free = beside;
  }
  const captions = captionRoom(captionsBetween(source.video, start, end));
  if (captions === null) return free;
  const holding = windowAbout(outer, size, focus, captions);
  const isLong = captionedSeconds(source.video, start, end) >= MIN_CAPTIONED_SHARE * (end - start);
  if (isLong && captions.width <= size.width && captions.height <= size.height) return holding;
  return heldIn(holding) >= MIN_HELD * heldIn(free) ? holding : free;
}

/** The cores of the subjects' boxes. A track is weighted by the share of the time in which it exists. */
function subjectExtents({ motion }: ClipFacts, start: number, end: number, height: number) {
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

/** Attention of each part of the picture. */
function attentionProfiles({ video }: ClipFacts, start: number, end: number) {
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

/** Profiles of the figures across and down the picture. */
function figureProfiles({ video }: ClipFacts, start: number, end: number, height: number) {
  const [across, down]: [WeightedStretch[], WeightedStretch[]] = [[], []];
  const looks = looksBetween(video.figures, start, end);
  for (const look of looks) {
    const points = look.way?.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end) ?? [];
    const places = points.length > 0 ? points : [placeOf(look, start)];
    const weight = FIGURES_WEIGHT / looks.length / places.length;
    for (const place of places) {
      across.push(...figureExtents(look, place, 'x', height, weight));
      down.push(...figureExtents(look, place, 'y', height, weight));
    }
  }
  return { across, down };
}

/**
 * The part of a figure, moved by `gone`, that the framing holds along an axis. If the figure is taller than the
 * framing's `height`, this is its top.
 */
function figureExtents(
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

/** At each time, the value of the framing at each of its places, from one end of the area to the other. */
export function worthsAt(
  source: ClipFacts,
  run: Span,
  times: readonly number[],
  { axis, area, size }: { readonly axis: 'x' | 'y'; readonly area: Box; readonly size: number },
): Float64Array[] {
  const { video, motion } = source;
  const [side, part] = axis === 'x' ? (['width', 'across'] as const) : (['height', 'down'] as const);
  const looks = looksBetween(video.figures, run.startSeconds, run.endSeconds);
  const tracks = subjectsBetween(motion, run.startSeconds, run.endSeconds);
  const along = {
    start: area[axis],
    whole: area[side],
    size,
    middle: area[axis] + area[side] * (axis === 'x' ? 0.5 : RESTING_HEIGHT.subject),
    middleWeight: MIDDLE_WEIGHT[axis],
  };
  return times.map((time) => {
    // At the end of the clip none ends later: −1 is the last shot's.
    const shot = video.shots.findIndex(({ endSeconds }) => time < endSeconds);
    const attention = video.attention.at(shot);
    const extents = attention === undefined ? [] : extentsOf(attention[part], ATTENTION_WEIGHT);
    for (const { look, gone, share } of around(looks, time))
      extents.push(...figureExtents(look, gone, axis, size, FIGURES_WEIGHT * share));
    for (const track of tracks) {
      const box = boxAt(track.boxes, time);
      if (box === null) continue;
      extents.push(...boxExtents(box, track.kind, axis, size, weightOf(track)));
    }
    return worths({ ...along, extents }, squaredCost);
  });
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

type Cost = (along: Along, focus: number) => number;

const squaredCost: Cost = ({ middle, whole }, focus) =>
  CENTRE_WEIGHT * ((focus - middle) / whole) ** 2 * whole;

const closerCost: Cost = ({ extents, middle }, focus) =>
  CLOSER_WEIGHT * Math.abs(focus - middle) * Math.max(1, sumOf(extents));

/** The middle of the stretch that is worth most. */
function focusAlong(along: Along, cost: Cost): number {
  const { start, whole, size } = along;
  let [best, most] = [along.middle, Number.NEGATIVE_INFINITY];
  for (const [step, worth] of worths(along, cost).entries())
    if (worth > most + 1e-9) [best, most] = [start + ((whole - size) * step) / FOCUS_STEPS + size / 2, worth];
  return best;
}

/**
 * The value of each stretch from one end to the other. It is that of its subjects and of those in its middle,
 * less the cost of the distance from the picture's middle.
 */
function worths(along: Along, cost: Cost): Float64Array {
  const { extents, start, whole, size, middleWeight } = along;
  return Float64Array.from({ length: FOCUS_STEPS + 1 }, (_, step) => {
    const from = start + ((whole - size) * step) / FOCUS_STEPS;
    const all = heldBy(extents, from, size);
    const inner = heldBy(extents, from + ((1 - MIDDLE_SHARE) / 2) * size, MIDDLE_SHARE * size);
    return all + middleWeight * (inner - all) - cost(along, from + size / 2);
  });
}

/** Weight of the extents that lie inside a stretch. */
function heldBy(extents: readonly WeightedStretch[], from: number, size: number): number {
  let held = 0;
  for (const extent of extents) {
    const overlap = Math.min(from + size, extent.from + extent.size) - Math.max(from, extent.from);
    held += (extent.weight * Math.max(0, overlap)) / Math.max(1e-6, extent.size);
  }
  return held;
}

function sumOf(extents: readonly WeightedStretch[]): number {
  return extents.reduce((sum, { weight }) => sum + weight, 0);
}

/** A window of `size` inside `outer`, as near to `focus` as it can be with `keep` inside where that fits. */
function windowAbout(
  outer: Reframe,
  size: Size,
  focus: { readonly x: number; readonly y: number },
  keep: Box | null,
): Reframe {
  const place = (
    outerStart: number,
    outerSize: number,
    inner: number,
    at: number,
    wanted: readonly [number, number] | null,
  ) => {
    let start = at - inner / 2;
    if (wanted !== null) {
      const [low, high] = [wanted[1] - inner, wanted[0]];
      start = low <= high ? Math.max(low, Math.min(high, start)) : (low + high) / 2;
    }
    return Math.max(outerStart, Math.min(outerStart + outerSize - inner, start));
  };
  const width = Math.min(size.width, outer.width);
  const height = Math.min(size.height, outer.height);
  const wantedX = keep === null ? null : ([keep.x, keep.x + keep.width] as const);
  const wantedY = keep === null ? null : ([keep.y, keep.y + keep.height] as const);
  const x = place(outer.x, outer.width, width, focus.x, wantedX);
  const y = place(outer.y, outer.height, height, focus.y, wantedY);
  return { x: Math.max(0, Math.min(1 - width, x)), y: Math.max(0, Math.min(1 - height, y)), width, height };
}
