import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useSyncExternalStore } from 'react';
import type { EditResult, EditSlot, JobDetail } from '../../../src/client/api-types.ts';
import type { Transport } from '../places/job/transport.ts';
import { videoData } from '../state/server-data.ts';
import { choiceWords } from '../words/edit-reasons.ts';
import { counted, timecode } from '../words/quantity.ts';
import { shotsOf } from './look-shots.ts';
import styles from './storyboard.module.css';
import { Tracks } from './tracks.tsx';

const NONE: ReadonlySet<number> = new Set();

/** The shots of a rendered edit: the one that plays is marked, and a click jumps to one. */
export function ResultStoryboard({
  job,
  edit,
  transport,
}: {
  readonly job: JobDetail;
  readonly edit: EditResult;
  readonly transport: Transport;
}): ReactElement {
  const current = useSyncExternalStore(transport.subscribe, () => slotAt(edit, transport.state().seconds));
  return (
    <section className={styles.storyboard} aria-label="Storyboard">
      <div>
        <h2>Storyboard</h2>
        <p className={styles.state}>
          {counted(edit.slots.length, 'shot')} in {timecode(edit.duration_seconds)}
        </p>
      </div>
      <Tracks
        edit={edit}
        look={shotsOf(job.style_json, job.template_video_id)}
        chosen={current}
        changed={NONE}
        onChoose={(slot) => transport.seek(edit.slots[slot]!.start_seconds)}
        label="Shots of the result"
      />
      <ShotWords slot={edit.slots[current]!} number={current} />
    </section>
  );
}

function ShotWords({ slot, number }: { readonly slot: EditSlot; readonly number: number }): ReactElement {
  const { data: video } = useQuery(videoData(slot.video_id));
  const moment = video?.kind === 'image' ? '' : ` from ${timecode(slot.source_start_seconds)}`;
  return (
    <p className={styles.note}>
      Shot {number + 1}: {video?.filename ?? 'a take that is no longer here'}
      {moment}. {choiceWords(slot)}.
    </p>
  );
}

/** A paused video is at a time within a frame, and a jump to a cut a little before it. */
const ROUNDING_SECONDS = 0.002;

function slotAt({ slots }: EditResult, seconds: number): number {
  const next = slots.findIndex((slot) => slot.end_seconds > seconds + ROUNDING_SECONDS);
  return next === -1 ? slots.length - 1 : next;
}
