import type { ReactElement } from 'react';
import styles from './progress.module.css';

/** `share`: 0..1. The bar is for the eye; what screen readers are told stands beside it in words. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }): ReactElement {
  return <progress className={styles.progress} max={1} value={share} aria-label={label} />;
}
