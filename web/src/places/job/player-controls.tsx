import { type CSSProperties, type ReactElement, useSyncExternalStore } from 'react';
import { IconButton } from '../../parts/button.tsx';
import playback from '../../parts/playback.module.css';
import { PlayButton, PlaybackTime, Seekbar, SoundButton } from '../../parts/playback.tsx';
import { ComparisonControls } from './comparison-controls.tsx';
import styles from './player.module.css';
import type { Transport } from './transport.ts';
import type { Comparison } from './use-comparison.ts';

/** The player's keys. The slider of the position has its own keys for pages. */
const KEYS: readonly (readonly [keys: string, act: string])[] = [
  ['Space', 'Play or pause'],
  ['← →', 'One frame back or forward'],
  ['M', 'Sound on or off'],
  ['F', 'Full screen'],
];
const COMPARISON_KEY = ['B', 'Before and after, or the result alone'] as const;
const COMPARISON_KEYS: typeof KEYS = [
  ['[ ]', 'Move the line'],
  ['1 2 3 4', 'Slider, side by side, before, after'],
];

export function PlayerControls({
  transport,
  marks,
  comparison,
  onFullScreen,
  areKeysShown,
  onKeys,
}: {
  readonly transport: Transport;
  readonly marks: readonly number[];
  readonly comparison: Comparison;
  readonly onFullScreen: (() => void) | null;
  readonly areKeysShown: boolean;
  readonly onKeys: () => void;
}): ReactElement {
  const { isPlaying, isMuted } = useSyncExternalStore(transport.subscribe, transport.state);
  const { before, isComparing } = comparison;
  const keys = [
    ...KEYS,
    ...(before.kind === 'absent' ? [] : [COMPARISON_KEY]),
    ...(isComparing ? COMPARISON_KEYS : []),
  ];
  return (
    <div className={`${playback.controls} ${styles.controls}`}>
      <Position transport={transport} marks={marks} />
      <div className={playback.row}>
        <PlayButton isPlaying={isPlaying} onClick={() => transport.toggle()} />
        <Time transport={transport} />
        <ComparisonControls comparison={comparison} />
        <div className={styles.end}>
          <SoundButton isMuted={isMuted} onClick={() => transport.toggleSound()} />
          <IconButton icon="keyboard" label="Keys" aria-expanded={areKeysShown} onClick={onKeys} />
          {onFullScreen !== null && <IconButton icon="whole" label="Full screen" onClick={onFullScreen} />}
        </div>
      </div>
      {areKeysShown && (
        <dl className={styles.keys} aria-label="Keys of the player">
          {keys.map(([pressed, act]) => (
            <div key={pressed}>
              <dt>{pressed}</dt>
              <dd>{act}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Time({ transport }: { readonly transport: Transport }): ReactElement {
  const { seconds, durationSeconds } = useSyncExternalStore(transport.subscribe, transport.state);
  return <PlaybackTime seconds={seconds} durationSeconds={durationSeconds} />;
}

function Position({
  transport,
  marks,
}: {
  readonly transport: Transport;
  readonly marks: readonly number[];
}): ReactElement {
  const { seconds, durationSeconds } = useSyncExternalStore(transport.subscribe, transport.state);
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
        step={1 / transport.framesPerSecond}
        share={share}
        seconds={seconds}
        durationSeconds={durationSeconds}
        onSeek={(to) => transport.seek(to)}
        onStep={(frames) => transport.step(frames)}
      />
    </div>
  );
}
