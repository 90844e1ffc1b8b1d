/** The cuts of an edit that its takes can fill, and the choices that fill them. */
import { assign } from './assign-takes.ts';
import type { Assignment, AssignmentRules } from './assignment.ts';
import { UsableRanks } from './curve-means.ts';
import { type CutPlan, minSlotSeconds } from './cut-plan.ts';
import { planCuts } from './cut-times.ts';
import type { EditRequest } from './edit-plan.ts';
import { playableSeconds } from './music-window.ts';
import { otherVersion } from './other-version.ts';
import { outputSlots } from './output-slots.ts';
import { partedCuts } from './parted-cuts.ts';
import { distinctRuns, type PreparedTake, usableTotal } from './prepared-takes.ts';
import { type Candidate, type CandidateOptions, candidatesOf, type OutputSlot } from './slot-candidates.ts';
import { SpanLooks } from './span-looks.ts';
import { StoryPlaces } from './story-order.ts';
import { lengthOf } from './take-runs.ts';

/** Candidates per slot over all takes. */
const CANDIDATES = 56;
const MIN_PER_TAKE = 4;
const MAX_ATTEMPTS = 4;
/** Of one plan of cuts: halves, then quarters of slots that nothing fills. */
const MAX_PARTINGS = 3;
/** Of a slot, before cuts are planned. */
const USUAL_SECONDS = 2;

export interface Drawn {
  readonly cuts: CutPlan;
  /** By which wishes about lengths changed each slot. */
  readonly beatsChanged: readonly number[];
  readonly slots: readonly OutputSlot[];
  readonly assignment: Assignment;
  readonly lists: readonly (readonly Candidate[])[];
  readonly options: CandidateOptions;
}

/** The maximum length of an edit of these takes. */
export function usableSeconds({ template }: EditRequest, takes: readonly PreparedTake[]): number {
  const longest = Math.max(...template.slots.map(({ durationSeconds }) => durationSeconds));
  return usableTotal(distinctRuns(takes), takes, longest);
}

/** Cuts that material can fill: slots that nothing fills are parted, and if that is no help the edit is shorter. */
export function filledCuts(request: EditRequest, takes: readonly PreparedTake[], wanted: number): Drawn {
  const runs = distinctRuns(takes);
  let seconds = Math.max(minSlotSeconds(request.template), Math.min(wanted, usableSeconds(request, takes)));
  let best: { readonly drawn: Drawn; readonly missing: number } | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const story = storyOf(request, takes, seconds);
    const cutRequest = {
      ...request,
      seconds,
      runs,
      ...(story === null ? {} : { longestAt: (place: number) => story.longestAt(place, takes) }),
    };
    let cuts: CutPlan | null = planCuts(cutRequest);
    for (let part = 0; cuts !== null && part < MAX_PARTINGS; part++) {
      const drawn: Drawn = filled(request, takes, cuts, story);
      const empty = drawn.slots.filter(({ index }) => drawn.assignment.choices[index] === null);
      if (empty.length === 0) return drawn;
      const missing = empty.reduce((sum, slot) => sum + slot.seconds, 0);
      if (best === null || missing < best.missing) best = { drawn, missing };
      cuts = partedCuts(cuts, new Set(empty.map(({ index }) => index)), cutRequest);
    }
    seconds = Math.max(0.5, 0.98 * (seconds - best!.missing));
  }
  return best!.drawn;
}

function storyOf(
  { order }: EditRequest,
  takes: readonly PreparedTake[],
  seconds: number,
): StoryPlaces | null {
  if (order === 'free') return null;
  const fair = fairShares(takes, seconds, USUAL_SECONDS);
  const weights = takes.map(({ line, usableSeconds }) => {
    const twins = takes.filter((other) => other.line.group === line.group && other.usableSeconds > 0);
    return usableSeconds > 0 ? fair.get(line.group)! / twins.length : 0;
  });
  return new StoryPlaces(weights);
}

export function wantedSeconds({ template, duration, music }: EditRequest): number {
  if (duration.kind === 'seconds') return duration.seconds;
  if (duration.kind === 'music') return playableSeconds(music!.song, music!.startSeconds);
  return template.slots.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

function filled(
  request: EditRequest,
  takes: readonly PreparedTake[],
  cuts: CutPlan,
  story: StoryPlaces | null,
): Drawn {
  const slots = outputSlots(request, cuts);
  const total = slots.reduce((sum, slot) => sum + slot.seconds, 0);
  const usualSeconds = Math.max(0.1, total / Math.max(1, slots.length));
  const options: CandidateOptions = {
    looks: new SpanLooks(new UsableRanks(takes, usualSeconds)),
    playsTakes: request.playsTakes,
    frameSeconds: 1 / request.frameRate,
    perTake: Math.max(MIN_PER_TAKE, Math.ceil(CANDIDATES / Math.max(1, takes.length))),
    most: CANDIDATES,
  };
  const places = story?.withSlots(slots) ?? null;
  const lists = listsOf(slots, takes, places, options);
  const rules: AssignmentRules = {
    slots,
    takes,
    story: places,
    usualSeconds,
    fairSeconds: fairShares(takes, total, usualSeconds),
    mustUse: new Set(
      takes.flatMap(({ take, runs, index }) => (take.mustUse && runs.length > 0 ? [index] : [])),
    ),
    earlier: null,
    pinned: new Set(),
  };
  const best = assign(rules, lists, options);
  const assignment = request.seed === 0 ? best : otherVersion(best, lists, request.seed);
  return { cuts, beatsChanged: slots.map(() => 0), slots, assignment, lists, options };
}

export function listsOf(
  slots: readonly OutputSlot[],
  takes: readonly PreparedTake[],
  story: StoryPlaces | null,
  options: CandidateOptions,
): Candidate[][] {
  return slots.map((slot) => {
    const all = candidatesOf(slot, takes, options);
    return story === null ? all : all.filter((candidate) => story.isNear(slot.index, candidate));
  });
}

/** Equal shares of the edit's time for each group of twins, less for those in which less happens. */
function fairShares(
  takes: readonly PreparedTake[],
  total: number,
  usualSeconds: number,
): Map<number, number> {
  const capacity = new Map<number, number>();
  for (const { line, runs, take, means } of takes) {
    // The end of a run is mostly too short for another slot.
    const seconds = take.material.isPhoto
      ? Math.min(runs.length, 1) * usualSeconds
      : runs.reduce((sum, run) => {
          const filled = lengthOf(run) * (1 - means.mean('empty', run.startSeconds, run.endSeconds));
          return sum + Math.max(filled / 2, filled - 0.3 * usualSeconds);
        }, 0);
    capacity.set(line.group, Math.max(capacity.get(line.group) ?? 0, seconds));
  }
  let left = total;
  const shares = new Map<number, number>();
  const ascending = [...capacity].sort(([, one], [, other]) => one - other);
  ascending.forEach(([group, seconds], at) => {
    const share = Math.min(seconds, left / (ascending.length - at));
    shares.set(group, share);
    left -= share;
  });
  return shares;
}
