import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import { isStyleDnaError } from '../../../../src/client/error.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { captionsData, type KnownCaptions } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { counted } from '../../words/quantity.ts';
import { warningText } from '../../words/warnings.ts';
import styles from './caption-file.module.css';

/** The caption file of the video in the well, for a look that has captions. */
export function CaptionFile({ videoId }: { readonly videoId: string }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const data = captionsData(videoId);
  const known = useQuery(data);
  const put = useMutation({
    mutationFn: (file: File) => service.putCaptions(videoId, file),
    onSuccess: ({ format, cue_count: cueCount, warnings }) => {
      const captions: KnownCaptions = { format, cueCount, warnings };
      queries.setQueryData(data.queryKey, captions);
    },
  });
  const remove = useMutation({
    mutationFn: () =>
      service.deleteCaptions(videoId).catch((error: unknown) => {
        // Another page has removed it.
        if (!isStyleDnaError(error, 'CAPTIONS_NOT_FOUND')) throw error;
      }),
    onSuccess: () => queries.setQueryData(data.queryKey, null),
  });
  const captions = known.data ?? null;
  const error = put.error ?? remove.error ?? known.error;
  return (
    <div className={styles.captions}>
      <div className={styles.row}>
        <span>Caption file</span>
        {captions === null ? (
          <Button
            icon="add"
            disabled={put.isPending || known.isPending}
            onClick={() => input.current?.click()}
          >
            {put.isPending ? 'Reading' : 'SRT or VTT'}
          </Button>
        ) : (
          <Button icon="close" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Take it out
          </Button>
        )}
      </div>
      <p className={styles.note} role="status">
        {known.isPending ? '' : captionWords(captions)}
      </p>
      {captions?.warnings.map((warning) => (
        <p key={warning.message} className={styles.note}>
          {warningText(warning)}
        </p>
      ))}
      {error !== null && <Notice errorText={errorTextOf(error)} />}
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

function captionWords(captions: KnownCaptions | null): string {
  if (captions === null) return 'Without one, the video’s own text track is used if it has one';
  const { cueCount, format } = captions;
  const count = cueCount === null ? 'Captions' : counted(cueCount, 'caption');
  return `${count} from a file (${format.toUpperCase()})`;
}
