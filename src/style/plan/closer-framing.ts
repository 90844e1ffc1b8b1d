import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { coveredSeconds, lengthOf, sharedSeconds } from '../../domain/spans.ts';
import { isScreenOrDrawing } from '../look/screen.ts';
import { isDrawn } from '../model/drawn.ts';
import type { Reframe } from '../model/timeline.ts';
import { amountWithin, figuresApart } from './figure-stretch.ts';
import { fixedFrameOf } from './fixed-frame.ts';
import { type FocusPoints, focusedWindow } from './focus.ts';
import { hasLettering } from './lettering.ts';
import { cutsOrLosesHeads, HEAD_EDGE, type Sightings, shareInside, sightings } from './sightings.ts';
import { looksBetween } from './subject-extents.ts';

/**
 * Magnifications of the second camera over the first. Of 67 framings 1.16 closer about the middle, our own
 * detector saw 22 as cuts, 35 at 1.25, 54 at 1.35, 64 at 1.5. Shifted to the side as well it saw 63 at 1.25,
 * 66 at 1.35. Editors' rule is a change of size by 30 %.
 */
const ZOOMS = [1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5] as const;
export const MIN_ZOOM = ZOOMS[0];
export const MAX_ZOOM = Math.max(...ZOOMS);
/** About a focus that a person set. */
const FOCUS_ZOOM = 1.35;
/** Sharpness: output pixels for one of the source's, across. */
const MAX_UPSCALE = 2;
/** Places tried along each side. */
const STEPS = 10;
/**
 * Mean shift of the picture's points across the cut from which it is read as a cut, in shares of the output's
 * width and height. Detected: a third at .06, half at .10, nine tenths at .14, all but four of 134 at .19.
 */
const READ_SHIFT = 0.19;
/** If heads or figures are cut in more than this share of the moments, the first camera stays: a head moves, or two people fit no closer framing. */
const MAX_CUT_SHARE = 0.1;
/** The same of the looks at hands and figures, about 1.5 s apart: between two looks hands go further. At .08 fingers were cut. */
const MAX_HANDS_CUT_SHARE = 0.05;
/** Share of faces that fill the width, from which a picture is a close-up and has no closer framing. Of 12 clips with faces nine have 0, three .62 to 1. */
const CLOSE_UP_SHARE = 0.5;
/** Share of a figure that may be outside without a visible cut, or inside: an arm. Not fitted. */
const ARM_SHARE = 0.15;
/**
 * Share of a figure, or of a group without gaps, that may be beside the framing: a hand that points has .03 to .08, the blur of a profile up to .02.
 * Those that cut one of a couple have .17 to .34.
 */
const MAX_OUTSIDE = 0.03;
/** Letters that move or fade are found late, or lost early. Not fitted. */
const LETTERS_SECONDS = 2;
/**
 * Share of a run with a face, and without another one, from which the face leads it: talkers have .9 to 1, a meal 0 and .4. Where two people were found,
 * a third was missed, and cut at the chin. Not fitted.
 */
const LEADING_SHARE = 0.8;
/** With less of the figures in the wide framing they are not its subject. */
const MIN_AMOUNT = 0.25;
/** Margin around a subject, in shares of the framing: at the very edge it looks cut. */
const SUBJECT_ROOM = 0.06;
/** A subject taller or wider than this share of a framing cannot be contained whole: its top and its middle are. */
const MAX_SHARE_OF_FRAMING = 0.84;
/** Distance of the lines of thirds from the middle; subjects look right up to it. */
const THIRDS = 1 / 6;
/** Costs, in the unit of a subject that is lost all the time. */
const COST = {
  worst: 0.5,
  zoom: 0.3,
  aside: 0.15,
  blindAside: 2,
  unread: 1.5,
  offThirds: 1.2,
  cutHead: 12,
  cutFigure: 4,
  another: 0.15,
} as const;

export interface CloserOptions {
  /** The shot that the run lies in. */
  readonly shot: Span;
  /** The part of the picture that may be shown. */
  readonly area: Box;
  /** Points to keep in view; null: its subjects decide. */
  readonly focus: FocusPoints | null;
  /** Result of `closerZoom`. */
  readonly maxZoom: number;
  /** The second camera's framing before in the same shot: it stays unless another one is clearly better. */
  readonly previous: Reframe | null;
}

/**
 * Largest magnification of a second framing over the closest of `wides`. `output` is in pixels, `picture` the
 * source's.
 */
export function closerZoom(wides: readonly Reframe[], output: Size, picture: Size): number {
  const wide = closestOf(wides);
  const scale = Math.min(
    output.width / (wide.width * picture.width),
    output.height / (wide.height * picture.height),
  );
  return Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, MAX_UPSCALE / scale));
}

