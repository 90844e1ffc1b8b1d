import type { CSSProperties, ReactElement } from 'react';
import { clock, timecode } from '../words/quantity.ts';
import { IconButton } from './button.tsx';
import styles from './playback.module.css';
import range from './range.module.css';

/** The playback position. `value` to `max` are in the caller's unit; arrow keys step frames. */
export function Seekbar({
  value,
  max,
  step,
  share,
  seconds,
  durationSeconds,
  onSeek,
  onStep,
}: {
  readonly value: number;
  readonly max: number;
  readonly step: number;
  /** The part that is filled, 0..1. */
  readonly share: number;
  readonly seconds: number;
  readonly durationSeconds: number;
  readonly onSeek: (value: number) => void;
  readonly onStep: (frames: number) => void;
}): ReactElement {
  return (
    <input
      className={`${range.range} ${styles.range}`}
      type="range"
      min={0}
      max={max}
      step={step}
      value={value}
      aria-label="Position"
      aria-valuetext={`${clock(seconds)} of ${clock(durationSeconds)}`}
      style={{ '--filled': `${share * 100}%` } as CSSProperties}
      onChange={(event) => onSeek(event.target.valueAsNumber)}
      onKeyDown={(event) => {
        const frames = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (frames === undefined) return;
        event.preventDefault();
        onStep(frames);
      }}
    />
  );
}

export function PlaybackTime({
  seconds,
  durationSeconds,
}: {
  readonly seconds: number;
  readonly durationSeconds: number;
}): ReactElement {
  return (
    <p className={styles.time}>
      <span>{timecode(seconds)}</span> / {timecode(durationSeconds)}
    </p>
  );
}

export function PlayButton({
  isPlaying,
  onClick,
}: {
  readonly isPlaying: boolean;
  readonly onClick: () => void;
}): ReactElement {
  return (
    <IconButton icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? 'Pause' : 'Play'} onClick={onClick} />
  );
}

export function SoundButton({
  isMuted,
  onClick,
}: {
  readonly isMuted: boolean;
  readonly onClick: () => void;
}): ReactElement {
  return (
    <IconButton
      icon={isMuted ? 'mute' : 'sound'}
      label={isMuted ? 'Sound on' : 'Sound off'}
      onClick={onClick}
    />
  );
}
