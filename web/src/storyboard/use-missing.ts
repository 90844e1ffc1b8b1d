import type { Make } from '../state/make.ts';
import { useRefusedUpload } from '../state/uploads.ts';
import { counted } from '../words/quantity.ts';

/** What an edit still needs before it can be planned, in words; null: nothing. */
export function useMissing({ takes, song, look, lostLook = null }: Make): string | null {
  const sources = [...takes.map(({ source }) => source), ...(song === null ? [] : [song.source])];
  const uploads = sources.flatMap((source) => (source.kind === 'upload' ? [source.uploadId] : []));
  const refused = useRefusedUpload(uploads);
  if (takes.length === 0) return 'Add videos or photos, and they are cut to the song here.';
  if (look === null && lostLook !== null)
    return `The look of this edit is the Style DNA file ${lostLook}, which a link does not carry. Add the file under The look.`;
  if (look === null) return 'Choose a look, and your takes are cut in its rhythm here.';
  if (refused !== null) return `${refused} cannot be used. Take it out, and the others are cut without it.`;
  if (look.kind === 'upload')
    return 'As soon as the look has arrived, your takes are cut in its rhythm here.';
  if (uploads.length === 0) return null;
  return `${counted(uploads.length, 'file is', 'files are')} still on the way. The storyboard comes when all have arrived.`;
}
