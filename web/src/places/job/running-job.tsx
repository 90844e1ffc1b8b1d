import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import type { Job } from '../../../../src/client/api-types.ts';
import { STAGE_NAMES } from '../../../../src/domain/stage.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Progress } from '../../parts/progress.tsx';
import { useConnection } from '../../state/connection.ts';
import { useOutlook } from '../../state/job.ts';
import { service } from '../../state/service.ts';
import type { JobClock } from '../../state/stage-times.ts';
import { timeLeft } from '../../state/time-left.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { about, ago } from '../../words/quantity.ts';
import { STAGE_WORDS } from '../../words/stages.ts';
import { JobHead } from './job-head.tsx';
import styles from './job-place.module.css';
import { useJobTitle } from './job-title.ts';
import { LiveFrame } from './live-frame.tsx';
import { StageRail } from './stage-rail.tsx';

const TICK_MS = 1000;

export function RunningJob({
  job,
  clock,
}: {
  readonly job: Job;
  readonly clock: JobClock | null;
}): ReactElement {
  useJobTitle(job);
  const cancel = useMutation({ mutationFn: () => service.cancelJob(job.job_id) });
  const sinceReport = useSecondsSince(clock?.reportedAtMs ?? null);
  const isAway = useConnection() === 'away';
  const spent = clock?.currentSeconds ?? null;
  return (
    <>
      <JobHead job={job} about={`begun ${ago(job.created_at)}`}>
        <Button icon="close" disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
          {cancel.isIdle || cancel.isError ? 'Cancel' : 'Cancelling'}
        </Button>
      </JobHead>
      {cancel.error !== null && <Notice errorText={errorTextOf(cancel.error)} />}
      <div className={styles.running}>
        <LiveFrame job={job} />
        <section className={styles.side} aria-label="Progress">
          <Now
            job={job}
            isAway={isAway}
            // At the time of the last progress.
            renderingSeconds={job.current_stage === 'rendering' ? spent : null}
          />
          <StageRail
            current={job.current_stage}
            clock={clock}
            // Without a connection the progress is unknown.
            currentSeconds={spent === null ? null : spent + (isAway ? 0 : sinceReport)}
          />
        </section>
      </div>
    </>
  );
}

function Now({
  job,
  isAway,
  renderingSeconds,
}: {
  readonly job: Job;
  readonly isAway: boolean;
  readonly renderingSeconds: number | null;
}): ReactElement {
  const { queue_position: position, eta_seconds } = useOutlook(job);
  const isQueued = job.status === 'queued';
  const seconds = timeLeft({ ...job, eta_seconds }, renderingSeconds);
  const left = isAway || seconds === null ? '' : `${about(seconds)} left`;
  return (
    <div className={styles.now}>
      <div className={styles.figure}>
        <p className={styles.percent}>{isQueued ? 'Waiting' : `${Math.floor(job.progress_percent)} %`}</p>
        <p className={styles.left}>{isQueued ? queueWords(position) : left}</p>
      </div>
      <Progress share={job.progress_percent / 100} label="The whole job" />
      {/* Announced at each stage, not at each percent, for screen readers. */}
      <p className="unseen" role="status">
        {stateWords(job, isAway)}
      </p>
      {isAway && (
        <p className={styles.left}>
          Reconnecting. The service goes on with the work meanwhile, or when it is back.
        </p>
      )}
    </div>
  );
}

function stateWords(job: Job, isAway: boolean): string {
  if (isAway) return 'Reconnecting';
  if (job.current_stage === null) return 'Waiting for its turn';
  const number = STAGE_NAMES.indexOf(job.current_stage) + 1;
  return `${STAGE_WORDS[job.current_stage]}, stage ${number} of ${STAGE_NAMES.length}`;
}

function queueWords(position: number | null | undefined): string {
  if (position == null) return '';
  return position === 1 ? 'Next in the queue' : `Number ${position} in the queue`;
}

/** Counts on by itself between events. `reportedAtMs`: of `performance.now()`. */
function useSecondsSince(reportedAtMs: number | null): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return reportedAtMs === null ? 0 : Math.max(0, (now - reportedAtMs) / 1000);
}
