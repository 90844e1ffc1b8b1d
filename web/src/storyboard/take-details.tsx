import type { ReactElement } from 'react';
import type { EditTake, Video } from '../../../src/client/api-types.ts';
import { Button } from '../parts/button.tsx';
import { Fold } from '../parts/fold.tsx';
import { Switch } from '../parts/switch.tsx';
import { Trim } from '../parts/trim.tsx';
import {
  innerExclusions,
  MIN_TAKE_SECONDS,
  type Take,
  trimmed,
  trimOf,
  withoutTake,
} from '../state/edit-parts.ts';
import { changeEdit, chooseLook, currentMake, type Make } from '../state/make.ts';
import { Stretches, StretchList } from './stretches.tsx';
import styles from './take-list.module.css';

/** Settings of one take, and the use of its parts. */
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
  const { filename: name, video_id: videoId, duration_seconds: seconds } = video;
  const change = (next: Take, what: string) =>
    changeEdit({ takes: currentMake().takes.map((one) => (one.id === take.id ? next : one)) }, what);
  const isVideo = video.kind === 'video';
  const refused =
    make.bans.filter((ban) => ban.videoId === videoId).length +
    (isVideo ? innerExclusions(take, seconds) : take.exclude).length;
  const all = { ...take, exclude: [] };
  // A trim is no refusal.
  const allowed = isVideo ? trimmed(all, trimOf(take, seconds), seconds) : all;
  return (
    <div className={styles.details}>
      {isVideo && (
        <Trim
          video={video}
          range={trimOf(take, seconds)}
          minSeconds={MIN_TAKE_SECONDS}
          onChange={(range) => change(trimmed(take, range, seconds), `Trim ${name}`)}
        />
      )}
      {isVideo && use !== undefined && <Stretches use={use} durationSeconds={seconds} />}
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
      {refused > 0 && (
        <Button
          manner="quiet"
          icon="retry"
          onClick={() =>
            changeEdit(
              {
                takes: currentMake().takes.map((one) => (one.id === take.id ? allowed : one)),
                bans: make.bans.filter((ban) => ban.videoId !== videoId),
              },
              `Allow all of ${name}`,
            )
          }
        >
          Allow what was refused ({refused})
        </Button>
      )}
    </div>
  );
}
