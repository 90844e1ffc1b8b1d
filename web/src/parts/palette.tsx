import type { ReactElement } from 'react';
import type { StyleJSON } from '../../../src/client/api-types.ts';
import styles from './palette.module.css';

/** The leading colors, each as wide as its share. */
export function Palette({ colors }: { readonly colors: NonNullable<StyleJSON['palette']> }): ReactElement {
  const names = colors.map(({ hex, weight }) => `${hex} ${Math.round(weight * 100)} %`).join(', ');
  return (
    <div className={styles.palette} role="img" aria-label={`Palette: ${names}`}>
      {colors.map(({ hex, weight }) => (
        <span key={hex} style={{ background: hex, flexGrow: weight }} />
      ))}
    </div>
  );
}
