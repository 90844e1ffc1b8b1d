import type { ReactElement } from 'react';
import type { Job } from '../../../../src/client/api-types.ts';
import { Icon } from '../../parts/icons.tsx';
import { warningText } from '../../words/warnings.ts';
import styles from './lists.module.css';

/** Warnings of a job that succeeded. */
export function Warnings({ warnings }: { readonly warnings: Job['warnings'] }): ReactElement | null {
  if (warnings.length === 0) return null;
  return (
    <section className={styles.part} aria-label="Notes">
      <h2>Notes</h2>
      <ul className={styles.warnings}>
        {warnings.map((warning) => (
          <li key={warning.message}>
            <Icon name="info" />
            <p>{warningText(warning)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
