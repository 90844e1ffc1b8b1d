import type { ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { service } from '../../state/service.ts';
import styles from './talk-parts.module.css';
import type { Excerpts } from './use-excerpts.ts';

/** The two videos of excerpts: one is seen while it plays. They load when they are first played. */
export function TalkExcerpt({
  job,
  excerpts: { source, output, playing, status },
}: {
  readonly job: JobDetail;
  readonly excerpts: Excerpts;
}): ReactElement {
  return (
    <div className={styles.excerpt}>
      {/* biome-ignore lint/a11y/useMediaCaption: a part of the video that the person uploaded. */}
      <video
        ref={source}
        src={service.videoFileUrl(job.video_id)}
        preload="none"
        playsInline
        hidden={playing?.side !== 'source'}
        aria-label="The source"
      />
      {/* biome-ignore lint/a11y/useMediaCaption: captions are part of its pictures. */}
      <video
        ref={output}
        src={service.outputUrl(job.job_id)}
        preload="none"
        playsInline
        hidden={playing?.side !== 'output'}
        aria-label="The result"
      />
      <p role="status">{status}</p>
    </div>
  );
}
