import type { ReactElement } from 'react';
import type { Job } from '../../../../src/client/api-types.ts';
import { Icon } from '../../parts/icons.tsx';
import { warningWords } from '../../words/warnings.ts';
import styles from './lists.module.css';

/** What is worth knowing although it succeeded. */
export function Warnings({ warnings }: { readonly warnings: Job['warnings'] }): ReactElement | null {
  if (warnings.length === 0) return null;
  return (
    <section className={styles.part} aria-label="Worth knowing">
      <h2>Worth knowing</h2>
      <ul className={styles.warnings}>
        {warnings.map((warning) => {
          const { title, advice, technical } = warningWords(warning);
          return (
            <li key={warning.message}>
              <Icon name="info" />
              <div>
                <p className={styles.strong}>{title}</p>
                {advice !== '' && <p className={styles.soft}>{advice}</p>}
                {technical !== title && (
                  <details className={styles.details}>
                    <summary>In figures</summary>
                    <p>{technical}</p>
                  </details>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
