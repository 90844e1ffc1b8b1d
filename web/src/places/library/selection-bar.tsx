import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { deleteLater } from '../../state/deletions.ts';
import { counted } from '../../words/quantity.ts';
import styles from './library-place.module.css';
import type { Selection } from './use-selection.ts';

/** Actions on the selected items. */
export function SelectionBar({
  kind,
  selection,
}: {
  readonly kind: 'job' | 'video';
  readonly selection: Selection;
}): ReactElement | null {
  const { names, clear } = selection;
  if (names.size === 0) return null;
  const remove = () => {
    deleteLater([...names].map(([id, name]) => ({ kind, id, name })));
    clear();
  };
  return (
    <section className={styles.selection} aria-label="Selection">
      <p role="status">{counted(names.size, kind === 'job' ? 'result' : 'video')} selected</p>
      <Button icon="bin" onClick={remove}>
        Delete
      </Button>
      <Button manner="quiet" onClick={clear}>
        Select none
      </Button>
    </section>
  );
}
