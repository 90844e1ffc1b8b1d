/** Choices of a plan that stay when lengths of its slots change. */
import { Assignment } from './assignment.ts';
import {
  type Candidate,
  type CandidateOptions,
  candidateAt,
  isWholeSpeech,
  type OutputSlot,
} from './slot-candidates.ts';

/**
 * An assignment to `slots` with the choices of `before` that still fit. A cut that moves between two shots shows more of the one and less of
 * the other; a shot of which both ends move shows the same frames.
 */
export function keptChoices(
  before: Assignment,
  slots: readonly OutputSlot[],
  options: CandidateOptions,
): Assignment {
  const wished = before.choices.map((choice, at) =>
    choice === null ? null : movedChoice(choice, before.rules.slots[at], slots[at], options),
  );
  const story = before.rules.story?.withSlots(slots) ?? null;
  const kept = new Assignment({ ...before.rules, slots, story, earlier: wished });
  const isSame = ({ index }: OutputSlot) => wished[index] === before.choices[index];
  // Unchanged shots come first: changed ones yield to them.
  for (const slot of [...slots].sort((one, other) => Number(isSame(other)) - Number(isSame(one)))) {
    const choice = wished[slot.index];
    if (choice === null) continue;
    const places = isSame(slot) ? [choice] : [choice, ...placesIn(choice, slot, options)];
    const free = places.find((place) => kept.allows(slot.index, place));
    if (free !== undefined) kept.put(slot.index, free);
  }
  return kept;
}

function movedChoice(
  choice: Candidate,
  before: OutputSlot,
  slot: OutputSlot,
  options: CandidateOptions,
): Candidate | null {
  const moved = [slot.startFrame - before.startFrame, slot.endFrame - before.endFrame];
  if (moved[0] === 0 && moved[1] === 0) return choice;
  const shift = moved[1] === 0 ? moved[0] * options.frameSeconds : 0;
  return placed(choice, slot, choice.startSeconds + shift, options);
}

/** In-points of the same shot that show as much of it as possible: earlier, until its end is the old one. */
function placesIn(choice: Candidate, slot: OutputSlot, options: CandidateOptions): Candidate[] {
  const missing = slot.seconds - (choice.endSeconds - choice.startSeconds);
  return [choice.endSeconds - slot.seconds, choice.startSeconds - missing / 2].flatMap(
    (start) => placed(choice, slot, start, options) ?? [],
  );
}

/** Within the run of a choice, as near to a start as it can be; null: the run is too short, or a phrase of speech would be cut. */
function placed(
  choice: Candidate,
  slot: OutputSlot,
  start: number,
  options: CandidateOptions,
): Candidate | null {
  const { take } = choice;
  const { isPhoto } = take.take.material;
  const middle = (choice.startSeconds + choice.endSeconds) / 2;
  const run = take.runs.find(
    ({ startSeconds, endSeconds }) => startSeconds <= middle && middle <= endSeconds,
  );
  if (run === undefined) return null;
  const latest = run.endSeconds - slot.seconds;
  if (latest < run.startSeconds) return null;
  const at = isPhoto ? 0 : Math.min(latest, Math.max(run.startSeconds, start));
  const candidate = candidateAt(slot, take, run, at, options);
  return options.playsTakes && !isWholeSpeech(candidate) ? null : candidate;
}
