import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react';
import type { EditTake, Video } from '../../../src/client/api-types.ts';
import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Poster } from '../parts/poster.tsx';
import { Progress } from '../parts/progress.tsx';
import { takeAnalysisData, takeStateOf } from '../state/edit-data.ts';
import { type Source, type Take, trimOf, videoIdOf } from '../state/edit-parts.ts';
import type { Make } from '../state/make.ts';
import { isUnderWay, videoData } from '../state/server-data.ts';
import { service } from '../state/service.ts';
import { type Upload, useUpload } from '../state/uploads.ts';
import { type ErrorText, errorTextOf } from '../words/error-text.ts';
import { clock, timecode } from '../words/quantity.ts';
import { uploadWords } from '../words/upload-state.ts';
import { usageWords } from './stretches.tsx';
import { TakeDetails } from './take-details.tsx';
import styles from './take-list.module.css';
import { useTwin } from './use-twin.ts';

interface RowProps {
  readonly take: Take;
  readonly index: number;
  readonly make: Make;
  /** The parts that the plan uses, once there is one. */
  readonly use: EditTake | undefined;
  readonly onMove: (to: number, name: string) => void;
  readonly onDrag: (event: PointerEvent<HTMLElement>, name: string) => void;
  readonly onRemove: (name: string) => void;
}

export function TakeRow(props: RowProps): ReactElement {
  const { take, index, make, use, onMove, onDrag, onRemove } = props;
  const [isOpen, open] = useState(false);
  const { name, upload, video, errorText, state, share } = useTakeState(take, make);
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    onMove(index + step, name);
  };
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.handle}
          aria-label={`Move ${name}: arrow keys`}
          title="Drag to another place, or use the arrow keys"
          onKeyDown={keys}
          onPointerDown={(event) => onDrag(event, name)}
        >
          <Icon name="move" size={16} />
        </button>
        <SourcePicture source={take.source} upload={upload} />
        <div className={styles.words}>
          <p className={styles.name}>
            <span title={name}>{name}</span>
            {take.mustUse && <span className={styles.mark}>must use</span>}
          </p>
          {errorText === null ? (
            <p className={styles.facts}>{use === undefined ? state : `${state} · ${usageWords(use)}`}</p>
          ) : (
            <ErrorWords errorText={errorText} />
          )}
          {share !== null && errorText === null && <Progress share={share} label={`${state}: ${name}`} />}
        </div>
        <div className={styles.actions}>
          {video !== undefined && errorText === null && (
            <IconButton
              icon="down"
              label={`Details of ${name}`}
              aria-expanded={isOpen}
              onClick={() => open(!isOpen)}
            />
          )}
          <IconButton icon="close" label={`Take ${name} out`} onClick={() => onRemove(name)} />
        </div>
      </div>
      {isOpen && video !== undefined && <TakeDetails take={take} video={video} make={make} use={use} />}
    </li>
  );
}

export function ErrorWords({ errorText }: { readonly errorText: ErrorText }): ReactElement {
  return (
    <div className={styles.error} role="alert">
      <strong>
        <Icon name="warning" size={14} />
        {errorText.title}
      </strong>
      <span>{errorText.advice}</span>
    </div>
  );
}

/** Its own picture during the upload, then the service's. */
export function SourcePicture({
  source,
  upload,
}: {
  readonly source: Source;
  readonly upload: Upload | null;
}): ReactElement {
  const videoId = videoIdOf(source);
  return (
    <div className={styles.picture}>
      {videoId !== null && <Poster address={service.videoPosterUrl(videoId)} alt="" words="" isCropped />}
      {upload?.kind === 'photo' && <img className={styles.faint} src={upload.address} alt="" />}
      {upload?.kind === 'video' && !upload.isWaiting && (
        <video
          className={styles.faint}
          src={upload.address}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
        />
      )}
      {upload?.kind === 'song' && (
        <span className={styles.still}>
          <Icon name="song" />
        </span>
      )}
    </div>
  );
}

interface TakeState {
  readonly name: string;
  readonly upload: Upload | null;
  readonly video: Video | undefined;
  readonly errorText: ErrorText | null;
  readonly state: string;
  /** Of the running work; null: none. */
  readonly share: number | null;
}

function useTakeState(take: Take, make: Make): TakeState {
  const { source } = take;
  const upload = useUpload(source.kind === 'upload' ? source.uploadId : null);
  const videoId = videoIdOf(source);
  const { data: video, error } = useQuery({ ...videoData(videoId ?? ''), enabled: videoId !== null });
  const isThere = video !== undefined && error === null;
  const { analysis, errorText } = takeStateOf(
    useQuery({ ...takeAnalysisData(videoId ?? ''), enabled: isThere }),
  );
  const twin = useTwin(video, make);
  const name = upload?.name ?? video?.filename ?? 'a file';
  if (upload !== null) {
    const { sentBytes, totalBytes } = upload.progress;
    const share = upload.isWaiting || totalBytes === 0 ? null : sentBytes / totalBytes;
    return { name, upload, video, errorText: upload.errorText, state: uploadWords(upload), share };
  }
  const isMeasured = isUnderWay(analysis?.status);
  const facts = video === undefined ? '' : factsOf(video, take);
  return {
    ...{ name, upload, video },
    errorText: error === null ? errorText : errorTextOf(error),
    state: isMeasured
      ? analysis?.status === 'queued'
        ? `${facts} · waits to be measured`
        : `${facts} · measuring`
      : twin === null
        ? facts
        : `${facts} · the same file as ${twin}`,
    share: isMeasured && analysis?.status === 'processing' ? analysis.progress_percent / 100 : null,
  };
}

function factsOf(video: Video, take: Take): string {
  if (video.kind === 'image') return 'photo';
  const [from, to] = trimOf(take, video.duration_seconds);
  const isWhole = from === 0 && to === video.duration_seconds;
  return isWhole ? clock(video.duration_seconds) : `${timecode(from)} to ${timecode(to)}`;
}
