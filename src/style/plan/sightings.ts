/** Heads, figures and other subjects of a run, which the second camera keeps in view. */

import type { Box, ClipFacts, FigureLook, Span, SubjectTrack, VideoFacts } from '../../analysis/facts.ts';
import type { Reframe } from '../model/timeline.ts';
import { figuresApart, HEAD_TAIL, type Stretch, stretchOf } from './figure-stretch.ts';
import { subjectsBetween } from './segments.ts';
import { FIGURES_WEIGHT, looksBetween, weightOf } from './subject-extents.ts';

/** The head with its hair, as shares of the box around head and shoulders (`analysis/subjects/face.ts`). */
const HEAD = { x: 0.2, y: 0, width: 0.6, height: 0.5 } as const;
/** A head may be outside, or inside; a fraction of it between these is a cut head. */
export const HEAD_EDGE = 0.02;
/**
 * Room above a head or a figure, as a share of the wide framing's height, as far as it has that much: hair and caps reach above a face's box,
 * and a figure's top is known to a part of its profile, 1/24. Without it the edge touched hair in 14 of 29 framings of people.
 */
const HEADROOM = 0.05;
/** A box this near to an edge of the picture is cut by it. */
const PICTURE_EDGE = 0.02;
/** Sums of shares are not exact. */
const ROUNDING = 1e-9;
/** A subject seen this shortly before or after is probably still there without moving: it counts half. */
export const AROUND_SECONDS = 1;
const AROUND_WEIGHT = 0.5;
const MIN_SALIENCE = 0.05;
/** Time between two boxes of a subject. */
const MOMENT_SECONDS = 0.2;
/** Weights of a moment, summed, from which the subjects alone decide the framing: a face has .8 to 1.2, a figure 1. */
const CLEAR_WEIGHT = 0.25;

/** Findings during the run and shortly before and after it, one entry for each. */
export interface Sightings {
  readonly boxes: readonly { readonly box: Box; readonly weight: number }[];
  /** Heads that the wide framing holds whole, with the room above them, moment by moment. */
  readonly headsAt: readonly (readonly Box[])[];
  /** Share of the faces whose head and shoulders reach both sides of the picture: hair and caps may be wider. */
  readonly closeUps: number;
  /** Highest tops of the figures that the wide framing shows, with the room above them, look by look. */
  readonly figureTops: readonly number[];
  /** For each look of the shot, its profile across, and the figures with a gap between them that the wide framing holds; none for a single figure or a group. */
  readonly figures: readonly { readonly across: readonly number[]; readonly apart: readonly Stretch[] }[];
  /** 0..1: how far the subjects alone decide the framing. */
  readonly clearness: number;
}

export function sightings(
  source: ClipFacts,
  run: Span,
  { wide, shot }: { readonly wide: Reframe; readonly shot: Span },
): Sightings {
  const [start, end] = [
    Math.max(shot.startSeconds, run.startSeconds - AROUND_SECONDS),
    Math.min(shot.endSeconds, run.endSeconds + AROUND_SECONDS),
  ];
  const isDuring = (seconds: number) => seconds >= run.startSeconds && seconds < run.endSeconds;
  const within = <Sighting extends { readonly timeSeconds: number }>(list: readonly Sighting[]) =>
    list.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end);
  const subjects = subjectsBetween(source.motion, start, end).filter(
    ({ salience }) => salience >= MIN_SALIENCE,
  );
  const tracked = subjects.flatMap((track) =>
    within(track.boxes).map((one) => ({ ...one, weight: weightOf(track) })),
  );
  const looks = looksBetween(source.video.figures, start, end);
  // A look counts for all moments until the next.
  const lookWeight = (FIGURES_WEIGHT * (end - start)) / MOMENT_SECONDS / Math.max(1, looks.length);
  const seenFigures = looks.flatMap((look) => {
    const box = figureBox(look, wide);
    return box === null ? [] : [{ box, timeSeconds: look.timeSeconds, weight: lookWeight }];
  });
  const boxes = [...tracked, ...seenFigures].map(({ box, timeSeconds, weight }) => ({
    box,
    weight: weight * (isDuring(timeSeconds) ? 1 : AROUND_WEIGHT),
  }));
  const present = subjects.reduce(
    (sum, track) =>
      sum +
      (weightOf(track) * (Math.min(end, track.endSeconds) - Math.max(start, track.startSeconds))) /
        (end - start),
    (FIGURES_WEIGHT * seenFigures.length) / Math.max(1, looks.length),
  );
  const isSeen = seenFigures.some(({ timeSeconds }) => isDuring(timeSeconds));
  const faces = source.video.faces.flatMap((face) => within(face.boxes));
  return {
    boxes,
    headsAt: headsByMoment(faces, wide),
    closeUps: faces.filter(({ box }) => spansPicture(box)).length / Math.max(1, faces.length),
    // The network misses small figures in most samples: one found elsewhere in the shot is still there.
    figureTops: topsOf(
      isSeen ? looks : looksBetween(source.video.figures, shot.startSeconds, shot.endSeconds),
      wide,
    ),
    // Hands that went aside once in the shot go there again.
    figures: looksBetween(source.video.figures, shot.startSeconds, shot.endSeconds).map(({ across }) => ({
      across,
      apart: figuresApart(across).filter((figure) => isHeld(figure, wide)),
    })),
    clearness: boxes.length === 0 ? 0 : Math.min(1, present / CLEAR_WEIGHT),
  };
}

