/** Why an edit shows a moment, or does not: codes with values, and their words for the command line, the page and the report. */
import { REMOVAL_WORDS } from './removal-words.ts';

/** Names of slots and takes, which the interface counts from 0 and the page from 1. */
export interface ReasonNames {
  readonly slot: (number: number) => string;
  readonly take: (number: number) => string;
}

export const INTERFACE_NAMES: ReasonNames = {
  slot: (number) => `slot ${number}`,
  take: (number) => `take ${number}`,
};

/** Ranks 0..1 of a moment, and of the template's shot that it follows. */
const RANKED = {
  motion: 'camera motion',
  activity: 'movement',
  contrast: 'contrast',
  detail: 'detail',
  lightness: 'brightness',
} as const;
export type RankedCode = keyof typeof RANKED;

/** `TakeFault` of `src/analysis/material/take-material.ts`. */
const FAULTS = {
  blurred: 'blurred',
  shaken: 'shaken',
  dark: 'too dark',
  overexposed: 'overexposed',
  covered: 'lens covered',
  frozen: 'frozen',
  swinging: 'camera swings',
  own_cut: "beside the take's own cut",
  sideways: 'lies sideways',
} as const;
type FaultCode = keyof typeof FAULTS;

/** Ranks that differ by less look alike. */
const ALIKE_RANKS = 0.15;

type Values = Readonly<Record<string, number | string>>;

const OTHERS = {
  pinned: () => 'pinned',
  excluded: () => 'excluded',
  banned: () => 'banned',
  no_slot: () => 'usable, but no shot needs it',
  used_in_slot: ({ slot }: Values, names: ReasonNames) => `already in ${names.slot(Number(slot))}`,
  shown_from_take: ({ take }: Values, names: ReasonNames) => `shown from ${names.take(Number(take))}`,
  impact_on_beat: ({ at_seconds: at }: Values) => `impact on the beat at ${Number(at).toFixed(2)} s`,
  shot_size: ({ size }: Values) => `${size} shot`,
  no_handles: ({ transition }: Values) => `no material for the ${String(transition).replaceAll('_', ' ')}`,
  cut_instead: ({ transition }: Values) =>
    `a cut: a ${String(transition).replaceAll('_', ' ')} would join similar or dark pictures`,
  speech: () => 'somebody speaks',
  hides_cut: ({ seconds }: Values) => `hides a cut of ${Number(seconds).toFixed(1)} s`,
  pause: () => REMOVAL_WORDS.pause,
  retake: () => REMOVAL_WORDS.retake,
  filler: () => REMOVAL_WORDS.filler,
  too_short_for_b_roll: ({ seconds }: Values) =>
    `shorter than ${Number(seconds).toFixed(1)} s, the least of a picture over a talk`,
  usable: ({ seconds }: Values) => `usable for ${Number(seconds).toFixed(1)} s`,
} as const satisfies Readonly<Record<string, (values: Values, names: ReasonNames) => string>>;

export type EditReasonCode = RankedCode | FaultCode | keyof typeof OTHERS;

export const EDIT_REASON_CODES = [
  ...Object.keys(RANKED),
  ...Object.keys(FAULTS),
  ...Object.keys(OTHERS),
] as unknown as readonly [EditReasonCode, ...EditReasonCode[]];

export interface EditReason {
  readonly code: EditReasonCode;
  /** `rank` and `wanted` of ranks; else those that the code's words name. */
  readonly values?: Values | undefined;
}

/** Reasons that share one phrase. */
interface Phrase {
  readonly before: string;
  readonly after: string;
  readonly subjects: string[];
}

export function reasonText(reason: EditReason, names: ReasonNames = INTERFACE_NAMES): string {
  return reasonsText([reason], names);
}

/** The reasons in the given order; ranks that compare alike become one phrase after the others. */
export function reasonsText(reasons: readonly EditReason[], names: ReasonNames = INTERFACE_NAMES): string {
  const plain: string[] = [];
  const compared = new Map<string, Phrase>();
  for (const reason of reasons) {
    if (!isRank(reason.code)) {
      plain.push(wordsOf(reason, names));
      continue;
    }
    const [before, after] = comparison(reason.values ?? {});
    const phrase = compared.get(before + after) ?? { before, after, subjects: [] };
    phrase.subjects.push(RANKED[reason.code]);
    compared.set(before + after, phrase);
  }
  const phrases = [...compared.values()].map(
    ({ before, after, subjects }) => `${before}${listed(subjects)}${after}`,
  );
  return [...plain, ...phrases].join('; ');
}

function isRank(code: EditReasonCode): code is RankedCode {
  return code in RANKED;
}

function comparison({ rank, wanted }: Values): readonly [before: string, after: string] {
  const difference = Number(rank) - Number(wanted);
  if (Math.abs(difference) <= ALIKE_RANKS) return ['', ' as in the look'];
  return [difference > 0 ? 'more ' : 'less ', ' than in the look'];
}

/** A code of a later version of the service is shown as it is. */
function wordsOf({ code, values = {} }: EditReason, names: ReasonNames): string {
  if (code in FAULTS) return FAULTS[code as FaultCode];
  const words: ((values: Values, names: ReasonNames) => string) | undefined =
    OTHERS[code as keyof typeof OTHERS];
  return words?.(values, names) ?? String(code).replaceAll('_', ' ');
}

function listed(subjects: readonly string[]): string {
  return subjects.length === 1 ? subjects[0]! : `${subjects.slice(0, -1).join(', ')} and ${subjects.at(-1)}`;
}
