/** Whether two spans show the same picture, by their first, middle and last views, or by where the camera points in their middles. */
import { SAME_VIEW_CORRELATION } from '../../analysis/material/views.ts';
import type { TakeViews } from './look-alikes.ts';

const ALIKE_CORRELATION = 0.8;
/** Pairs of views of two takes that are compared once and for all: two takes of 100 s, or one of 200 s with itself. */
const MAX_PAIRS = 10_000;
const MAX_OWN_PAIRS = 40_000;
/** Spans of a plan whose likeness is stored: 16 MB. Others are compared each time. */
const MAX_KNOWN = 4_096;

/** Numbers, so that the largest counts. */
export const DIFFERENT = 0;
const ALIKE = 1;
export const SAME = 2;
type Likeness = typeof DIFFERENT | typeof ALIKE | typeof SAME;

/** What a span shows. Spans of a take with the same views share one object. */
export interface ShownViews {
  /** Numbers of its first, middle and last view, each once. */
  readonly numbers: readonly number[];
  readonly middle: number;
  readonly take: TakeViews;
  /** Among those of all takes of a plan. */
  readonly id: number;
  /**
   * Per `id` of others below `MAX_KNOWN`: 0 for not compared yet, else one more than the likeness. A search compares two spans thousands of
   * times.
   */
  known: Uint8Array;
}

/** The views that spans of the takes of a plan show. */
export class ShownSpans {
  readonly #shown = new Map<TakeViews, Map<number, ShownViews>>();
  #count = 0;

  of(take: TakeViews, startSeconds: number, endSeconds: number): ShownViews {
    const first = take.indexAt(startSeconds);
    const middle = take.indexAt((startSeconds + endSeconds) / 2);
    const last = take.indexAt(endSeconds - 1e-6);
    let ofTake = this.#shown.get(take);
    if (ofTake === undefined) {
      ofTake = new Map();
      this.#shown.set(take, ofTake);
    }
    const key = (first * take.count + middle) * take.count + last;
    let shown = ofTake.get(key);
    if (shown === undefined) {
      const numbers = middle === first || middle === last ? [first, last] : [middle, first, last];
      shown = {
        numbers: first === last ? [first] : numbers,
        middle,
        take,
        id: this.#count++,
        known: new Uint8Array(0),
      };
      ofTake.set(key, shown);
    }
    return shown;
  }
}

/** Of spans of one plan. */
export function likenessOf(one: ShownViews, other: ShownViews): Likeness {
  if (one.id >= MAX_KNOWN || other.id >= MAX_KNOWN) return comparedSpans(one, other);
  if (other.id >= one.known.length) one.known = enlarged(one.known, other.id + 1);
  const known = one.known[other.id];
  if (known > 0) return (known - 1) as Likeness;
  const likeness = comparedSpans(one, other);
  one.known[other.id] = likeness + 1;
  return likeness;
}

function enlarged(values: Uint8Array, least: number): Uint8Array {
  const larger = new Uint8Array(Math.min(MAX_KNOWN, Math.max(256, 2 * least)));
  larger.set(values);
  return larger;
}

function comparedSpans(one: ShownViews, other: ShownViews): Likeness {
  if (one.take === other.take && one.take.isSamePlace(one.middle, other.middle)) return SAME;
  const table = tableOf(one.take, other.take);
  if (table === 'different') return DIFFERENT;
  let most: Likeness = DIFFERENT;
  for (const view of one.numbers)
    for (const otherView of other.numbers) {
      const likeness =
        table === 'unknown'
          ? compared(one.take, view, other.take, otherView)
          : (table[view * other.take.count + otherView] as Likeness);
      if (likeness === SAME) return SAME;
      if (likeness > most) most = likeness;
    }
  return most;
}

/** Likeness of each pair of views, row by row; `different`: of all; `unknown`: too many to compare. */
type Table = Uint8Array | 'different' | 'unknown';

const known = new WeakMap<TakeViews, WeakMap<TakeViews, Table>>();

/** Made once per pair of takes. */
function tableOf(one: TakeViews, other: TakeViews): Table {
  let ofOne = known.get(one);
  if (ofOne === undefined) {
    ofOne = new WeakMap();
    known.set(one, ofOne);
  }
  let table = ofOne.get(other);
  if (table === undefined) {
    table = madeTable(one, other);
    ofOne.set(other, table);
  }
  return table;
}

function madeTable(one: TakeViews, other: TakeViews): Table {
  if (one.count * other.count > (one === other ? MAX_OWN_PAIRS : MAX_PAIRS)) return 'unknown';
  const table = new Uint8Array(one.count * other.count);
  for (let view = 0; view < one.count; view++)
    for (let otherView = 0; otherView < other.count; otherView++)
      table[view * other.count + otherView] = compared(one, view, other, otherView);
  return table.some((likeness) => likeness !== DIFFERENT) ? table : 'different';
}

function compared(one: TakeViews, view: number, other: TakeViews, otherView: number): Likeness {
  const correlation = one.correlation(view, other, otherView);
  return correlation >= SAME_VIEW_CORRELATION ? SAME : correlation >= ALIKE_CORRELATION ? ALIKE : DIFFERENT;
}
