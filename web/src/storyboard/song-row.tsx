import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Progress } from '../parts/progress.tsx';
import { type Song, videoIdOf } from '../state/edit-parts.ts';
import { videoData } from '../state/server-data.ts';
import { useUpload } from '../state/uploads.ts';
import { errorTextOf } from '../words/error-text.ts';
import { clock } from '../words/quantity.ts';
import { uploadWords } from '../words/upload-state.ts';
import styles from './take-list.module.css';
import { ErrorWords, SourcePicture } from './take-row.tsx';

export function SongRow({
  song: { source },
  onRemove,
}: {
  readonly song: Song;
  readonly onRemove: (name: string) => void;
}): ReactElement {
  const upload = useUpload(source.kind === 'upload' ? source.uploadId : null);
  const videoId = videoIdOf(source);
  const { data: video, error } = useQuery({ ...videoData(videoId ?? ''), enabled: videoId !== null });
  const name = upload?.name ?? video?.filename ?? 'the song';
  const errorText = error !== null ? errorTextOf(error) : (upload?.errorText ?? null);
  return (
    <section className={styles.row} aria-label="Song">
      <div className={styles.line}>
        <span className={styles.still}>
          <Icon name="song" />
        </span>
        <SourcePicture source={source} upload={upload} />
        <div className={styles.words}>
          <p className={styles.name}>
            <span title={name}>{name}</span>
          </p>
          {errorText !== null ? (
            <ErrorWords errorText={errorText} />
          ) : (
            <p className={styles.facts}>
              {upload !== null ? uploadWords(upload) : video && `song · ${clock(video.duration_seconds)}`}
            </p>
          )}
          {upload !== null && !upload.isWaiting && errorText === null && (
            <Progress
              share={upload.progress.sentBytes / Math.max(1, upload.progress.totalBytes)}
              label={`Upload of ${name}`}
            />
          )}
        </div>
        <div className={styles.actions}>
          <IconButton icon="close" label={`Take ${name} out`} onClick={() => onRemove(name)} />
        </div>
      </div>
    </section>
  );
}
