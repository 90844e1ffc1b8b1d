/** The cuts of an edit that its takes can fill, and the choices that fill them. */
import type { Span } from '../../analysis/facts.ts';
import { lengthOf } from '../../domain/spans.ts';
import { median } from '../../signal/statistics.ts';
import { assign, repair } from './assign-takes.ts';
import type { AssignmentRules } from './assignment.ts';
import { UsableRanks } from './curve-means.ts';
import { type CutPlan, type CutRequest, minSlotSeconds } from './cut-plan.ts';
import { isCopied, planCuts } from './cut-times.ts';
import type { EditRequest } from './edit-plan.ts';
import { isOverstayed } from './holding-time.ts';
import { joinedCuts, slotsToJoin } from './joined-cuts.ts';
import { playableSeconds } from './music-window.ts';
import { outputSlots } from './output-slots.ts';
import { canPart, MIN_SHOWN_SECONDS, partedCuts } from './parted-cuts.ts';
import {
  type Drawn,
  emptySeconds,
  hasNamedLength,
  lengthCosts,
  planCost,
  repeatedShare,
  secondsOfSlots,
} from './plan-cost.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { type Candidate, type CandidateOptions, candidatesOf, type OutputSlot } from './slot-candidates.ts';
import { SpanLooks } from './span-looks.ts';
import { StoryPlaces } from './story-order.ts';
import { distinctRuns, usableTotal, withoutFarWorse } from './take-supply.ts';
import { seenShare } from './take-worth.ts';

/** Candidates per slot over all takes. */
const CANDIDATES = 56;
const MIN_PER_TAKE = 4;
const MAX_ATTEMPTS = 4;
/** Partings in turn that make a filled plan no better. In plans of five occasions none was better after two that were not. */
const MAX_WORSE = 2;
/** Of one plan of cuts: a joined shot may show a view that others show. */
const MAX_JOININGS = 3;
/** Of the longest length: a smaller difference of attempts is not heard. */
export const NEAR_SHARE = 0.04;
/** Shares of the length, and factors of the template's shot lengths, that are tried where many slots show the same again (0309). */
const SHORTER_SHARES = [1, 0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3];
const SLOWER_FACTORS = [1, 1.4, 2, 2.8];
/** Median shot of a slower edit, at most. In 24 judged reels shots of 1.2 to 2.5 s were liked best. */
const SLOWER_MEDIAN_SECONDS = 2;
/** Share of such slots. Not fitted: one of seven. */
const REPEATED_SHARE = 0.15;
/** Shorter ones are no reel: of 54 templates from public repositories one in ten has less than 11.2 s, the shortest 7.0. */
export const MIN_SHORTENED_SECONDS = 8;
/** Of the slots, at most: parted at once for takes that have no slot. */
const PARTED_SHARE = 1 / 4;
/** Of a slot, before cuts are planned. */
const USUAL_SECONDS = 2;

/** The maximum length of an edit of these takes. */
export function usableSeconds({ template }: EditRequest, takes: readonly PreparedTake[]): number {
  const longest = Math.max(...template.slots.map(({ durationSeconds }) => durationSeconds));
  return usableTotal(distinctRuns(takes), takes, longest);
}

/**
 * The cuts and choices of least cost, `planCost`. Slots are parted first: those that nothing fills, for takes that have no slot, and those
 * that last longer than their shots hold. Only then the edit is shorter, and then longer again, as far as it is filled.
 */
export function filledCuts(request: EditRequest, all: readonly PreparedTake[], wanted: number): Drawn {
  const takes = withoutFarWorse(all, wanted);
  const search = new CutSearch(request, takes, wanted);
  const most = Math.max(minSlotSeconds(request.template), Math.min(wanted, usableSeconds(request, takes)));
  let [filledTo, emptyFrom] = [0, most];
  let seconds = most;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const missing = search.attempt(seconds);
    if (missing === 0) filledTo = seconds;
    else emptyFrom = seconds;
    if (emptyFrom - filledTo < NEAR_SHARE * most || filledTo === most) break;
    const middle = (filledTo + emptyFrom) / 2;
    seconds = missing === 0 ? middle : Math.max(middle, seconds - missing);
  }
  if (!hasNamedLength(request)) search.shorten();
  return search.best;
}

interface Attempt {
  readonly drawn: Drawn;
  readonly cost: number;
}

/** Attempts with lengths, of which the best is kept. */
class CutSearch {
  readonly #request: EditRequest;
  readonly #takes: readonly PreparedTake[];
  readonly #wanted: number;
  readonly #runs: readonly Span[];
  #found: Attempt | null = null;

  constructor(request: EditRequest, takes: readonly PreparedTake[], wanted: number) {
    this.#request = request;
    this.#takes = takes;
    this.#wanted = wanted;
    this.#runs = distinctRuns(takes);
  }

