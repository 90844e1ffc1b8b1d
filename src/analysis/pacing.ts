/** One step between frames: its end, its length and how far the picture moved, in frame diagonals. */
export interface Step {
  readonly endSeconds: number;
  readonly seconds: number;
  readonly distance: number;
}

/**
 * Mean speed in each second from 0 to the clip's end, frame diagonals per second. A second without a step
 * that may be measured (only transitions, or a held frame) repeats nothing: it is 0.
 */
export function activityPerSecond(steps: readonly Step[], durationSeconds: number): number[] {
  const count = Math.max(0, Math.ceil(durationSeconds));
  const distance = new Float64Array(count);
  const seconds = new Float64Array(count);
  for (const step of steps) {
    const start = step.endSeconds - step.seconds;
    for (let k = Math.max(0, Math.floor(start)); k < count && k < step.endSeconds; k++) {
      const share = Math.min(k + 1, step.endSeconds) - Math.max(k, start);
      if (share <= 0) continue;
      seconds[k] += share;
      distance[k] += (step.distance * share) / step.seconds;
    }
  }
  return Array.from(distance, (value, k) => (seconds[k] > 0 ? value / seconds[k] : 0));
}

/** Median speed over the running time, frame diagonals per second; 0 without steps. */
export function medianSpeed(steps: readonly Step[]): number {
  const sorted = steps
    .filter((step) => step.seconds > 0)
    .map((step) => ({ ...step, speed: step.distance / step.seconds }));
  sorted.sort((a, b) => a.speed - b.speed);
  const half = sorted.reduce((sum, step) => sum + step.seconds, 0) / 2;
  let passed = 0;
  for (const step of sorted) {
    passed += step.seconds;
    if (passed >= half) return step.speed;
  }
  return 0;
}
