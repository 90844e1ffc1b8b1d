/** Which moments of takes show the same picture: twins on one time line, and the same view again. */
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import { unitViews, viewCorrelation } from '../../analysis/material/views.ts';
import { clamp } from '../../signal/interpolation.ts';
import { mean } from '../../signal/statistics.ts';
import type { EditTake } from './edit-plan.ts';
import { FLOORS } from './ranked-curves.ts';

/**
 * Correlation of views from which they are one picture in another encoding, grade or crop. Of five pictures each of 53 takes: other grades
 * .997 and more, crops of a tenth .91 and more, other takes at most .89.
 */
const TWIN_CORRELATION = 0.9;
/** For a first search, without crops at corners. */
const LIKELY_CORRELATION = 0.8;
/** Views that agree less are no crops of each other either. */
const MIN_CROP_CORRELATION = 0.4;
/** Share of the shorter take that twins have in common at least. */
const TWIN_SHARE = 0.5;
/** Share of these with the same picture; a cut between two views changes one. */
const MATCHING_SHARE = 0.75;
/** Offsets are compared further if so much less of their pictures match: a calm picture matches at all. */
const SIMILAR_SHARE = 0.1;
const MIN_TWIN_VIEWS = 3;
const PROBES = 6;
/** Offsets of a pair that are compared in full. */
const VERIFIED_OFFSETS = 4;
/** Difference of curves that decides against takes that begin together: files are encoded again more often than trimmed. */
const CLEAR_ERROR = 0.05;
/**
 * Difference of curves beyond which takes are no twins: eight takes in other sizes, rates and grades differ by up to .16 from themselves, of 69
 * takes' halves, which one camera shows at other times, two thirds by more than .3.
 */
const MAX_ERROR = 0.3;
/**
 * Of twins whose pictures are shaken or blurred, so that fewer agree: difference of their curves, share of matching pictures, and mean motion, since
 * those of calm takes agree by chance. Of 9180 pairs of different takes none has a difference below .3 and a share of .2; such twins have .16 and .44.
 */
const MOVED = { maxError: 0.2, leastShare: 0.3, leastMotion: 0.03 } as const;
/** Correlation of the views of twins in which nothing moves: their curves tell no moments apart. Stills of one scene have up to .91. */
const STILL_CORRELATION = 0.97;
/** Parts of a picture that a crop shows: side and middle, shares of the picture. */
const CROPS = [
  { side: 0.9, x: 0.5, y: 0.5 },
  { side: 0.8, x: 0.5, y: 0.5 },
  { side: 0.9, x: 0.45, y: 0.45 },
  { side: 0.9, x: 0.55, y: 0.45 },
  { side: 0.9, x: 0.45, y: 0.55 },
  { side: 0.9, x: 0.55, y: 0.55 },
] as const;
const CENTRED_CROPS = 2;

/**
 * Diagonals that the camera turns, or logarithm of the scale by which it comes nearer, up to which a part of a take shows one view: of 41
 * pairs of views below it, 38 were judged to show one thing again; between .3 and .6, 7 of 24.
 */
const SAME_PLACE = 0.25;

/** Where a take lies on the time line that it shares with its twins. */
export interface TimeLine {
  readonly group: number;
  /** Added to a take's times. */
  readonly offsetSeconds: number;
}

/** Views as unit vectors without mean, so that a product is a correlation. */
export class TakeViews {
  readonly count: number;
  readonly #views: TakeMaterial['views'];
  readonly #places: TakeMaterial['places'];
  readonly #step: number;
  readonly #units: Float32Array;
  readonly #size: number;
  readonly #pictures: readonly boolean[];
  /** By crop; made when a view is first compared with crops. */
  readonly #crops: Float32Array[] = [];

  constructor({ views, viewSeconds, places }: TakeMaterial) {
    this.count = views.length;
    this.#views = views;
    this.#places = places;
    this.#step = viewSeconds;
    this.#size = Math.max(0, ...views.map(({ length }) => length));
    this.#units = unitViews(views, this.#size);
    this.#pictures = views.map((view) => view.some((value) => value !== view[0]));
  }