  get best(): Drawn {
    return this.#found!.drawn;
  }

  /** Tries shorter and slower edits where the best one shows the same again. */
  shorten(): void {
    const seconds = secondsOfSlots(this.best);
    if (repeatedShare(this.best) < REPEATED_SHARE) return;
    const usual = median(this.#request.template.slots.map(({ durationSeconds }) => durationSeconds));
    const takes = new Set(usableGroups(this.#takes)).size;
    const least = Math.min(seconds, MIN_SHORTENED_SECONDS);
    for (const slower of isCopied(this.#request) ? [1] : SLOWER_FACTORS) {
      if (slower > 1 && slower * usual > SLOWER_MEDIAN_SECONDS) return;
      // About as long as one shot of each take.
      const ofTakes = Math.min(seconds, takes * usual * slower);
      const lengths = [...SHORTER_SHARES.map((share) => share * seconds), ofTakes];
      for (const length of lengths.sort((one, other) => other - one))
        if (length >= least && !this.#isEnough(length)) this.attempt(length, { slower, alwaysJoins: true });
    }
  }

  /** Whether the best edit is as long as this and repeats nothing. */
  #isEnough(seconds: number): boolean {
    return secondsOfSlots(this.best) >= seconds && repeatedShare(this.best) === 0;
  }

  /**
   * Returns the seconds of slots that nothing fills, of the parting that leaves least. `slower`: factor of the
   * template's lengths. `alwaysJoins`: repeated views are joined although another attempt is better so far.
   */
  attempt(seconds: number, { slower = 1, alwaysJoins = false } = {}): number {
    const request = this.#request;
    const takes = this.#takes;
    const story = storyOf(request, takes, seconds);
    const cutRequest: CutRequest = {
      ...request,
      seconds,
      runs: this.#runs,
      slower,
      leastSlots: new Set(usableGroups(takes)).size,
      ...(story === null ? {} : { longestAt: (place: number) => story.longestAt(place, takes) }),
    };
    let missing = Number.POSITIVE_INFINITY;
    let cuts: CutPlan | null = planCuts(cutRequest);
    let found: Attempt | null = null;
    let worse = 0;
    // Ends: parts have a least length.
    while (cuts !== null && worse < MAX_WORSE) {
      const drawn = filled(request, takes, cuts, story);
      const empty = emptySeconds(drawn);
      missing = Math.min(missing, empty);
      const tried = this.#keep(drawn, 0);
      const isBetter = isCheaper(tried, found);
      worse = isBetter || empty > 0 ? 0 : worse + 1;
      if (isBetter) found = tried;
      const named = slotsToPart(drawn, cutRequest);
      cuts = named.size === 0 ? null : partedCuts(cuts, named, cutRequest);
    }
    const isJoined = alwaysJoins || found === this.#found;
    if (found !== null && isJoined && !isCopied(cutRequest)) this.#join(found.drawn, story);
    return missing;
  }

  #join(start: Drawn, story: StoryPlaces | null): void {
    let drawn = start;
    let joined = 0;
    const longest = Math.max(MIN_SHOWN_SECONDS, ...start.slots.map(({ seconds }) => seconds));
    for (let round = 0; round < MAX_JOININGS; round++) {
      const named = slotsToJoin(drawn.assignment, longest);
      if (named.size === 0) return;
      joined += named.size;
      drawn = filled(this.#request, this.#takes, joinedCuts(drawn.cuts, named), story);
      this.#keep(drawn, joined);
    }
  }

  #keep(drawn: Drawn, joined: number): Attempt {
    const tried = { drawn, cost: planCost(drawn, this.#wanted, joined, lengthCosts(this.#request)) };
    if (isCheaper(tried, this.#found)) this.#found = tried;
    return tried;
  }
}

/** By more than the rounding of sums; anything is cheaper than none. */
function isCheaper({ cost }: Attempt, than: Attempt | null): boolean {
  return than === null || cost < than.cost - 1e-9;
}

/** Slots that nothing fills; else those that outlast their shots, and one for each take without a slot. */
function slotsToPart(drawn: Drawn, request: CutRequest): Set<number> {
  const { slots, assignment, cuts } = drawn;
  const { choices } = assignment;
  const empty = slots.filter(({ index }) => choices[index] === null);
  if (empty.length > 0) return new Set(empty.map(({ index }) => index));
  if (isCopied(request)) return new Set();
  const long = slots.filter(({ index }) => canPart(cuts, index, request));
  const named = new Set<number>();
  for (const { index, seconds } of long) if (isOverstayed(seconds, choices[index]!.hold)) named.add(index);
  addSlotsForTakes(named, drawn, long);
  return named;
}

/** For each take without a slot the slot that outlasts its shot most; in a story the nearest to the take's place. */
function addSlotsForTakes(
  named: Set<number>,
  { slots, assignment }: Drawn,
  long: readonly OutputSlot[],
): void {
  const { choices, rules } = assignment;
  const shown = new Set(choices.map((choice) => choice!.take.line.group));
  const total = slots.at(-1)!.endFrame;
  for (const take of rules.takes) {
    if (named.size >= PARTED_SHARE * slots.length) return;
    if (take.usableSeconds === 0 || shown.has(take.line.group)) continue;
    shown.add(take.line.group);
    const place = rules.story?.placeOf(take) ?? null;
    const rank = ({ index, seconds, startFrame, endFrame }: OutputSlot) => {
      const off = place === null ? 0 : Math.abs((startFrame + endFrame) / 2 / total - place) * slots.length;
      return seconds / choices[index]!.hold - off;
    };
    const best = long
      .filter(({ index }) => !named.has(index))
      .reduce<OutputSlot | null>(
        (one, other) => (one === null || rank(other) > rank(one) ? other : one),
        null,
      );
    if (best !== null) named.add(best.index);
  }
}

function usableGroups(takes: readonly PreparedTake[]): number[] {
  return takes.flatMap(({ line, usableSeconds: seconds }) => (seconds > 0 ? [line.group] : []));
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
  const total = secondsOfSlots({ slots });
  const usualSeconds = Math.max(0.1, total / Math.max(1, slots.length));
  const options = candidateOptions(request, takes, usualSeconds);
  const places = story?.withSlots(slots) ?? null;
  const lists = listsOf(slots, takes, places, options);
  const rules: AssignmentRules = {
    slots,
    takes,
    story: places,
    usualSeconds,
    fairSeconds: fairShares(takes, total, usualSeconds),
    mustUse: mustUseOf(takes),
    earlier: null,
    pinned: new Set(),
  };
  // Afterwards, so that no take loses its place to a better end.
  const assignment = assign(rules, lists, options).withRules({ ...rules, hasEnds: true });
  repair(assignment, lists);
  return { cuts, slots, lists, options, beatsChanged: slots.map(() => 0), assignment };
}

/** @param usualSeconds Length of a usual slot. */
export function candidateOptions(
  { playsTakes, frameRate }: Pick<EditRequest, 'playsTakes' | 'frameRate'>,
  takes: readonly PreparedTake[],
  usualSeconds: number,
): CandidateOptions {
  const usable = takes.filter(({ runs }) => runs.length > 0);
  return {
    looks: new SpanLooks(new UsableRanks(takes, usualSeconds)),
    playsTakes,
    frameSeconds: 1 / frameRate,
    perTake: Math.max(MIN_PER_TAKE, Math.ceil(CANDIDATES / Math.max(1, usable.length))),
    most: CANDIDATES,
  };
}

/** Numbers of the takes that must be shown and can be. */
export function mustUseOf(takes: readonly PreparedTake[]): Set<number> {
  return new Set(takes.flatMap(({ mustUse, runs, index }) => (mustUse && runs.length > 0 ? [index] : [])));
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

/** Of a take that deserves least, beside 1 of the others. */
const MIN_WEIGHT = 0.25;

/** Shares of the edit's time for each group of twins: equal ones, but less for those that deserve less, or in which less happens or can be seen. */
function fairShares(
  takes: readonly PreparedTake[],
  total: number,
  usualSeconds: number,
): Map<number, number> {
  const groups = new Map<number, { readonly seconds: number; readonly weight: number }>();
  for (const { line, runs, material, means, worth } of takes) {
    // The end of a run is mostly too short for another slot.
    const seconds = material.isPhoto
      ? Math.min(runs.length, 1) * usualSeconds
      : runs.reduce((sum, run) => {
          const isFilled = 1 - means.mean('empty', run.startSeconds, run.endSeconds);
          const filled = lengthOf(run) * isFilled * seenShare(means, run);
          return sum + Math.max(filled / 2, filled - 0.3 * usualSeconds);
        }, 0);
    const twins = groups.get(line.group) ?? { seconds: 0, weight: MIN_WEIGHT };
    groups.set(line.group, {
      seconds: Math.max(twins.seconds, seconds),
      weight: Math.max(twins.weight, worth),
    });
  }
  let left = total;
  let weights = [...groups.values()].reduce((sum, { weight }) => sum + weight, 0);
  const shares = new Map<number, number>();
  const ascending = [...groups].sort(
    ([, one], [, other]) => one.seconds / one.weight - other.seconds / other.weight,
  );
  for (const [group, { seconds, weight }] of ascending) {
    const share = Math.min(seconds, (left * weight) / weights);
    shares.set(group, share);
    left -= share;
    weights -= weight;
  }
  return shares;
}
