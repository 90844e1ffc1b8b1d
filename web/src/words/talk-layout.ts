/** Where times of a talk are drawn if parts that are left out are folded. */
export interface FoldedPart {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A folded part has this share of its width, so that it can still be hit. */
const FOLDED_WIDTH = 0.25;

/** Ascending parts as folds that do not overlap: a pause may lie within an attempt. */
export function foldsOf(parts: readonly FoldedPart[]): FoldedPart[] {
  const folds: FoldedPart[] = [];
  for (const { startSeconds, endSeconds } of parts) {
    const last = folds.at(-1);
    if (last === undefined || startSeconds > last.endSeconds) folds.push({ startSeconds, endSeconds });
    else
      folds[folds.length - 1] = {
        startSeconds: last.startSeconds,
        endSeconds: Math.max(last.endSeconds, endSeconds),
      };
  }
  return folds;
}

/** Place of a time, in seconds of the shown width. `folds`: of `foldsOf`. */
export function placeAt(seconds: number, folds: readonly FoldedPart[]): number {
  const hidden = folds.reduce(
    (sum, { startSeconds, endSeconds }) =>
      sum + Math.max(0, Math.min(seconds, endSeconds) - Math.min(seconds, startSeconds)),
    0,
  );
  return seconds - (1 - FOLDED_WIDTH) * hidden;
}

/** Least width of a label, as a share of the whole: some ten letters on a phone. */
const LEAST_LABEL = 0.16;

/** The labels that have room up to the next one, ascending by their places, 0..1. */
export function labelsOf<Label extends { readonly place: number }>(
  labels: readonly Label[],
): (Label & { readonly width: number })[] {
  const shown: Label[] = [];
  for (const label of labels) {
    const last = shown.at(-1);
    const hasRoom = last === undefined || label.place - last.place >= LEAST_LABEL;
    if (hasRoom && label.place <= 1 - LEAST_LABEL) shown.push(label);
  }
  return shown.map((label, at) => ({ ...label, width: (shown[at + 1]?.place ?? 1) - label.place }));
}
