import type { ReactElement } from 'react';
import styles from './progress.module.css';

/** `share`: 0..1. The bar is visual; a text next to it is for screen readers. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }): ReactElement {
  return <progress className={styles.progress} max={1} value={share} aria-label={label} />;
}
