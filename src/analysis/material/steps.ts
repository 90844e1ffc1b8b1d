/** Steps of a take's curves, and values from other clocks on them. */
export const STEP_SECONDS = 0.2;

/** A photo has one step. */
export function stepCount(durationSeconds: number): number {
  return Math.max(1, Math.ceil(durationSeconds / STEP_SECONDS - 1e-6));
}

export function middleOf(step: number): number {
  return (step + 0.5) * STEP_SECONDS;
}

/** For each of `count` times at `every` seconds (their middles), the index of the nearest of ascending times; −1: there are none. */
export function nearestTo(timesSeconds: readonly number[], count: number, every = STEP_SECONDS): Int32Array {
  let at = 0;
  return Int32Array.from({ length: count }, (_, step) => {
    const middle = (step + 0.5) * every;
    while (
      at + 1 < timesSeconds.length &&
      Math.abs(timesSeconds[at + 1] - middle) <= Math.abs(timesSeconds[at] - middle)
    )
      at += 1;
    return timesSeconds.length === 0 ? -1 : at;
  });
}

/** Joins the steps for which `isAt` holds. */
export function spansWhere(
  count: number,
  isAt: (step: number) => boolean,
): { startSeconds: number; endSeconds: number }[] {
  const spans: { startSeconds: number; endSeconds: number }[] = [];
  let start = -1;
  for (let step = 0; step <= count; step++) {
    const holds = step < count && isAt(step);
    if (holds && start < 0) start = step;
    if (holds || start < 0) continue;
    spans.push({ startSeconds: start * STEP_SECONDS, endSeconds: step * STEP_SECONDS });
    start = -1;
  }
  return spans;
}
