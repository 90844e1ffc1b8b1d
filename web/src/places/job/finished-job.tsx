import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useMemo, useState } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { comparisonData } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import { ago, took } from '../../words/quantity.ts';
import { type Compare, CompareButton } from './compare-button.tsx';
import { Downloads, DownloadVideo } from './downloads.tsx';
import { EditShots } from './edit-shots.tsx';
import { Film } from './film.ts';
import { filmSizeData, partsOf } from './film-size.ts';
import { ForEditors } from './for-editors.tsx';
import { AgainWithChanges, CopyLink, DeleteJob } from './job-actions.tsx';
import { JobHead } from './job-head.tsx';
import styles from './job-place.module.css';
import { type Pictures, Player } from './player.tsx';
import { SpokenWords } from './spoken-words.tsx';
import { Warnings } from './warnings.tsx';
import { WhatWasDone } from './what-was-done.tsx';

const ResultStoryboard = lazy(() =>
  import('../../storyboard/result-storyboard.tsx').then((it) => ({ default: it.ResultStoryboard })),
);

/** If the service does not report it: a step is then a frame at most rates, and never none. */
const USUAL_FRAMES_PER_SECOND = 30;

export function FinishedJob({ job }: { readonly job: JobDetail }): ReactElement {
  const { pictures, compare } = usePictures(job);
  const { summary, edit } = job;
  const rate = summary?.output.frame_rate ?? USUAL_FRAMES_PER_SECOND;
  const film = useMemo(() => new Film(rate), [rate]);
  const marks = useMemo(() => momentsOf(job), [job]);
  if (pictures === undefined) return <div className={styles.waiting} />;
  return (
    <div>
      <JobHead job={job} about={aboutWords(job)}>
        <DownloadVideo jobId={job.job_id} />
        <CompareButton compare={compare} />
        <CopyLink />
        <AgainWithChanges job={job} />
        <DeleteJob job={job} />
      </JobHead>
      <div className={styles.done}>
        <Player key={pictures.address} film={film} pictures={pictures} marks={marks} />
        {job.edit !== null && (
          <Suspense fallback={<div />}>
            <ResultStoryboard job={job} edit={job.edit} film={film} />
          </Suspense>
        )}
        <div className={styles.columns}>
          <div className={styles.column}>
            {edit !== null && <EditShots edit={edit} film={film} />}
            {edit === null && summary !== null && <WhatWasDone summary={summary} film={film} />}
            <SpokenWords job={job} />
            <Warnings warnings={job.warnings} />
            <ForEditors job={job} />
          </div>
          <Downloads job={job} />
        </div>
      </div>
    </div>
  );
}

/**
 * The output alone until its comparison is there; then before and after at once, or, if the person sees the output already, on request.
 * `pictures` is undefined until it is known how large they are: what the browser cannot play still has a place on the page.
 */
function usePictures(job: JobDetail): { readonly pictures: Pictures | undefined; readonly compare: Compare } {
  const jobId = job.job_id;
  const outputAddress = service.outputUrl(jobId);
  const comparisonAddress = service.comparisonFileUrl(jobId);
  const [isWanted, want] = useState(false);
  // An edit from many takes has no picture before it.
  const isEdit = job.edit_request !== null;
  const made = useQuery({ ...comparisonData(jobId), enabled: !isEdit });
  const [wasThere, setThere] = useState<boolean | undefined>(isEdit ? false : undefined);
  const isThere = made.data?.status === 'completed';
  if (wasThere === undefined && !made.isPending) setThere(isThere);
  const isShown = isThere && (wasThere === true || isWanted);
  const output = useQuery(filmSizeData(outputAddress));
  const comparison = useQuery({ ...filmSizeData(comparisonAddress), enabled: isThere });
  const pictures = useMemo(() => {
    if (output.isPending || wasThere === undefined || (wasThere && comparison.isPending)) return undefined;
    const size = output.data ?? { width: 16, height: 9 };
    if (!isShown || output.data === undefined || comparison.data === undefined)
      return { address: outputAddress, size, parts: null };
    const parts = partsOf(comparison.data, output.data);
    return { address: comparisonAddress, size: comparison.data, parts };
  }, [output, comparison, isShown, wasThere, outputAddress, comparisonAddress]);
  const isReady = isThere && comparison.data !== undefined;
  return {
    pictures,
    compare: { comparison: isShown ? null : (made.data ?? null), isReady, show: () => want(true) },
  };
}

/** In seconds of the result, each once. */
function momentsOf({ summary, edit }: JobDetail): readonly number[] {
  const entries = summary?.entries.map(({ at_seconds }) => at_seconds) ?? [];
  const cuts = edit?.slots.map(({ start_seconds }) => start_seconds) ?? [];
  return [...new Set([...entries, ...cuts])];
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
