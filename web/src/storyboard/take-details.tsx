import { type CSSProperties, type ReactElement, useEffect, useState } from 'react';
import type { EditTake, Video } from '../../../src/client/api-types.ts';
import { Button } from '../parts/button.tsx';
import { Fold } from '../parts/fold.tsx';
import { Switch } from '../parts/switch.tsx';
import { changeEdit, chooseLook, currentMake, type Make } from '../state/make.ts';
import { service } from '../state/service.ts';
import { MIN_TAKE_SECONDS, type Range, type Take, trimmed, trimOf, withoutTake } from '../state/take-list.ts';
import { timecode } from '../words/quantity.ts';
import { Stretches, StretchList } from './stretches.tsx';
import styles from './take-list.module.css';
import trim from './trim.module.css';

/** What a person decides about one take, and what became of its parts. */
export function TakeDetails({
  take,
  video,
  make,
  use,
}: {
  readonly take: Take;
  readonly video: Video;
  readonly make: Make;
  readonly use: EditTake | undefined;
}): ReactElement {
  const { filename: name, video_id: videoId } = video;
  const change = (next: Take, what: string) =>
    changeEdit({ takes: currentMake().takes.map((one) => (one.id === take.id ? next : one)) }, what);
  const bans = make.bans.filter((ban) => ban.videoId === videoId);
  const isVideo = video.kind === 'video';
  return (
    <div className={styles.details}>
      {isVideo && <Trim take={take} video={video} onChange={(next) => change(next, `Trim ${name}`)} />}
      {isVideo && use !== undefined && <Stretches use={use} durationSeconds={video.duration_seconds} />}
      {isVideo && use !== undefined && (
        <Fold label="Shown and not shown, and why">
          <StretchList use={use} />
        </Fold>
      )}
      <div className={styles.pair}>
        <Switch
          label="Must be used"
          isOn={take.mustUse}
          onChange={(mustUse) =>
            change({ ...take, mustUse }, mustUse ? `Must use ${name}` : `Need not use ${name}`)
          }
        />
        <Button
          manner="quiet"
          icon="look"
          onClick={() => {
            changeEdit(withoutTake(make, take.id), `Use ${name} as the look`);
            chooseLook({ kind: 'video', videoId });
          }}
        >
          Use as the look
        </Button>
      </div>
      {bans.length > 0 && (
        <Button
          manner="quiet"
          icon="retry"
          onClick={() =>
            changeEdit({ bans: make.bans.filter((ban) => ban.videoId !== videoId) }, `Allow all of ${name}`)
          }
        >
          Allow what was refused ({bans.length})
        </Button>
      )}
    </div>
  );
}

/** Handles at both ends of the part that counts. It is changed when they are let go. */
function Trim({
  take,
  video: { duration_seconds: duration, video_id: videoId, filename },
  onChange,
}: {
  readonly take: Take;
  readonly video: Video;
  readonly onChange: (take: Take) => void;
}): ReactElement {
  const [from, to] = trimOf(take, duration);
  const [ends, setEnds] = useState<Range>([from, to]);
  // Undo changes it from outside.
  useEffect(() => setEnds([from, to]), [from, to]);
  const commit = () => {
    if (ends[0] !== from || ends[1] !== to) onChange(trimmed(take, ends, duration));
  };
  const handle = (end: 0 | 1) => (
    <input
      type="range"
      min={0}
      max={duration}
      step={0.1}
      value={ends[end]}
      aria-label={`${end === 0 ? 'Begin' : 'End'} of the part of ${filename} that counts`}
      aria-valuetext={timecode(ends[end])}
      onChange={({ target: { valueAsNumber: at } }) =>
        setEnds(
          end === 0
            ? [Math.min(at, ends[1] - MIN_TAKE_SECONDS), ends[1]]
            : [ends[0], Math.max(at, ends[0] + MIN_TAKE_SECONDS)],
        )
      }
      onPointerUp={commit}
      onKeyUp={commit}
      onBlur={commit}
    />
  );
  const style = { '--from': ends[0] / duration, '--to': ends[1] / duration } as CSSProperties;
  return (
    <div className={trim.trim} style={style}>
      <div className={trim.strip}>
        <img src={service.videoFilmstripUrl(videoId)} alt="" draggable={false} />
        <span className={trim.cutBefore} />
        <span className={trim.cutAfter} />
        {handle(0)}
        {handle(1)}
      </div>
      <p className={trim.times}>
        <span>Counts from {timecode(ends[0])}</span>
        <span>to {timecode(ends[1])}</span>
      </p>
    </div>
  );
}
