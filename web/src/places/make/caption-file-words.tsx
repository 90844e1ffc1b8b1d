import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { CaptionWords } from '../../parts/caption-words.tsx';
import { Notice } from '../../parts/notice.tsx';
import { service } from '../../state/service.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { type Caption, captionsOf, subRipOf } from '../../words/sub-rip.ts';
import styles from './caption-file.module.css';

/** Time from the last key until the words are saved: the pause between two words of somebody who types. */
const REST_MS = 250;

/** Captions of the file; null: it is not in UTF-8, and saving would change its letters. */
export function fileWordsData(videoId: string) {
  return queryOptions({
    queryKey: ['caption-words', videoId],
    queryFn: async ({ signal }): Promise<readonly Caption[] | null> => {
      const bytes = await (await service.getCaptions(videoId, { signal })).arrayBuffer();
      try {
        return captionsOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      } catch {
        return null;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Edited words are in the file alone: an editor that is opened again reads it.
    gcTime: 0,
  });
}

export type SavedFile = Awaited<ReturnType<typeof service.putCaptions>>;

/** The words of the caption file, to edit while the player shows them. `onSaved`: called with the service's description of the new file. */
export function CaptionFileWords({
  videoId,
  onSaved,
}: {
  readonly videoId: string;
  readonly onSaved: (file: SavedFile) => void;
}): ReactElement {
  const { data: captions, error, dataUpdatedAt } = useQuery(fileWordsData(videoId));
  if (error !== null) return <Notice errorText={errorTextOf(error)} />;
  if (captions === undefined) return <p />;
  if (captions === null)
    return (
      <p className={styles.note}>Save the file as UTF-8 and add it again: its words can be edited then.</p>
    );
  return <Editor key={dataUpdatedAt} videoId={videoId} captions={captions} onSaved={onSaved} />;
}

function Editor({
  videoId,
  captions,
  onSaved,
}: {
  readonly videoId: string;
  readonly captions: readonly Caption[];
  readonly onSaved: (file: SavedFile) => void;
}): ReactElement {
  const [edited, edit] = useState(captions);
  // One after the other, so that the last words stay.
  const { mutate, error } = useMutation({
    mutationFn: (text: string) => service.putCaptions(videoId, text),
    onSuccess: onSaved,
    scope: { id: `captions ${videoId}` },
  });
  useEffect(() => {
    const text = subRipOf(edited);
    if (edited === captions || text === '') return;
    const timer = setTimeout(() => mutate(text), REST_MS);
    return () => clearTimeout(timer);
  }, [edited, captions, mutate]);
  return (
    <>
      <CaptionWords captions={edited} onChange={edit} />
      <p className={styles.note}>A line without words is not shown.</p>
      {error !== null && <Notice errorText={errorTextOf(error)} />}
    </>
  );
}
