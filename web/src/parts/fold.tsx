import { type ReactElement, type ReactNode, useState } from 'react';
import styles from './fold.module.css';
import { Icon } from './icons.tsx';

/** Content that few need, one step away. It is drawn when it is first opened. */
export function Fold({
  label,
  note,
  children,
}: {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details className={styles.fold} onToggle={() => setOpened(true)}>
      <summary>
        <Icon name="next" size={14} />
        {label}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </summary>
      {wasOpened && children}
    </details>
  );
}
