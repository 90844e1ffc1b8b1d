import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { service } from '../../state/service.ts';
import { isForEditors } from '../../words/editors.ts';
import { fileWords, inOrder } from '../../words/files.ts';
import { bytes } from '../../words/quantity.ts';
import { FileLink } from './file-link.tsx';
import styles from './lists.module.css';
import { outputBytesData } from './output-bytes.ts';

/** The video itself, at hand before anything else. */
export function DownloadVideo({ jobId }: { readonly jobId: string }): ReactElement {
  const { data: size = null } = useQuery(outputBytesData(jobId));
  return (
    <a
      className={`${buttonClass('main')} ${styles.video}`}
      href={service.outputUrl(jobId, { download: '1' })}
      download
    >
      <Icon name="download" />
      Video{size === null ? '' : ` · ${bytes(size)}`}
    </a>
  );
}

/** Files of the result; those for editing programs have a part of their own. */
export function Downloads({ job }: { readonly job: JobDetail }): ReactElement {
  const files = inOrder(job.artifacts.filter(({ name }) => !isForEditors(name)));
  return (
    <section className={styles.card} aria-label="More downloads">
      <h2>More downloads</h2>
      <ul className={styles.files}>
        {files.map((file) => {
          const { name, use } = fileWords(file.name);
          return (
            <li key={file.name}>
              <FileLink jobId={job.job_id} file={file} title={name} use={use} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
