import type { ReactElement, ReactNode } from 'react';
import styles from './fold.module.css';
import { Icon } from './icons.tsx';

/** What few need, one step away. */
export function Fold({
  label,
  note,
  children,
}: {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <details className={styles.fold}>
      <summary>
        <Icon name="next" size={14} />
        {label}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </summary>
      {children}
    </details>
  );
}
