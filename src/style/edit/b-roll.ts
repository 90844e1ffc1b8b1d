/** Pictures of other takes over the cuts of a talk: the places, and what is shown there. */
import type { Span } from '../../analysis/facts.ts';
import type { FieldError } from '../../domain/errors.ts';
import { refusal } from '../../domain/refusals.ts';
import { lengthOf } from '../../domain/spans.ts';
import { assign, completed } from './assign-takes.ts';
import { Assignment, type AssignmentRules } from './assignment.ts';
import { type BRollPlace, bRollPlaces, MIN_B_ROLL_SECONDS, type TalkSection } from './b-roll-places.ts';
import { alternativesOf } from './edit-choices.ts';
import type { EditPin, EditRequest, SlotChoice } from './edit-plan.ts';
import { failWith } from './edit-requests.ts';
import { candidateOptions, listsOf, mustUseOf } from './filled-cuts.ts';
import { otherVersion } from './other-version.ts';
import { outputSlots } from './output-slots.ts';
import { pinnedCandidates } from './pins.ts';
import { type PreparedTake, preparedOnce, withoutBanned } from './prepared-takes.ts';
import type { Candidate, CandidateOptions, OutputSlot } from './slot-candidates.ts';
import { likenessOf, SAME } from './span-likeness.ts';
import { StoryPlaces } from './story-order.ts';
import { withoutFarWorse } from './take-supply.ts';
import { templatePictures } from './template-pictures.ts';

/** More than the talks of ten minutes that were planned could show (85). 212 in an hour took 44 s to choose. */
const MAX_PICTURES = 100;

export interface ShownBRoll extends BRollPlace {
  readonly templateSlot: number;
  readonly chosen: SlotChoice;
  readonly alternatives: readonly SlotChoice[];
  readonly pin: EditPin | null;
}

export interface BRollRequest {
  /** The takes without sound; pins, bans and takes are numbered among them. */
  readonly edit: EditRequest;
  /** Number in the whole request of each. */
  readonly order: readonly number[];
  readonly sections: readonly TalkSection[];
}

export interface BRollPlan {
  readonly takes: readonly PreparedTake[];
  /** Ascending. */
  readonly pictures: readonly ShownBRoll[];
}

/**
 * @param slotsOf For each slot of the output the number of the picture in it; null: the speaker is seen.
 * @throws Failure `VALIDATION_ERROR` if a pin names a slot without B-roll.
 */
export function planBRoll(
  { edit, order, sections }: BRollRequest,
  slotsOf: (pictures: readonly BRollPlace[]) => readonly (number | null)[],
): BRollPlan {
  const all = preparedOnce(edit.takes);
  const takes = withoutBanned(all, edit.bans);
  const longest = Math.max(0, ...all.flatMap(({ runs }) => runs.map(lengthOf)));
  const shown = templatePictures(edit.template.slots);
  const turns = shown?.slots ?? pictureSlots(edit);
  const lengths = turns.map((slot) => Math.min(longest, edit.template.slots[slot].durationSeconds));
  const manner = { lengths, share: shown?.share ?? null };
  const placesFor = (most: number) => bRollPlaces(sections, manner, most, edit.frameRate);
  const most = longest < MIN_B_ROLL_SECONDS ? 0 : Math.min(MAX_PICTURES, picturesIn(all));
  const found = searched(edit, { all, takes, turns }, most, placesFor);
  if (found === null) {
    failWith(pinErrors(edit.pins, slotsOf([])));
    return { takes, pictures: [] };
  }
  const { drawn, base, places } = found;
  const filled = places.flatMap((place, index) => (base.choices[index] === null ? [] : [{ place, index }]));
  const slots = slotsOf(filled.map(({ place }) => place));
  failWith(pinErrors(edit.pins, slots));
  const pins = edit.pins.map((pin) => ({ ...pin, slot: filled[slots[pin.slot]!]!.index }));
  const assignment = pins.length === 0 ? base : drawn.withPins(base, takes, pins, order);
  return { takes, pictures: drawn.published(assignment, order, pins, edit.pins) };
}

interface Material {
  readonly all: readonly PreparedTake[];
  /** Without what is banned. */
  readonly takes: readonly PreparedTake[];
  /** Slots of the template that lengths and likeness follow, in turn. */
  readonly turns: readonly number[];
}

/** Rounds with fewer places, because takes have fewer views than lengths suggest: the second fits mostly. */
const MAX_ROUNDS = 3;

/** The choices for as many places as there are views, `most` at most. Null: nothing is shown. */
function searched(
  edit: EditRequest,
  { all, takes, turns }: Material,
  most: number,
  placesFor: (most: number) => readonly BRollPlace[],
) {
  let wanted = most;
  for (let round = 1; wanted > 0; round++) {
    const places = placesFor(wanted);
    if (places.length === 0) return null;
    const drawn = new BRollSearch(edit, places, turns);
    const base = drawn.plan(all, edit.replan ? takes : all, takes);
    const filled = base.choices.filter((choice) => choice !== null).length;
    if (filled === places.length || (round === MAX_ROUNDS && filled > 0)) return { drawn, base, places };
    wanted = filled;
  }
  return null;
}

/** Shots of the template without speech; all if there are none. */
function pictureSlots({ template: { slots } }: EditRequest): number[] {
  const all = slots.map((_, at) => at);
  const silent = all.filter((at) => !slots[at].speaks);
  return silent.length > 0 ? silent : all;
}

/** How many pictures the takes can show at most. */
function picturesIn(takes: readonly PreparedTake[]): number {
  const ofRun = (run: Span) => Math.floor(lengthOf(run) / MIN_B_ROLL_SECONDS + 1e-6);
  return takes.reduce(
    (sum, { material, runs }) =>
      sum + (material.isPhoto ? runs.length : runs.reduce((count, run) => count + ofRun(run), 0)),
    0,
  );
}

