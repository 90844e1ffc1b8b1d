/** Which moments of takes show the same picture: twins on one time line, and the same view again. */
import type { TakeMaterial } from '../../analysis/material/take-material.ts';
import type { EditTake } from './edit-plan.ts';

/** Correlation of views from which they are one picture in another encoding. */
const TWIN_CORRELATION = 0.93;
/** Share of the shorter take that twins have in common at least. */
const TWIN_SHARE = 0.5;
/** Share of these with the same picture; a cut between two views changes one. */
const MATCHING_SHARE = 0.75;
const MIN_TWIN_VIEWS = 3;
const PROBES = 6;
/** Offsets of a pair that are compared in full. */
const VERIFIED_OFFSETS = 4;

/** Where a take lies on the time line that it shares with its twins. */
export interface TimeLine {
  readonly group: number;
  /** Added to a take's times. */
  readonly offsetSeconds: number;
}

/** Views as unit vectors without mean, so that a product is a correlation. */
export class TakeViews {
  readonly count: number;
  readonly #step: number;
  readonly #units: Float32Array;
  readonly #size: number;

  constructor({ views, viewSeconds }: TakeMaterial) {
    this.count = views.length;
    this.#step = viewSeconds;
    this.#size = Math.max(0, ...views.map(({ length }) => length));
    this.#units = new Float32Array(this.count * this.#size);
    views.forEach((view, at) => {
      const centre = view.reduce((sum, value) => sum + value, 0) / view.length;
      const norm = Math.sqrt(view.reduce((sum, value) => sum + (value - centre) ** 2, 0)) || 1;
      view.forEach((value, cell) => {
        this.#units[at * this.#size + cell] = (value - centre) / norm;
      });
    });
  }

  indexAt(seconds: number): number {
    return Math.max(0, Math.min(this.count - 1, Math.floor(seconds / this.#step)));
  }

  get stepSeconds(): number {
    return this.#step;
  }

  /** −1..1; 0 where one of them has no view. */
  correlation(at: number, other: TakeViews, otherAt: number): number {
    if (at < 0 || otherAt < 0 || at >= this.count || otherAt >= other.count || this.#size !== other.#size)
      return 0;
    const from = at * this.#size;
    const otherFrom = otherAt * this.#size;
    let sum = 0;
    for (let cell = 0; cell < this.#size; cell++)
      sum += this.#units[from + cell] * other.#units[otherFrom + cell];
    return sum;
  }
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
  let best = { share: MATCHING_SHARE, offset: Number.NaN };
  for (const offset of likelyOffsets(short, long)) {
    const share = matchingShare(short, long, offset);
    if (share > best.share) best = { share, offset };
  }
  if (Number.isNaN(best.offset)) return null;
  const steps = isShorter ? best.offset + 0.5 : -best.offset - 0.5;
  return refinedOffset(
    first.material,
    second.material,
    steps * firstViews.stepSeconds,
    firstViews.stepSeconds,
  );
}

/** In views of `long`, those with most matches of a few views of `short` first. */
function likelyOffsets(short: TakeViews, long: TakeViews): number[] {
  const votes = new Map<number, number>();
  const probes = Math.min(PROBES, short.count);
  for (let probe = 0; probe < probes; probe++) {
    const at = Math.floor(((probe + 0.5) * short.count) / probes);
    for (let other = 0; other < long.count; other++) {
      const correlation = short.correlation(at, long, other);
      if (correlation > TWIN_CORRELATION) votes.set(other - at, (votes.get(other - at) ?? 0) + correlation);
    }
  }
  return [...votes]
    .sort(([offset, weight], [otherOffset, otherWeight]) => otherWeight - weight || offset - otherOffset)
    .slice(0, VERIFIED_OFFSETS)
    .flatMap(([offset]) => [offset, offset - 1]);
}

/** Of the views that both have at this offset, which may be up to one view larger; 0 if these are too few. */
function matchingShare(short: TakeViews, long: TakeViews, offset: number): number {
  const from = Math.max(0, -offset - 1);
  const to = Math.min(short.count, long.count - offset);
  if (to - from < Math.max(Math.min(MIN_TWIN_VIEWS, short.count), TWIN_SHARE * short.count)) return 0;
  let matching = 0;
  for (let at = from; at < to; at++) {
    const isMatch = [offset, offset + 1].some(
      (shift) => short.correlation(at, long, at + shift) > TWIN_CORRELATION,
    );
    if (isMatch) matching += 1;
  }
  return matching / (to - from);
}

/** Shifts the offset by less than a view's step to where the curves of motion and lightness agree best. */
function refinedOffset(
  first: TakeMaterial,
  second: TakeMaterial,
  offsetSeconds: number,
  viewSeconds: number,
): number {
  const step = first.stepSeconds;
  if (first.isPhoto || step <= 0 || second.stepSeconds !== step) return offsetSeconds;
  const radius = Math.ceil(viewSeconds / step);
  const centre = Math.round(offsetSeconds / step);
  let best = { error: Number.POSITIVE_INFINITY, shift: centre };
  for (let shift = centre - radius; shift <= centre + radius; shift++) {
    const error =
      curveError(first.curves.motion, second.curves.motion, shift) +
      curveError(first.curves.activity, second.curves.activity, shift);
    if (error < best.error) best = { error, shift };
  }
  return best.shift * step;
}

/** Mean difference of two curves over the mean of the first, where both are known. */
function curveError(first: readonly number[], second: readonly number[], shift: number): number {
  let error = 0;
  let total = 0;
  const from = Math.max(0, -shift);
  const to = Math.min(second.length, first.length - shift);
  for (let at = from; at < to; at++) {
    error += Math.abs(first[at + shift] - second[at]);
    total += first[at + shift];
  }
  return total > 0 ? error / total : 0;
}
