import type { Box, ClipFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import type { Reframe } from '../model/timeline.ts';
import { captionedSeconds, captionRoom } from './area.ts';
import { headlinesBetween } from './headlines.ts';
import { captionsBetween } from './lettering.ts';
import { type FrameGrid, type Segment, secondsAt } from './segments.ts';
import { attentionExtents, figureExtents, subjectExtents } from './subject-extents.ts';
import {
  bestFocus,
  closerCost,
  heldBy,
  INNER_WEIGHT,
  NO_WEIGHT,
  RESTING_HEIGHT,
  squaredCost,
} from './window-worth.ts';

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
  const isCloser = about === 'middle';
  const subjects = subjectExtents(source, start, end, size.height);
  const nothing = { across: [], down: [] };
  const figures = isCloser ? nothing : figureExtents(source, start, end, size.height);
  const attention = isCloser ? nothing : attentionExtents(source, start, end);
  const cost = isCloser ? closerCost : squaredCost;
  const innerWeight = about === 'subject' ? INNER_WEIGHT : NO_WEIGHT;
  const across = {
    extents: [...subjects.across, ...attention.across, ...figures.across],
    areaStart: outer.x,
    areaSize: outer.width,
    size: size.width,
    middle: outer.x + outer.width / 2,
    innerWeight: innerWeight.x,
  };
  const down = {
    extents: [...subjects.down, ...attention.down, ...figures.down],
    areaStart: outer.y,
    areaSize: outer.height,
    size: size.height,
    middle: outer.y + outer.height * RESTING_HEIGHT[about],
    innerWeight: innerWeight.y,
  };
  const focus = { x: bestFocus(across, cost), y: bestFocus(down, cost) };
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

/** A window of `size` inside `outer`, as near to `focus` as it can be with `keep` inside where that fits. */
function windowAbout(
  outer: Reframe,
  size: Size,
  focus: { readonly x: number; readonly y: number },
  keep: Box | null,
): Reframe {
  const width = Math.min(size.width, outer.width);
  const height = Math.min(size.height, outer.height);
  const x = startAbout(
    { start: outer.x, size: outer.width },
    width,
    focus.x,
    keep && { start: keep.x, size: keep.width },
  );
  const y = startAbout(
    { start: outer.y, size: outer.height },
    height,
    focus.y,
    keep && { start: keep.y, size: keep.height },
  );
  return { x: Math.max(0, Math.min(1 - width, x)), y: Math.max(0, Math.min(1 - height, y)), width, height };
}

interface Stretch {
  readonly start: number;
  readonly size: number;
}

/** The same along one side: start of a stretch of this size. One that is shorter than `keep` has the same middle. */
function startAbout(outer: Stretch, size: number, focus: number, keep: Stretch | null): number {
  let start = focus - size / 2;
  if (keep !== null) {
    const [low, high] = [keep.start + keep.size - size, keep.start];
    start = low <= high ? Math.max(low, Math.min(high, start)) : (low + high) / 2;
  }
  return Math.max(outer.start, Math.min(outer.start + outer.size - size, start));
}
