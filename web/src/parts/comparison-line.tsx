import type { ReactElement } from 'react';
import styles from './before-after.module.css';
import { Icon } from './icons.tsx';
import tag from './tag.module.css';

/** The line between before and after over a picture, drawn aside by pointer or keys. `at`: 0..1 from the left. */
export function ComparisonLine({
  at,
  onMove,
}: {
  readonly at: number;
  readonly onMove: (at: number) => void;
}): ReactElement {
  return (
    <>
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
    </>
  );
}
