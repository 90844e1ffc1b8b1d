import type { ReactElement } from 'react';
import { forgetError, UNDO_SECONDS, undoDeletion, useDeletions } from '../state/deletions.ts';
import { bringBack, useEmptied } from '../state/new-edit.ts';
import { counted } from '../words/quantity.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './undo-bar.module.css';

/** Items that were just deleted, while that can be undone; and items that could not be deleted. */
export function UndoBar(): ReactElement {
  const { pending, errorText } = useDeletions();
  const [first] = pending;
  const canBringBack = useEmptied();
  return (
    <div className={styles.place}>
      {errorText !== null && (
        <Notice errorText={errorText}>
          <Button onClick={forgetError}>Close</Button>
        </Notice>
      )}
      <div role="status">
        {canBringBack && (
          <div className={styles.bar}>
            <p>A new edit was begun</p>
            <Button onClick={bringBack}>Bring the last one back</Button>
            <span className={styles.time} aria-hidden="true" />
          </div>
        )}
        {first !== undefined && (
          <div className={styles.bar} key={first.id}>
            <p>
              {pending.length === 1
                ? `${first.name} is deleted`
                : `${counted(pending.length, first.kind === 'style' ? 'look' : first.kind)} are deleted`}
            </p>
            <Button onClick={undoDeletion}>
              Undo<span className="unseen"> within {UNDO_SECONDS} seconds</span>
            </Button>
            <span className={styles.time} aria-hidden="true" />
          </div>
        )}
      </div>
    </div>
  );
}
