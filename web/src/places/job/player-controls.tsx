import { type CSSProperties, type ReactElement, useSyncExternalStore } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import playback from '../../parts/playback.module.css';
import { PlayButton, PlaybackTime, Seekbar, SoundButton } from '../../parts/playback.tsx';
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
    <div className={`${playback.controls} ${styles.controls}`}>
      <Position film={film} marks={marks} />
      <div className={playback.row}>
        <PlayButton isPlaying={isPlaying} onClick={() => film.toggle()} />
        <Time film={film} />
        {view !== null && (
          <div className={styles.views}>
            <Choice label="View" isLabelUnseen options={VIEWS} value={view} onChange={onView} />
          </div>
        )}
        <div className={styles.end}>
          <SoundButton isMuted={isMuted} onClick={() => film.toggleSound()} />
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
  return <PlaybackTime seconds={seconds} durationSeconds={durationSeconds} />;
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
      <Seekbar
        value={seconds}
        max={durationSeconds}
        step={1 / film.framesPerSecond}
        share={share}
        seconds={seconds}
        durationSeconds={durationSeconds}
        onSeek={(to) => film.seek(to)}
        onStep={(frames) => film.step(frames)}
      />
    </div>
  );
}
