/**
 * Limits of a caption file. A feature film has 2,000 captions of five lines; four hours of single words have
 * 45,000.
 */
export const CAPTION_LIMITS = { lines: 1_000_000, cues: 100_000 } as const;

/** Counts the lines of a text, with any line ends, without creating them; stops at `most` + 1. */
export function lineCount(text: string, most: number): number {
  const ends = /\r\n?|\n/g;
  let lines = 1;
  while (lines <= most && ends.test(text)) lines++;
  return lines;
}
