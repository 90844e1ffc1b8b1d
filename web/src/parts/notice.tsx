import type { ReactElement, ReactNode } from 'react';
import type { ErrorText } from '../words/error-text.ts';
import { withWholeQuantities } from '../words/quantity.ts';
import { Icon } from './icons.tsx';
import styles from './notice.module.css';

/** An error: what happened, what it means, what to do. The service's own text is folded below. */
export function Notice({
  errorText,
  children,
}: {
  readonly errorText: ErrorText;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <div className={styles.notice} role="alert">
      <Icon name="warning" />
      <div className={styles.said}>
        <p className={styles.title}>{errorText.title}</p>
        <p className={styles.text}>{withWholeQuantities(errorText.advice)}</p>
        {errorText.technical !== null && (
          <details className={styles.technical}>
            <summary>Technical details</summary>
            <pre>{errorText.technical}</pre>
          </details>
        )}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
