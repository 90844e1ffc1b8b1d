import type { ClipFacts, Direction, TransitionType, VideoFacts } from '../../analysis/facts.ts';
import { sameViewsOf } from '../../analysis/material/views.ts';
import { oncePer } from '../../domain/once-per.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { between } from '../../signal/interpolation.ts';
import { seededRandom, shuffled } from '../../signal/seeded-random.ts';
import { isScreenRecording } from '../look/screen.ts';
import type { Style } from '../model/schema.ts';
import type { TimelineTransition } from '../model/timeline.ts';
import { type FrameGrid, frameAt, type Piece, secondsAt } from './segments.ts';

type GradualType = TimelineTransition['type'];

/** If neither the style nor the template has a duration. */
const COMMON_DURATION_SECONDS = 0.5;
export const MIN_TRANSITION_SECONDS = 0.12;
const MAX_DURATION_SECONDS = 2;
/** 21 slides of real edits last .27 to .33 s; a page that is scrolled took 2 s. */
const MAX_SLIDE_SECONDS = 1;
/** Views are about a second apart; of two that are further apart one may be of another shot. */
const MAX_SECONDS_BETWEEN_VIEWS = 3;
/** Largest part of the shorter neighbour for a transition, so that some of each clip stays unchanged. */
export const MAX_OF_NEIGHBOUR = 0.8;
/**
 * The same at strengths up to .8, where a place with less room than these seconds, or this share of the template's length, stays hard: over six cuts between shots of
 * .5 s, zooms of .4 s were double faces, and dips of .6 and .9 s in place of 1.8 s left the picture dark.
 */
const CALM = { ofNeighbour: 0.4, leastSeconds: 0.4, leastOfLength: 2 / 3 } as const;

/** A single wipe, flash or dip among more cuts than these reads as an error: two of 15 videos were refused for one. A dissolve does not. Not fitted. */
const LONE_AMONG = 3;

/**
 * Gradual transitions in place of the source's own hard cuts and of trimmed gaps, in the style's mix of types. A cut that keeps part of the
 * picture stays hard: a layout would slide over itself. So does a jump cut: a talker who goes dark in mid-sentence looks like an error. The source's
 * own gradual transitions are unchanged and count towards the mix. A screen recording gets none below strength 1: its cuts are pages that change.
 */
export function planTransitions(
  source: ClipFacts,
  template: ClipFacts | null,
  pieces: readonly Piece[],
  grid: FrameGrid,
  style: Style,
  options: { readonly reach: number; readonly seed: number; readonly caution: number },
): TimelineTransition[] {
  if (options.caution > 0 && isScreenRecording(source.video)) return [];
  const random = seededRandom(options.seed ^ 0x7472);
  const places = pieces
    .map((piece, clipIndex) => ({ piece, clipIndex }))
    .filter(
      ({ piece }) =>
        piece.reason === 'trim' ||
        (piece.reason === 'source_cut' &&
          !keepsPart(source.video, grid, piece) &&
          !isJumpCut(source.video, secondsAt(grid, piece.startFrame))),
    )
    .map(({ clipIndex }) => ({
      clipIndex,
      roomFrames: longestDurationAt(pieces, clipIndex, options.caution),
    }));
  const boundaries = pieces.filter(({ reason }) => reason !== 'start' && reason !== 'source_transition');
  const wanted = wantedTypes(source.video, boundaries.length, style, options.reach, places.length);
  const planned: TimelineTransition[] = [];
  const lengths = new Map(wanted.map((type) => [type, durationSeconds(type, style, template)]));
  const secondsIn = (roomFrames: number, type: GradualType) =>
    secondsInRoom(roomFrames, lengths.get(type)!, grid, options.caution);
  for (const { clipIndex, roomFrames } of shuffled(places, random)) {
    // A long type must not keep shorter ones out of short shots.
    const next = wanted.findIndex((type) => secondsIn(roomFrames, type) !== null);
    if (next === -1) continue;
    const [type] = wanted.splice(next, 1);
    const seconds = secondsIn(roomFrames, type)!;
    const direction = directionOf(type, template);
    planned.push({
      clipIndex,
      type,
      durationSeconds: seconds,
      easing: style.primary_transition?.type === type ? style.primary_transition.easing : 'linear',
      ...(direction === null ? {} : { direction }),
      ...(type === 'fade_color' ? { color: style.transition_color! } : {}),
    });
  }
  const isLone = planned.length === 1 && planned[0]!.type !== 'dissolve' && boundaries.length > LONE_AMONG;
  if (isLone && options.caution > 0) return [];
  return planned.sort((one, other) => one.clipIndex - other.clipIndex);
}

