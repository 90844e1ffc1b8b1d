const LIMIT = 255;
/**
 * Control characters, line separators, and marks that change the direction of text or have no width and so
 * disguise a name.
 */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * A client's file name for display: no folders, no invisible characters, at most 255 characters. Never used
 * as a path.
 */
export function displayName(clientName: string | undefined): string {
  const last = (clientName ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = last.normalize('NFC').replace(INVISIBLE, '').trim();
  const name = [...clean].slice(0, LIMIT).join('');
  return name === '' || name === '.' || name === '..' ? 'video' : name;
}

/** File systems permit 255 bytes; the rest is for suffixes. */
const MAX_STEM_BYTES = 180;
/** Files that belong to the output and share its name: players search for captions there. */
const OUTPUT_NAMES: Readonly<Record<string, string>> = {
  'output.mp4': 'styled.mp4',
  'captions.srt': 'styled.srt',
};

/** The name for saving a file of a job: of an edit from many takes `reel.mp4`, `reel-grade.cube`, or with its first title; else after the source. */
export function jobFileName(
  {
    jobId,
    sourceFilename,
    edit,
  }: {
    readonly jobId: string;
    readonly sourceFilename: string | null;
    readonly edit: {
      readonly takes: readonly unknown[];
      readonly titles: readonly { readonly text: string }[];
    } | null;
  },
  name: string,
): string {
  if (edit === null || edit.takes.length < 2) return downloadName(sourceFilename, name, jobId);
  const stem = stemOf(edit.titles[0]?.text.replace(/[/\\\s]+/g, ' ') ?? 'reel');
  return OUTPUT_NAMES[name] === undefined ? `${stem}-${name}` : stem + name.slice(name.lastIndexOf('.'));
}

/**
 * The name for saving a file made from a source: `holiday-styled.mp4`, `holiday-grade.cube`. `sourceName`:
 * the client's name of the source; null: `fallback` replaces it.
 */
export function downloadName(sourceName: string | null, name: string, fallback: string): string {
  return `${sourceName === null ? fallback : stemOf(sourceName)}-${OUTPUT_NAMES[name] ?? name}`;
}

function stemOf(sourceName: string): string {
  let stem = displayName(sourceName.replace(/(?<=.)\.(?=\d*[a-z])[a-z\d]{1,5}$/i, ''));
  while (Buffer.byteLength(stem) > MAX_STEM_BYTES) stem = [...stem].slice(0, -1).join('');
  return stem;
}
