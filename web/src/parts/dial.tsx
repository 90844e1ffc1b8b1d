import type { CSSProperties, ReactElement } from 'react';
import { IconButton } from './button.tsx';
import styles from './dial.module.css';
import range from './range.module.css';

/** Percent. */
const STEP = 5;

/** A slider from -1 to 1 for a change of the look; 0 changes nothing. */
export function Dial({
  label,
  ends: [less, more],
  value,
  onChange,
}: {
  readonly label: string;
  /** Comparatives for negative and positive values. */
  readonly ends: readonly [less: string, more: string];
  readonly value: number;
  readonly onChange: (value: number) => void;
}): ReactElement {
  const percent = Math.round(value * 100);
  const words = percent === 0 ? 'as in the look' : `${Math.abs(percent)} ${percent < 0 ? less : more}`;
  const [from, to] = [Math.min(50, 50 + percent / 2), Math.max(50, 50 + percent / 2)];
  return (
    <div className={styles.dial}>
      <span className={styles.label}>{label}</span>
      <output className={styles.value}>{words}</output>
      {percent !== 0 && (
        <IconButton icon="undo" label={`${label} as in the look`} onClick={() => onChange(0)} />
      )}
      <input
        className={`${range.range} ${styles.range}`}
        type="range"
        aria-label={label}
        min={-100}
        max={100}
        step={STEP}
        value={percent}
        aria-valuetext={words}
        style={{ '--from': `${from}%`, '--to': `${to}%` } as CSSProperties}
        onChange={(event) => onChange(event.target.valueAsNumber / 100)}
      />
    </div>
  );
}
