import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import styles from './make-place.module.css';
import type { FileNotes } from './use-files.ts';

/** Below a well: what became of files that were dropped on it. */
export function FileNotesBelow({
  notes: { moved, errorTexts },
  onDismiss,
}: {
  readonly notes: FileNotes;
  readonly onDismiss: () => void;
}): ReactElement {
  return (
    <>
      <p className={styles.moved} role="status">
        {moved}
      </p>
      {errorTexts.map((errorText) => (
        <Notice key={errorText.title} errorText={errorText}>
          <Button icon="close" onClick={onDismiss}>
            Close
          </Button>
        </Notice>
      ))}
    </>
  );
}
