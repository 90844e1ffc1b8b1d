import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react';
import type { EditSlot, EditTake, Video } from '../../../src/client/api-types.ts';
import { service } from '../state/service.ts';
import { timecode } from '../words/quantity.ts';
import styles from './slip.module.css';
import { Stretches } from './stretches.tsx';

/** A hand that rests for so long has arrived. */
const RESTED_MS = 350;

/** The whole take, with the part that the shot shows: dragged, or moved by arrow keys frame by frame. */
export function Slip({
  slot,
  video,
  use,
  onMove,
  onRest,
}: {
  readonly slot: EditSlot;
  readonly video: Video;
  readonly use: EditTake | undefined;
  /** While it is dragged, in seconds of the take. */
  readonly onMove: (startSeconds: number | null) => void;
  readonly onRest: (startSeconds: number) => void;
}): ReactElement {
  const { duration_seconds: duration, video_id: videoId, filename } = video;
  const length = Math.min(duration, slot.source_end_seconds - slot.source_start_seconds);
  const [start, setStart] = useState(slot.source_start_seconds);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setStart(slot.source_start_seconds), [slot]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = (to: number) => {
    setStart(to);
    onMove(to);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      onMove(null);
      onRest(to);
    }, RESTED_MS);
  };
  return (
    <div className={styles.slip} style={{ '--share': length / duration } as CSSProperties}>
      <div className={styles.strip}>
        <img src={service.videoFilmstripUrl(videoId)} alt="" draggable={false} />
        <input
          type="range"
          min={0}
          max={Math.max(0, duration - length)}
          step={1 / (video.frame_rate || 25)}
          value={start}
          disabled={duration - length < 1 / (video.frame_rate || 25)}
          aria-label={`Part of ${filename} that the shot shows`}
          aria-valuetext={`${timecode(start)} to ${timecode(start + length)}`}
          onChange={(event) => move(event.target.valueAsNumber)}
        />
      </div>
      {use !== undefined && <Stretches use={use} durationSeconds={duration} />}
      <p className={styles.note}>
        {timecode(start)} to {timecode(start + length)} of {timecode(duration)}. Drag, or use the arrow keys.
      </p>
    </div>
  );
}
