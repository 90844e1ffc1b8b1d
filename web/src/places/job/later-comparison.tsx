import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Comparison, JobDetail } from '../../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../../src/client/error.ts';
import { Icon } from '../../parts/icons.tsx';
import { isUnderWay } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';
import { COMPARISON_FILE, fileWords } from '../../words/files.ts';
import { bytes } from '../../words/quantity.ts';
import { FileText } from './file-link.tsx';
import styles from './lists.module.css';
import { comparisonBytesData } from './output-bytes.ts';

/** The service makes comparisons when no job waits. */
const POLL_MS = 2000;

/** The comparison that another program requested after the job had ended. Those made with a job are among its files. */
export function LaterComparison({ job }: { readonly job: JobDetail }): ReactElement | null {
  const isPossible = job.edit === null && job.artifacts.every(({ name }) => name !== COMPARISON_FILE);
  const { data: comparison } = useQuery({ ...comparisonData(job.job_id), enabled: isPossible });
  if (!isPossible || comparison == null) return null;
  const text = fileWords(COMPARISON_FILE);
  if (isUnderWay(comparison.status))
    return (
      <li>
        <div className={styles.file} role="status">
          <Icon name="film" />
          <FileText title={text.name} use="is being made" note={`${comparison.progress_percent} %`} />
        </div>
      </li>
    );
  return comparison.status === 'completed' ? (
    <li>
      <ComparisonLink jobId={job.job_id} {...text} />
    </li>
  ) : null;
}

function ComparisonLink({
  jobId,
  name,
  use,
}: {
  readonly jobId: string;
  readonly name: string;
  readonly use: string;
}): ReactElement {
  const { data: size = null } = useQuery(comparisonBytesData(jobId));
  return (
    <a className={styles.file} href={service.comparisonFileUrl(jobId, { download: '1' })} download>
      <Icon name="download" />
      <FileText title={name} use={use} note={size === null ? '' : bytes(size)} />
    </a>
  );
}

/** Null: none was requested. Asked again when the person returns, who may have requested it elsewhere. */
function comparisonData(jobId: string) {
  return queryOptions({
    queryKey: ['comparison', jobId],
    queryFn: async ({ signal }): Promise<Comparison | null> => {
      try {
        return await service.getComparison(jobId, { signal });
      } catch (error) {
        if (isStyleDnaError(error, 'COMPARISON_NOT_FOUND')) return null;
        throw error;
      }
    },
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => (isUnderWay(data?.status) ? POLL_MS : false),
  });
}
