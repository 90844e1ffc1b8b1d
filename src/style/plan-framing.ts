import type { Box, ClipFacts } from '../analysis/facts.ts';
import { type FrameGrid, type Segment, secondsAt, subjectsBetween } from './plan-segments.ts';
import type { Reframe } from './timeline.ts';

/** Without a subject the eye expects a little less room below than above. */
const RESTING_FOCUS = { x: 0.5, y: 0.46 } as const;
const LEAST_SALIENCE = 0.2;
const FOCUS_STEPS = 64;
/** A subject as wide as this share of the crop's own size still counts as inside. */
const SUBJECT_SLACK = 1.1;
/** Salience from which a subject that does not fit is worth a padded picture. */
const PAD_SALIENCE = 0.5;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How the source's picture becomes the output's. */
export interface Framing {
  readonly output: Size;
  readonly fit: 'crop' | 'pad';
  /** The share of the source's width and height that is shown unmagnified. */
  readonly window: Size;
}

/**
 * The output's size and the part of the source that fills it. `ratio` is width over height of the output, `maxLines`
 * the most that its shorter side may have. Nothing is scaled up.
 */
export function chooseFraming(
  source: ClipFacts,
  segments: readonly Segment[],
  grid: FrameGrid,
  wanted: { readonly ratio: number; readonly maxLines: number | null },
): Framing {
  const { width, height } = source.picture;
  const own = width / height;
  // Within a pixel row or a hundredth of the source's own ratio nothing needs to be cut off.
  if (Math.abs(wanted.ratio / own - 1) < 0.01) {
    return { output: evenSize(width, height, wanted.maxLines), fit: 'crop', window: { width: 1, height: 1 } };
  }
  const window =
    wanted.ratio < own ? { width: wanted.ratio / own, height: 1 } : { width: 1, height: own / wanted.ratio };
  if (fits(source, segments, grid, window)) {
    const output = evenSize(width * window.width, height * window.height, wanted.maxLines);
    return { output, fit: 'crop', window };
  }
  const lines = Math.min(width, height);
  const padded =
    wanted.ratio >= 1
      ? { width: lines * wanted.ratio, height: lines }
      : { width: lines, height: lines / wanted.ratio };
  return {
    output: evenSize(padded.width, padded.height, wanted.maxLines),
    fit: 'pad',
    window: { width: 1, height: 1 },
  };
}

/** Where the base framing of a run of frames looks: at its subjects, with the captions inside. */
export function baseReframe(source: ClipFacts, framing: Framing, grid: FrameGrid, run: Segment): Reframe {
  return bestWindow(source, grid, run, { x: 0, y: 0, width: 1, height: 1 }, framing.window);
}

/** The part of `base` that a magnification shows: about the subjects, captions kept inside. */
export function magnified(
  source: ClipFacts,
  grid: FrameGrid,
  run: Segment,
  base: Reframe,
  zoom: number,
): Reframe {
  if (zoom <= 1) return base;
  const size = { width: base.width / zoom, height: base.height / zoom };
  return bestWindow(source, grid, run, base, size);
}

function bestWindow(source: ClipFacts, grid: FrameGrid, run: Segment, outer: Reframe, size: Size): Reframe {
  const [start, end] = [secondsAt(grid, run.startFrame), secondsAt(grid, run.endFrame)];
  const boxes = subjectsBetween(source.motion, start, end)
    .filter(({ salience }) => salience >= LEAST_SALIENCE)
    .flatMap(({ boxes, salience }) =>
      boxes
        .filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end)
        .map(({ box }) => ({ box, salience })),
    );
  const across = boxes.map(({ box, salience }) => ({ from: box.x, size: box.width, weight: salience }));
  const down = boxes.map(({ box, salience }) => ({ from: box.y, size: box.height, weight: salience }));
  const focus = {
    x: focusAlong(across, outer.x, outer.width, size.width) ?? outer.x + outer.width * RESTING_FOCUS.x,
    y: focusAlong(down, outer.y, outer.height, size.height) ?? outer.y + outer.height * RESTING_FOCUS.y,
  };
  return windowAbout(outer, size, focus, captionBox(source, start, end));
}

