/** Which transitions of a template suit the two pictures between which they lie; others are cuts. */
import type { TransitionType } from '../../analysis/facts.ts';
import type { SlotTransition } from './edit-plan.ts';
import { isColorFade } from './output-slots.ts';
import type { Candidate, OutputSlot } from './slot-candidates.ts';

/** They move an edge through the picture, which is seen only between unlike pictures. */
const WITH_EDGE = new Set<TransitionType>(['wipe', 'slide', 'circle']);
/**
 * Least difference of two pictures with an edge between them, in CIELAB lightness. A wipe from a wall to a floor with 19 was seen as a slipped
 * frame; wipes between unlike takes of 52 plans have 21 to 39.
 */
const MIN_EDGE_DIFFERENCE = 20;
/** Lightness below which both pictures are dark: dips to white between 11 and 20 glared. */
const DARK_BELOW = 30;

/** Null: a cut. */
export function transitionBetween(
  before: Candidate | null,
  after: Candidate,
  { transition }: OutputSlot,
): SlotTransition | null {
  if (transition === null || before === null) return transition;
  const isSameTake = before.take.line.group === after.take.line.group;
  // Between two moments of one take a color reads as a blink, an edge as a slipped frame.
  if (isColorFade(transition)) return isSameTake || areDark(before, after) ? null : transition;
  if (!WITH_EDGE.has(transition.type)) return transition;
  return isSameTake || borderDifference(before, after) < MIN_EDGE_DIFFERENCE ? null : transition;
}

function areDark(before: Candidate, after: Candidate): boolean {
  return Math.max(lightnessAtEnd(before), lightnessAtStart(after)) < DARK_BELOW;
}

function lightnessAtEnd({ take, endSeconds }: Candidate): number {
  return take.means.at('lightness', endSeconds - 1e-6);
}

function lightnessAtStart({ take, startSeconds }: Candidate): number {
  return take.means.at('lightness', startSeconds);
}

/** Root mean square difference of the last picture of one shot and the first of the next, by their lightness, contrast and likeness. */
function borderDifference(before: Candidate, after: Candidate): number {
  const [out, into] = [before.take, after.take];
  const [end, start] = [before.endSeconds - 1e-6, after.startSeconds];
  const likeness = out.views.correlation(out.views.indexAt(end), into.views, into.views.indexAt(start));
  const deviations = [100 * out.means.at('contrast', end), 100 * into.means.at('contrast', start)] as const;
  const lighter = lightnessAtEnd(before) - lightnessAtStart(after);
  return Math.sqrt(
    lighter ** 2 + deviations[0] ** 2 + deviations[1] ** 2 - 2 * likeness * deviations[0] * deviations[1],
  );
}
