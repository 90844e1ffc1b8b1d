/** Whether the output's aspect ratio follows the style, and its framing: decision 0038. */

import type { ClipFacts, Span, VideoFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { coveredSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import { isScreenRecording } from '../look/screen.ts';
import { aspectRatioOf, outputRatio, ratioOf } from '../model/aspect-ratio.ts';
import { isDrawn } from '../model/drawn.ts';
import { isOfMovingPictures } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import type { Followed } from './followed.ts';
import { chooseFraming, type Framing, type View } from './framing.ts';
import { captionsBetween, marksBetween } from './lettering.ts';
import { leastPadding } from './padding.ts';
import { type FrameGrid, type Segment, showsFace, spanOf } from './segments.ts';
import { headOf } from './sightings.ts';
import { looksBetween } from './subject-extents.ts';

/** Largest share of the time in which crops of `auto` may cut subjects or captions. */
export const MAX_AUTO_CUT_SHARE = 0.1;
/**
 * Least shares of the picture's width and height visible under `auto`. 16:9 to 9:16 shows .32 of the width. People are
 * upright: a crop to less than half of the height shows a strip of a face.
 */
const MIN_AUTO_SHOWN = { width: 0.3, height: 0.5 } as const;
/** Under `auto`, a ratio nearer to the source's is the source's own. 16:9 and 37:20 (.04) look alike, but letters at the edge were cut. Not fitted. */
const SAME_RATIO = 0.05;
/**
 * Where black bars are removed at the source's own ratio, least share of a side of the picture between them that stays visible. With .75 and .5
 * letters were cut. Not fitted.
 */
const MIN_INSIDE_BARS = 0.9;
/** A crop that shows less than this share of a side is severe: it needs a known subject. */
const SEVERE_CROP = 0.5;
/**
 * A subject is known if faces are visible for `facesShare` of the time, or if the crop holds `figureHeld` of the figures in
 * `looksShare` of the looks. Of 14 wide clips under upright templates five show faces for .55 to 1 of the time; their crops are right.
 * Of the others a router, a television and people on beds were cut in half.
 */
const KNOWN = { facesShare: 0.5, figureHeld: 0.9, looksShare: 0.75 } as const;
/**
 * Under `auto` a crop of a single video holds `held` of the figures across in all looks but `looksShare`: at 9:16 a talker whose hand pointed aside had .95 to .97 in four of ten
 * looks, talkers who keep still .99 to 1 in all.
 */
const HANDS = { held: 0.97, looksShare: 0.1 } as const;

/**
 * Largest head, from forehead to chin, in shares of a crop's sides under `auto`. At 16:9 the face of a webcam's close-up filled .67 of the
 * height: hair and chin touched the edges. Upright selfies have up to .6 of the width.
 */
const MAX_HEAD = { width: 0.9, height: 0.62 } as const;

/** Share of a figure in a part of its profile from which the part shows it: feet and hair have less than a hundredth. */
const MIN_PART = 0.005;

export interface ShapeRequest {
  readonly source: ClipFacts;
  readonly style: Style;
  readonly config: JobConfig;
  readonly shots: readonly Segment[];
  readonly grid: FrameGrid;
}

/** The framing of all shots for `components.aspect_ratio` of `true` or `auto`. */
export function styledFraming(request: ShapeRequest, warnings: Warning[]): Followed<Framing> {
  const { source, style, config, shots, grid } = request;
  const { video } = source;
  const own = video.width / video.height;
  const ratio = outputRatio(ratioOf(style.aspect_ratio), own);
  const isPublished = ratio !== ratioOf(style.aspect_ratio);
  const shape = isPublished ? aspectRatioOf(ratio, 1) : style.aspect_ratio;
  const framingAt = (wanted: number | null) =>
    chooseFraming(
      source,
      { ratio: wanted, manner: config.framing, focus: config.framing_focus },
      shots,
      grid,
    );
  const isAutomatic = config.components.aspect_ratio === 'auto';
  const isSame = isAutomatic && config.framing === 'auto' && Math.abs(ratio / own - 1) < SAME_RATIO;
  const styled = framingAt(isSame ? own : ratio);
  if (isAutomatic && !isHarmless(request, styled, isSame)) {
    const from = aspectRatioOf(video.width, video.height);
    return {
      value: framingAt(null),
      notFollowed: isSame ? null : { component: 'aspect_ratio', source: from, style: shape },
    };
  }
  if (isPublished && !isSame) {
    warnings.push({
      code: 'RATIO_PUBLISHED',
      message: `The style's aspect ratio of ${style.aspect_ratio} was rounded to ${shape}, which players show without bars.`,
    });
  }
  return { value: styled, notFollowed: null };
}

/**
 * Whether crops to the style's ratio show enough of the picture, contain subjects and captions, are larger than any watermark, and show
 * known subjects where they are severe. An explicit `framing` requests the style's ratio.
 */
function isHarmless(
  { source, style, config, grid }: ShapeRequest,
  framing: Framing,
  isOwnRatio: boolean,
): boolean {
  if (!isOfMovingPictures(style)) return false;
  if (config.framing !== 'auto') return true;
  if (!isOwnRatio && isScreenRecording(source.video)) return false;
  if (drawnShare(source.video, framing.views, grid) > MAX_AUTO_CUT_SHARE) return false;
  const isInside = ({ window, area }: View) =>
    Math.min(window.width / area.width, window.height / area.height) >= MIN_INSIDE_BARS;
  if (framing.views.some((view) => tallShare(source, spanOf(grid, view), view.window) > MAX_AUTO_CUT_SHARE))
    return false;
  if (framing.views.some((view) => gestureShare(source, spanOf(grid, view), view) > HANDS.looksShare))
    return false;
  if (isOwnRatio && !framing.views.every((view) => view.fit === 'extend' || isInside(view))) return false;
  return holdsContent(source, framing, grid);
}

/** Whether the views of a framing are crops that keep what their shots show, or cards on a larger ground. */
export function holdsContent(source: ClipFacts, { views, cutShare }: Framing, grid: FrameGrid): boolean {
  const { marks = [] } = source.video.captions;
  if (cutShare > MAX_AUTO_CUT_SHARE || views.some(({ fit }) => fit === 'pad')) return false;
  return views.every((view) => {
    const { fit, window, area } = view;
    if (fit === 'extend') return true;
    if (tooLargeShare(source, spanOf(grid, view), window) > MAX_AUTO_CUT_SHARE) return false;
    const shown = { width: window.width / area.width, height: window.height / area.height };
    return (
      shown.width >= MIN_AUTO_SHOWN.width &&
      shown.height >= MIN_AUTO_SHOWN.height &&
      // A banner, or a frame about the picture.
      marks.every(({ width, height }) => width <= window.width && height <= window.height) &&
      (!isSevereCrop(window, area) || isSubjectKnown(source, window))
    );
  });
}

export function isSevereCrop(window: Size, area: Size): boolean {
  return Math.min(window.width / area.width, window.height / area.height) < SEVERE_CROP;
}

/**
 * The least padding of a shot that no crop holds: subjects, captions and watermarks are whole, no face is too large, and no more of the picture
 * is cut off than stays empty in the frame, so that a wide picture in an upright frame is a square and no strip. Drawn pictures are whole.
 */
export function shotPadding(source: ClipFacts, view: View, crop: Size, grid: FrameGrid): number {
  const { area } = view;
  const run = spanOf(grid, view);
  if (isDrawn(source.video, run)) return 1;
  const marks = marksBetween(source.video, run.startSeconds, run.endSeconds);
  const shown = (size: Size) => Math.min(size.width / area.width, size.height / area.height);
  const least = Math.sqrt(shown(crop));
  return leastPadding(
    source,
    run,
    { crop, area },
    (window) =>
      shown(window) >= least &&
      marks.every(({ width, height }) => width <= window.width && height <= window.height) &&
      tooLargeShare(source, run, window) <= MAX_AUTO_CUT_SHARE,
  );
}

/**
 * Whether a crop of a shot may lose its sides, and people at them: no face is seen, letters fit, it is no drawing and no photo. Not its top or
 * bottom, where upright pictures have what they show.
 */
export function isFreeToCrop(
  { video, motion }: ClipFacts,
  { window, area, ...view }: View,
  grid: FrameGrid,
): boolean {
  const run = spanOf(grid, view);
  const { startSeconds: start, endSeconds: end } = run;
  if (video.isStill || isDrawn(video, run) || window.height < MIN_AUTO_SHOWN.height * area.height)
    return false;
  const letters = [...marksBetween(video, start, end), ...captionsBetween(video, start, end)];
  return (
    !showsFace(motion, start, end) &&
    letters.every(({ width, height }) => width <= window.width && height <= window.height)
  );
}

/** Share of the time with a drawn picture. Cards do not count: crops contain them whole. */
function drawnShare(video: VideoFacts, views: readonly View[], grid: FrameGrid): number {
  const drawn = views.filter((view) => view.card === null && isDrawn(video, spanOf(grid, view)));
  const framesOf = (some: readonly View[]) =>
    some.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
  return framesOf(drawn) / Math.max(1, framesOf(views));
}

/** Share of the faces of a time that are too large for a crop of this size; 0 without faces. */
function tooLargeShare({ motion }: ClipFacts, { startSeconds, endSeconds }: Span, window: Size): number {
  const faces = motion.subjects
    .filter(({ kind }) => kind === 'face')
    .flatMap(({ boxes }) => boxes)
    .filter(({ timeSeconds }) => timeSeconds >= startSeconds && timeSeconds < endSeconds);
  const tooLarge = faces.filter(({ box }) => {
    const head = headOf(box);
    return head.width > MAX_HEAD.width * window.width || head.height > MAX_HEAD.height * window.height;
  });
  return tooLarge.length / Math.max(1, faces.length);
}

/** Share of the looks in which somebody is whole in the picture and taller than a crop of this size; 0 without figures. */
function tallShare({ video }: ClipFacts, { startSeconds, endSeconds }: Span, { height }: Size): number {
  const looks = looksBetween(video.figures, startSeconds, endSeconds);
  const tall = looks.filter(({ down }) => {
    const isSeen = (share: number) => share >= MIN_PART;
    const [first, last] = [down.findIndex(isSeen), down.findLastIndex(isSeen)];
    // Talkers reach the lower edge.
    return first >= 0 && last < down.length - 1 && (last + 1 - first) / down.length > height;
  });
  return tall.length / Math.max(1, looks.length);
}

/** Share of the looks with figures in which a severe crop leaves out hands; 0 without any. */
function gestureShare(
  { video }: ClipFacts,
  { startSeconds, endSeconds }: Span,
  { window, area, fit }: Pick<View, 'window' | 'area' | 'fit'>,
): number {
  if (fit !== 'crop' || !isSevereCrop(window, area)) return 0;
  const looks = looksBetween(video.figures, startSeconds, endSeconds).filter(({ across }) =>
    across.some((share) => share > 0),
  );
  const cut = looks.filter(({ across }) => mostHeld(across, window.width) < HANDS.held);
  return cut.length / Math.max(1, looks.length);
}

/** Whether faces or figures that a crop of this size can hold define what it shows. */
function isSubjectKnown({ video, motion }: ClipFacts, window: Size): boolean {
  const { figures, durationSeconds } = video;
  const faces = motion.subjects.filter(
    ({ kind, boxes }) => kind === 'face' && boxes.some(({ box }) => headOf(box).width <= window.width),
  );
  if (
    coveredSeconds({ startSeconds: 0, endSeconds: durationSeconds }, faces) >=
    KNOWN.facesShare * durationSeconds
  )
    return true;
  const held = figures.filter(
    ({ across, down }) =>
      mostHeld(across, window.width) >= KNOWN.figureHeld && mostHeld(down, window.height) >= KNOWN.figureHeld,
  );
  return figures.length > 0 && held.length >= KNOWN.looksShare * figures.length;
}

/** Largest share of a profile inside a stretch of this size; 0 for a profile without figures. */
function mostHeld(profile: readonly number[], size: number): number {
  const sums = [0];
  for (const share of profile) sums.push(sums.at(-1)! + share);
  const parts = Math.min(profile.length, Math.round(size * profile.length));
  const held = sums.slice(parts).map((sum, from) => sum - sums[from]);
  return Math.max(...held) / Math.max(Number.MIN_VALUE, sums.at(-1)!);
}
