import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Video } from '../../../src/client/api-types.ts';
import type { Range } from '../state/edit-parts.ts';
import { service } from '../state/service.ts';
import { timecode } from '../words/quantity.ts';
import { Button } from './button.tsx';
import styles from './trim.module.css';

/** Keys pressed in a row are one change: each costs a measurement. */
const SETTLED_MS = 600;
/** Assumed for a video without a known rate. */
const USUAL_FRAME_RATE = 30;
const DIRECTIONS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
};

type Ends = readonly [from: number, to: number];

/** Handles at both ends of the part of a video that counts. It is changed when they are let go. */
export function Trim({
  video: { duration_seconds: duration, frame_rate: rate, video_id: videoId, filename },
  range: [from, to],
  minSeconds,
  onChange,
}: {
  readonly video: Video;
  readonly range: Range;
  /** A part is never shorter. */
  readonly minSeconds: number;
  readonly onChange: (range: Range) => void;
}): ReactElement {
  const [ends, setEnds] = useState<Ends>([from, to]);
  const hintId = useId();
  const isHeld = useRef(false);
  // A function of another rendering does not restart the time.
  const settle = useRef(onChange);
  settle.current = onChange;
  const frameRate = rate > 0 ? rate : USUAL_FRAME_RATE;
  // Undo changes it from outside.
  useEffect(() => setEnds([from, to]), [from, to]);
  const commit = () => {
    isHeld.current = false;
    if (ends[0] !== from || ends[1] !== to) onChange(ends);
  };
  useEffect(() => {
    if (isHeld.current || (ends[0] === from && ends[1] === to)) return;
    const timer = setTimeout(() => settle.current(ends), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [ends, from, to]);
  const move = (end: 0 | 1, at: number) => {
    // Both ends of the video can be reached, whatever its last frame's length.
    const wanted = at <= 0 ? 0 : at >= duration ? duration : Math.round(at * frameRate) / frameRate;
    setEnds(
      end === 0
        ? [Math.max(0, Math.min(wanted, ends[1] - minSeconds)), ends[1]]
        : [ends[0], Math.min(duration, Math.max(wanted, ends[0] + minSeconds))],
    );
  };
  const press = (end: 0 | 1) => (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    move(end, ends[end] + direction * (event.shiftKey ? 1 : 1 / frameRate));
  };
  const handle = (end: 0 | 1) => (
    <input
      type="range"
      className={end === 0 ? styles.begin : styles.end}
      min={0}
      max={duration}
      step="any"
      value={ends[end]}
      aria-label={`${end === 0 ? 'Begin' : 'End'} of the part of ${filename} that counts`}
      aria-valuetext={timecode(ends[end])}
      aria-describedby={hintId}
      onChange={({ target: { valueAsNumber: at } }) => move(end, at)}
      onKeyDown={press(end)}
      onPointerDown={() => {
        isHeld.current = true;
      }}
      onPointerUp={commit}
      onBlur={commit}
    />
  );
  const style = { '--from': ends[0] / duration, '--to': ends[1] / duration } as CSSProperties;
  const isWhole = ends[0] === 0 && ends[1] === duration;
  return (
    <div className={styles.trim} style={style}>
      <div className={styles.strip}>
        <div className={styles.film}>
          <img src={service.videoFilmstripUrl(videoId)} alt="" draggable={false} />
          <span className={styles.cutBefore} />
          <span className={styles.cutAfter} />
        </div>
        {handle(0)}
        {handle(1)}
      </div>
      <p id={hintId} className="unseen">
        Arrow keys move it by a frame, with Shift by a second
      </p>
      <div className={styles.foot}>
        <p>
          {isWhole
            ? `All of it counts, ${timecode(duration)}`
            : `Counts from ${timecode(ends[0])} to ${timecode(ends[1])}`}
        </p>
        {!isWhole && (
          <Button
            manner="quiet"
            icon="retry"
            aria-label={`Use all of it: ${filename}`}
            onClick={() => {
              setEnds([0, duration]);
              onChange([0, duration]);
            }}
          >
            Use all of it
          </Button>
        )}
      </div>
    </div>
  );
}
