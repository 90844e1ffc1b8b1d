import type { ReactElement } from 'react';
import type { PixelBox } from '../../../src/client/api-types.ts';
import styles from './picture-part.module.css';

/** A rectangle of a picture, as wide as its place. `size`: of the whole picture, in its pixels. */
export function PicturePart({
  address,
  size,
  box,
  alt,
}: {
  readonly address: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly box: PixelBox;
  readonly alt: string;
}): ReactElement {
  const percent = (value: number, of: number) => `${(100 * value) / of}%`;
  return (
    <div className={styles.part} style={{ aspectRatio: `${box.width} / ${box.height}` }}>
      <img
        src={address}
        alt={alt}
        draggable={false}
        style={{
          width: percent(size.width, box.width),
          height: percent(size.height, box.height),
          left: percent(-box.x, box.width),
          top: percent(-box.y, box.height),
        }}
      />
    </div>
  );
}
