import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import type { Size } from '../../footage.ts';
import { captionsBetween, subjectsBetween } from './segments.ts';

/** A crop that holds less of the subjects than this gives way to a padded picture, which holds `PADDED_HELD`. */
const MIN_HELD = 0.85;
const PADDED_HELD = 0.97;
/** Mean salience of what moves below which nothing is worth padding for. */
const MIN_SALIENCE = 0.1;
const WINDOW_STEPS = 12;
/** A crop follows its subject; a padded picture stands still for as long as a clip does. */
const MOMENT_SECONDS = { crop: 1, pad: 3 } as const;
const PLACE_STEPS = 40;

interface Extent {
  readonly from: number;
  readonly size: number;
  readonly weight: number;
}

/**
 * How much more than `crop` a shot needs to show: 0 where the crop holds the captions and the subjects well enough, 1 for all
 * of `area`, between them the least of a few shares that does. Each moment is asked for its own best place.
 */
export function fittingShare(source: ClipFacts, run: Span, crop: Size, area: Box): number {
  const captions = captionsBetween(source.video, run.startSeconds, run.endSeconds);
  const holdsCaptions = (size: Size) =>
    captions.every((box) => box.width <= size.width && box.height <= size.height);
  const across = crop.width < area.width;
  const moments = (fit: 'crop' | 'pad') => extentsByMoment(source, run, area, across, MOMENT_SECONDS[fit]);
  const side = (size: Size) => (across ? size.width : size.height);
  if (holdsCaptions(crop) && heldShare(moments('crop'), side(crop), side(area)) >= MIN_HELD) return 0;
  const still = moments('pad');
  for (let step = 1; step < WINDOW_STEPS; step++) {
    const share = step / WINDOW_STEPS;
    const size = between(crop, area, share);
    if (holdsCaptions(size) && heldShare(still, side(size), side(area)) >= PADDED_HELD) return share;
  }
  return 1;
}

/** The size that lies so far on the way from one to the other. */
export function between(crop: Size, area: Size, share: number): Size {
  return {
    width: crop.width + share * (area.width - crop.width),
    height: crop.height + share * (area.height - crop.height),
  };
}

/** Salience-weighted share of the subjects' boxes inside a window of `size`; 1 where nothing stands out. */
function heldShare(moments: readonly (readonly Extent[])[], size: number, whole: number): number {
  let [held, all, boxes] = [0, 0, 0];
  for (const extents of moments) {
    let most = 0;
    for (let step = 0; step <= PLACE_STEPS; step++) {
      const start = ((whole - size) * step) / PLACE_STEPS;
      let sum = 0;
      for (const { from, size: length, weight } of extents) {
        const overlap = Math.min(start + size, from + length) - Math.max(start, from);
        sum += (weight * Math.max(0, overlap)) / Math.max(length, 1e-6);
      }
      most = Math.max(most, sum);
    }
    held += most;
    all += extents.reduce((sum, { weight }) => sum + weight, 0);
    boxes += extents.length;
  }
  return boxes === 0 || all / boxes < MIN_SALIENCE ? 1 : held / all;
}

function extentsByMoment(
  { motion }: ClipFacts,
  { startSeconds, endSeconds }: Span,
  area: Box,
  across: boolean,
  momentSeconds: number,
): Extent[][] {
  const count = Math.ceil((endSeconds - startSeconds) / momentSeconds) + 1;
  const moments: Extent[][] = Array.from({ length: count }, () => []);
  for (const { boxes, salience } of subjectsBetween(motion, startSeconds, endSeconds)) {
    for (const { timeSeconds, box } of boxes) {
      if (timeSeconds >= endSeconds) continue;
      moments[Math.floor((timeSeconds - startSeconds) / momentSeconds)]?.push(
        extentOf(box, across, salience, area),
      );
    }
  }
  return moments;
}

function extentOf(box: Box, across: boolean, weight: number, area: Box): Extent {
  return across
    ? { from: box.x - area.x, size: box.width, weight }
    : { from: box.y - area.y, size: box.height, weight };
}
