import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { service } from '../../state/service.ts';
import { fileWords, inOrder } from '../../words/files.ts';
import { bytes } from '../../words/quantity.ts';
import styles from './lists.module.css';

/** Is looked at rather than kept. */
const REPORT = 'report.html';

/** Every file of the result, the video first. */
export function Downloads({ job }: { readonly job: JobDetail }): ReactElement {
  const jobId = job.job_id;
  const { data: videoBytes = null } = useQuery({
    queryKey: ['output-bytes', jobId],
    queryFn: ({ signal }) => outputBytes(jobId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className={styles.card} aria-label="Downloads">
      <h2>Downloads</h2>
      <a className={buttonClass('main')} href={service.outputUrl(jobId, { download: '1' })} download>
        <Icon name="download" />
        Video{videoBytes === null ? '' : ` · ${bytes(videoBytes)}`}
      </a>
      <ul className={styles.files}>
        {inOrder(job.artifacts).map(({ name, size_bytes: size }) => {
          const words = fileWords(name);
          return (
            <li key={name}>
              <a
                {...(name === REPORT
                  ? { href: service.artifactUrl(jobId, name), target: '_blank', rel: 'noreferrer' }
                  : { href: service.artifactUrl(jobId, name, { download: '1' }), download: true })}
              >
                <Icon name={name === REPORT ? 'look' : 'download'} />
                <span>
                  <span className={styles.strong}>{words.name}</span>
                  <span className={styles.soft}>{words.use}</span>
                </span>
                <span className={styles.size}>{bytes(size)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Null where a storage elsewhere serves the file and does not say it to pages. */
async function outputBytes(jobId: string, signal: AbortSignal): Promise<number | null> {
  try {
    const answer = await service.getOutput(jobId, { range: 'bytes=0-0', signal });
    await answer.body?.cancel();
    return Number(answer.headers.get('content-range')?.split('/')[1]) || null;
  } catch {
    return null;
  }
}
