import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import type { EditResult, EditSlot, EditSlotChoice, Preview } from '../../../src/client/api-types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { videoData } from '../state/server-data.ts';
import { choiceWords } from '../words/edit-reasons.ts';
import { timecode } from '../words/quantity.ts';
import { FramePicture } from './frame-picture.tsx';
import type { LookShots } from './look-shots.ts';
import { Slip } from './slip.tsx';
import type { SlotActions } from './slot-actions.ts';
import { SlotFocus } from './slot-focus.tsx';
import { slotFraming } from './slot-framing.ts';
import { beatsWords, SlotLength } from './slot-length.tsx';
import styles from './slot-panel.module.css';

/** A crop of more than this is the whole picture. */
const WHOLE_SHARE = 0.995;

/** One shot: its reasons, its alternatives and its actions. */
export function SlotPanel({
  edit,
  preview,
  number,
  look,
  actions,
  onClose,
}: {
  readonly edit: EditResult;
  /** With the plan as data; null: none. */
  readonly preview: Preview | null;
  readonly number: number;
  readonly look: LookShots | null;
  readonly actions: SlotActions;
  readonly onClose: () => void;
}): ReactElement {
  const slot = edit.slots[number]!;
  const { data: video } = useQuery(videoData(slot.video_id));
  const [slipped, setSlipped] = useState<number | null>(null);
  const start = slipped ?? slot.source_start_seconds;
  const framing = useMemo(() => slotFraming(preview, slot), [preview, slot]);
  const isCut = framing !== null && Math.min(framing.width, framing.height) < WHOLE_SHARE;
  const shown = look?.shots[slot.template_slot];
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={panel} tabIndex={-1} className={styles.panel} aria-label={`Shot ${number + 1}`}>
      <div className={styles.head}>
        <h3>
          Shot {number + 1} of {edit.slots.length}
        </h3>
        <p className={styles.facts}>{factsOf(slot)}</p>
        <IconButton icon="close" label={`Close shot ${number + 1}`} onClick={onClose} />
      </div>
      <div className={styles.body}>
        <figure className={styles.figure}>
          <div className={styles.picture}>
            <FramePicture
              videoId={slot.video_id}
              from={start}
              to={start + slot.source_end_seconds - slot.source_start_seconds}
              isWhole
              isExact
            >
              {isCut && (
                <SlotFocus
                  key={number}
                  number={number}
                  framing={framing}
                  focus={slot.focus ?? null}
                  onFocus={(point) => actions.focus(number, slot, point)}
                />
              )}
            </FramePicture>
          </div>
          <figcaption>{video?.filename}</figcaption>
          <p id="slot-focus-note" className={styles.hint}>
            {focusNote(framing, isCut)}
          </p>
          {slot.focus != null && (
            <div>
              <Button icon="undo" onClick={() => actions.focus(number, slot, null)}>
                Frame by itself
              </Button>
            </div>
          )}
        </figure>
        {look?.videoId != null && shown !== undefined && (
          <figure className={`${styles.figure} ${styles.model}`}>
            <div className={styles.picture}>
              <FramePicture videoId={look.videoId} from={shown[0]} to={shown[1]} isWhole />
            </div>
            <figcaption>The shot of the look that it follows</figcaption>
          </figure>
        )}
        <div className={styles.about}>
          <p>{choiceWords(slot)}</p>
          <div className={styles.actions}>
            <Button
              icon="pin"
              aria-pressed={slot.pinned}
              onClick={() => (slot.pinned ? actions.unpin(number) : actions.pin(number, slot))}
            >
              {slot.pinned ? 'Pinned' : 'Pin'}
            </Button>
            <Button icon="ban" onClick={() => actions.ban(number, slot)}>
              Not this
            </Button>
          </div>
          <SlotLength number={number} onLengthen={(by) => actions.lengthen(number, slot, by)} />
          {slot.pinned && (
            <p className={styles.facts}>
              The pin belongs to the number: this stays shot {number + 1} when the song or the length changes.
            </p>
          )}
        </div>
      </div>
      {video?.kind === 'video' && (
        <Slip
          key={`${number} ${slot.video_id}`}
          slot={slot}
          video={video}
          use={edit.takes.find(({ video_id: id }) => id === slot.video_id)}
          onMove={setSlipped}
          onRest={(source_start_seconds) => actions.slip(number, { ...slot, source_start_seconds })}
        />
      )}
      <Alternatives
        slot={slot}
        onTake={(choice) => {
          actions.replace(number, choice);
          // The one that was chosen is no alternative any more.
          panel.current?.focus({ preventScroll: true });
        }}
      />
    </section>
  );
}

function Alternatives({
  slot: { alternatives },
  onTake,
}: {
  readonly slot: EditSlot;
  readonly onTake: (choice: EditSlotChoice) => void;
}): ReactElement {
  if (alternatives.length === 0)
    return <p className={styles.facts}>Nothing else fits here. More takes give more to choose from.</p>;
  return (
    <div className={styles.others}>
      <h4>Instead of it</h4>
      <ul className={styles.list}>
        {alternatives.map((choice) => (
          <Alternative
            key={`${choice.video_id} ${choice.source_start_seconds}`}
            choice={choice}
            onTake={() => onTake(choice)}
          />
        ))}
      </ul>
    </div>
  );
}

function Alternative({
  choice,
  onTake,
}: {
  readonly choice: EditSlotChoice;
  readonly onTake: () => void;
}): ReactElement {
  const { data: video } = useQuery(videoData(choice.video_id));
  const at = video?.kind === 'image' ? 'photo' : timecode(choice.source_start_seconds);
  return (
    <li>
      <button type="button" className={styles.other} onClick={onTake}>
        <span className={styles.small}>
          <FramePicture
            videoId={choice.video_id}
            from={choice.source_start_seconds}
            to={choice.source_end_seconds}
          />
        </span>
        <span className={styles.name}>
          <span className="unseen">Use </span>
          {video?.filename ?? ''} <span className={styles.at}>{at}</span>
        </span>
        <span className={styles.reasons}>{choiceWords(choice)}</span>
      </button>
    </li>
  );
}

function focusNote(framing: object | null, isCut: boolean): string {
  if (isCut) return 'Drag to what must stay in view, or use the arrow keys.';
  return framing === null ? '' : 'The whole picture is shown: nothing is cut off.';
}

function factsOf(slot: EditSlot): string {
  const { transition_in: transition } = slot;
  return [
    `${timecode(slot.start_seconds)} to ${timecode(slot.end_seconds)}`,
    `${(slot.end_seconds - slot.start_seconds).toFixed(2)} s`,
    slot.on_beat ? 'on the beat' : null,
    slot.beats_changed ? beatsWords(slot.beats_changed) : null,
    transition === null ? null : `begins with a ${transition.type.replaceAll('_', ' ')}`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}
