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
