import type { CSSProperties, ReactElement } from 'react';
import type { EditTake } from '../../../src/client/api-types.ts';
import { isFree, passedOverWords } from '../words/edit-reasons.ts';
import { timecode } from '../words/quantity.ts';
import styles from './stretches.module.css';

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly kind: 'used' | 'free' | 'refused';
  readonly text: string;
}

/** The parts of a take on its time axis: those that are shown, those that could be, and those that were refused. */
export function Stretches({
  use,
  durationSeconds,
}: {
  readonly use: EditTake;
  readonly durationSeconds: number;
}): ReactElement {
  return (
    <div className={styles.bar} aria-hidden="true">
      {stretchesOf(use).map(({ from, to, kind, text }) => (
        <span
          key={`${from} ${to} ${text}`}
          data-kind={kind}
          title={`${timecode(from)} to ${timecode(to)}: ${text}`}
          style={
            { '--from': from / durationSeconds, '--length': (to - from) / durationSeconds } as CSSProperties
          }
        />
      ))}
    </div>
  );
}

/** The same in words, for those who do not see the bar. */
export function StretchList({ use }: { readonly use: EditTake }): ReactElement {
  return (
    <ul className={styles.list}>
      {stretchesOf(use).map(({ from, to, kind, text }) => (
        <li key={`${from} ${to} ${text}`} data-kind={kind}>
          <span className={styles.time}>
            {timecode(from)} to {timecode(to)}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Shown, usable and refused seconds in a few words. */
export function usageWords({ used, passed_over: passedOver }: EditTake): string {
  if (used.length === 0) {
    const [first] = passedOver;
    return first === undefined ? 'Not used' : `Not used: ${passedOverWords(first)}`;
  }
  const seconds = used.reduce((sum, [from, to]) => sum + to - from, 0);
  return `${seconds.toFixed(1)} s shown`;
}

function stretchesOf({ used, passed_over: passedOver }: EditTake): Stretch[] {
  return [
    ...passedOver.map(
      ({ range: [from, to], ...why }): Stretch => ({
        ...{ from, to, text: passedOverWords(why) },
        kind: isFree(why) ? 'free' : 'refused',
      }),
    ),
    ...used.map(([from, to]): Stretch => ({ from, to, kind: 'used', text: 'shown' })),
  ].sort((one, other) => one.from - other.from);
}
