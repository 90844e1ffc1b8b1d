import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { service } from '../../state/service.ts';
import { ago, took } from '../../words/quantity.ts';
import { Downloads } from './downloads.tsx';
import { Film } from './film.ts';
import { filmSizeData, partsOf } from './film-size.ts';
import { AgainWithChanges, CopyLink, DeleteJob } from './job-actions.tsx';
import { JobHead } from './job-head.tsx';
import styles from './job-place.module.css';
import { type Pictures, Player } from './player.tsx';
import { SpokenWords } from './spoken-words.tsx';
import { Warnings } from './warnings.tsx';
import { WhatWasDone } from './what-was-done.tsx';

const COMPARISON = 'comparison.mp4';
/** Where the service does not say it: a step is then a frame at most rates, and never none. */
const USUAL_FRAMES_PER_SECOND = 30;

export function FinishedJob({ job }: { readonly job: JobDetail }): ReactElement {
  const pictures = usePictures(job);
  const { summary } = job;
  const rate = summary?.output.frame_rate ?? USUAL_FRAMES_PER_SECOND;
  const film = useMemo(() => new Film(rate), [rate]);
  const marks = useMemo(() => [...new Set(summary?.entries.map((entry) => entry.at_seconds))], [summary]);
  if (pictures === undefined) return <div className={styles.waiting} />;
  return (
    <div>
      <JobHead job={job} about={aboutWords(job)}>
        <CopyLink />
        <AgainWithChanges job={job} />
        <DeleteJob job={job} />
      </JobHead>
      <div className={styles.done}>
        <Player film={film} pictures={pictures} marks={marks} />
        <div className={styles.columns}>
          <div className={styles.column}>
            {summary !== null && <WhatWasDone summary={summary} film={film} />}
            <SpokenWords job={job} />
            <Warnings warnings={job.warnings} />
          </div>
          <Downloads job={job} />
        </div>
      </div>
    </div>
  );
}

/** Undefined until it is known how large they are. What the browser cannot play still has a place on the page. */
function usePictures(job: JobDetail): Pictures | undefined {
  const hasComparison = job.artifacts.some(({ name }) => name === COMPARISON);
  const outputAddress = service.outputUrl(job.job_id);
  const comparisonAddress = service.artifactUrl(job.job_id, COMPARISON);
  const output = useQuery(filmSizeData(outputAddress));
  const comparison = useQuery({ ...filmSizeData(comparisonAddress), enabled: hasComparison });
  return useMemo(() => {
    if (output.isPending || (hasComparison && comparison.isPending)) return undefined;
    const size = output.data ?? { width: 16, height: 9 };
    if (output.data === undefined || comparison.data === undefined)
      return { address: outputAddress, size, parts: null };
    const parts = partsOf(comparison.data, output.data);
    return { address: comparisonAddress, size: comparison.data, parts };
  }, [output, comparison, hasComparison, outputAddress, comparisonAddress]);
}

function aboutWords(job: JobDetail): string {
  const seconds = job.processing_time_seconds;
  const parts = [
    `made ${ago(job.completed_at ?? job.updated_at)}`,
    seconds === null ? null : `took ${took(seconds)}`,
    job.expires_at === null
      ? null
      : `kept until ${new Date(job.expires_at).toLocaleDateString('en', { dateStyle: 'medium' })}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
