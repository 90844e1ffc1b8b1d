import type { TextCue } from '../domain/footage.ts';
import type { Block, Part } from './answer-blocks.ts';

/**
 * Times for all parts in a range of the sound, which may be partly known. A start before 0 is 0. Parts without times share the gap
 * between their neighbors by their letters.
 */
export function timed<P extends Part>(
  parts: readonly P[],
  { startSeconds, endSeconds }: Pick<TextCue, 'startSeconds' | 'endSeconds'>,
): (P & Pick<TextCue, 'startSeconds' | 'endSeconds'>)[] {
  const known = parts.map(({ start, end }) => ({
    start: start === null ? null : Math.max(0, start),
    end: end === null ? null : Math.max(0, end, start ?? 0),
  }));
  const found: (P & Pick<TextCue, 'startSeconds' | 'endSeconds'>)[] = [];
  let at = startSeconds;
  for (let from = 0; from < parts.length; ) {
    // A run up to the first part with a known end, or before one with a known start.
    let to = from + 1;
    while (to < parts.length && known[to - 1].end === null && known[to].start === null) to++;
    const first = known[from].start ?? at;
    const limit = known[to - 1].end ?? known[to]?.start ?? endSeconds;
    const last = Math.max(first, limit);
    const run = parts.slice(from, to);
    const letters = run.reduce((sum, { text }) => sum + lengthOf(text), 0);
    let before = 0;
    for (const part of run) {
      const start = first + ((last - first) * before) / letters;
      before += lengthOf(part.text);
      found.push({ ...part, startSeconds: start, endSeconds: first + ((last - first) * before) / letters });
    }
    at = last;
    from = to;
  }
  return found;
}

/** At least 1, so that no sum is 0. */
function lengthOf(text: string): number {
  return Math.max(1, text.trim().length);
}

/**
 * The blocks in the sound; a segment without times lies between its neighbors. One that begins in the sound also ends in it: models pad the
 * last one to their window, and its text is spoken all the same.
 */
export function timedBlocks(blocks: readonly Block[], durationSeconds: number) {
  const own = blocks.map((block) => {
    const { parts } = block;
    const [first, last] = [parts[0]?.start ?? null, parts.at(-1)?.end ?? null];
    return { ...block, start: block.start ?? first, end: block.end ?? last };
  });
  return timed(own, { startSeconds: 0, endSeconds: durationSeconds }).map((block) =>
    block.startSeconds < durationSeconds
      ? { ...block, endSeconds: Math.min(block.endSeconds, durationSeconds) }
      : block,
  );
}
