import { type CSSProperties, type ReactElement, useId } from 'react';
import range from './range.module.css';
import styles from './slider.module.css';

/** A share from 0 to 1, in steps of a twentieth. */
export function Slider({
  label,
  value,
  onChange,
  isLarge = false,
}: {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly isLarge?: boolean;
}): ReactElement {
  const id = useId();
  const percent = Math.round(value * 100);
  return (
    <div className={isLarge ? `${styles.slider} ${styles.large}` : styles.slider}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <output className={styles.value} htmlFor={id}>
        {percent} %
      </output>
      <input
        id={id}
        className={`${range.range} ${styles.range}`}
        type="range"
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={`${percent} percent`}
        style={{ '--filled': `${percent}%` } as CSSProperties}
        onChange={(event) => onChange(event.target.valueAsNumber / 100)}
      />
    </div>
  );
}
