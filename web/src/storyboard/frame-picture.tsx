import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type PointerEvent, type ReactElement, useState } from 'react';
import { videoData } from '../state/server-data.ts';
import { service } from '../state/service.ts';
import styles from './frame-picture.module.css';

/** Frames of a filmstrip (`docs/decisions/0039-previews-and-pictures.md`). */
const TILES = 12;

/** The frame of a take that lies nearest to a moment, filling its parent. Between `from` and `to` it follows the pointer. */
export function FramePicture({
  videoId,
  from,
  to,
  isWhole = false,
}: {
  readonly videoId: string;
  /** In seconds of the take. */
  readonly from: number;
  readonly to: number;
  /** Nothing of it is cut off. */
  readonly isWhole?: boolean;
}): ReactElement {
  const { data: video } = useQuery(videoData(videoId));
  const [share, setShare] = useState<number | null>(null);
  const move = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return;
    const { left, width } = currentTarget.getBoundingClientRect();
    setShare(Math.min(1, Math.max(0, (clientX - left) / width)));
  };
  if (video === undefined) return <div className={styles.picture} />;
  const seconds = from + (share ?? 0.5) * (to - from);
  const tile = Math.min(
    TILES - 1,
    Math.max(0, Math.floor((seconds / (video.duration_seconds || 1)) * TILES)),
  );
  const own = { '--own': video.width / Math.max(1, video.height), '--tile': tile } as CSSProperties;
  const isPhoto = video.kind === 'image';
  return (
    <div
      className={styles.picture}
      data-is-whole={isWhole}
      onPointerMove={isPhoto ? undefined : move}
      onPointerLeave={() => setShare(null)}
    >
      <div className={isPhoto ? styles.photo : styles.window} style={own}>
        <img
          src={isPhoto ? service.videoPosterUrl(videoId) : service.videoFilmstripUrl(videoId)}
          alt=""
          draggable={false}
        />
      </div>
      {share !== null && !isPhoto && (
        <span className={styles.place} style={{ '--share': share } as CSSProperties} />
      )}
    </div>
  );
}
