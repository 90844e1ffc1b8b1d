/** Refusals that a program can tell apart: a code with values, the message of the interface, and words for people. Pure. */
export type RefusalValues = Readonly<Record<string, number>>;

interface Refusal {
  /** Follows the path of the field. Slots and takes count from 0. */
  readonly message: (values: RefusalValues) => string;
  readonly title: (values: RefusalValues) => string;
  readonly advice: (values: RefusalValues) => string;
}

const seconds = (value: number | undefined) => `${(value ?? 0).toFixed(2)} s`;
const percent = (share: number) => `${Math.round(100 * share)} %`;
/** As a person writes it: 0.2 s. */
const short = (value: number | undefined) => `${Number((value ?? 0).toFixed(2))} s`;
/** People count shots from 1. */
const shot = ({ slot }: RefusalValues) => `shot ${(slot ?? 0) + 1}`;

const REFUSALS = {
  /** `slot`, `last_slot`. */
  SLOT_MISSING: {
    message: ({ slot, last_slot: last }) => `is ${slot}, but this edit has the slots 0 to ${last}`,
    title: (values) => `There is no ${shot(values)}`,
    advice: ({ last_slot: last }) => `This edit has ${(last ?? 0) + 1} shots.`,
  },
  /** `slot`, `seconds`, `least_seconds`. */
  SLOT_TOO_SHORT: {
    message: ({ slot, seconds: has, least_seconds: least }) =>
      `makes slot ${slot} ${seconds(has)} long, but the shortest slot of this edit may have ${seconds(least)}`,
    title: (values) => `S${shot(values).slice(1)} cannot be shorter`,
    advice: ({ least_seconds: least }) =>
      `The shortest shot of this edit may last ${seconds(least)}. Undo it, or refuse the shot to see another.`,
  },
  /** `slot`, `seconds`, `most_seconds`. */
  SLOT_TOO_LONG: {
    message: ({ slot, seconds: has, most_seconds: most }) =>
      `makes slot ${slot} ${seconds(has)} long, but the longest usable part of the takes has ${seconds(most)}`,
    title: (values) => `S${shot(values).slice(1)} cannot last ${seconds(values['seconds'])}`,
    advice: ({ most_seconds: most }) =>
      `The longest part of your takes that can be used has ${seconds(most)}. Undo it, or add a longer take.`,
  },
  /** `slot`, `beats`: by which it is longer, or shorter if negative. */
  SLOT_EMPTY: {
    message: ({ slot, beats = 0 }) => {
      const count = Math.abs(beats) === 1 ? 'a beat' : `${Math.abs(beats)} beats`;
      return `leaves no shot for slot ${slot}, which has ${count} ${beats < 0 ? 'less' : 'more'} than planned: no free part of the takes is long enough`;
    },
    title: (values) => `Nothing is left for ${shot(values)}`,
    advice: () => 'No unused part of your takes is long enough. Undo the change of length, or add a take.',
  },
  /** `seconds` of the edit, `most_seconds` of the song. */
  MUSIC_TOO_SHORT: {
    message: ({ seconds: has, most_seconds: most }) =>
      `make the edit ${seconds(has)} long, but the music ends after ${seconds(most)}`,
    title: () => 'The song is too short for that',
    advice: ({ most_seconds: most }) =>
      `It ends after ${seconds(most)}, and no other shot has a beat to give. Undo it, or use a longer song.`,
  },
  /** `slot`, `take_seconds`, `slot_seconds`. */
  PINNED_TAKE_TOO_SHORT: {
    message: ({ slot, take_seconds: take, slot_seconds: lasts }) =>
      `names a take of ${seconds(take)}, but slot ${slot} lasts ${seconds(lasts)}: pin a longer take`,
    title: (values) => `The take pinned in ${shot(values)} is too short`,
    advice: ({ take_seconds: take, slot_seconds: lasts }) =>
      `It has ${seconds(take)}, the shot ${seconds(lasts)}. Make the shot shorter, or let it be chosen again.`,
  },
  /** `takes`, `seconds` of all. */
  NOTHING_USABLE: {
    message: ({ takes, seconds: all = 0 }) =>
      `have no moment that can be used: all ${all.toFixed(1)} s of ${takes} are faulty, excluded or banned`,
    title: () => 'Nothing of your takes can be used',
    advice: () =>
      'Each take in the list says which parts are left out, and why. Add other takes, or undo what you refused.',
  },
  /** `takes`; `share` of speech of the `take` with most of it. */
  NOBODY_SPEAKS: {
    message: ({ share = 0, take }) =>
      `need one in which somebody speaks for half of the time or more; ${share === 0 ? 'nobody speaks in any' : `the most is ${percent(share)}, in take ${take}`}. Give a take that speaks the role "talk", or set config.talk to "off"`,
    title: ({ share = 0 }) =>
      share === 0 ? 'Nobody speaks in your takes' : 'Too little is said in each of your takes',
    advice: ({ share = 0, take = 0 }) =>
      share === 0
        ? 'A talk needs a take in which somebody speaks. Add one, or switch A talk off under More.'
        : `In a talk somebody speaks for half of a take or more; the most is ${percent(share)}, in take ${take + 1}. Add such a take, or switch A talk off under More.`,
  },
  /** `seconds`, `least_seconds`. */
  FILE_TOO_SHORT: {
    message: ({ seconds: has, least_seconds: least }) =>
      `lasts ${(has ?? 0).toFixed(3)} s; at least ${short(least)} are needed`,
    title: ({ seconds: has, least_seconds: least }) => `Too short: ${short(has)}, at least ${short(least)}`,
    advice: () => 'Add a longer part of it, or leave it out.',
  },
  /** `seconds`, `most_seconds`. */
  FILE_TOO_LONG: {
    message: ({ seconds: has, most_seconds: most }) =>
      `lasts ${Math.round(has ?? 0)} s; at most ${most} s are accepted`,
    title: ({ most_seconds: most = 0 }) =>
      `Too long: this service takes ${Math.floor(most / 60)} min at most`,
    advice: () => 'Export a shorter part of it, and add that.',
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type RefusalCode = keyof typeof REFUSALS;
export const REFUSAL_CODES = Object.keys(REFUSALS) as unknown as readonly [RefusalCode, ...RefusalCode[]];

/** The error of a field (`FieldError` of `errors.ts`). */
export function refusal(path: string, code: RefusalCode, values: RefusalValues) {
  return { path, message: REFUSALS[code].message(values), code, values };
}

/** For people. Null: an error without a code, or with one of a later version. */
export function refusalWords({
  code,
  values = {},
}: {
  readonly code?: string | undefined;
  readonly values?: RefusalValues | undefined;
}): { readonly title: string; readonly advice: string } | null {
  const words: Refusal | undefined = REFUSALS[code as RefusalCode];
  return words === undefined ? null : { title: words.title(values), advice: words.advice(values) };
}
