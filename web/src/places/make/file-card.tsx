import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Video } from '../../../../src/client/api-types.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Poster } from '../../parts/poster.tsx';
import { Progress } from '../../parts/progress.tsx';
import type { Source } from '../../state/edit-parts.ts';
import { videoData } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import { giveUpUpload, pauseUpload, resumeUpload, type Upload, useUpload } from '../../state/uploads.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { bytes, clock } from '../../words/quantity.ts';
import { uploadWords } from '../../words/upload-state.ts';
import styles from './file-card.module.css';

/** A file in its well: being uploaded, or complete. `onRemove` removes it from the well; it stays in the library. */
export function FileCard({
  source,
  onRemove,
}: {
  readonly source: Source;
  readonly onRemove: () => void;
}): ReactElement | null {
  const upload = useUpload(source.kind === 'upload' ? source.uploadId : null);
  if (source.kind === 'video') return <VideoCard videoId={source.videoId} onRemove={onRemove} />;
  if (upload === null) return null;
  const giveUp = () => {
    onRemove();
    giveUpUpload(upload.id);
  };
  return <UploadCard upload={upload} onRemove={giveUp} />;
}

function VideoCard({
  videoId,
  onRemove,
}: {
  readonly videoId: string;
  readonly onRemove: () => void;
}): ReactElement {
  const { data: video, error } = useQuery(videoData(videoId));
  return (
    <div className={styles.card}>
      {error === null && (
        <Poster
          address={service.videoPosterUrl(videoId)}
          alt={video === undefined ? '' : `A frame of ${video.filename}`}
        />
      )}
      {error !== null && (
        <div className={styles.notice}>
          <Notice errorText={errorTextOf(error)}>
            <Button icon="close" onClick={onRemove}>
              Take it out
            </Button>
          </Notice>
        </div>
      )}
      {video !== undefined && (
        <div className={styles.bar}>
          <div>
            <p className={styles.name}>{video.filename}</p>
            <p className={styles.facts}>{videoFacts(video)}</p>
          </div>
          <div className={styles.actions}>
            <IconButton icon="close" label={`Take ${video.filename} out`} onClick={onRemove} />
          </div>
        </div>
      )}
    </div>
  );
}

function videoFacts(video: Video): string {
  const size = `${video.width} × ${video.height}`;
  const facts =
    video.kind === 'image'
      ? ['picture', size]
      : [clock(video.duration_seconds), size, video.has_audio ? null : 'no sound'];
  return [...facts, bytes(video.size_bytes)].filter((fact) => fact !== null).join(' · ');
}

function UploadCard({
  upload,
  onRemove,
}: {
  readonly upload: Upload;
  readonly onRemove: () => void;
}): ReactElement {
  const { progress, errorText, name } = upload;
  const share = progress.totalBytes === 0 ? 0 : progress.sentBytes / progress.totalBytes;
  const isPaused = progress.state === 'paused';
  return (
    <div className={styles.card}>
      {upload.kind === 'photo' ? (
        <img className={`${styles.picture} ${styles.pictureWaiting}`} src={upload.address} alt="" />
      ) : (
        <video
          className={`${styles.picture} ${styles.pictureWaiting}`}
          src={upload.address}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
        />
      )}
      {errorText !== null ? (
        <div className={styles.notice}>
          <Notice errorText={errorText}>
            <Button icon="close" onClick={onRemove}>
              Take it out
            </Button>
          </Notice>
        </div>
      ) : (
        <div className={styles.bar}>
          <div>
            <p className={styles.name}>{name}</p>
            <p className={styles.facts} aria-live="polite">
              {uploadWords(upload)}
            </p>
          </div>
          <div className={styles.actions}>
            <IconButton
              icon={isPaused ? 'play' : 'pause'}
              label={isPaused ? 'Go on' : 'Pause'}
              onClick={() => (isPaused ? resumeUpload(upload.id) : pauseUpload(upload.id))}
            />
            <IconButton icon="close" label={`Give up ${name}`} onClick={onRemove} />
          </div>
          <div className={styles.progress}>
            <Progress share={share} label={`Upload of ${name}`} />
          </div>
        </div>
      )}
    </div>
  );
}
