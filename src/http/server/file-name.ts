const LIMIT = 255;
/** Controls, line separators, and the marks that turn the direction of text or have no width and so disguise a name. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** A client's file name, fit for display: no folders, nothing unseen, at most 255 characters. Never used as a path. */
export function displayName(given: string | undefined): string {
  const last = (given ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = last.normalize('NFC').replace(UNSEEN, '').trim();
  const name = [...clean].slice(0, LIMIT).join('');
  return name === '' || name === '.' || name === '..' ? 'video' : name;
}

/** File systems take 255 bytes; the rest is for what is put behind. */
const MAX_STEM_BYTES = 180;
/** Files that belong beside the output, under its name: players look for captions there. */
const STYLED: Readonly<Record<string, string>> = { 'output.mp4': 'styled.mp4', 'captions.srt': 'styled.srt' };

/**
 * The name under which a file made of a source is saved: `holiday-styled.mp4`, `holiday-grade.cube`. `sourceName`: as the client named the
 * source; null: `fallback` stands for it.
 */
export function downloadName(sourceName: string | null, name: string, fallback: string): string {
  return `${sourceName === null ? fallback : stemOf(sourceName)}-${STYLED[name] ?? name}`;
}

function stemOf(sourceName: string): string {
  let stem = displayName(sourceName.replace(/(?<=.)\.(?=\d*[a-z])[a-z\d]{1,5}$/i, ''));
  while (Buffer.byteLength(stem) > MAX_STEM_BYTES) stem = [...stem].slice(0, -1).join('');
  return stem;
}
