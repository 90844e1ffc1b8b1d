import { type CSSProperties, type KeyboardEvent, type ReactElement, useRef } from 'react';
import type { EditResult } from '../../../src/client/api-types.ts';
import { FramePicture } from './frame-picture.tsx';
import type { LookShots } from './look-shots.ts';
import { SlotTile } from './slot-tile.tsx';
import { SongTrack } from './song-track.tsx';
import styles from './tracks.module.css';

/** A shot of a fifth of all is so wide, in pixels, that it can be touched and recognised. */
const SHORT_SHOT_PX = 48;
const MIN_SCALE = 18;
const MAX_WIDTH_PX = 12_000;

interface TracksProps {
  readonly edit: EditResult;
  readonly look: LookShots | null;
  /** Number of the slot that is open; null: none. */
  readonly chosen: number | null;
  /** Slots to mark for a moment. */
  readonly changed: ReadonlySet<number>;
  readonly onChoose: (slot: number) => void;
  /** Keys beside arrows and Enter, by `event.key`. */
  readonly keys?: Readonly<Record<string, (slot: number) => void>>;
  readonly label: string;
}

/** The look's shots, the song and the edit, on one scale of time: the rhythms can be compared by eye. */
export function Tracks({ edit, look, chosen, changed, onChoose, keys, label }: TracksProps): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const lookSeconds = look?.shots.at(-1)?.[1] ?? 0;
  const longest = Math.max(edit.duration_seconds, lookSeconds);
  const style = {
    '--width': `${Math.round(longest * scaleOf(edit, longest))}px`,
    '--edit': edit.duration_seconds / longest,
    '--look': lookSeconds / longest,
  } as CSSProperties;
  const followed = chosen === null ? null : edit.slots[chosen]?.template_slot;
  const focusOn = (slot: number) =>
    list.current?.querySelectorAll('button')[Math.min(edit.slots.length - 1, Math.max(0, slot))]?.focus();
  const press = (event: KeyboardEvent, slot: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: slot - 1, ArrowUp: slot - 1, ArrowRight: slot + 1, ArrowDown: slot + 1 },
      ...{ Home: 0, End: edit.slots.length - 1 },
    };
    const to = steps[event.key];
    const act = keys?.[event.key];
    if (to === undefined && act === undefined) return;
    event.preventDefault();
    if (to !== undefined) focusOn(to);
    act?.(slot);
  };
  return (
    <div className={styles.scroll} style={style}>
      <div className={styles.tracks}>
        {look !== null && (
          <div className={styles.look}>
            <p className={styles.head}>The look</p>
            <div className={styles.row} aria-hidden="true">
              {look.shots.map(([from, to], at) => (
                <div
                  key={from}
                  className={styles.shot}
                  data-is-followed={at === followed}
                  style={{ '--seconds': to - from } as CSSProperties}
                >
                  {look.videoId !== null && <FramePicture videoId={look.videoId} from={from} to={to} />}
                </div>
              ))}
            </div>
          </div>
        )}
        {edit.music != null && <SongTrack music={edit.music} seconds={edit.duration_seconds} />}
        <p className={styles.head}>Your edit</p>
        <ol ref={list} className={styles.slots} aria-label={label}>
          {edit.slots.map((slot, at) => (
            <SlotTile
              // biome-ignore lint/suspicious/noArrayIndexKey: a slot is its number.
              key={at}
              slot={slot}
              number={at}
              isChosen={at === chosen}
              isChanged={changed.has(at)}
              isReached={at === (chosen ?? 0)}
              onChoose={() => onChoose(at)}
              onKeyDown={(event) => press(event, at)}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** Pixels a second. */
function scaleOf({ slots }: EditResult, longest: number): number {
  const lengths = slots.map((slot) => slot.end_seconds - slot.start_seconds).sort((a, b) => a - b);
  const short = lengths[Math.floor(lengths.length / 5)] ?? 1;
  return Math.min(Math.max(MIN_SCALE, SHORT_SHOT_PX / Math.max(0.1, short)), MAX_WIDTH_PX / longest);
}
