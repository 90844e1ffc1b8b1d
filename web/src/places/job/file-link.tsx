import type { ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { Icon } from '../../parts/icons.tsx';
import { service } from '../../state/service.ts';
import { bytes } from '../../words/quantity.ts';
import styles from './lists.module.css';

/** The report is opened rather than saved. */
const REPORT = 'report.html';

/** A file of a result, with what it is for and how large it is. The service names it by the video. */
export function FileLink({
  jobId,
  file: { name, size_bytes: size },
  title,
  use,
}: {
  readonly jobId: string;
  readonly file: JobDetail['artifacts'][number];
  readonly title: string;
  readonly use: string;
}): ReactElement {
  const isReport = name === REPORT;
  return (
    <a
      className={styles.file}
      {...(isReport
        ? { href: service.artifactUrl(jobId, name), target: '_blank', rel: 'noreferrer' }
        : { href: service.artifactUrl(jobId, name, { download: '1' }), download: true })}
    >
      <Icon name={isReport ? 'look' : 'download'} />
      <span>
        <span className={styles.strong}>{title}</span>
        <span className={styles.soft}>{use}</span>
      </span>
      <span className={styles.size}>{bytes(size)}</span>
    </a>
  );
}