  indexAt(seconds: number): number {
    return Math.max(0, Math.min(this.count - 1, Math.floor(seconds / this.#step)));
  }

  /** Whether it has structure: black and white pictures have none. */
  hasPicture(at: number): boolean {
    return this.#pictures[at] === true;
  }

  get stepSeconds(): number {
    return this.#step;
  }

  /** −1..1; 0 where one of them has no view. */
  correlation(at: number, other: TakeViews, otherAt: number): number {
    if (!this.#isComparable(at, other, otherAt)) return 0;
    return this.#product(this.#units, at, other.#units, otherAt);
  }

  /** Whether the camera points to one place in two views, whatever moves before it. */
  isSamePlace(at: number, otherAt: number): boolean {
    const [one, other] = [this.#places?.[at], this.#places?.[otherAt]];
    if (one === undefined || other === undefined || one.part !== other.part) return false;
    return Math.hypot(one.x - other.x, one.y - other.y, one.zoom - other.zoom) < SAME_PLACE;
  }

  /** The correlation, or that with a crop of one of them if it is greater. */
  likeness(at: number, other: TakeViews, otherAt: number, crops: number = CROPS.length): number {
    if (!this.#isComparable(at, other, otherAt)) return 0;
    let best = this.#product(this.#units, at, other.#units, otherAt);
    if (best < MIN_CROP_CORRELATION) return best;
    for (let crop = 0; crop < crops && best <= TWIN_CORRELATION; crop++) {
      best = Math.max(
        best,
        this.#product(this.#cropped(crop), at, other.#units, otherAt),
        this.#product(this.#units, at, other.#cropped(crop), otherAt),
      );
    }
    return best;
  }

  #isComparable(at: number, other: TakeViews, otherAt: number): boolean {
    return at >= 0 && otherAt >= 0 && at < this.count && otherAt < other.count && this.#size === other.#size;
  }

  #product(units: Float32Array, at: number, others: Float32Array, otherAt: number): number {
    return viewCorrelation(units, at, others, otherAt, this.#size);
  }

  #cropped(crop: number): Float32Array {
    this.#crops[crop] ??= unitViews(
      this.#views.map((view) => croppedView(view, CROPS[crop])),
      this.#size,
    );
    return this.#crops[crop];
  }
}

/** The part of a square view, enlarged to the whole, between the middles of its cells linearly. */
function croppedView(view: readonly number[], { side, x, y }: (typeof CROPS)[number]): number[] {
  const cells = Math.round(Math.sqrt(view.length));
  if (cells ** 2 !== view.length) return [...view];
  const place = (cell: number, middle: number) =>
    clamp((middle + ((cell + 0.5) / cells - 0.5) * side) * cells - 0.5, 0, cells - 1);
  return view.map((_, at) => {
    const [column, row] = [place(at % cells, x), place(Math.floor(at / cells), y)];
    const [left, top] = [Math.floor(column), Math.floor(row)];
    const [right, bottom] = [Math.min(cells - 1, left + 1), Math.min(cells - 1, top + 1)];
    const across = (line: number) =>
      view[line * cells + left] * (1 - column + left) + view[line * cells + right] * (column - left);
    return across(top) * (1 - row + top) + across(bottom) * (row - top);
  });
}

/** One per take. Twins share a group; the first of a group has the offset 0. */
export function timeLinesOf(takes: readonly EditTake[], views: readonly TakeViews[]): TimeLine[] {
  const lines: TimeLine[] = [];
  takes.forEach((take, at) => {
    let line: TimeLine = { group: at, offsetSeconds: 0 };
    for (let earlier = 0; earlier < at; earlier++) {
      const offset = twinOffset(takes[earlier], views[earlier], take, views[at]);
      if (offset === null) continue;
      line = { group: lines[earlier].group, offsetSeconds: lines[earlier].offsetSeconds + offset };
      break;
    }
    lines.push(line);
  });
  return lines;
}

/** What added to times of `second` gives times of `first`; null if they are no twins. */
function twinOffset(
  first: EditTake,
  firstViews: TakeViews,
  second: EditTake,
  secondViews: TakeViews,
): number | null {
  if (first.content === second.content) return 0;
  if (first.material.isPhoto !== second.material.isPhoto) return null;
  if (firstViews.stepSeconds !== secondViews.stepSeconds) return null;
  const isShorter = secondViews.count <= firstViews.count;
  const [short, long] = isShorter ? [secondViews, firstViews] : [firstViews, secondViews];
  const isStill = first.material.isMotionless === true && second.material.isMotionless === true;
  const least = isStill ? STILL_CORRELATION : TWIN_CORRELATION;
  const likely = likelyOffsets(short, long).map((offset) => matchingShare(short, long, offset, least));
  if (Math.max(0, ...likely) <= MATCHING_SHARE)
    return moveTogether(first.material, second.material, matchingShare(short, long, 0)) ? 0 : null;
  let best = { error: Number.POSITIVE_INFINITY, offsetSeconds: Number.NaN };
  for (const offset of matchingOffsets(short, long)) {
    const steps = isShorter ? offset + 0.5 : -offset - 0.5;
    const seconds = steps * firstViews.stepSeconds;
    const found = refinedOffset(first.material, second.material, seconds, firstViews.stepSeconds);
    if (found.error < best.error) best = found;
  }
  const together = curveErrorAt(first.material, second.material, 0);
  if (Math.min(best.error, together) > MAX_ERROR) return null;
  const isTogether = matchingShare(short, long, 0) > MATCHING_SHARE && together <= best.error + CLEAR_ERROR;
  return isTogether ? 0 : best.offsetSeconds;
}

/** Whether takes of one length move alike from their beginning, and some of their pictures agree. */
function moveTogether(first: TakeMaterial, second: TakeMaterial, share: number): boolean {
  const isSameLength =
    first.stepSeconds > 0 &&
    first.stepSeconds === second.stepSeconds &&
    Math.abs(first.durationSeconds - second.durationSeconds) <= first.stepSeconds;
  return (
    isSameLength &&
    share >= MOVED.leastShare &&
    Math.min(mean(first.curves.motion), mean(second.curves.motion)) >= MOVED.leastMotion &&
    curveErrorAt(first, second, 0) <= MOVED.maxError
  );
}

/** All offsets at which about as many pictures match as at the best. */
function matchingOffsets(short: TakeViews, long: TakeViews): number[] {
  const shares = Array.from({ length: short.count + long.count }, (_, at) => {
    const offset = at - short.count;
    return { offset, share: matchingShare(short, long, offset) };
  });
  const most = Math.max(...shares.map(({ share }) => share));
  return shares.filter(({ share }) => share >= most - SIMILAR_SHARE).map(({ offset }) => offset);
}

/** In views of `long`, those with most matches of a few views of `short` first. */
function likelyOffsets(short: TakeViews, long: TakeViews): number[] {
  const votes = new Map<number, number>();
  const probes = Math.min(PROBES, short.count);
  for (let probe = 0; probe < probes; probe++) {
    const at = Math.floor(((probe + 0.5) * short.count) / probes);
    for (let other = 0; other < long.count; other++) {
      const correlation = short.likeness(at, long, other, CENTRED_CROPS);
      if (correlation > LIKELY_CORRELATION) votes.set(other - at, (votes.get(other - at) ?? 0) + correlation);
    }
  }
  return [...votes]
    .sort(([offset, weight], [otherOffset, otherWeight]) => otherWeight - weight || offset - otherOffset)
    .slice(0, VERIFIED_OFFSETS)
    .flatMap(([offset]) => [offset, offset - 1]);
}

/**
 * Of the views that both have at this offset, which may be up to one view larger; 0 if these are too few. Pictures without structure, such as
 * black ones, are not compared.
 */
function matchingShare(short: TakeViews, long: TakeViews, offset: number, least = TWIN_CORRELATION): number {
  const from = Math.max(0, -offset - 1);
  const to = Math.min(short.count, long.count - offset);
  const leastViews = Math.min(MIN_TWIN_VIEWS, short.count);
  if (to - from < Math.max(leastViews, TWIN_SHARE * short.count)) return 0;
  let [matching, compared] = [0, 0];
  for (let at = from; at < to; at++) {
    const shifts = [offset, offset + 1].filter((shift) => long.hasPicture(at + shift));
    if (!short.hasPicture(at) || shifts.length === 0) continue;
    compared += 1;
    if (shifts.some((shift) => short.likeness(at, long, at + shift) > least)) matching += 1;
  }
  return compared < leastViews ? 0 : matching / compared;
}

/** Shifts the offset by less than a view's step to where the curves of motion agree best. */
function refinedOffset(
  first: TakeMaterial,
  second: TakeMaterial,
  offsetSeconds: number,
  viewSeconds: number,
): { readonly error: number; readonly offsetSeconds: number } {
  const step = first.stepSeconds;
  if (first.isPhoto || step <= 0 || second.stepSeconds !== step) return { error: 0, offsetSeconds };
  const radius = Math.ceil(viewSeconds / step);
  const centre = Math.round(offsetSeconds / step);
  let best = { error: Number.POSITIVE_INFINITY, shift: centre };
  for (let shift = centre - radius; shift <= centre + radius; shift++) {
    const error = curveErrorAt(first, second, shift);
    if (error < best.error) best = { error, shift };
  }
  return { error: best.error, offsetSeconds: best.shift * step };
}

function curveErrorAt({ curves: one }: TakeMaterial, { curves: other }: TakeMaterial, shift: number): number {
  return (
    curveError(one.motion, other.motion, shift, FLOORS.motion) +
    curveError(one.activity, other.activity, shift, FLOORS.activity)
  );
}

/**
 * Mean difference of two curves over their mean where both are known, 0..1; infinite where they have less in common than twins.
 *
 * @param floor About what noise gives: takes in which nothing moves differ by no more.
 */
function curveError(
  first: readonly number[],
  second: readonly number[],
  shift: number,
  floor: number,
): number {
  let [error, total] = [0, 0];
  const from = Math.max(0, -shift);
  const to = Math.min(second.length, first.length - shift);
  if (to - from < TWIN_SHARE * Math.min(first.length, second.length)) return Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) {
    error += Math.abs(first[at + shift] - second[at]);
    total += first[at + shift] + second[at] + 2 * floor;
  }
  return total > 0 ? error / total : 0;
}