/**
 * The middle of the stretch of length `size` that holds most of the extents, each counted by the share of it
 * inside; among equals the one nearest to their common middle. Null without extents.
 */
function focusAlong(
  extents: readonly { readonly from: number; readonly size: number; readonly weight: number }[],
  outerStart: number,
  outerSize: number,
  size: number,
): number | null {
  const total = extents.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return null;
  const middle = extents.reduce((sum, one) => sum + one.weight * (one.from + one.size / 2), 0) / total;
  let [best, most] = [middle, Number.NEGATIVE_INFINITY];
  for (let step = 0; step <= FOCUS_STEPS; step++) {
    const start = outerStart + ((outerSize - size) * step) / FOCUS_STEPS;
    let held = 0;
    for (const { from, size: length, weight } of extents) {
      const overlap = Math.min(start + size, from + length) - Math.max(start, from);
      held += weight * Math.max(0, Math.min(1, overlap / Math.max(length, 1e-6)));
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

/** False when the captions or an outstanding subject of most of the clip would be cut by the window. */
function fits(source: ClipFacts, segments: readonly Segment[], grid: FrameGrid, window: Size): boolean {
  for (const { box } of source.picture.captions.spans) {
    if (box.width > window.width || box.height > window.height) return false;
  }
  let [cut, all] = [0, 0];
  for (const segment of segments) {
    const [start, end] = [secondsAt(grid, segment.startFrame), secondsAt(grid, segment.endFrame)];
    all += end - start;
    const subject = subjectBox(source, start, end);
    if (subject === null || subject.salience < PAD_SALIENCE) continue;
    const wide = subject.box.width > window.width * SUBJECT_SLACK;
    const high = subject.box.height > window.height * SUBJECT_SLACK;
    if (wide || high) cut += end - start;
  }
  return cut <= all / 2;
}

/** Where the most salient subject is over a time: the middle four fifths of its boxes' edges. */
function subjectBox(
  source: ClipFacts,
  start: number,
  end: number,
): { readonly box: Box; readonly salience: number } | null {
  const subject = subjectsBetween(source.motion, start, end)[0];
  if (subject === undefined || subject.salience < LEAST_SALIENCE) return null;
  const boxes = subject.boxes.filter(({ timeSeconds }) => timeSeconds >= start && timeSeconds < end);
  if (boxes.length === 0) return null;
  const at = (values: number[], share: number) =>
    values.sort((one, other) => one - other)[Math.round(share * (values.length - 1))]!;
  const left = at(
    boxes.map(({ box }) => box.x),
    0.1,
  );
  const top = at(
    boxes.map(({ box }) => box.y),
    0.1,
  );
  const right = at(
    boxes.map(({ box }) => box.x + box.width),
    0.9,
  );
  const bottom = at(
    boxes.map(({ box }) => box.y + box.height),
    0.9,
  );
  const box = { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  return { box, salience: subject.salience };
}

/** The smallest box around the source's burnt-in captions between two times. */
function captionBox(source: ClipFacts, start: number, end: number): Box | null {
  const boxes = source.picture.captions.spans
    .filter((span) => span.startSeconds < end && span.endSeconds > start)
    .map(({ box }) => box);
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** The size, scaled down to `maxLines` on its shorter side, both sides even (4:2:0) and never larger than given. */
function evenSize(width: number, height: number, maxLines: number | null): Size {
  const scale = maxLines === null ? 1 : Math.min(1, maxLines / Math.min(width, height));
  // The tolerance keeps 1079.9999 a 1080.
  const even = (value: number) => Math.max(2, 2 * Math.floor((value * scale + 0.01) / 2));
  return { width: even(width), height: even(height) };
}
