import {
  type Box,
  type ClipFacts,
  type Span,
  type SubjectTrack,
  WHOLE_PICTURE,
} from '../../analysis/facts.ts';
import type { Size } from '../../footage.ts';
import type { JobConfig } from '../../job-config.ts';
import { clamp } from '../../signal/interpolation.ts';
import type { Reframe } from '../model/timeline.ts';
import { hullOf, shownArea, withRoom } from './area.ts';
import { linesOf } from './output-size.ts';
import { between, fittingShare } from './padding.ts';
import { captionsBetween, type FrameGrid, type Segment, secondsAt, subjectsBetween } from './segments.ts';

/** Without a subject the eye expects a little less room below than above. */
const RESTING_FOCUS = { x: 0.5, y: 0.46 } as const;
/** Even a faint subject says better than the middle where to look; each counts by its salience. */
const MIN_SALIENCE = 0.05;
const FOCUS_STEPS = 64;
/** About the interval of a subject's boxes. */
const MOMENT_SECONDS = 0.25;
/** Room wanted on either side of a subject, as a share of the framing: at its very edge it looks cut. */
const SUBJECT_ROOM = 0.08;

/** Above this share of the time that no crop can hold, a video is padded, and below it cropped: mixed, it looks like an accident. */
const MAX_UNHELD_SHARE = 1 / 3;

export type Manner = JobConfig['framing'];

/** How the source's picture becomes the output's. */
export interface Framing {
  /** The frame that holds what is shown for most of the time without scaling. */
  readonly shown: Size;
  /** Of each of the source's shots, in order. */
  readonly views: readonly View[];
}

export interface View extends Segment {
  /** The part of the source that may be shown. */
  readonly area: Box;
  /** The same for all. */
  readonly fit: 'crop' | 'pad';
  /** The share of the source's width and height that is shown unmagnified. */
  readonly window: Size;
}

/**
 * The part of the source that fills the output, shot by shot, in one manner for the whole video. `ratio` is width over height of
 * the output, null to keep the source's picture as it is. A new ratio leaves black bars of the source outside, each shot's own.
 */
export function chooseFraming(
  source: ClipFacts,
  wanted: { readonly ratio: number | null; readonly manner: Manner },
  shots: readonly Segment[],
  grid: FrameGrid,
): Framing {
  const { width, height } = source.video;
  const { ratio } = wanted;
  const areas = shots.map(({ startFrame, endFrame }) =>
    shownArea(source.video, secondsAt(grid, startFrame), secondsAt(grid, endFrame)),
  );
  if (ratio === null || areas.every((area) => fillsFrame(area, ratio, source.video))) {
    const whole = { area: WHOLE_PICTURE, fit: 'crop', window: { width: 1, height: 1 } } as const;
    return { shown: { width, height }, views: shots.map((shot) => ({ ...shot, ...whole })) };
  }
  const asked = shots.map((shot, index) => {
    const run = {
      startSeconds: secondsAt(grid, shot.startFrame),
      endSeconds: secondsAt(grid, shot.endFrame),
    };
    const area = areas[index]!;
    const crop = cropOf(area, ratio, source.video);
    const needed = wanted.manner === 'auto' ? fittingShare(source, run, crop, area) : 0;
    return { ...shot, area, crop, needed };
  });
  const manner = wanted.manner === 'auto' ? mannerOf(asked) : wanted.manner;
  // A band that changes its height from shot to shot would be mixed as well: the largest that any shot needs is for all.
  const share = wanted.manner === 'pad' ? 1 : Math.max(...asked.map(({ needed }) => needed));
  const views = asked.map(({ startFrame, endFrame, area, crop }): View => {
    const window = manner === 'crop' ? crop : between(crop, area, share);
    return { startFrame, endFrame, area, fit: manner, window };
  });
  return { shown: shownFrame(views, ratio, source.video), views };
}

function mannerOf(shots: readonly (Segment & { readonly needed: number })[]): 'crop' | 'pad' {
  let [unheld, all] = [0, 0];
  for (const { startFrame, endFrame, needed } of shots) {
    all += endFrame - startFrame;
    if (needed > 0) unheld += endFrame - startFrame;
  }
  return unheld > MAX_UNHELD_SHARE * all ? 'pad' : 'crop';
}

