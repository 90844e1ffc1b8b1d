import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { captionRoom, withMargin } from './area.ts';
import { MIN_HELD } from './best-window.ts';
import { figuresApart, type WeightedStretch } from './figure-stretch.ts';
import { captionsBetween } from './lettering.ts';
import { subjectsBetween } from './segments.ts';
import { CORE_SHARE, FIGURES_WEIGHT, looksBetween, weightOf } from './subject-extents.ts';

/**
 * Padding is chosen if a crop does not contain the cores of the subjects. A padded picture contains at least this share
 * of their boxes.
 */
const PADDED_HELD = 0.97;
/** Fainter subjects do not justify padding. */
const MIN_SALIENCE = 0.2;
const WINDOW_STEPS = 12;
/** Time between independent placements: a crop follows its subject, a padded picture does not move within a clip. */
const MOMENT_SECONDS = { crop: 1, pad: 3 } as const;
const PLACE_STEPS = 40;

/**
 * Padding that a shot needs. 0 if the crop contains captions and subjects well enough, 1 for all of `area`,
 * otherwise the least of a few steps that does. Each moment has its own best position.
 */
export function fittingShare(source: ClipFacts, run: Span, crop: Size, area: Box): number {
  return isHeldIn(source, run, { crop, area }, 0, 'crop')
    ? 0
    : leastPadding(source, run, { crop, area }, () => true);
}

/** Least share of the padding with which a still framing holds captions and subjects, and that `isEnough` for its size; 1: all of `area`. */
export function leastPadding(
  source: ClipFacts,
  run: Span,
  sizes: { readonly crop: Size; readonly area: Box },
  isEnough: (window: Size) => boolean,
): number {
  for (let step = 1; step < WINDOW_STEPS; step++) {
    const share = step / WINDOW_STEPS;
    if (isEnough(between(sizes.crop, sizes.area, share)) && isHeldIn(source, run, sizes, share, 'pad'))
      return share;
  }
  return 1;
}

/** Whether a framing with this share of padding holds captions and subjects. */
function isHeldIn(
  source: ClipFacts,
  run: Span,
  { crop, area }: { readonly crop: Size; readonly area: Box },
  share: number,
  fit: 'crop' | 'pad',
): boolean {
  const size = between(crop, area, share);
  const captions = captionsBetween(source.video, run.startSeconds, run.endSeconds);
  if (!captions.map(withMargin).every((box) => box.width <= size.width && box.height <= size.height))
    return false;
  const across = crop.width < area.width;
  const side = (one: Size) => (across ? one.width : one.height);
  const room = captionRoom(captions);
  const extent =
    room &&
    (across ? { from: room.x - area.x, size: room.width } : { from: room.y - area.y, size: room.height });
  const most = fit === 'crop' ? side(crop) : side(area);
  const moments = extentsByMoment(source, run, { area, across, fit, most });
  return heldShare(moments, side(size), side(area), extent) >= (fit === 'crop' ? MIN_HELD : PADDED_HELD);
}

/** The size at `share` 0..1 between the two. */
export function between(crop: Size, area: Size, share: number): Size {
  return {
    width: crop.width + share * (area.width - crop.width),
    height: crop.height + share * (area.height - crop.height),
  };
}

/**
 * Share of the subjects, by their weights, inside a window of `size`; 1 without subjects. `captions`: the
 * stretch of all captions; a window that cannot contain them all begins or ends with them.
 */
function heldShare(
  moments: readonly (readonly WeightedStretch[])[],
  size: number,
  whole: number,
  captions: Pick<WeightedStretch, 'from' | 'size'> | null,
): number {
  let [least, most] = [0, whole - size];
  if (captions !== null && captions.size <= size) {
    least = Math.max(least, captions.from + captions.size - size);
    most = Math.min(most, captions.from);
  }
  let [held, all] = [0, 0];
  for (const extents of moments) {
    let best = 0;
    for (let step = 0; step <= PLACE_STEPS; step++) {
      const start = least + ((most - least) * step) / PLACE_STEPS;
      let sum = 0;
      for (const { from, size: length, weight } of extents) {
        const overlap = Math.min(start + size, from + length) - Math.max(start, from);
        sum += (weight * Math.max(0, overlap)) / Math.max(length, 1e-6);
      }
      best = Math.max(best, sum);
    }
    held += best;
    all += extents.reduce((sum, { weight }) => sum + weight, 0);
  }
  return all === 0 ? 1 : held / all;
}

/** Stretches of tracks, and of separate figures. `most`: limit for one subject, however large. */
function extentsByMoment(
  { motion, video }: ClipFacts,
  { startSeconds, endSeconds }: Span,
  options: {
    readonly area: Box;
    readonly across: boolean;
    readonly fit: 'crop' | 'pad';
    readonly most: number;
  },
): WeightedStretch[][] {
  const { area, across, fit, most } = options;
  const count = Math.ceil((endSeconds - startSeconds) / MOMENT_SECONDS[fit]) + 1;
  const moments: WeightedStretch[][] = Array.from({ length: count }, () => []);
  for (const track of subjectsBetween(motion, startSeconds, endSeconds)) {
    if (track.salience < MIN_SALIENCE) continue;
    const core = fit === 'crop' ? CORE_SHARE[track.kind] : 1;
    for (const { timeSeconds, box } of track.boxes) {
      if (timeSeconds >= endSeconds) continue;
      const [start, length] = across ? [box.x - area.x, box.width] : [box.y - area.y, box.height];
      const size = Math.min(most, core * length);
      // Of tall subjects only the top counts, as in framings.
      const from = across ? start + (length - size) / 2 : start;
      const extent = { from, size, weight: weightOf(track) };
      moments[Math.floor((timeSeconds - startSeconds) / MOMENT_SECONDS[fit])]?.push(extent);
    }
  }
  for (const look of looksBetween(video.figures, startSeconds, endSeconds)) {
    const at = Math.max(0, Math.floor((look.timeSeconds - startSeconds) / MOMENT_SECONDS[fit]));
    const before = across ? area.x : area.y;
    for (const { from, size, weight } of figuresApart(across ? look.across : look.down))
      moments[at]?.push({ from: from - before, size, weight: FIGURES_WEIGHT * weight });
  }
  return moments;
}
