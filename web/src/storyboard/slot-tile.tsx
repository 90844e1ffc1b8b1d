import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type KeyboardEvent, type ReactElement, useState } from 'react';
import type { EditSlot } from '../../../src/client/api-types.ts';
import { Icon } from '../parts/icons.tsx';
import { videoData } from '../state/server-data.ts';
import { timecode } from '../words/quantity.ts';
import { FramePicture } from './frame-picture.tsx';
import styles from './tracks.module.css';

/** One shot of the edit, as wide as it is long; on a narrow screen a row of a list. */
export function SlotTile({
  slot,
  number,
  isChosen,
  isChanged,
  isReached,
  onChoose,
  onKeyDown,
}: {
  readonly slot: EditSlot;
  readonly number: number;
  readonly isChosen: boolean;
  readonly isChanged: boolean;
  /** Tab stops at one of all; arrows reach the others. */
  readonly isReached: boolean;
  readonly onChoose: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}): ReactElement {
  const { data: video } = useQuery(videoData(slot.video_id));
  const [hasFocus, setFocus] = useState(false);
  const seconds = slot.end_seconds - slot.start_seconds;
  const isPhoto = video?.kind === 'image';
  const moment = isPhoto ? 'photo' : `from ${timecode(slot.source_start_seconds)}`;
  const label = [
    `Shot ${number + 1}`,
    `${seconds.toFixed(1)} seconds at ${timecode(slot.start_seconds)}`,
    `${video?.filename ?? 'a take'}, ${moment}`,
    ...(slot.pinned ? ['pinned'] : []),
    ...(slot.on_beat ? ['on the beat'] : []),
  ].join(', ');
  return (
    <li className={styles.slot} style={{ '--seconds': seconds } as CSSProperties}>
      <button
        type="button"
        aria-current={isChosen}
        data-is-changed={isChanged}
        tabIndex={isReached || hasFocus ? 0 : -1}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onClick={onChoose}
        onKeyDown={onKeyDown}
      >
        <span className="unseen">{label}</span>
        <span className={styles.still} aria-hidden="true">
          <FramePicture
            videoId={slot.video_id}
            from={slot.source_start_seconds}
            to={slot.source_end_seconds}
          />
          <span className={styles.number}>{number + 1}</span>
          {slot.pinned && (
            <span className={styles.pin}>
              <Icon name="pin" size={14} />
            </span>
          )}
          {slot.transition_in !== null && <span className={styles.transition} />}
        </span>
        <span className={styles.lines} aria-hidden="true">
          <span>{video?.filename ?? ''}</span>
          <span>
            {timecode(slot.start_seconds)} · {seconds.toFixed(1)} s · {moment}
          </span>
        </span>
      </button>
    </li>
  );
}