/**
 * Whether a run may be seen from closer. Letters would jump in size or be cut, a drawn picture, a screen and a card have no camera, and
 * where no face leads alone, goods, plates and feet were cut: 9 such faults in 22 single videos. What was set as `focus` leads as well.
 */
export function canComeCloser(
  source: ClipFacts,
  run: Span,
  { focus, needsFace }: Pick<CloserOptions, 'focus'> & { readonly needsFace: boolean },
): boolean {
  const { video } = source;
  if (isDrawn(video, run) || isScreenOrDrawing(video) || fixedFrameOf(video).isCard) return false;
  const around = {
    startSeconds: run.startSeconds - LETTERS_SECONDS,
    endSeconds: run.endSeconds + LETTERS_SECONDS,
  };
  if (hasLettering(video, around)) return false;
  if (!needsFace || focus !== null) return true;
  const faceSeconds = coveredSeconds(run, video.faces);
  const othersSeconds = sharedSeconds(run, video.faces) - faceSeconds;
  return faceSeconds >= LEADING_SHARE * lengthOf(run) && othersSeconds <= (1 - LEADING_SHARE) * lengthOf(run);
}

function closestOf(wides: readonly Reframe[]): Reframe {
  return wides.reduce((one, other) => (other.width < one.width ? other : one));
}

/**
 * The framing of a second camera between those of the first, `wides` (one or two). It is closer, and to the
 * side where its subjects are, so that the changes read as cuts. Heads, and hands at the sides, are whole. Null where
 * the best framing would cut them, and of a close-up.
 */
export function closerFraming(
  source: ClipFacts,
  run: Span,
  wides: readonly Reframe[],
  options: CloserOptions,
): Reframe | null {
  const wide = closestOf(wides);
  if (options.focus !== null) return focusedFraming(run, wide, options.focus, options);
  const seen = sightings(source, run, { wide, shot: options.shot });
  if (seen.closeUps >= CLOSE_UP_SHARE) return null;
  let [best, least] = [null as Reframe | null, Number.POSITIVE_INFINITY];
  for (const framing of candidates(wide, options)) {
    const another = options.previous === null || framing === options.previous ? 0 : COST.another;
    const place = placeCost(framing, wide, seen.clearness) + unreadOf(framing, wides) + another;
    // Findings can only increase it.
    if (place >= least) continue;
    const cost = place + contentCost(framing, wide, seen);
    if (cost < least) [best, least] = [framing, cost];
  }
  if (best === null) return null;
  const isCut =
    headCutShare(best, seen) > MAX_CUT_SHARE || figureCutShare(best, wide, seen) > MAX_HANDS_CUT_SHARE;
  return isCut ? null : best;
}

/** About the focus, by the closest zoom that reads as a cut without a shift to the side. */
function focusedFraming(
  run: Span,
  wide: Reframe,
  focus: FocusPoints,
  { area, maxZoom }: CloserOptions,
): Reframe {
  const zoom = Math.min(maxZoom, FOCUS_ZOOM);
  const size = { width: wide.width / zoom, height: wide.height / zoom };
  return focusedWindow(focus, run.startSeconds, area, size);
}

function* candidates(wide: Reframe, { area, maxZoom, previous }: CloserOptions): Generator<Reframe> {
  if (previous !== null && wide.width / previous.width >= MIN_ZOOM) yield previous;
  for (const zoom of ZOOMS) {
    if (zoom > maxZoom + 1e-9) break;
    const size = { width: wide.width / zoom, height: wide.height / zoom };
    for (let row = 0; row <= STEPS; row++) {
      for (let column = 0; column <= STEPS; column++) {
        const x = area.x + ((area.width - size.width) * column) / STEPS;
        const y = area.y + ((area.height - size.height) * row) / STEPS;
        yield { x: Math.max(0, x), y: Math.max(0, y), ...size };
      }
    }
  }
}

/** Costs that do not depend on subjects: softness, and distance from the middle of the first camera's framing. */
function placeCost(framing: Reframe, wide: Reframe, clearness: number): number {
  const aside = Math.hypot(
    (framing.x + framing.width / 2 - wide.x - wide.width / 2) / wide.width,
    (framing.y + framing.height / 2 - wide.y - wide.height / 2) / wide.height,
  );
  return (
    (COST.aside * clearness + COST.blindAside * (1 - clearness)) * aside +
    COST.zoom * (wide.width / framing.width - 1)
  );
}

