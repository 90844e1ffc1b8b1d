/** Choices of a plan that stay when lengths of its slots, or of the whole edit, change. */
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

/** Relative difference of lengths up to which two slots are one place of the rhythm; with .6 eight edits keep the same shots. */
const SAME_LENGTH = 0.25;

/** An assignment to the slots of `next` with the choices that `reference`, an edit of another length, has for the same slots of the template. */
export function choicesOfLength(
  next: Assignment,
  reference: Assignment,
  options: CandidateOptions,
): Assignment {
  const { slots, takes, story } = next.rules;
  const others = reference.rules.slots;
  let from = 0;
  const wished = slots.map((slot) => {
    const at =
      story === null
        ? others.findIndex((other, index) => index >= from && isSamePlace(other, slot))
        : nearestPlace(others, from, placeIn(slots, slot));
    const choice = reference.choices[at];
    if (choice === null || choice === undefined) return null;
    from = at + 1;
    return placed({ ...choice, take: takes[choice.take.index] }, slot, choice.startSeconds, options);
  });
  const kept = new Assignment({ ...next.rules, earlier: wished });
  for (const [slot, choice] of wished.entries())
    if (choice !== null && kept.allows(slot, choice)) kept.put(slot, choice);
  return kept;
}

function isSamePlace(one: OutputSlot, other: OutputSlot): boolean {
  return (
    one.templateSlot === other.templateSlot &&
    Math.abs(one.seconds - other.seconds) <= SAME_LENGTH * other.seconds
  );
}

/** Of the slots from one number on; in a story all takes follow each other within any length. */
function nearestPlace(slots: readonly OutputSlot[], from: number, place: number): number {
  const distance = (slot: OutputSlot) => Math.abs(placeIn(slots, slot) - place);
  return slots.slice(from).reduce((best, slot) => {
    return best < 0 || distance(slot) < distance(slots[best]) ? slot.index : best;
  }, -1);
}

/** Middle of a slot, as a share of the edit. */
function placeIn(slots: readonly OutputSlot[], { startFrame, endFrame }: OutputSlot): number {
  return (startFrame + endFrame) / 2 / slots.at(-1)!.endFrame;
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
  const { isPhoto } = take.material;
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
