import { type InputHTMLAttributes, type ReactElement, useEffect, useId, useState } from 'react';
import styles from './edit-options.module.css';

/** A field whose value counts when it is left, or at Enter: a plan for each letter would be wrong until the last. */
export function LateInput({
  label,
  isLabelUnseen = false,
  value,
  onCommit,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'value'> & {
  readonly label: string;
  readonly isLabelUnseen?: boolean;
  readonly value: string;
  readonly onCommit: (value: string) => void;
}): ReactElement {
  const id = useId();
  const [text, setText] = useState(value);
  // Undo changes it from outside.
  useEffect(() => setText(value), [value]);
  return (
    <div className={styles.field}>
      <label className={isLabelUnseen ? 'unseen' : undefined} htmlFor={id}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => onCommit(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onCommit(text);
        }}
      />
    </div>
  );
}
