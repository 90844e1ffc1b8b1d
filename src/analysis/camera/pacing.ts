/** One step between frames that takes time, and the picture's displacement, in frame diagonals. */
export interface Step {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly distance: number;
}

/**
 * Mean speed in each second from 0 to the clip's end, frame diagonals per second. A second without a
 * measurable step (only transitions, or a held frame) has 0.
 */
export function activityPerSecond(steps: readonly Step[], durationSeconds: number): number[] {
  const count = Math.max(0, Math.ceil(durationSeconds));
  const distance = new Float64Array(count);
  const seconds = new Float64Array(count);
  for (const step of steps) {
    for (let k = Math.max(0, Math.floor(step.startSeconds)); k < count && k < step.endSeconds; k++) {
      const share = Math.min(k + 1, step.endSeconds) - Math.max(k, step.startSeconds);
      if (share <= 0) continue;
      seconds[k] += share;
      distance[k] += (step.distance * share) / (step.endSeconds - step.startSeconds);
    }
  }
  return Array.from(distance, (value, k) => (seconds[k] > 0 ? value / seconds[k] : 0));
}

/**
 * Steps are merged to this length before their median is computed. A clip converted from 25 to 30 frames a
 * second repeats every fifth frame, and its other steps are too fast.
 */
const MERGED_SECONDS = 0.2;

/** Median speed over the running time, frame diagonals per second; 0 without steps. */
export function medianSpeed(steps: readonly Step[]): number {
  const stretches: { seconds: number; distance: number }[] = [];
  let endSeconds = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    const seconds = step.endSeconds - step.startSeconds;
    const last = stretches.at(-1);
    const isAdjacent = step.startSeconds === endSeconds;
    if (last === undefined || !isAdjacent || last.seconds >= MERGED_SECONDS - 1e-6) {
      stretches.push({ seconds, distance: step.distance });
    } else {
      last.seconds += seconds;
      last.distance += step.distance;
    }
    endSeconds = step.endSeconds;
  }
  stretches.sort((a, b) => a.distance / a.seconds - b.distance / b.seconds);
  const half = stretches.reduce((sum, { seconds }) => sum + seconds, 0) / 2;
  let passed = 0;
  for (const { seconds, distance } of stretches) {
    passed += seconds;
    if (passed >= half) return distance / seconds;
  }
  return 0;
}