/** The frame around each view that scales nothing, and of these the one in the middle of the time. */
function shownFrame(views: readonly View[], ratio: number, picture: Size): Size {
  const frames = views.map(({ area, fit, window, startFrame, endFrame }) => {
    const shown = { width: window.width * picture.width, height: window.height * picture.height };
    const frame = fit === 'crop' ? shown : paddedFrame(shown, area, ratio, picture);
    return { frame, weight: endFrame - startFrame };
  });
  frames.sort((one, other) => linesOf(one.frame) - linesOf(other.frame));
  const half = frames.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { frame, weight } of frames) {
    passed += weight;
    if (passed >= half) return frame;
  }
  return { width: picture.height * ratio, height: picture.height };
}

/** Never more lines than the source has: with all of a wide picture in it an upright frame would be larger than any screen. */
function paddedFrame(shown: Size, area: Box, ratio: number, picture: Size): Size {
  const width = Math.max(shown.width, shown.height * ratio);
  const most = Math.min(area.width * picture.width, area.height * picture.height);
  const scale = Math.min(1, most / Math.min(width, width / ratio));
  return { width: width * scale, height: (width / ratio) * scale };
}

/** Within a pixel row or a hundredth of the source's own ratio nothing needs to be cut off a picture without bars. */
function fillsFrame(area: Box, ratio: number, { width, height }: Size): boolean {
  return area.width === 1 && area.height === 1 && Math.abs((ratio * height) / width - 1) < 0.01;
}

/** The largest part of an area that has a ratio, in shares of the picture. */
function cropOf(area: Box, ratio: number, picture: Size): Size {
  if (fillsFrame(area, ratio, picture)) return { width: 1, height: 1 };
  const { width, height } = picture;
  const own = (area.width * width) / (area.height * height);
  return ratio < own
    ? { width: (area.width * ratio) / own, height: area.height }
    : { width: area.width, height: (area.height * own) / ratio };
}

/** That of the shot in which a run of frames begins. */
export function viewOf({ views }: Framing, { startFrame }: Segment): View {
  return views.find(({ endFrame }) => startFrame < endFrame) ?? views.at(-1)!;
}

/** Where the base framing of a run of frames looks: at its subjects, with the captions inside. */
export function baseReframe(source: ClipFacts, framing: Framing, grid: FrameGrid, run: Segment): Reframe {
  const { area, window } = viewOf(framing, run);
  return bestWindow(source, grid, run, area, window, 'subject');
}

/**
 * The part of `base` that a magnification shows: its middle, moved no further than the subjects and captions need,
 * so that the alternate framing reads as a closer look and not as a jump aside.
 */
export function magnified(
  source: ClipFacts,
  grid: FrameGrid,
  run: Segment,
  base: Reframe,
  zoom: number,
): Reframe {
  if (zoom <= 1) return base;
  const size = { width: base.width / zoom, height: base.height / zoom };
  return bestWindow(source, grid, run, base, size, 'middle');
}

function bestWindow(
  source: ClipFacts,
  grid: FrameGrid,
  run: Segment,
  outer: Reframe,
  size: Size,
  about: 'subject' | 'middle',
): Reframe {
  const [start, end] = [secondsAt(grid, run.startFrame), secondsAt(grid, run.endFrame)];
  const subjects = subjectsBetween(source.motion, start, end).filter(
    ({ salience }) => salience >= MIN_SALIENCE,
  );
  const boxes = weighedBoxes(subjects, start, end);
  const across = boxes.map(({ box, weight }) => ({ from: box.x, size: box.width, weight }));
  // Of what is taller than the framing its top is held: people have their heads there.
  const tallest = size.height * (1 - 2 * SUBJECT_ROOM);
  const down = boxes.map(({ box, weight }) => ({
    from: box.y,
    size: Math.min(box.height, tallest),
    weight,
  }));
  const resting = {
    x: outer.x + outer.width * RESTING_FOCUS.x,
    y: outer.y + outer.height * RESTING_FOCUS.y,
  };
  const preferred = about === 'middle' ? resting : null;
  const weight = idleShare(subjects, start, end) * boxes.reduce((sum, one) => sum + one.weight, 0);
  across.push({ from: resting.x - size.width / 2, size: size.width, weight });
  down.push({ from: resting.y - size.height / 2, size: size.height, weight });
  const focus = {
    x: focusAlong(across, outer.x, outer.width, size.width, preferred?.x ?? null) ?? resting.x,
    y: focusAlong(down, outer.y, outer.height, size.height, preferred?.y ?? null) ?? resting.y,
  };
  return windowAbout(outer, size, focus, captionBox(source, start, end));
}

