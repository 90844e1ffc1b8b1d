import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import type { Captions } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { service } from '../../state/service.ts';
import { counted } from '../../words/quantity.ts';
import { troubleOf } from '../../words/trouble.ts';
import styles from './caption-file.module.css';

/** Words for the captions of a look that has some: a file of them, for the video that is in the well. */
export function CaptionFile({ videoId }: { readonly videoId: string }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const put = useMutation({ mutationFn: (file: File) => service.putCaptions(videoId, file) });
  const remove = useMutation({
    mutationFn: () => service.deleteCaptions(videoId),
    onSuccess: () => put.reset(),
  });
  const error = put.error ?? remove.error;
  return (
    <div className={styles.captions}>
      <div className={styles.row}>
        <span>Caption file</span>
        {put.data === undefined ? (
          <Button icon="add" disabled={put.isPending} onClick={() => input.current?.click()}>
            {put.isPending ? 'Reading' : 'SRT or VTT'}
          </Button>
        ) : (
          <Button icon="close" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Take it out
          </Button>
        )}
      </div>
      <p className={styles.note} role="status">
        {put.data === undefined
          ? 'Without one, the video’s own text track is used if it has one'
          : captionWords(put.data)}
      </p>
      {error !== null && <Notice trouble={troubleOf(error)} />}
      <input
        ref={input}
        className={styles.file}
        type="file"
        accept=".srt,.vtt,text/vtt,application/x-subrip"
        tabIndex={-1}
        aria-label="Caption file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file !== undefined) put.mutate(file);
        }}
      />
    </div>
  );
}

function captionWords({ cue_count: count, format }: Captions): string {
  return `${counted(count, 'caption')} from a file (${format.toUpperCase()})`;
}
