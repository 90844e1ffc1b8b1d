import { type ReactElement, useSyncExternalStore } from 'react';
import { service } from '../../state/service.ts';
import styles from './looks.module.css';

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/** A scene in the look of a preset. It moves while the person points at it, unless the system requests reduced motion. */
export function PresetPicture({
  presetId,
  isPointedAt,
}: {
  readonly presetId: string;
  readonly isPointedAt: boolean;
}): ReactElement {
  const isStill = useSyncExternalStore(onMotionChange, () => matchMedia(REDUCED_MOTION).matches);
  return (
    <span className={styles.picture}>
      <img src={service.presetPictureUrl(presetId)} alt="" loading="lazy" width={480} height={270} />
      {/* Until its first frame is there, which is the picture below it, it has none. */}
      {isPointedAt && !isStill && (
        <video
          ref={play}
          src={service.presetClipUrl(presetId)}
          loop
          muted
          playsInline
          tabIndex={-1}
          aria-hidden
        />
      )}
    </span>
  );
}

/** If a browser forbids automatic playback, the picture remains. */
function play(video: HTMLVideoElement | null): void {
  void video?.play().catch(() => {});
}

function onMotionChange(listener: () => void): () => void {
  const query = matchMedia(REDUCED_MOTION);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
