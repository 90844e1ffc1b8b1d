import type { ReactElement, ReactNode } from 'react';
import type { Trouble } from '../words/trouble.ts';
import { Icon } from './icons.tsx';
import styles from './notice.module.css';

/** An error: what happened, what it means, what to do. The service's own text is folded below. */
export function Notice({
  trouble,
  children,
}: {
  readonly trouble: Trouble;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <div className={styles.notice} role="alert">
      <Icon name="warning" />
      <div className={styles.said}>
        <p className={styles.title}>{trouble.title}</p>
        <p className={styles.text}>{trouble.advice}</p>
        {trouble.technical !== null && (
          <details className={styles.technical}>
            <summary>Technical details</summary>
            <pre>{trouble.technical}</pre>
          </details>
        )}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
