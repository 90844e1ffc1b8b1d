import { followedLook } from '../state/edit-parts.ts';
import type { Make } from '../state/make.ts';
import { counted } from '../words/quantity.ts';

/** Missing inputs of an edit, in words; null: none. */
export function missingOf(make: Make): string | null {
  const { takes, song, look, lostLook = null } = make;
  const sources = [...takes.map(({ source }) => source), ...(song === null ? [] : [song.source])];
  const uploads = sources.flatMap((source) => (source.kind === 'upload' ? [source.uploadId] : []));
  if (takes.length === 0) return 'Add videos or photos, and they are cut to the song here.';
  if (look === null && lostLook !== null)
    return `The look of this edit is the Style DNA file ${lostLook}, which a link does not carry. Add the file under The look.`;
  if (followedLook(make) === null)
    return 'Choose a look, or add a song, and your takes are cut in its rhythm here.';
  if (look?.kind === 'upload')
    return 'As soon as the look has arrived, your takes are cut in its rhythm here.';
  if (uploads.length === 0) return null;
  return `${counted(uploads.length, 'file is', 'files are')} still on the way. The storyboard comes when all have arrived.`;
}
