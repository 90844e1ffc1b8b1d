import { type ReactElement, useState } from 'react';
import type { Job } from '../../../../src/client/api-types.ts';
import { Poster } from '../../parts/poster.tsx';
import tag from '../../parts/tag.module.css';
import { addressOf } from '../../state/service.ts';
import { clock } from '../../words/quantity.ts';
import styles from './job-place.module.css';

/** The newest frame of the result while it is made; before that a picture of the video, held back. */
export function LiveFrame({ job }: { readonly job: Job }): ReactElement {
  const { job_id: jobId, video_id: videoId, frame } = job;
  // Each frame is shown until the next has loaded.
  const [shown, show] = useState<{ readonly address: string; readonly at: number } | null>(null);
  const next = frame === null ? null : addressOf(`api/v1/jobs/${jobId}/frame?sequence=${frame.sequence}`);
  return (
    <div className={styles.picture}>
      {shown === null && (
        <Poster address={addressOf(`api/v1/videos/${videoId}/poster`)} alt="A frame of your video" isQuiet />
      )}
      {shown !== null && <img src={shown.address} alt="The newest frame of the result" />}
      {next !== null && next !== shown?.address && (
        <img
          key={next}
          className={styles.coming}
          src={next}
          alt=""
          onLoad={() => show({ address: next, at: frame!.at_seconds })}
        />
      )}
      <p className={`${tag.tag} ${styles.caption}`}>
        {shown === null ? 'Your video' : `The result at ${clock(shown.at)}`}
      </p>
    </div>
  );
}
