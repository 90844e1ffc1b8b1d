import type { ReactElement } from 'react';
import { STAGE_NAMES, type StageName } from '../../../../src/domain/stage.ts';
import { Icon } from '../../parts/icons.tsx';
import type { JobClock } from '../../state/stage-times.ts';
import { took } from '../../words/quantity.ts';
import { STAGE_WORDS } from '../../words/stages.ts';
import styles from './stage-rail.module.css';

/** The six stages in their order. `current`: null while the job waits. `seconds` of it: by the page's own clock. */
export function StageRail({
  current,
  clock,
  currentSeconds,
}: {
  readonly current: StageName | null;
  readonly clock: JobClock | null;
  readonly currentSeconds: number | null;
}): ReactElement {
  const at = current === null ? -1 : STAGE_NAMES.indexOf(current);
  return (
    <ol className={styles.rail} aria-label="Stages">
      {STAGE_NAMES.map((stage, index) => {
        const state = index < at ? 'done' : index === at ? 'current' : 'later';
        const seconds = state === 'current' ? currentSeconds : (clock?.stageSeconds[stage] ?? null);
        return (
          <li key={stage} className={styles[state]} aria-current={state === 'current' ? 'step' : undefined}>
            <span className={styles.sign}>{state === 'done' && <Icon name="check" size={14} />}</span>
            <span>{STAGE_WORDS[stage]}</span>
            {state === 'done' && <span className="unseen">, done</span>}
            <span className={styles.time}>{state === 'later' || seconds === null ? '' : took(seconds)}</span>
          </li>
        );
      })}
    </ol>
  );
}
