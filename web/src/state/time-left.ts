/** Remaining time of a running job. */
import type { Job } from '../../../src/client/api-types.ts';
import { doneShares } from '../../../src/jobs/model/progress.ts';

/** Of the rendering: from then on its own pace says more than the service's estimate, which does not know which results were cached. */
const MIN_DRAWN_SHARE = 0.05;

/** @param renderingSeconds Since the rendering began; null: another stage runs, or its start is unknown. */
export function timeLeft(
  { progress_percent: percent, eta_seconds: eta }: Pick<Job, 'progress_percent' | 'eta_seconds'>,
  renderingSeconds: number | null,
): number | null {
  const { drawn } = doneShares(percent);
  if (renderingSeconds === null || drawn < MIN_DRAWN_SHARE) return eta ?? null;
  return (renderingSeconds * (1 - drawn)) / drawn;
}
