/** Frame rate and shape of an edit whose takes differ in both. */
import type { ClipFacts } from '../../analysis/facts.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import { type FrameRate, framesPerSecond, snapFrameRate } from '../../domain/time.ts';
import type { Point } from '../edit/edit-plan.ts';
import { aspectRatioOf, outputRatio, ratioOf } from '../model/aspect-ratio.ts';
import { hasPicture, isOfMovingPictures } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import type { NotFollowed } from '../model/timeline.ts';
import { clipsOf } from './clips.ts';
import { cutHeadShare } from './cut-heads.ts';
import { chooseFraming, type Framing, type Manner } from './framing.ts';
import type { FrameGrid, Segment } from './segments.ts';
import { MIN_AUTO_FRAME_RATE, styledRate } from './styled-rate.ts';
import {
  holdsContent,
  isFreeToCrop,
  MAX_AUTO_CUT_SHARE,
  shotPadding,
  styledFraming,
} from './styled-shape.ts';

/** Rate of an edit of photos only, with the style of an image or a sound file. */
const PHOTOS_RATE: FrameRate = { numerator: 30, denominator: 1 };
/** Below it slow moves of photos judder (cinema's rate). */
const MIN_PHOTOS_RATE = 24;
/** Relative difference below which shapes are equal; sizes are rounded to whole pixels. */
const SAME_RATIO = 0.01;
/** Higher rates are meant for slow motion; screens do not show them. */
const MAX_RATE = 60;
/** Least share of the time in which `auto` must be able to follow the template's shape without harm. */
const MIN_FOLLOWED_SHARE = 0.5;

/**
 * The rate of most of the takes' time, or the style's if it is followed (`styledRate`). Takes that judder
 * count only if all do: a long recording at 10 frames a second must not take two thirds of the frames from
 * all others.
 */
export function editRate(
  takes: readonly ClipFacts[],
  style: Style,
  config: JobConfig,
  warnings: Warning[],
): FrameRate {
  const videos = takes.filter(({ video }) => !video.isStill);
  const first = videos[0];
  if (first === undefined)
    return !isOfMovingPictures(style)
      ? PHOTOS_RATE
      : snapFrameRate(Math.min(MAX_RATE, Math.max(MIN_PHOTOS_RATE, style.frame_rate)));
  const secondsAt = new Map<number, { rate: FrameRate; seconds: number }>();
  for (const { video } of videos) {
    const key = Math.round(framesPerSecond(video.frameRate));
    const sum = secondsAt.get(key) ?? { rate: video.frameRate, seconds: 0 };
    secondsAt.set(key, { ...sum, seconds: sum.seconds + video.durationSeconds });
  }
  const rates = [...secondsAt.entries()];
  const smooth = rates.filter(([, { rate }]) => framesPerSecond(rate) >= MIN_AUTO_FRAME_RATE);
  const common = (smooth.length > 0 ? smooth : rates).sort(
    ([oneKey, one], [otherKey, other]) => other.seconds - one.seconds || oneKey - otherKey,
  )[0][1].rate;
  const own = framesPerSecond(common) > MAX_RATE ? { numerator: MAX_RATE, denominator: 1 } : common;
  if (config.components.frame_rate === false) return own;
  const typical = { ...first, video: { ...first.video, frameRate: own } };
  return styledRate(typical, style, config.components.frame_rate, warnings).value;
}

/** A take with its visible parts. */
export interface ShownTake {
  readonly facts: ClipFacts;
  readonly grid: FrameGrid;
  /** In the take's frames, ascending. */
  readonly segments: readonly Segment[];
  /** Point that all segments keep in view; null: chosen for each. */
  readonly focus: Point | null;
}

export interface EditShape {
  /** In this shape. */
  readonly framingOf: (take: ShownTake) => Framing;
  readonly notFollowed: NotFollowed | null;
}

/**
 * One shape for all takes. The style's if `aspect_ratio` is `true`, or if it is `auto` and crops to it are
 * harmless for most of the time, or less time is padded in it than in the shape of most of the visible time. Otherwise the latter.
 */
