import type { ReactElement } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { editorFiles, filesToBring } from '../../words/editors.ts';
import { FileLink } from './file-link.tsx';
import styles from './lists.module.css';

/** The edit as a project to go on with, with a line for each program on how to open it. */
export function ForEditors({ job }: { readonly job: JobDetail }): ReactElement | null {
  const { artifacts, edit_request: edit } = job;
  const files = editorFiles(
    artifacts.map(({ name }) => name),
    edit !== null,
  );
  if (files.length === 0) return null;
  return (
    <section className={styles.card} aria-label="For your editor">
      <h2>For your editor</h2>
      <p className={styles.soft}>
        Put a timeline into one folder with {filesToBring(job.source_filename, edit)}: programs find them by
        their names.
      </p>
      <ul className={styles.files}>
        {files.map(({ name, title, use, imports }) => (
          <li key={name}>
            <FileLink
              jobId={job.job_id}
              file={artifacts.find((one) => one.name === name)!}
              title={title}
              use={use}
            />
            <dl className={styles.imports}>
              {imports.map(({ program, steps }) => (
                <div key={program}>
                  <dt>{program}</dt>
                  <dd>{steps}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}
