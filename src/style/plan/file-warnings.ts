import type { AudioFacts, ClipFacts } from '../../analysis/facts.ts';
import type { Warning } from '../../domain/stage.ts';

/** Warnings about a file that the edit uses, such as damage; `name` says which one it is. */
export function namedFileWarnings(
  name: string,
  { video, audio }: { readonly video: ClipFacts['video'] | null; readonly audio: AudioFacts | null },
): Warning[] {
  const warnings = [...(video?.fileWarnings ?? []), ...(audio?.fileWarnings ?? [])];
  return warnings.map(({ code, message }) => ({ code, message: `${name}: ${message}` }));
}
