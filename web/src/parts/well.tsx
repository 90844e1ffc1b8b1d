import { type DragEvent, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { type DroppedFiles, droppedFiles } from './dropped-files.ts';
import { Icon, type IconName } from './icons.tsx';
import styles from './well.module.css';

/** A place to drop files on, or to choose them for. With children it is filled. */
export function Well({
  title,
  icon,
  hint,
  accept,
  isMultiple = false,
  isList = false,
  onFiles,
  children,
}: {
  readonly title: string;
  readonly icon: IconName;
  readonly hint: string;
  /** Attribute `accept` of `<input type="file">`. */
  readonly accept: string;
  readonly isMultiple?: boolean;
  /** Whether the content is a list that grows and scrolls, instead of one picture. */
  readonly isList?: boolean;
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
    void droppedFiles(event.dataTransfer).then(onFiles);
  };
  const classes = [
    styles.area,
    isFilled && !isList ? styles.filled : '',
    isList ? styles.list : '',
    isOver ? styles.over : '',
  ];
  return (
    <section className={styles.well} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {isMultiple && isFilled && (
          <Button icon="add" manner="quiet" onClick={() => input.current?.click()}>
            Add more
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; the button within works by keyboard. */}
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
              {isMultiple ? 'Choose files' : 'Choose a file'}
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
        multiple={isMultiple}
        tabIndex={-1}
        aria-label={title}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be chosen again after it was removed.
          event.target.value = '';
          if (files.length > 0) onFiles({ files, unread: [] });
        }}
      />
    </section>
  );
}
