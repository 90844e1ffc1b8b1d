import type { ReactElement } from 'react';
import { Button } from '../parts/button.tsx';
import styles from './slot-panel.module.css';

/** A shot longer or shorter by one beat; the nearest shot that has the time gives or takes it. */
export function SlotLength({
  number,
  onLengthen,
}: {
  readonly number: number;
  readonly onLengthen: (by: number) => void;
}): ReactElement {
  return (
    <fieldset className={styles.pair} aria-label={`Length of shot ${number + 1}`}>
      <Button icon="shorter" title="A beat shorter" onClick={() => onLengthen(-1)}>
        <span>
          <span className="unseen">A beat </span>shorter
        </span>
      </Button>
      <Button icon="longer" title="A beat longer" onClick={() => onLengthen(1)}>
        <span>
          <span className="unseen">A beat </span>longer
        </span>
      </Button>
    </fieldset>
  );
}

/** "2 beats longer than planned". */
export function beatsWords(beats: number): string {
  const count = Math.abs(beats);
  return `${count === 1 ? 'a beat' : `${count} beats`} ${beats > 0 ? 'longer' : 'shorter'} than planned`;
}
