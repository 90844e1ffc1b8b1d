/** What a caption file may hold. A feature film has 2,000 captions of five lines; four hours of single words have 45,000. */
export const CAPTION_LIMITS = { lines: 1_000_000, cues: 100_000 } as const;

/** Lines of a text by any line end, counted without making them; at most one more than `most`. */
export function lineCount(text: string, most: number): number {
  const ends = /\r\n?|\n/g;
  let lines = 1;
  while (lines <= most && ends.test(text)) lines++;
  return lines;
}