function spansPicture({ x, width }: Box): boolean {
  return x <= PICTURE_EDGE && x + width >= 1 - PICTURE_EDGE;
}

/** Tops of figures, with the room above them; a figure that moves up until the next look has its highest one. */
function topsOf(looks: readonly FigureLook[], wide: Box): number[] {
  return looks.flatMap((look) => {
    const box = figureBox(look, wide);
    if (box === null) return [];
    const rise = Math.min(0, ...(look.way ?? []).map(({ y }) => y));
    return [withHeadroom({ ...box, y: box.y + rise }, wide).y];
  });
}

/** A box with the room above it that `wide` shows. */
function withHeadroom({ x, y, width, height }: Box, wide: Box): Box {
  const top = Math.min(y, Math.max(wide.y, y - HEADROOM * wide.height));
  return { x, y: top, width, height: y + height - top };
}

function isHeld({ from, size }: Stretch, { x, width }: Box): boolean {
  return from >= x - ROUNDING && from + size <= x + width + ROUNDING;
}

function headsByMoment(faces: SubjectTrack['boxes'], wide: Box): Box[][] {
  return headMoments(faces, wide).map(({ heads }) => heads.map((head) => withHeadroom(head, wide)));
}

/** Heads that a framing holds whole, moment by moment. */
export function headMoments(
  faces: SubjectTrack['boxes'],
  wide: Box,
): { readonly seconds: number; readonly heads: Box[] }[] {
  const heads = faces
    .map(({ box, timeSeconds }) => ({ head: headOf(box), moment: Math.round(timeSeconds / MOMENT_SECONDS) }))
    .filter(({ head }) => shareInside(head, wide) > 1 - HEAD_EDGE);
  const groups = Map.groupBy(heads, ({ moment }) => moment);
  return [...groups].map(([moment, group]) => ({
    seconds: moment * MOMENT_SECONDS,
    heads: group.map(({ head }) => head),
  }));
}

/** Whether the edge of a framing goes through one of the heads that it could hold, or it shows none of them; null: it could hold none. */
export function cutsFittingHeads(heads: readonly Box[], framing: Box): boolean | null {
  const fitting = heads.filter(({ width, height }) => width <= framing.width && height <= framing.height);
  if (fitting.length === 0) return null;
  return cutsOrLosesHeads(fitting, framing);
}

/** Whether the edge of a framing goes through one of the heads, or it shows none of them. */
export function cutsOrLosesHeads(heads: readonly Box[], framing: Box): boolean {
  return (
    heads.some((head) => isCut(head, framing)) ||
    heads.every((head) => shareInside(head, framing) <= HEAD_EDGE)
  );
}

/** Whether the edge of a framing goes through a head. */
function isCut(head: Box, framing: Box): boolean {
  const share = shareInside(head, framing);
  return share > HEAD_EDGE && share < 1 - HEAD_EDGE;
}

/** The box of figures inside the wide framing, without the tails; null: none. */
function figureBox(look: FigureLook, wide: Box): Box | null {
  const across = stretchOf(look.across, wide.x, wide.x + wide.width);
  const down = stretchOf(look.down, wide.y, wide.y + wide.height, HEAD_TAIL);
  return across && down && { x: across.from, y: down.from, width: across.size, height: down.size };
}

/** Whether the edge of a framing, at any moment of a run, goes through a head. */
export function cutsHeadInRun({ video }: ClipFacts, run: Span, framingAt: (seconds: number) => Box): boolean {
  return headsDuring(video, run).some(({ head, timeSeconds }) => isCut(head, framingAt(timeSeconds)));
}

/** The heads of all faces in a run, moment by moment. */
export function headsDuring(
  { faces }: Pick<VideoFacts, 'faces'>,
  { startSeconds, endSeconds }: Span,
): { readonly head: Box; readonly timeSeconds: number }[] {
  return faces
    .flatMap(({ boxes }) => boxes)
    .filter(({ timeSeconds }) => timeSeconds >= startSeconds && timeSeconds < endSeconds)
    .map(({ box, timeSeconds }) => ({ head: headOf(box), timeSeconds }));
}

export function headOf({ x, y, width, height }: Box): Box {
  return {
    x: x + HEAD.x * width,
    y: y + HEAD.y * height,
    width: HEAD.width * width,
    height: HEAD.height * height,
  };
}

/** Share of a box that lies inside the other. */
export function shareInside(box: Box, outer: Box): number {
  const across = Math.min(box.x + box.width, outer.x + outer.width) - Math.max(box.x, outer.x);
  const down = Math.min(box.y + box.height, outer.y + outer.height) - Math.max(box.y, outer.y);
  return (Math.max(0, across) * Math.max(0, down)) / Math.max(1e-9, box.width * box.height);
}
