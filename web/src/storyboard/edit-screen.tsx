import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import type { EditResult, Preview } from '../../../src/client/api-types.ts';
import { Progress } from '../parts/progress.tsx';
import styles from './edit-screen.module.css';
import { FramePicture } from './frame-picture.tsx';
import { usePlayback } from './use-playback.ts';

const loadPlayer = () => import('../player/edit-player.tsx').then((it) => ({ default: it.EditPlayer }));
const EditPlayer = lazy(loadPlayer);

const FAILED = 'A take cannot be played here. The result can be rendered all the same.';

/** Plays the plan; until its first files are there, and where they cannot be played, the picture of one shot. */
export function EditScreen({
  edit,
  preview,
  chosen,
  goTo,
  strengthMix,
}: {
  readonly edit: EditResult;
  readonly preview: Preview | null;
  /** The shot that is open; null: none. */
  readonly chosen: number | null;
  readonly goTo: { readonly seconds: number } | null;
  /** Share of the planned grades, while a slider moves. */
  readonly strengthMix: number;
}): ReactElement {
  const { playable, made, needed, hasFailed } = usePlayback(preview);
  // While the first files are made. The lazy component reports a failure.
  useEffect(() => void loadPlayer().catch(() => {}), []);
  const slot = edit.slots[chosen ?? 0]!;
  const making = `Making small copies of your takes to play: ${made} of ${needed}`;
  const still = (
    <div className={styles.still}>
      <FramePicture
        videoId={slot.video_id}
        from={slot.source_start_seconds}
        to={slot.source_end_seconds}
        isWhole
      />
      {playable === null && (
        <div className={styles.state}>
          <p role="status">{hasFailed ? FAILED : making}</p>
          {!hasFailed && <Progress share={made / Math.max(1, needed)} label="Copies to play" />}
        </div>
      )}
    </div>
  );
  if (playable === null) return still;
  return (
    <Suspense fallback={still}>
      <EditPlayer
        plan={playable.plan}
        proxyOf={playable.proxyOf}
        goTo={goTo}
        firstView="after"
        strengthMix={strengthMix}
        fallback={still}
      />
      {made < needed && (
        <p role="status" className={styles.making}>
          {hasFailed ? FAILED : `${making}. Until then, their shots are stills.`}
        </p>
      )}
    </Suspense>
  );
}
