import type { ReactElement, ReactNode, RefCallback } from 'react';
import styles from './card.module.css';

/** One of many: a picture, a name, a line of facts, a box to select it by. */
export function Card({
  element,
  name,
  picture,
  facts,
  isSelected,
  onSelect,
  children,
}: {
  readonly element?: RefCallback<Element>;
  readonly name: string;
  /** With the name as a link, where it leads somewhere. */
  readonly picture: ReactElement;
  readonly facts: ReactNode;
  readonly isSelected: boolean;
  /** Null: it cannot be. */
  readonly onSelect: (() => void) | null;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <li ref={element} className={styles.card}>
      {picture}
      {onSelect !== null && (
        <label className={styles.select}>
          <input type="checkbox" checked={isSelected} onChange={onSelect} aria-label={`Select ${name}`} />
        </label>
      )}
      <div className={styles.facts}>{facts}</div>
      {children}
    </li>
  );
}