class BRollSearch {
  readonly #edit: EditRequest;
  readonly #places: readonly BRollPlace[];
  readonly #slots: readonly OutputSlot[];
  #options: CandidateOptions | null = null;
  #lists: readonly (readonly Candidate[])[] = [];

  constructor(edit: EditRequest, places: readonly BRollPlace[], turns: readonly number[]) {
    this.#edit = edit;
    this.#places = places;
    const cuts = places.map(({ startFrame, endFrame, length }) => ({
      ...{ startFrame, endFrame, templateSlot: turns[length]! },
      // Pictures over a talk begin with a cut.
      isContinuation: true,
    }));
    this.#slots = outputSlots({ ...edit, music: null }, { slots: cuts, musicStartSeconds: null });
  }

  /** The choices without pins. Bans change those alone that showed a banned part. */
  plan(
    all: readonly PreparedTake[],
    before: readonly PreparedTake[],
    takes: readonly PreparedTake[],
  ): Assignment {
    const seconds = this.#slots.reduce((sum, slot) => sum + slot.seconds, 0);
    const first = this.#assigned(withoutFarWorse(before, seconds), null);
    const { seed, bans } = this.#edit;
    const version = seed === 0 ? first : otherVersion(first, this.#lists, seed);
    const isBanned = bans.length > 0 && before === all;
    const chosen = isBanned ? this.#assigned(withoutFarWorse(takes, seconds), version.choices) : version;
    return withoutRepetitions(chosen);
  }

  withPins(
    base: Assignment,
    takes: readonly PreparedTake[],
    pins: readonly EditPin[],
    order: readonly number[],
  ): Assignment {
    const candidates = pinnedCandidates(
      { pins, bans: this.#edit.bans },
      order,
      takes,
      this.#slots,
      this.#options!,
    );
    const pinned = new Set(pins.map(({ slot }) => slot));
    const start = new Assignment({ ...base.rules, pinned, earlier: base.choices });
    for (const [at, { slot }] of pins.entries()) start.put(slot, candidates[at]!);
    const isShown = (slot: number) => base.choices[slot] !== null;
    const lists = this.#lists.map((list, slot) => (isShown(slot) ? list : []));
    const chosen = completed(start, lists, this.#options!);
    for (const { index } of this.#slots) if (!isShown(index)) chosen.take(index);
    return withoutRepetitions(chosen);
  }

  published(
    assignment: Assignment,
    order: readonly number[],
    pins: readonly EditPin[],
    requested: readonly EditPin[],
  ): ShownBRoll[] {
    return this.#places.flatMap((place, index) => {
      if (assignment.choices[index] === null) return [];
      const slot = this.#slots[index]!;
      const pin = pins.findIndex((one) => one.slot === index);
      return [
        {
          ...place,
          ...alternativesOf(assignment, slot, this.#lists[index]!, this.#options!, order),
          templateSlot: slot.templateSlot,
          pin: pin === -1 ? null : requested[pin]!,
        },
      ];
    });
  }

  #assigned(takes: readonly PreparedTake[], earlier: AssignmentRules['earlier']): Assignment {
    const slots = this.#slots;
    const total = slots.reduce((sum, { seconds }) => sum + seconds, 0);
    const usualSeconds = total / slots.length;
    const usable = takes.filter(({ runs }) => runs.length > 0);
    const options = candidateOptions({ ...this.#edit, playsTakes: false }, takes, usualSeconds);
    const isStory = this.#edit.order === 'story';
    const story = isStory
      ? new StoryPlaces(takes.map(({ runs }) => (runs.length > 0 ? 1 : 0))).withSlots(slots)
      : null;
    this.#options = options;
    this.#lists = listsOf(slots, takes, story, options);
    const groups = new Set(usable.map(({ line }) => line.group));
    const fair = Math.max(usualSeconds, total / Math.max(1, groups.size));
    const rules: AssignmentRules = {
      ...{ slots, takes, story, usualSeconds, earlier, pinned: new Set() },
      fairSeconds: new Map([...groups].map((group) => [group, fair])),
      mustUse: mustUseOf(takes),
    };
    return assign(rules, this.#lists, options);
  }
}

/** A view that was shown is not shown again: the speaker is. A person may pin it. */
function withoutRepetitions(assignment: Assignment): Assignment {
  const { choices, rules } = assignment;
  for (const slot of choices.keys()) {
    const choice = choices[slot];
    if (choice === null || rules.pinned.has(slot)) continue;
    const isRepeated = choices.some(
      (other, at) =>
        other !== null &&
        (at < slot || rules.pinned.has(at)) &&
        at !== slot &&
        likenessOf(other.shown, choice.shown) === SAME,
    );
    if (isRepeated) assignment.take(slot);
  }
  return assignment;
}

function pinErrors(pins: readonly EditPin[], slots: readonly (number | null)[]): FieldError[] {
  const free = slots.flatMap((picture, slot) => (picture === null ? [] : [slot]));
  return pins.flatMap(({ slot }, at): FieldError[] => {
    const path = `edit.pins.${at}.slot`;
    if (slot >= slots.length) return [refusal(path, 'SLOT_MISSING', { slot, last_slot: slots.length - 1 })];
    if (slots[slot] !== null) return [];
    const others = free.length === 0 ? 'this talk shows none' : `it is in ${free.join(', ')}`;
    return [{ path, message: `is ${slot}, which shows a speaker; a pin chooses B-roll, and ${others}` }];
  });
}
