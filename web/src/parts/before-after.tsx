import type { CSSProperties, ReactElement, ReactNode } from 'react';
import styles from './before-after.module.css';
import { ComparisonLine } from './comparison-line.tsx';

/**
 * Two pictures of the same thing, one over the other, and a line between them that is drawn aside. `at`: 0..1 from the left;
 * what lies left of it is before. `before` gives the stage its size.
 */
export function BeforeAfter({
  before,
  after,
  at,
  onMove,
  children,
}: {
  readonly before: ReactNode;
  readonly after: ReactNode;
  readonly at: number;
  readonly onMove: (at: number) => void;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <div className={styles.stage} style={{ '--at': `${at * 100}%` } as CSSProperties}>
      {before}
      <div className={styles.after}>{after}</div>
      {children}
      <ComparisonLine at={at} onMove={onMove} />
    </div>
  );
}
