import { type CSSProperties, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import range from '../parts/range.module.css';
import { clock, timecode } from '../words/quantity.ts';
import type { EditPlayer } from './create-player.ts';
import styles from './edit-player.module.css';
import type { View } from './stage.ts';
import type { Volume } from './use-volume.ts';

const VIEWS: readonly { readonly value: View; readonly text: string }[] = [
  { value: 'slider', text: 'Both' },
  { value: 'before', text: 'Before' },
  { value: 'after', text: 'After' },
];

export function EditPlayerControls({
  player,
  view,
  onView,
  volume,
  children,
}: {
  readonly player: EditPlayer;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly volume: Volume;
  readonly children: ReactNode;
}): ReactElement {
  const { isPlaying, frame, frameCount, framesPerSecond } = useSyncExternalStore(
    player.on,
    () => player.state,
  );
  const last = Math.max(1, frameCount - 1);
  const seconds = frame / framesPerSecond;
  const duration = frameCount / framesPerSecond;
  return (
    <div className={styles.controls}>
      <input
        className={`${range.range} ${styles.range}`}
        type="range"
        min={0}
        max={last}
        step={1}
        value={frame}
        aria-label="Position"
        aria-valuetext={`${clock(seconds)} of ${clock(duration)}`}
        style={{ '--filled': `${(frame / last) * 100}%` } as CSSProperties}
        onChange={(event) => void player.seekFrame(event.target.valueAsNumber)}
        onKeyDown={(event) => {
          const frames = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (frames === undefined) return;
          event.preventDefault();
          void player.step(frames);
        }}
      />
      <div className={styles.row}>
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause' : 'Play'}
          onClick={() => player.toggle()}
        />
        <p className={styles.time}>
          <span>{timecode(seconds)}</span> / {timecode(duration)}
        </p>
        <Choice label="View" isLabelUnseen options={VIEWS} value={view} onChange={onView} />
        {children}
        <VolumeControl volume={volume} />
      </div>
    </div>
  );
}

function VolumeControl({ volume }: { readonly volume: Volume }): ReactElement {
  const { level, isMuted } = volume;
  const shown = isMuted ? 0 : level;
  return (
    <div className={styles.volume}>
      <IconButton
        icon={isMuted ? 'mute' : 'sound'}
        label={isMuted ? 'Sound on' : 'Sound off'}
        onClick={volume.toggle}
      />
      <input
        className={`${range.range} ${styles.range}`}
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-label="Volume"
        aria-valuetext={`${Math.round(shown * 100)} percent`}
        style={{ '--filled': `${shown * 100}%` } as CSSProperties}
        onChange={(event) => volume.set(event.target.valueAsNumber)}
      />
    </div>
  );
}
