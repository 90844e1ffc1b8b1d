/** Names of transitions for people. */
import type { Style } from './schema.ts';

type Words = readonly [one: string, more: string];

const KNOWN: Readonly<Record<keyof NonNullable<Style['transition_mix']>, Words>> = {
  cut: ['cut', 'cuts'],
  dissolve: ['dissolve', 'dissolves'],
  fade_black: ['fade through black', 'fades through black'],
  fade_white: ['fade through white', 'fades through white'],
  fade_color: ['fade through a color', 'fades through a color'],
  wipe: ['wipe', 'wipes'],
  slide: ['slide', 'slides'],
  circle: ['iris', 'irises'],
  zoom: ['zoom transition', 'zoom transitions'],
};
const WORDS: Readonly<Record<string, Words | undefined>> = KNOWN;

/** Types without a name, which newer styles may have, are named by their identifier. */
export function transitionWord(type: string, count: number): string {
  return WORDS[type]?.[count === 1 ? 0 : 1] ?? type.replaceAll('_', ' ');
}
