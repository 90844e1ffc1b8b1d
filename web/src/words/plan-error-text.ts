/** Wishes that no plan can follow, in plain words. Shots are counted from 1. */
import { type ErrorText, errorTextOfCode } from './error-text.ts';

type Words = readonly [title: string, advice: string];

/**
 * Texts by the messages of the planner (`src/style/edit/slot-lengths.ts`, `src/style/edit/edit-requests.ts`,
 * `src/style/edit/plan-edit.ts`).
 */
const WORDS: readonly (readonly [pattern: RegExp, words: (found: readonly string[]) => Words])[] = [
  [
    /No moment of (\d+) takes/,
    () => [
      'Nothing of your takes can be used',
      'Each take in the list says which parts are left out, and why. Add other takes, or undo what you refused.',
    ],
  ],
  [
    /makes slot (\d+) (-?[\d.]+) s long, but the shortest slot of this edit may have ([\d.]+) s/,
    ([slot, , least]) => [
      `Shot ${shotOf(slot)} cannot be shorter`,
      `The shortest shot of this edit may last ${least} s. Undo it, or refuse the shot to see another.`,
    ],
  ],
  [
    /makes slot (\d+) ([\d.]+) s long, but the longest usable part of the takes has ([\d.]+) s/,
    ([slot, seconds, most]) => [
      `Shot ${shotOf(slot)} cannot last ${seconds} s`,
      `The longest part of your takes that can be used has ${most} s. Undo it, or add a longer take.`,
    ],
  ],
  [
    /leaves no shot for slot (\d+)/,
    ([slot]) => [
      `Nothing is left for shot ${shotOf(slot)}`,
      'No unused part of your takes is long enough. Undo the change of length, or add a take.',
    ],
  ],
  [
    /make the edit ([\d.]+) s long, but the music ends after ([\d.]+) s/,
    ([, most]) => [
      'The song is too short for that',
      `It ends after ${most} s, and no other shot has a beat to give. Undo it, or use a longer song.`,
    ],
  ],
  [
    /names a take of ([\d.]+) s, but slot (\d+) lasts ([\d.]+) s/,
    ([take, slot, seconds]) => [
      `The take pinned in shot ${shotOf(slot)} is too short`,
      `It has ${take} s, the shot ${seconds} s. Make the shot shorter, or let it be chosen again.`,
    ],
  ],
];

export function planErrorText(code: string, detail: string): ErrorText {
  for (const [pattern, words] of WORDS) {
    const [, ...found] = pattern.exec(detail) ?? [];
    if (found.length === 0) continue;
    const [title, advice] = words(found);
    return { title, advice, technical: detail };
  }
  return errorTextOfCode(code, detail);
}

function shotOf(slot: string | undefined): number {
  return Number(slot) + 1;
}
