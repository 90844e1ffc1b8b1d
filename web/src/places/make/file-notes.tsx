import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import styles from './make-place.module.css';
import type { FileNotes } from './use-files.ts';

/** Below a well: what became of files that were dropped on it. */
export function FileNotesBelow({
  notes: { moved, troubles },
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
      {troubles.map((trouble) => (
        <Notice key={trouble.title} trouble={trouble}>
          <Button icon="close" onClick={onDismiss}>
            Close
          </Button>
        </Notice>
      ))}
    </>
  );
}
