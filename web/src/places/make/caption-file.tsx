import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import { isStyleDnaError } from '../../../../src/client/error.ts';
import { Button } from '../../parts/button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { SavedFile } from '../../state/file-words.ts';
import { changeSettings } from '../../state/make.ts';
import { captionsData, type KnownCaptions } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import type { Settings } from '../../state/settings.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { counted } from '../../words/quantity.ts';
import { warningText } from '../../words/warnings.ts';
import styles from './caption-file.module.css';
import { CaptionFileWords, fileWordsData } from './caption-file-words.tsx';

/** The caption file of the video in the well. */
export function CaptionFile({
  videoId,
  settings,
}: {
  readonly videoId: string;
  readonly settings: Settings;
}): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const data = captionsData(videoId);
  const known = useQuery(data);
  const note = ({ format, cue_count: cueCount, warnings }: SavedFile) => {
    const captions: KnownCaptions = { format, cueCount, warnings };
    queries.setQueryData(data.queryKey, captions);
    planAgain();
  };
  const put = useMutation({
    mutationFn: (file: File) => service.putCaptions(videoId, file),
    onSuccess: (file) => {
      note(file);
      void queries.invalidateQueries(fileWordsData(videoId));
      // Who adds a file wants to see it.
      if (!settings.captions && !settings.speech) changeSettings({ captions: true });
    },
  });
  const remove = useMutation({
    mutationFn: () =>
      service.deleteCaptions(videoId).catch((error: unknown) => {
        // Another page has removed it.
        if (!isStyleDnaError(error, 'CAPTIONS_NOT_FOUND')) throw error;
      }),
    onSuccess: () => {
      queries.setQueryData(data.queryKey, null);
      planAgain();
    },
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
        {known.isPending ? '' : captionWords(captions, settings)}
      </p>
      {captions?.warnings.map((warning) => (
        <p key={warning.message} className={styles.note}>
          {warningText(warning)}
        </p>
      ))}
      {captions !== null && (
        <Fold label="Edit the words">
          <CaptionFileWords videoId={videoId} onSaved={note} />
        </Fold>
      )}
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

/** Plans and pictures are of the captions before. */
function planAgain(): void {
  for (const kind of ['plan', 'preview']) void queries.invalidateQueries({ queryKey: [kind] });
}

function captionWords(captions: KnownCaptions | null, { captions: isOn, speech }: Settings): string {
  if (captions === null)
    return isOn ? 'Without one, the video’s own text track is used if it has one' : 'None is shown';
  if (!isOn && !speech) return 'Captions are off: turn one of the switches on to show the file';
  const { cueCount, format } = captions;
  const count = cueCount === null ? 'Captions' : counted(cueCount, 'caption');
  return `${count} from a file (${format.toUpperCase()})`;
}
