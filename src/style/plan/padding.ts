import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { captionRoom } from './area.ts';
import { CORE_SHARE, FIGURES_WEIGHT, looksBetween, MIN_HELD, weightOf } from './best-window.ts';
import { captionsBetween, subjectsBetween } from './segments.ts';

/** A crop that does not hold the cores of the subjects asks for padding. A padded picture holds so much of their boxes. */
const PADDED_HELD = 0.97;
/** What is fainter is not worth padding for. */
const MIN_SALIENCE = 0.2;
const WINDOW_STEPS = 12;
/** A crop follows its subject; a padded picture does not move within a clip. */
const MOMENT_SECONDS = { crop: 1, pad: 3 } as const;
const PLACE_STEPS = 40;
/**
 * Two figures are apart where so little of what is seen of them lies in a column or row between, and each is so much of it. On the tuning halves four more
 * shots ask, three of them rightly: the same with .01, and for each from .15 to .25 the same or one more, rightly; with .03 of columns between two ask in vain.
 */
const APART_SHARE = 0.02;
const MIN_FIGURE_SHARE = 0.2;

interface Extent {
  readonly from: number;
  readonly size: number;
  readonly weight: number;
}

/**
 * How much more than `crop` a shot needs to show: 0 where the crop holds the captions and the subjects well enough, 1 for all
 * of `area`, between them the least of a few shares that does. Each moment has its own best place.
 */
export function fittingShare(source: ClipFacts, run: Span, crop: Size, area: Box): number {
  const captions = captionsBetween(source.video, run.startSeconds, run.endSeconds);
  const holdsCaptions = (size: Size) =>
    captions.every((box) => box.width <= size.width && box.height <= size.height);
  const across = crop.width < area.width;
  const side = (size: Size) => (across ? size.width : size.height);
  const room = captionRoom(captions);
  const extent = room && (across ? [room.x - area.x, room.width] : [room.y - area.y, room.height]);
  const cores = extentsByMoment(source, run, { area, across, fit: 'crop', most: side(crop) });
  if (holdsCaptions(crop) && heldShare(cores, side(crop), side(area), extent) >= MIN_HELD) return 0;
  const still = extentsByMoment(source, run, { area, across, fit: 'pad', most: side(area) });
  for (let step = 1; step < WINDOW_STEPS; step++) {
    const share = step / WINDOW_STEPS;
    const size = between(crop, area, share);
    if (holdsCaptions(size) && heldShare(still, side(size), side(area), extent) >= PADDED_HELD) return share;
  }
  return 1;
}

/** The size at `share` 0..1 between the two. */
export function between(crop: Size, area: Size, share: number): Size {
  return {
    width: crop.width + share * (area.width - crop.width),
    height: crop.height + share * (area.height - crop.height),
  };
}

/**
 * Share of what is seen of the subjects inside a window of `size`, by their weights; 1 where there is no subject. `captions`: beginning and
 * length of the captions, with which every window begins or ends that cannot hold more of them.
 */
function heldShare(
  moments: readonly (readonly Extent[])[],
  size: number,
  whole: number,
  captions: readonly number[] | null,
): number {
  let [least, most] = [0, whole - size];
  if (captions !== null && captions[1] <= size) {
    least = Math.max(least, captions[0] + captions[1] - size);
    most = Math.min(most, captions[0]);
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

/** Of tracks, and of figures that stand apart. `most`: of one subject alone, however large, no more is worth holding. */
function extentsByMoment(
  { motion, video }: ClipFacts,
  { startSeconds, endSeconds }: Span,
  options: {
    readonly area: Box;
    readonly across: boolean;
    readonly fit: 'crop' | 'pad';
    readonly most: number;
  },
): Extent[][] {
  const { area, across, fit, most } = options;
  const count = Math.ceil((endSeconds - startSeconds) / MOMENT_SECONDS[fit]) + 1;
  const moments: Extent[][] = Array.from({ length: count }, () => []);
  for (const track of subjectsBetween(motion, startSeconds, endSeconds)) {
    if (track.salience < MIN_SALIENCE) continue;
    const core = fit === 'crop' ? CORE_SHARE[track.kind] : 1;
    for (const { timeSeconds, box } of track.boxes) {
      if (timeSeconds >= endSeconds) continue;
      const [start, length] = across ? [box.x - area.x, box.width] : [box.y - area.y, box.height];
      const size = Math.min(most, core * length);
      // Of what is tall its top is held, as a framing holds it.
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

/** Figures of a profile that stand apart, two or more: one alone, or some that run into each other, cannot be counted. */
function figuresApart(shares: readonly number[]): Extent[] {
  const size = 1 / shares.length;
  const runs: Extent[] = [];
  let isSeen = false;
  for (const [part, weight] of shares.entries()) {
    const wasSeen = isSeen;
    isSeen = weight >= APART_SHARE;
    if (!isSeen) continue;
    const last = wasSeen ? runs.pop()! : { from: part * size, size: 0, weight: 0 };
    runs.push({ ...last, size: last.size + size, weight: last.weight + weight });
  }
  const figures = runs.filter(({ weight }) => weight >= MIN_FIGURE_SHARE);
  return figures.length > 1 ? figures : [];
}
