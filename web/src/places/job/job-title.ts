import { useEffect } from 'react';
import type { Job } from '../../../../src/client/api-types.ts';
import { useJobName } from '../../state/job-name.ts';
import { isUnderWay } from '../../state/server-data.ts';

const ENDS: Readonly<Record<string, string>> = {
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** The tab's title shows the progress, while the person works elsewhere. */
export function useJobTitle(job: Job): void {
  const { source } = useJobName(job);
  const { status, progress_percent: percent } = job;
  const state = isUnderWay(status)
    ? status === 'queued'
      ? 'Waiting'
      : `${Math.floor(percent)} %`
    : ENDS[status];
  useEffect(() => {
    document.title = [state, source, 'StyleDNA'].join(' · ');
  }, [state, source]);
}
