import { type DragEvent, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icons.tsx';
import styles from './well.module.css';

export interface DroppedFiles {
  readonly files: readonly File[];
  /** Names of folders, which browsers hand out as files that cannot be read. */
  readonly folders: readonly string[];
}

/** A place to drop files on, or to choose one for. With children it is filled, and a file that is dropped takes their place. */
export function Well({
  title,
  icon,
  hint,
  accept,
  onFiles,
  children,
}: {
  readonly title: string;
  readonly icon: IconName;
  readonly hint: string;
  /** As of `<input type="file">`. */
  readonly accept: string;
  /** Without any: something else was dropped. */
  readonly onFiles: (dropped: DroppedFiles) => void;
  readonly children?: ReactNode;
}): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const hintId = useId();
  const isFilled = children !== undefined && children !== null && children !== false;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles(droppedFiles(event.dataTransfer));
  };
  const classes = [styles.area, isFilled ? styles.filled : '', isOver ? styles.over : ''];
  return (
    <section className={styles.well} aria-label={title}>
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button within is the way by keyboard. */}
      <div
        className={classes.filter((name) => name !== '').join(' ')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {isFilled ? (
          children
        ) : (
          <div className={styles.empty}>
            <Icon name={icon} size={32} />
            <Button icon="add" aria-describedby={hintId} onClick={() => input.current?.click()}>
              Choose a file
            </Button>
            <p id={hintId} className={styles.hint}>
              {hint}
            </p>
          </div>
        )}
      </div>
      <input
        ref={input}
        className={styles.file}
        type="file"
        accept={accept}
        tabIndex={-1}
        aria-label={title}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again after it was taken out.
          event.target.value = '';
          if (file !== undefined) onFiles({ files: [file], folders: [] });
        }}
      />
    </section>
  );
}

function droppedFiles({ items, files }: DataTransfer): DroppedFiles {
  const folders = [...items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry?.isDirectory === true)
    .map((entry) => entry!.name);
  return { files: [...files].filter(({ name }) => !folders.includes(name)), folders };
}
