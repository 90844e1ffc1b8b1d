import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type PointerEvent, type ReactElement, type ReactNode, useState } from 'react';
import { pointedShare, tileAt } from '../parts/filmstrip.ts';
import { videoData } from '../state/server-data.ts';
import { service } from '../state/service.ts';
import { ExactFrame } from './exact-frame.tsx';
import styles from './frame-picture.module.css';

/**
 * A frame of a take, filling its parent. Between `from` and `to` it follows the pointer: to the frame where the player has a small copy, else
 * by the nearest still.
 */
export function FramePicture({
  videoId,
  from,
  to,
  isWhole = false,
  isExact = false,
  children,
}: {
  readonly videoId: string;
  /** In seconds of the take. */
  readonly from: number;
  readonly to: number;
  /** Nothing of it is cut off. */
  readonly isWhole?: boolean;
  /** Without a pointer too, its middle is shown to the frame, where there is a small copy. */
  readonly isExact?: boolean;
  /** On the picture, in its own shape. */
  readonly children?: ReactNode;
}): ReactElement {
  const { data: video } = useQuery(videoData(videoId));
  const [share, setShare] = useState<number | null>(null);
  const move = (event: PointerEvent) => setShare(pointedShare(event));
  if (video === undefined) return <div className={styles.picture} />;
  const seconds = from + (share ?? 0.5) * (to - from);
  const tile = tileAt(seconds / (video.duration_seconds || 1));
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
        {!isPhoto && (isExact || share !== null) && <ExactFrame videoId={videoId} seconds={seconds} />}
      </div>
      {children !== undefined && (
        <div className={styles.over} style={own}>
          {children}
        </div>
      )}
      {share !== null && !isPhoto && (
        <span className={styles.place} style={{ '--share': share } as CSSProperties} />
      )}
    </div>
  );
}
