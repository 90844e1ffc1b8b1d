import { type CSSProperties, type ReactElement, useSyncExternalStore } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import range from '../../parts/range.module.css';
import { clock, timecode } from '../../words/quantity.ts';
import type { Film } from './film.ts';
import styles from './player.module.css';
import { VIEWS, type View } from './views.ts';

/** Of a press on the position's own keys for pages. */
const KEYS: readonly (readonly [keys: string, act: string])[] = [
  ['Space', 'Play or pause'],
  ['← →', 'One frame back or on'],
  ['M', 'Sound on or off'],
  ['F', 'Full screen'],
];
const COMPARISON_KEYS: typeof KEYS = [
  ['[ ]', 'Move the line'],
  ['1 2 3 4', 'Slider, side by side, before, after'],
];

export function PlayerControls({
  film,
  marks,
  view,
  onView,
  onFullScreen,
  areKeysShown,
  onKeys,
}: {
  readonly film: Film;
  readonly marks: readonly number[];
  /** Null: there is but one. */
  readonly view: View | null;
  readonly onView: (view: View) => void;
  readonly onFullScreen: (() => void) | null;
  readonly areKeysShown: boolean;
  readonly onKeys: () => void;
}): ReactElement {
  const { isPlaying, isMuted } = useSyncExternalStore(film.subscribe, film.state);
  return (
    <div className={styles.controls}>
      <Position film={film} marks={marks} />
      <div className={styles.row}>
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? 'Pause' : 'Play'}
          onClick={() => film.toggle()}
        />
        <Time film={film} />
        {view !== null && (
          <div className={styles.views}>
            <Choice label="View" isLabelUnseen options={VIEWS} value={view} onChange={onView} />
          </div>
        )}
        <div className={styles.end}>
          <IconButton
            icon={isMuted ? 'mute' : 'sound'}
            label={isMuted ? 'Sound on' : 'Sound off'}
            onClick={() => film.toggleSound()}
          />
          <IconButton icon="keyboard" label="Keys" aria-expanded={areKeysShown} onClick={onKeys} />
          {onFullScreen !== null && <IconButton icon="whole" label="Full screen" onClick={onFullScreen} />}
        </div>
      </div>
      {areKeysShown && (
        <dl className={styles.keys} aria-label="Keys of the player">
          {[...KEYS, ...(view === null ? [] : COMPARISON_KEYS)].map(([keys, act]) => (
            <div key={keys}>
              <dt>{keys}</dt>
              <dd>{act}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Time({ film }: { readonly film: Film }): ReactElement {
  const { seconds, durationSeconds } = useSyncExternalStore(film.subscribe, film.state);
  return (
    <p className={styles.time}>
      <span>{timecode(seconds)}</span> / {timecode(durationSeconds)}
    </p>
  );
}

function Position({ film, marks }: { readonly film: Film; readonly marks: readonly number[] }): ReactElement {
  const { seconds, durationSeconds } = useSyncExternalStore(film.subscribe, film.state);
  const share = durationSeconds === 0 ? 0 : seconds / durationSeconds;
  return (
    <div className={styles.position}>
      {durationSeconds > 0 &&
        marks.map((at) => (
          <span key={at} className={styles.mark} style={{ '--at': at / durationSeconds } as CSSProperties} />
        ))}
      <input
        className={`${range.range} ${styles.range}`}
        type="range"
        min={0}
        max={durationSeconds}
        step={1 / film.framesPerSecond}
        value={seconds}
        aria-label="Position"
        aria-valuetext={`${clock(seconds)} of ${clock(durationSeconds)}`}
        style={{ '--filled': `${share * 100}%` } as CSSProperties}
        onChange={(event) => film.seek(event.target.valueAsNumber)}
        onKeyDown={(event) => {
          const frames = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
          if (frames === undefined) return;
          event.preventDefault();
          film.step(frames);
        }}
      />
    </div>
  );
}
