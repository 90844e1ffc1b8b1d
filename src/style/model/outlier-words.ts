import type { Style } from './schema.ts';

/** Parts of a style in a creator's words. */
const PART_WORDS: Readonly<Record<string, string>> = {
  color: 'color',
  pacing: 'pace',
  transitions: 'transitions',
  motion: 'motion',
  audio: 'sound',
  subtitles: 'captions',
  shape: 'shape',
};

export function partWord(part: string): string {
  return PART_WORDS[part] ?? part;
}

/** `calm.mp4 differs in pace and sound`, for each template that differs while the others agree. Pages use it too. */
export function outlierWords({ consensus }: Pick<Style, 'consensus'>): readonly string[] {
  return (consensus?.templates ?? []).flatMap(({ name, outlier_in: parts }) => {
    const words = parts.map(partWord);
    const last = words.pop();
    if (last === undefined) return [];
    return [`${name} differs in ${words.length === 0 ? last : `${words.join(', ')} and ${last}`}`];
  });
}
