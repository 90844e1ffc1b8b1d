import { useMutation } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { Job, JobDetail } from '../../../../src/client/api-types.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ScrubPicture } from '../../parts/scrub-picture.tsx';
import { addressOf, service } from '../../state/service.ts';
import { type ErrorText, errorTextOf, errorTextOfCode, errorTextOfJob } from '../../words/error-text.ts';
import { ago } from '../../words/quantity.ts';
import { AgainWithChanges, DeleteJob } from './job-actions.tsx';
import { JobHead } from './job-head.tsx';
import styles from './job-place.module.css';

export function FailedJob({ job }: { readonly job: JobDetail }): ReactElement {
  return (
    <>
      <JobHead job={job} about={`failed ${ago(job.updated_at)}`} />
      <Ended job={job}>
        <Notice errorText={failureText(job)}>
          <TryAgain job={job} />
          <AgainWithChanges job={job} />
          <DeleteJob job={job} />
        </Notice>
      </Ended>
    </>
  );
}

function failureText({ error }: JobDetail): ErrorText {
  if (error === null) return errorTextOfCode('', null);
  return errorTextOfJob({ ...error, detail: `${error.code}: ${error.detail}` });
}

export function CancelledJob({ job }: { readonly job: Job }): ReactElement {
  return (
    <>
      <JobHead job={job} about={`cancelled ${ago(job.updated_at)}`} />
      <Ended job={job}>
        <p>It was stopped before it was done.</p>
        <div className={styles.actions}>
          <TryAgain job={job} />
          <AgainWithChanges job={job} />
          <DeleteJob job={job} />
        </div>
      </Ended>
    </>
  );
}

/** The message and the actions, next to a picture of the job's video. */
function Ended({ job, children }: { readonly job: Job; readonly children: ReactNode }): ReactElement {
  const address = (picture: string) => addressOf(`api/v1/videos/${job.video_id}/${picture}`);
  return (
    <div className={styles.ended}>
      <ScrubPicture poster={address('poster')} filmstrip={address('filmstrip')} />
      <div className={styles.plainEnd}>{children}</div>
    </div>
  );
}

/** A job whose files were removed after the retention time. */
export function ExpiredJob({ job }: { readonly job: Job }): ReactElement {
  return (
    <>
      <JobHead job={job} about={`made ${ago(job.updated_at)}`} />
      <Ended job={job}>
        <Notice errorText={errorTextOfCode('RESULT_EXPIRED', null)}>
          <AgainWithChanges job={job} />
          <DeleteJob job={job} />
        </Notice>
      </Ended>
    </>
  );
}

export function AbsentJob({ error }: { readonly error: unknown }): ReactElement {
  useEffect(() => {
    document.title = 'No such job · StyleDNA';
  }, []);
  return (
    <div className={styles.plainEnd}>
      <h1>This job cannot be shown</h1>
      <Notice errorText={errorTextOf(error)}>
        <Link href="/library" className={buttonClass()}>
          <Icon name="film" />
          Look in the library
        </Link>
      </Notice>
    </div>
  );
}

function TryAgain({ job }: { readonly job: Job }): ReactElement {
  const [, go] = useLocation();
  const retry = useMutation({
    mutationFn: () => service.retryJob(job.job_id),
    onSuccess: (next) => go(`/jobs/${next.job_id}`),
  });
  return (
    <>
      <Button icon="retry" disabled={retry.isPending} onClick={() => retry.mutate()}>
        Try again
      </Button>
      {retry.error !== null && <Notice errorText={errorTextOf(retry.error)} />}
    </>
  );
}
