/** Saved looks in words: pure. */
import type { SavedStyle } from '../../../src/client/api-types.ts';

export function usedWords(count: number): string {
  if (count === 0) return 'Not used yet';
  return count === 1 ? 'Used once' : `Used ${count} times`;
}

/** `Of beach.mp4 and 2 more`. */
export function originWords({ kind, videos }: SavedStyle['origin']): string {
  if (kind === 'job') return 'Of a result';
  const [first, ...others] = videos;
  if (kind === 'style_json' || first === undefined) return 'From a file';
  return others.length === 0 ? `Of ${first.filename}` : `Of ${first.filename} and ${others.length} more`;
}
