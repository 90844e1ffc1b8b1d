import { useQuery } from '@tanstack/react-query';
import { memo, type ReactElement } from 'react';
import { Link } from 'wouter';
import type { Job } from '../../../../src/client/api-types.ts';
import { Progress } from '../../parts/progress.tsx';
import { ScrubPicture } from '../../parts/scrub-picture.tsx';
import { useJobName } from '../../state/job-name.ts';
import { listedJob, savedLookKey } from '../../state/lists.ts';
import { isUnderWay } from '../../state/server-data.ts';
import { addressOf, service } from '../../state/service.ts';
import { useVisible } from '../../state/use-visible.ts';
import { ago } from '../../words/quantity.ts';
import { STAGE_WORDS } from '../../words/stages.ts';
import styles from './card.module.css';
import { Card } from './card.tsx';

const STATES: Readonly<Record<string, string>> = {
  failed: 'Failed',
  cancelled: 'Cancelled',
  queued: 'Waiting',
};

export const JobCard = memo(function JobCard({
  job: listed,
  isSelected,
  onSelect,
}: {
  readonly job: Job;
  readonly isSelected: boolean;
  readonly onSelect: ((jobId: string, name: string) => void) | null;
}): ReactElement {
  const [element, isVisible] = useVisible('200px');
  const { data } = useQuery(listedJob(listed, isVisible));
  const job = isUnderWay(listed.status) ? (data ?? listed) : listed;
  const { source: name, look } = useJobName(job);
  const isDone = job.status === 'completed';
  const poster = isDone
    ? service.artifactUrl(job.job_id, 'poster.jpg')
    : addressOf(`api/v1/videos/${job.video_id}/poster`);
  return (
    <Card
      element={element}
      name={name}
      isSelected={isSelected}
      onSelect={onSelect === null ? null : () => onSelect(job.job_id, name)}
      picture={
        <Link href={`/jobs/${job.job_id}`} className={styles.link}>
          <ScrubPicture
            poster={poster}
            filmstrip={isDone ? service.artifactUrl(job.job_id, 'filmstrip.jpg') : null}
          />
          <span className={styles.name}>{name}</span>
        </Link>
      }
      facts={
        <>
          {look !== null && <LookName look={look} id={lookIdOf(job)} />}
          <p className={styles.fact}>{stateWords(job)}</p>
          {isUnderWay(job.status) && (
            <Progress share={job.progress_percent / 100} label={`Progress of ${name}`} />
          )}
        </>
      }
    />
  );
});

/** Null: a Style DNA. */
function lookIdOf({ template_video_id: videoId, preset, style_id: styleId }: Job): string | null {
  return videoId ?? preset ?? (styleId == null ? null : savedLookKey(styleId));
}

/** Leads to all that was made in that look. */
function LookName({ look, id }: { readonly look: string; readonly id: string | null }): ReactElement {
  return (
    <p className={styles.fact}>
      In the style of{' '}
      {id === null ? look : <Link href={`/library?look=${encodeURIComponent(id)}`}>{look}</Link>}
    </p>
  );
}

function stateWords(job: Job): string {
  if (job.status === 'processing') {
    const stage = job.current_stage === null ? '' : STAGE_WORDS[job.current_stage];
    return `${stage} · ${Math.floor(job.progress_percent)} %`;
  }
  const when = ago(job.completed_at ?? job.created_at);
  const state = STATES[job.status];
  return state === undefined ? when : `${state} · ${when}`;
}
