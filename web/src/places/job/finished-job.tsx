import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useMemo } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { SaveLook } from '../../parts/save-look.tsx';
import { service } from '../../state/service.ts';
import { ago, took } from '../../words/quantity.ts';
import { Downloads, DownloadVideo } from './downloads.tsx';
import { EditShots } from './edit-shots.tsx';
import { Film } from './film.ts';
import { type FilmSize, filmSizeData } from './film-size.ts';
import { ForEditors } from './for-editors.tsx';
import { AgainWithChanges, CopyLink, DeleteJob } from './job-actions.tsx';
import { JobHead } from './job-head.tsx';
import styles from './job-place.module.css';
import { Player } from './player.tsx';
import { SpokenWords } from './spoken-words.tsx';
import { TalkParts } from './talk-parts.tsx';
import { CurrentTransport } from './transport.ts';
import { Warnings } from './warnings.tsx';
import { WhatWasDone } from './what-was-done.tsx';

const ResultStoryboard = lazy(() =>
  import('../../storyboard/result-storyboard.tsx').then((it) => ({ default: it.ResultStoryboard })),
);

/** If the service does not report it: a step is then a frame at most rates, and never none. */
const USUAL_FRAMES_PER_SECOND = 30;
const UNKNOWN_SIZE: FilmSize = { width: 16, height: 9 };

export function FinishedJob({ job }: { readonly job: JobDetail }): ReactElement {
  const size = useOutputSize(job);
  const { summary, edit } = job;
  const rate = summary?.output.frame_rate ?? USUAL_FRAMES_PER_SECOND;
  const film = useMemo(() => new Film(rate), [rate]);
  const transport = useMemo(() => new CurrentTransport(film), [film]);
  const marks = useMemo(() => momentsOf(job), [job]);
  if (size === undefined) return <div className={styles.waiting} />;
  return (
    <div>
      <JobHead job={job} about={aboutWords(job)}>
        <DownloadVideo jobId={job.job_id} />
        <CopyLink />
        <AgainWithChanges job={job} />
        {job.style_json !== null && (
          <SaveLook text="Save this look" name={firstName(job)} made={{ job_id: job.job_id }} />
        )}
        <DeleteJob job={job} />
      </JobHead>
      <div className={styles.done}>
        <Player job={job} address={service.outputUrl(job.job_id)} {...{ size, film, transport, marks }} />
        {job.edit !== null && (
          <Suspense fallback={<div />}>
            <ResultStoryboard job={job} edit={job.edit} transport={transport} />
          </Suspense>
        )}
        <div className={styles.columns}>
          <div className={styles.column}>
            {edit !== null && <EditShots edit={edit} transport={transport} />}
            {edit === null && summary !== null && <WhatWasDone summary={summary} transport={transport} />}
            {edit === null && summary?.talk !== undefined && (
              <TalkParts job={job} talk={summary.talk} transport={transport} />
            )}
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

/** Proposed name of its look. */
function firstName({ template_filename: template, source_filename: source }: JobDetail): string {
  return `Look of ${(template ?? source ?? 'a result').replace(/\.[a-z\d]{1,5}$/i, '')}`.slice(0, 100);
}

/** Undefined until it is known; a video that the browser cannot play still has a place on the page. */
function useOutputSize(job: JobDetail): FilmSize | undefined {
  const { data, isPending } = useQuery(filmSizeData(service.outputUrl(job.job_id)));
  return isPending ? undefined : (data ?? UNKNOWN_SIZE);
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
