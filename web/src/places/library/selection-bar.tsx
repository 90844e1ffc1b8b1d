import type { ReactElement } from 'react';
import { MAX_TEMPLATES } from '../../../../src/style/model/template-limit.ts';
import { Button } from '../../parts/button.tsx';
import { SaveLook } from '../../parts/save-look.tsx';
import { deleteLater } from '../../state/deletions.ts';
import { counted } from '../../words/quantity.ts';
import styles from './library-place.module.css';
import type { Selection } from './use-selection.ts';

const NAMES = { job: 'result', video: 'video', style: 'look' } as const;

/** Actions on the selected items. */
export function SelectionBar({
  kind,
  selection,
}: {
  readonly kind: keyof typeof NAMES;
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
      <p role="status">{counted(names.size, NAMES[kind])} selected</p>
      {kind === 'video' && names.size <= MAX_TEMPLATES && (
        <SaveLook
          // Another selection is another look.
          key={[...names.keys()].join()}
          text={names.size === 1 ? 'Save its look' : 'Save as one look'}
          name={lookName([...names.values()])}
          made={{ video_ids: [...names.keys()] }}
        />
      )}
      <Button icon="bin" onClick={remove}>
        Delete
      </Button>
      <Button manner="quiet" onClick={clear}>
        Select none
      </Button>
    </section>
  );
}

/** A first name for the look of these videos. */
function lookName([first = '', ...others]: readonly string[]): string {
  const stem = first.replace(/\.[a-z\d]{1,5}$/i, '').slice(0, 60);
  return others.length === 0 ? stem : `${stem} and ${others.length} more`;
}
