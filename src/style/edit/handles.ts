/** Material beside a shot that a transition can show: usable, and shown nowhere else. */
import type { PlannedSlot } from './edit-plan.ts';
import { type Candidate, lineSpan } from './slot-candidates.ts';

const ROUNDING_SECONDS = 1e-6;

/** Two shots with time of one take between them get half of it each. @param choices One per slot; null: empty. */
export function handlesOf(slot: number, choices: readonly (Candidate | null)[]): PlannedSlot['handles'] {
  const chosen = choices[slot]!;
  if (chosen.take.material.isPhoto)
    return { headSeconds: Number.POSITIVE_INFINITY, tailSeconds: Number.POSITIVE_INFINITY };
  const run = chosen.take.runs.find(
    ({ startSeconds, endSeconds }) =>
      startSeconds <= chosen.startSeconds + ROUNDING_SECONDS &&
      endSeconds >= chosen.endSeconds - ROUNDING_SECONDS,
  );
  if (run === undefined) return { headSeconds: 0, tailSeconds: 0 };
  const own = lineSpan(chosen);
  let [headSeconds, tailSeconds] = [
    chosen.startSeconds - run.startSeconds,
    run.endSeconds - chosen.endSeconds,
  ];
  choices.forEach((other, at) => {
    if (other === null || at === slot || other.take.line.group !== chosen.take.line.group) return;
    const { startSeconds, endSeconds } = lineSpan(other);
    if (endSeconds <= own.startSeconds + ROUNDING_SECONDS)
      headSeconds = Math.min(headSeconds, (own.startSeconds - endSeconds) / 2);
    else if (startSeconds >= own.endSeconds - ROUNDING_SECONDS)
      tailSeconds = Math.min(tailSeconds, (startSeconds - own.endSeconds) / 2);
    // Pins may overlap.
    else [headSeconds, tailSeconds] = [0, 0];
  });
  return { headSeconds: Math.max(0, headSeconds), tailSeconds: Math.max(0, tailSeconds) };
}