function contentCost(framing: Reframe, wide: Reframe, seen: Sightings): number {
  const { boxes, clearness } = seen;
  const weights = boxes.reduce((sum, { weight }) => sum + weight, 0);
  const heaviest = boxes.reduce((most, { weight }) => Math.max(most, weight), 0);
  let [lost, worst, offThirds] = [0, 0, 0];
  for (const { box, weight } of boxes) {
    const needed = holdable(box, framing);
    const missing = 1 - shareInside(needed, framing);
    lost += (weight / weights) * missing;
    worst = Math.max(worst, (weight / heaviest) * missing);
    const across = Math.abs(needed.x + needed.width / 2 - framing.x - framing.width / 2) / framing.width;
    const down = Math.abs(needed.y + needed.height / 2 - framing.y - framing.height / 2) / framing.height;
    offThirds += (weight / weights) * (Math.max(0, across - THIRDS) + Math.max(0, down - THIRDS));
  }
  return (
    clearness * (lost + COST.worst * worst + COST.offThirds * offThirds) +
    COST.cutHead * headCutShare(framing, seen) +
    COST.cutFigure * figureCutShare(framing, wide, seen)
  );
}

/** Share of the moments at which heads are cut, by faces and by figures, added up. */
function headCutShare(
  framing: Reframe,
  { headsAt, figureTops }: Pick<Sightings, 'headsAt' | 'figureTops'>,
): number {
  return cutShare(headsAt, framing) + cutTopShare(figureTops, framing);
}

/** Whether the framing leaves out much of a figure, or of a group, that `wide` shows in a run. */
export function leavesOutFigures({ video }: ClipFacts, run: Span, framing: Reframe, wide: Reframe): boolean {
  return looksBetween(video.figures, run.startSeconds, run.endSeconds).some(
    ({ across }) => figuresApart(across).length < 2 && outsideShare(across, framing, wide) > MAX_OUTSIDE,
  );
}

/** Share of the looks in which a side of the framing goes through one of several figures, or leaves out much of a group. */
function figureCutShare(framing: Reframe, wide: Reframe, { figures }: Pick<Sightings, 'figures'>): number {
  const cut = figures.filter(({ across, apart }) =>
    apart.length > 1
      ? apart.some(({ from, size }) => {
          const inside = Math.min(from + size, framing.x + framing.width) - Math.max(from, framing.x);
          return inside > ARM_SHARE * size && inside < (1 - ARM_SHARE) * size;
        })
      : outsideShare(across, framing, wide) > MAX_OUTSIDE,
  );
  return cut.length / Math.max(1, figures.length);
}

/** Share of the figures in `wide` that are beside the framing. */
function outsideShare(across: readonly number[], framing: Reframe, wide: Reframe): number {
  const [all, inside] = [wide, framing].map(({ x, width }) => amountWithin(across, x, x + width)) as [
    number,
    number,
  ];
  return all < MIN_AMOUNT ? 0 : 1 - inside / all;
}

/** Cost of a cut that viewers would not see: the less clear one of those on both sides of a framing. */
function unreadOf(framing: Reframe, wides: readonly Reframe[]): number {
  const shift = Math.min(...wides.map((wide) => meanShift(wide, framing)));
  return COST.unread * (1 - Math.min(1, shift / READ_SHIFT));
}

/** Mean distance of the points of `framing` from their places in `wide`, in shares of the output's sides. */
export function meanShift(wide: Reframe, framing: Reframe): number {
  const points = [0.1, 0.3, 0.5, 0.7, 0.9];
  let sum = 0;
  for (const across of points) {
    for (const down of points) {
      const x = (framing.x + across * framing.width - wide.x) / wide.width - across;
      const y = (framing.y + down * framing.height - wide.y) / wide.height - down;
      sum += Math.hypot(x, y) * (wide.width / framing.width);
    }
  }
  return sum / points.length ** 2;
}

/** Share of the moments at which the framing's edge goes through a head, or at which it shows no head. */
function cutShare(headsAt: readonly (readonly Box[])[], framing: Reframe): number {
  const cut = headsAt.filter((heads) => cutsOrLosesHeads(heads, framing));
  return cut.length / Math.max(1, headsAt.length);
}

/** Share of the samples in which a figure's top is cut: without a visible face, the head is there. */
function cutTopShare(figureTops: readonly number[], framing: Reframe): number {
  return figureTops.filter((top) => framing.y - top > HEAD_EDGE).length / Math.max(1, figureTops.length);
}

/**
 * The part of a box that a framing has to contain, with a margin. Of a box larger than the framing it is the
 * middle across, and from above the top, where people have their heads.
 */
function holdable({ x, y, width, height }: Box, framing: Reframe): Box {
  const held = Math.min(width, MAX_SHARE_OF_FRAMING * framing.width);
  const [across, down] = [SUBJECT_ROOM * framing.width, SUBJECT_ROOM * framing.height];
  // At the picture's own edge no margin exists.
  const [left, top] = [Math.max(0, x + (width - held) / 2 - across), Math.max(0, y - down)];
  const [right, bottom] = [
    Math.min(1, x + (width + held) / 2 + across),
    Math.min(1, y + Math.min(height, MAX_SHARE_OF_FRAMING * framing.height) + down),
  ];
  return { x: left, y: top, width: right - left, height: bottom - top };
}
