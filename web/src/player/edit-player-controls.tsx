import { type CSSProperties, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import { Choice } from '../parts/choice.tsx';
import playback from '../parts/playback.module.css';
import { PlayButton, PlaybackTime, Seekbar, SoundButton } from '../parts/playback.tsx';
import range from '../parts/range.module.css';
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
    <div className={`${playback.controls} ${styles.controls}`}>
      <Seekbar
        value={frame}
        max={last}
        step={1}
        share={frame / last}
        seconds={seconds}
        durationSeconds={duration}
        onSeek={(number) => void player.seekFrame(number)}
        onStep={(frames) => void player.step(frames)}
      />
      <div className={playback.row}>
        <PlayButton isPlaying={isPlaying} onClick={() => player.toggle()} />
        <PlaybackTime seconds={seconds} durationSeconds={duration} />
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
      <SoundButton isMuted={isMuted} onClick={volume.toggle} />
      <input
        className={`${range.range} ${playback.range}`}
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
