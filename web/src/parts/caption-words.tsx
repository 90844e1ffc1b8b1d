import type { ReactElement } from 'react';
import { type Caption, startOf } from '../words/sub-rip.ts';
import styles from './caption-words.module.css';

/** The words of captions in fields, each beside its time. */
export function CaptionWords({
  captions,
  onChange,
}: {
  readonly captions: readonly Caption[];
  readonly onChange: (captions: readonly Caption[]) => void;
}): ReactElement {
  return (
    <ol className={styles.list}>
      {captions.map((caption, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: no caption is moved or removed, and two may have the same times.
        <li key={`${index} ${caption.times}`}>
          <span className={styles.at}>{startOf(caption)}</span>
          <input
            type="text"
            aria-label={`Words at ${startOf(caption)}`}
            value={caption.text}
            onChange={(event) => onChange(captions.with(index, { ...caption, text: event.target.value }))}
          />
        </li>
      ))}
    </ol>
  );
}