/**
 * The subjects' boxes between two times. They share their moment by salience, and a moment counts by the root of all of it: an
 * empty frame is worse while somebody faint is there than a strong subject's edge is cut.
 */
function weighedBoxes(
  subjects: readonly SubjectTrack[],
  start: number,
  end: number,
): { readonly box: Box; readonly weight: number }[] {
  const boxes = subjects.flatMap(({ boxes, salience }) =>
    boxes
      .filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end)
      .map(({ box, timeSeconds }) => ({ box, salience, moment: Math.floor(timeSeconds / MOMENT_SECONDS) })),
  );
  const totals = new Map<number, number>();
  for (const { moment, salience } of boxes) totals.set(moment, (totals.get(moment) ?? 0) + salience);
  return boxes.map(({ box, salience, moment }) => ({
    box,
    weight: salience / Math.sqrt(totals.get(moment)!),
  }));
}

/** What the resting place counts against all subjects: as the time without any against the time with. */
function idleShare(subjects: readonly Span[], start: number, end: number): number {
  let [idle, reached] = [0, start];
  for (const { startSeconds, endSeconds } of subjects.toSorted(
    (one, other) => one.startSeconds - other.startSeconds,
  )) {
    idle += Math.max(0, startSeconds - reached);
    reached = Math.max(reached, endSeconds);
  }
  idle += Math.max(0, end - reached);
  return idle / Math.max(1e-6, end - start - idle);
}

/**
 * The middle of the stretch of length `size` that holds most of the extents, each counted by the share of it
 * inside; among equals the one nearest to `preferred`, or else to their common middle. Null without extents.
 */
function focusAlong(
  extents: readonly { readonly from: number; readonly size: number; readonly weight: number }[],
  outerStart: number,
  outerSize: number,
  size: number,
  preferred: number | null,
): number | null {
  const total = extents.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return null;
  const middle =
    preferred ?? extents.reduce((sum, one) => sum + one.weight * (one.from + one.size / 2), 0) / total;
  let [best, most] = [middle, Number.NEGATIVE_INFINITY];
  for (let step = 0; step <= FOCUS_STEPS; step++) {
    const start = outerStart + ((outerSize - size) * step) / FOCUS_STEPS;
    let held = 0;
    for (const { from, size: length, weight } of extents) {
      // What is nearly as large as the framing itself needs no room.
      const room = Math.max(0, Math.min(SUBJECT_ROOM * size, (size - length) / 2));
      const low = Math.max(outerStart, from - room);
      const high = Math.min(outerStart + outerSize, from + length + room);
      const overlap = Math.min(start + size, high) - Math.max(start, low);
      held += weight * clamp(overlap / Math.max(high - low, 1e-6), 0, 1);
    }
    const score = held / total - 0.05 * Math.abs(start + size / 2 - middle);
    if (score > most) [best, most] = [start + size / 2, score];
  }
  return best;
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
    kept: readonly [number, number] | null,
  ) => {
    let start = at - inner / 2;
    if (kept !== null) {
      const [low, high] = [kept[1] - inner, kept[0]];
      start = low <= high ? Math.max(low, Math.min(high, start)) : (low + high) / 2;
    }
    return Math.max(outerStart, Math.min(outerStart + outerSize - inner, start));
  };
  const width = Math.min(size.width, outer.width);
  const height = Math.min(size.height, outer.height);
  const keptX = keep === null ? null : ([keep.x, keep.x + keep.width] as const);
  const keptY = keep === null ? null : ([keep.y, keep.y + keep.height] as const);
  const x = place(outer.x, outer.width, width, focus.x, keptX);
  const y = place(outer.y, outer.height, height, focus.y, keptY);
  return { x: Math.max(0, Math.min(1 - width, x)), y: Math.max(0, Math.min(1 - height, y)), width, height };
}

/** The smallest box around the source's burnt-in captions between two times, and some room. */
function captionBox(source: ClipFacts, start: number, end: number): Box | null {
  const boxes = captionsBetween(source.video, start, end);
  return boxes.length === 0 ? null : withRoom(hullOf(boxes));
}