/** Whether part of the picture stays at the cut before a piece. */
function keepsPart({ transitions }: VideoFacts, grid: FrameGrid, { startFrame }: Piece): boolean {
  return transitions.some((one) => one.keepsPart === true && frameAt(grid, one.endSeconds) === startFrame);
}

/** Of the same measurements, for all cuts and when a plan is made again. */
const sameViewsOnce = oncePer(sameViewsOf);

/** Whether a cut has the same view before and after it, by the nearest view of both shots. */
function isJumpCut({ picture }: VideoFacts, cutSeconds: number): boolean {
  const times = picture.viewTimesSeconds;
  const after = times.findIndex((seconds) => seconds >= cutSeconds);
  if (after < 1 || times[after] - times[after - 1] > MAX_SECONDS_BETWEEN_VIEWS) return false;
  return sameViewsOnce(picture)(after - 1, after);
}

/**
 * Types to place: the mix's share of all changes, minus the source's own. The primary type is first, then the others by
 * their shares, so that a few places also show the mix.
 */
function wantedTypes(
  video: VideoFacts,
  boundaries: number,
  style: Style,
  reach: number,
  places: number,
): GradualType[] {
  const own = video.transitions.filter(({ type, edge }) => type !== 'cut' && edge === undefined);
  const primary = style.primary_transition?.type;
  // An authored style may have a type without a mix: then every cut gets it.
  const mix: Partial<Record<TransitionType, number>> =
    style.transition_mix ?? (primary === undefined ? {} : { [primary]: 1 });
  const types = (Object.keys(mix) as TransitionType[])
    .filter((type): type is GradualType => type !== 'cut')
    .sort((one, other) => Number(other === primary) - Number(one === primary) || mix[other]! - mix[one]!);
  const all = boundaries + own.length;
  const slots = types.flatMap((type) => {
    const count = Math.round(mix[type]! * all * reach) - own.filter((one) => one.type === type).length;
    return Array.from({ length: Math.max(0, count) }, (_, index) => ({ type, at: (index + 0.5) / count }));
  });
  const wanted = slots.sort((one, other) => one.at - other.at).map(({ type }) => type);
  if (wanted.length === 0 && own.length === 0 && places > 0 && reach >= 0.5 && types[0] === primary) {
    return types.slice(0, 1);
  }
  return wanted;
}

/** Longest transition before this clip, in frames: it uses half of its length on either side. */
function longestDurationAt(pieces: readonly Piece[], clipIndex: number, caution: number): number {
  const [before, after] = [pieces[clipIndex - 1], pieces[clipIndex]];
  const shorter = Math.min(before.endFrame - before.startFrame, after.endFrame - after.startFrame);
  return Math.floor(shorter * between(MAX_OF_NEIGHBOUR, CALM.ofNeighbour, caution));
}

/** Duration of a transition in a place with this room; null: it would be too short. */
function secondsInRoom(roomFrames: number, found: number, grid: FrameGrid, caution: number): number | null {
  const frames = Math.min(Math.round(found * framesPerSecond(grid.rate)), roomFrames);
  const seconds = secondsAt(grid, frames);
  if (frames < 4 || seconds < MIN_TRANSITION_SECONDS) return null;
  const least = caution * Math.max(CALM.leastSeconds, CALM.leastOfLength * found);
  return secondsAt(grid, roomFrames) < least ? null : seconds;
}

function durationSeconds(type: GradualType, style: Style, template: ClipFacts | null): number {
  const { primary_transition: primary } = style;
  const seen = (template?.video.transitions ?? [])
    .filter((transition) => transition.type === type && transition.edge === undefined)
    .map((transition) => transition.endSeconds - transition.startSeconds)
    .sort((one, other) => one - other);
  const found =
    primary?.type === type && primary.duration_ms > 0
      ? primary.duration_ms / 1000
      : (seen[Math.floor(seen.length / 2)] ?? COMMON_DURATION_SECONDS);
  const most = type === 'slide' ? MAX_SLIDE_SECONDS : MAX_DURATION_SECONDS;
  return Math.max(MIN_TRANSITION_SECONDS, Math.min(most, found));
}

/** Only wipes and slides have a direction. */
function directionOf(type: GradualType, template: ClipFacts | null): Direction | null {
  if (type !== 'wipe' && type !== 'slide') return null;
  const seen = (template?.video.transitions ?? []).find(
    (transition) => transition.type === type && transition.direction !== undefined,
  );
  return seen?.direction ?? 'left';
}
