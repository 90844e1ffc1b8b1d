import { type ReactElement, useState } from 'react';
import { Icon } from './icons.tsx';
import styles from './poster.module.css';

type State = 'loading' | 'shown' | 'missing';

/** A still of a video that fills its parent. Until it arrives, and where there is none, neutral ground with words. */
export function Poster({
  address,
  alt,
  words,
  isQuiet = false,
  isCropped = false,
}: {
  /** Null: there is none. */
  readonly address: string | null;
  readonly alt: string;
  /** In the place of the picture; left out: that there is none, or none yet. */
  readonly words?: string;
  /** The picture is dimmed: it will be replaced. */
  readonly isQuiet?: boolean;
  /** The picture fills its box and is cropped. */
  readonly isCropped?: boolean;
}): ReactElement {
  const [known, setKnown] = useState<{ readonly address: string; readonly state: State } | null>(null);
  const state = address === null ? 'missing' : known?.address === address ? known.state : 'loading';
  const become = (next: State) => () => {
    if (address !== null) setKnown({ address, state: next });
  };
  const classes = [isQuiet ? styles.quiet : '', isCropped ? styles.cropped : ''];
  return (
    <div className={styles.poster} data-state={state}>
      {state !== 'shown' && (
        // Screen readers get the name of what it is a picture of.
        <p className={styles.words} aria-hidden="true">
          <Icon name="film" size={24} />
          <span>{words ?? (state === 'loading' ? 'No picture yet' : 'No picture')}</span>
        </p>
      )}
      {address !== null && state !== 'missing' && (
        <img
          className={classes.join(' ').trim()}
          src={address}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={become('shown')}
          onError={become('missing')}
        />
      )}
    </div>
  );
}
