/** Whether two spans show the same picture, by their first, middle and last views. */
import type { TakeViews } from './look-alikes.ts';
import type { Candidate } from './slot-candidates.ts';

/** Correlation of views that show one picture. */
export const SAME_VIEW_CORRELATION = 0.9;
const ALIKE_CORRELATION = 0.8;
/** Pairs of views of two takes that are compared once and for all: two takes of 100 s, or one of 200 s with itself. */
const MAX_PAIRS = 10_000;
const MAX_OWN_PAIRS = 40_000;

/** 0: different; 1: alike; 2: the same picture. Numbers, so that the largest counts. */
type Likeness = 0 | 1 | 2;

export function likenessOf(one: Candidate, other: Candidate): 'different' | 'alike' | 'same' {
  const [views, otherViews] = [one.take.views, other.take.views];
  const table = tableOf(views, otherViews);
  if (table === 'different') return 'different';
  let most: Likeness = 0;
  for (const view of one.views)
    for (const otherView of other.views) {
      const likeness =
        table === 'unknown'
          ? compared(views, view, otherViews, otherView)
          : (table[view * otherViews.count + otherView] as Likeness);
      if (likeness === 2) return 'same';
      if (likeness > most) most = likeness;
    }
  return most === 1 ? 'alike' : 'different';
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
  return table.some((likeness) => likeness > 0) ? table : 'different';
}

function compared(one: TakeViews, view: number, other: TakeViews, otherView: number): Likeness {
  const correlation = one.correlation(view, other, otherView);
  return correlation >= SAME_VIEW_CORRELATION ? 2 : correlation >= ALIKE_CORRELATION ? 1 : 0;
}
