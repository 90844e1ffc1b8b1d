import type { ReactElement, ReactNode } from 'react';
import type { Job } from '../../../../src/client/api-types.ts';
import { useJobName } from '../../state/job-name.ts';
import styles from './job-place.module.css';

/** The job's name, facts and actions. */
export function JobHead({
  job,
  about,
  children,
}: {
  readonly job: Job;
  readonly about: string;
  readonly children?: ReactNode;
}): ReactElement {
  const { source, look } = useJobName(job);
  return (
    <div className={styles.head}>
      <div className={styles.names}>
        <h1>{source}</h1>
        <p className={styles.about}>
          {look === null
            ? about.charAt(0).toUpperCase() + about.slice(1)
            : `In the style of ${look} · ${about}`}
        </p>
      </div>
      <div className={styles.actions}>{children}</div>
    </div>
  );
}
