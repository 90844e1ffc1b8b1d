import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Progress } from '../../parts/progress.tsx';
import tag from '../../parts/tag.module.css';
import type { SoundSide } from '../../player/compared-sound.ts';
import styles from './player.module.css';
import type { Comparison } from './use-comparison.ts';
import { VIEWS } from './views.ts';

const SOUNDS: readonly { readonly value: SoundSide; readonly text: string }[] = [
  { value: 'before', text: 'Sound before' },
  { value: 'after', text: 'Sound after' },
];

export function ComparisonControls({ comparison }: { readonly comparison: Comparison }): ReactElement {
  const { before, isComparing, compare, view, show, sound, hear } = comparison;
  if (before.kind === 'absent')
    return (
      <p className={styles.absent} role="status">
        {before.reason}
      </p>
    );
  return (
    <>
      <Button
        icon="look"
        aria-pressed={isComparing}
        onClick={({ detail: clicks, currentTarget }) => {
          compare(!isComparing);
          // After a click by pointer the space bar plays.
          if (clicks > 0) currentTarget.blur();
        }}
      >
        Before and after
      </Button>
      {isComparing && (
        <div className={styles.views}>
          <Choice label="View" isLabelUnseen options={VIEWS} value={view} onChange={show} />
        </div>
      )}
      {isComparing && before.hasSound && (
        <Choice label="Sound" isLabelUnseen options={SOUNDS} value={sound} onChange={hear} />
      )}
    </>
  );
}

/** Shown over the playing result. */
export function Preparing({ share }: { readonly share: number }): ReactElement {
  return (
    <div className={`${tag.tag} ${styles.preparing}`}>
      <p role="status">Preparing before and after</p>
      <Progress share={share} label="Preparing before and after" />
    </div>
  );
}
