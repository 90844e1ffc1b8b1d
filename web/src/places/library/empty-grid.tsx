import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../parts/icons.tsx';
import styles from './library-place.module.css';

export function EmptyGrid({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <div className={styles.empty}>
      <Icon name="film" size={32} />
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}
