import { type ReactElement, useId } from 'react';
import styles from './choice.module.css';

/** One of a few, all of them in sight. `hint` explains the selected one. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChange,
  hint,
  isLabelUnseen = false,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly hint?: string;
  readonly isLabelUnseen?: boolean;
}): ReactElement {
  const name = useId();
  return (
    <fieldset className={styles.choice} aria-describedby={hint === undefined ? undefined : `${name}-hint`}>
      <legend className={isLabelUnseen ? 'unseen' : undefined}>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p className={styles.hint} id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
