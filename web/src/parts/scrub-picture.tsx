import { type CSSProperties, type PointerEvent, type ReactElement, useState } from 'react';
import { pointedShare, TILES, tileAt } from './filmstrip.ts';
import { Poster } from './poster.tsx';
import styles from './scrub-picture.module.css';

/** A picture of a video that runs through its frames under the pointer. What cannot be had is left out. */
export function ScrubPicture({
  poster,
  filmstrip,
}: {
  /** Addresses; null: there is none. */
  readonly poster: string | null;
  readonly filmstrip: string | null;
}): ReactElement {
  const [hasFilmstrip, setFilmstrip] = useState(true);
  const [tile, setTile] = useState<number | null>(null);
  const [ratio, setRatio] = useState<number | null>(null);
  const move = (event: PointerEvent) => setTile(tileAt(pointedShare(event)));
  const isScrubbed = tile !== null && filmstrip !== null && hasFilmstrip;
  return (
    <div className={styles.picture} onPointerMove={move} onPointerLeave={() => setTile(null)}>
      <Poster address={poster} alt="" />
      {isScrubbed && (
        <>
          <div
            className={styles.window}
            style={{ '--own': ratio ?? 0, '--tile': tile } as CSSProperties}
            data-is-there={ratio !== null}
          >
            <img
              src={filmstrip}
              alt=""
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                setRatio(naturalWidth / TILES / naturalHeight)
              }
              onError={() => setFilmstrip(false)}
            />
          </div>
          <span className={styles.place} style={{ '--tile': tile } as CSSProperties} />
        </>
      )}
    </div>
  );
}
