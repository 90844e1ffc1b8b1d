import type { CSSProperties, ReactElement, ReactNode } from 'react';
import styles from './before-after.module.css';
import { Icon } from './icons.tsx';
import tag from './tag.module.css';

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
      <input
        className={styles.range}
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={at}
        aria-label="Line between before and after"
        aria-valuetext={`${Math.round(at * 100)} percent before`}
        onChange={(event) => onMove(event.target.valueAsNumber)}
      />
      <div className={styles.line}>
        <span className={styles.handle}>
          <Icon name="back" size={16} />
          <Icon name="next" size={16} />
        </span>
      </div>
      {at > 0.12 && <span className={`${tag.tag} ${styles.tag} ${styles.left}`}>Before</span>}
      {at < 0.88 && <span className={`${tag.tag} ${styles.tag} ${styles.right}`}>After</span>}
    </div>
  );
}
