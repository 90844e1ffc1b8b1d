import type { ReactElement } from 'react';
import type { SavedStyle } from '../../../src/client/api-types.ts';
import { service } from '../state/service.ts';
import { Icon } from './icons.tsx';
import styles from './look-picture.module.css';

/** The picture of a saved look, or the colors that it has. */
export function LookPicture({ look }: { readonly look: SavedStyle }): ReactElement {
  const { style_id: styleId, picture_url: picture, style_json: style } = look;
  if (picture !== null)
    return (
      <div className={styles.picture}>
        <img src={service.stylePictureUrl(styleId)} alt="" loading="lazy" />
      </div>
    );
  const colors = style.palette ?? [];
  return (
    <div className={styles.picture}>
      {colors.length === 0 && <Icon name="look" size={32} />}
      <svg className={styles.colors} viewBox="0 0 100 62.5" preserveAspectRatio="none" aria-hidden="true">
        {colors.map(({ hex }, at) => (
          <rect
            key={hex}
            x={(100 * at) / colors.length}
            y="0"
            width={100 / colors.length + 0.5}
            height="62.5"
            fill={hex}
          />
        ))}
      </svg>
    </div>
  );
}