export function editShape(takes: readonly ShownTake[], style: Style, config: JobConfig): EditShape {
  const shownSeconds = takes.map(({ segments, grid }) => shownFrames(segments) / framesPerSecond(grid.rate));
  const total = shownSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const choice = config.components.aspect_ratio;
  const common = commonRatio(takes, shownSeconds);
  const wanted = outputRatio(ratioOf(style.aspect_ratio), common);
  const framedTo = (ratio: number) => (take: ShownTake) => slotFraming(take, ratio, config);
  if (choice === false || !hasPicture(style)) return { framingOf: framedTo(common), notFollowed: null };
  if (choice === 'auto') {
    const followed = takes.reduce((sum, { facts: source, segments: shots, grid }, index) => {
      const request = { source, style, config: { ...config, framing_focus: null }, shots, grid };
      return styledFraming(request, []).notFollowed === null ? sum + shownSeconds[index] : sum;
    }, 0);
    const isFollowed =
      isOfMovingPictures(style) &&
      (followed >= MIN_FOLLOWED_SHARE * total ||
        paddedSeconds(takes, framedTo(wanted)) < paddedSeconds(takes, framedTo(common)));
    if (!isFollowed) {
      const from = aspectRatioOf(Math.round(common * 1000), 1000);
      const isSame = Math.abs(common / wanted - 1) < SAME_RATIO;
      return {
        framingOf: framedTo(common),
        notFollowed: isSame ? null : { component: 'aspect_ratio', source: from, style: style.aspect_ratio },
      };
    }
  }
  return { framingOf: framedTo(wanted), notFollowed: null };
}

/**
 * Each slot fills the picture where a crop holds what its take shows there, or where no face is seen: blurred borders in a reel were refused more
 * often than shots that lose their sides. Else it is padded with its own blurred picture as far as needed. A
 * person who chose the shape wants filled pictures, and can move the part that is shown.
 */
function slotFraming(
  { facts, segments, grid, focus }: ShownTake,
  ratio: number,
  { framing, components }: JobConfig,
): Framing {
  const framed = (manner: Manner, shots: readonly Segment[], padding = 1) =>
    chooseFraming(facts, { ratio, manner, focus, padding }, shots, grid);
  if (framing !== 'auto') return framed(framing, segments);
  if (components.aspect_ratio === true) return framed('crop', segments);
  const crops = framed('crop', segments);
  const isHeld = (segment: Segment, at: number) =>
    focus !== null ||
    isFreeToCrop(facts, crops.views[at]!, grid) ||
    (holdsContent(facts, framed('auto', [segment]), grid) &&
      keepsHeads(facts, framed('crop', [segment]), grid));
  const held = segments.map(isHeld);
  if (held.every(Boolean)) return crops;
  const padded = segments.flatMap((segment, at) => {
    if (held[at] === true) return [];
    const crop = crops.views[at]!;
    return [framed('pad', [segment], shotPadding(facts, crop, crop.window, grid))];
  });
  let next = 0;
  const views = crops.views.map((view, at) => (held[at] === true ? view : padded[next++]!.views[0]!));
  const [largest] = padded.toSorted((one, other) => other.shown.width - one.shown.width);
  // The size of a take follows from what fills the picture, if anything does.
  const { shown } = held.some(Boolean) ? crops : largest!;
  return { ...crops, shown, views };
}

/** Whether the crop of a shot, on its path, keeps heads whole: a size that can hold each moment may be too slow for all of them. */
function keepsHeads(facts: ClipFacts, crop: Framing, grid: FrameGrid): boolean {
  const pieces = crop.views.map((view) => ({ ...view, reason: 'slot' as const, isCloser: false }));
  const movement = { growth: pieces.map(() => 1), output: crop.shown, wantedShake: null, reach: 1 };
  const clips = clipsOf(facts, crop, grid, pieces, movement);
  return clips.every((clip) => cutHeadShare(facts, clip) <= MAX_AUTO_CUT_SHARE);
}

/** Time with blurred borders. */
function paddedSeconds(takes: readonly ShownTake[], framingOf: EditShape['framingOf']): number {
  return takes.reduce((sum, take) => {
    const padded = framingOf(take).views.filter(({ fit }) => fit === 'pad');
    return sum + shownFrames(padded) / framesPerSecond(take.grid.rate);
  }, 0);
}

function shownFrames(segments: readonly Segment[]): number {
  return segments.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
}

/** Ratio of width to height of most of the visible time. */
function commonRatio(takes: readonly ShownTake[], shownSeconds: readonly number[]): number {
  const seconds = new Map<string, { ratio: number; seconds: number }>();
  for (const [index, { facts }] of takes.entries()) {
    const { width, height } = facts.video;
    const ratio = width / height;
    const key = aspectRatioOf(width, height);
    const sum = seconds.get(key) ?? { ratio, seconds: 0 };
    seconds.set(key, { ...sum, seconds: sum.seconds + shownSeconds[index] });
  }
  return [...seconds.values()].sort((one, other) => other.seconds - one.seconds)[0].ratio;
}
