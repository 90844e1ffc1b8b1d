/** Small pictures by which moments are compared: stored about once a second, `VIEW_BYTES` numbers each. */
import type { PictureFacts } from '../picture-facts.ts';
import { VIEW_BYTES } from './take-material.ts';

/** Correlation of views that show one picture. */
export const SAME_VIEW_CORRELATION = 0.9;

/** One per `viewTimesSeconds`. */
export function decodedViews({ views, viewTimesSeconds }: PictureFacts): number[][] {
  const bytes = Buffer.from(views, 'base64');
  return viewTimesSeconds.map((_, view) => [...bytes.subarray(view * VIEW_BYTES, (view + 1) * VIEW_BYTES)]);
}

/** Whether two views of a picture, by their numbers, show the same. */
export function sameViewsOf(picture: PictureFacts): (view: number, other: number) => boolean {
  const units = unitViews(decodedViews(picture), VIEW_BYTES);
  return (view, other) => viewCorrelation(units, view, units, other, VIEW_BYTES) >= SAME_VIEW_CORRELATION;
}

/** Views as unit vectors of `size` numbers without their mean, one after the other, so that a product is a correlation. */
export function unitViews(views: readonly (readonly number[])[], size: number): Float32Array {
  const units = new Float32Array(views.length * size);
  views.forEach((view, at) => {
    const mean = view.reduce((sum, value) => sum + value, 0) / view.length;
    const norm = Math.sqrt(view.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
    view.forEach((value, cell) => {
      units[at * size + cell] = (value - mean) / norm;
    });
  });
  return units;
}

/** Correlation of view `at` of one list with view `otherAt` of another, −1..1. */
export function viewCorrelation(
  units: Float32Array,
  at: number,
  others: Float32Array,
  otherAt: number,
  size: number,
): number {
  const from = at * size;
  const otherFrom = otherAt * size;
  let sum = 0;
  for (let cell = 0; cell < size; cell++) sum += units[from + cell] * others[otherFrom + cell];
  return sum;
}
