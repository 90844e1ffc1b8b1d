import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { CaptionWords } from '../../parts/caption-words.tsx';
import { Notice } from '../../parts/notice.tsx';
import { type SavedFile, saveLeftWords, saveWords, wordsSaved } from '../../state/file-words.ts';
import { service } from '../../state/service.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { type CaptionText, captionFileOf, captionTextOf } from '../../words/sub-rip.ts';
import styles from './caption-file.module.css';

/** Time from the last key until the words are saved: the pause between two words of somebody who types. */
const REST_MS = 250;

/** Captions of the file; null: it is not in UTF-8, and saving would change its letters. */
export function fileWordsData(videoId: string) {
  return queryOptions({
    queryKey: ['caption-words', videoId],
    queryFn: async ({ signal }): Promise<CaptionText | null> => {
      await wordsSaved(videoId);
      const bytes = await (await service.getCaptions(videoId, { signal })).arrayBuffer();
      try {
        return captionTextOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      } catch {
        return null;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Edited words are in the file alone: an editor that is opened again reads it.
    gcTime: 0,
  });
}

/** The words of the caption file, to edit while the player shows them. `onSaved`: called with the service's description of the new file. */
export function CaptionFileWords({
  videoId,
  onSaved,
}: {
  readonly videoId: string;
  readonly onSaved: (file: SavedFile) => void;
}): ReactElement {
  const { data: file, error, dataUpdatedAt } = useQuery(fileWordsData(videoId));
  if (error !== null) return <Notice errorText={errorTextOf(error)} />;
  if (file === undefined) return <p />;
  if (file === null)
    return (
      <p className={styles.note}>Save the file as UTF-8 and add it again: its words can be edited then.</p>
    );
  return <Editor key={dataUpdatedAt} videoId={videoId} file={file} onSaved={onSaved} />;
}

function Editor({
  videoId,
  file,
  onSaved,
}: {
  readonly videoId: string;
  readonly file: CaptionText;
  readonly onSaved: (file: SavedFile) => void;
}): ReactElement {
  const [captions, edit] = useState(file.captions);
  const { mutate, error } = useMutation({
    mutationFn: (text: string) => saveWords(videoId, text),
    onSuccess: onSaved,
  });
  /** Words that no request has yet; empty: none. */
  const unsaved = useRef('');
  useEffect(() => {
    unsaved.current =
      captions === file.captions ? '' : captionFileOf({ captions, timestampMap: file.timestampMap });
    const timer = setTimeout(() => save(), REST_MS);
    return () => clearTimeout(timer);

    function save(): void {
      if (unsaved.current !== '') mutate(unsaved.current);
      unsaved.current = '';
    }
  }, [captions, file, mutate]);
  useEffect(() => {
    const leave = () => saveLeftWords(videoId, unsaved.current === '' ? undefined : unsaved.current);
    const hide = () => {
      if (document.visibilityState === 'hidden') leave();
    };
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      if (unsaved.current !== '') mutate(unsaved.current);
      unsaved.current = '';
    };
  }, [videoId, mutate]);
  return (
    <>
      <CaptionWords captions={captions} onChange={edit} />
      <p className={styles.note}>A line without words is not shown.</p>
      {error !== null && <Notice errorText={errorTextOf(error)} />}
    </>
  );
}
