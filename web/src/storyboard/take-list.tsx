import { type PointerEvent, type ReactElement, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useEditPlan } from '../state/edit-data.ts';
import { moved, type Take, withoutTake } from '../state/edit-parts.ts';
import { changeEdit, type Make, undoEdit, useHistory } from '../state/make.ts';
import { counted } from '../words/quantity.ts';
import { SongRow } from './song-row.tsx';
import styles from './take-list.module.css';
import { TakeRow } from './take-row.tsx';

/** The last change that was made in the list. */
interface ListChange {
  /** As the history names it. */
  readonly what: string;
  /** For the person. */
  readonly message: string;
  readonly isRemoval: boolean;
}

const removalOf = (name: string) => `Take ${name} out`;

/** Takes in their order, and the song: each with its own state. */
export function TakeList({ make }: { readonly make: Make }): ReactElement {
  const { takes, song } = make;
  const { plan } = useEditPlan(make);
  const [last, setLast] = useState<ListChange | null>(null);
  const { undo } = useHistory();
  // A later change, or an undo by keyboard, ends the message.
  const shown = last !== null && last.what === undo ? last : null;
  const list = useRef<HTMLOListElement>(null);
  const reorder = (from: number, to: number, name: string) => {
    if (to < 0 || to >= takes.length || from === to) return;
    const what = `Move ${name}`;
    changeEdit({ takes: moved(takes, from, to) }, what);
    setLast({ what, message: `${name} is now ${to + 1} of ${takes.length}`, isRemoval: false });
  };
  const noteRemoval = (name: string) =>
    setLast({ what: removalOf(name), message: `${name} was taken out.`, isRemoval: true });
  const remove = (take: Take, name: string) => {
    changeEdit(withoutTake(make, take.id), removalOf(name));
    noteRemoval(name);
  };
  return (
    <div className={styles.takes}>
      <ol ref={list} className={styles.list} aria-label="Takes">
        {takes.map((take, index) => (
          <TakeRow
            key={take.id}
            take={take}
            index={index}
            make={make}
            use={plan?.takes.find(
              ({ video_id: id }) => take.source.kind === 'video' && id === take.source.videoId,
            )}
            onMove={(to, name) => reorder(index, to, name)}
            onDrag={(event, name) => follow(event, list.current!, index, (to) => reorder(index, to, name))}
            onRemove={(name) => remove(take, name)}
          />
        ))}
      </ol>
      {song !== null && (
        <SongRow
          song={song}
          onRemove={(name) => {
            changeEdit({ song: null }, removalOf(name));
            noteRemoval(name);
          }}
        />
      )}
      <div className={styles.foot}>
        <p role="status">
          {shown?.message ??
            (takes.length === 0
              ? 'A song, no takes yet'
              : `${counted(takes.length, 'take')}${song === null ? ', no song yet' : ' and a song'}`)}
        </p>
        {shown?.isRemoval === true && (
          <Button icon="undo" manner="quiet" onClick={undoEdit}>
            Undo
          </Button>
        )}
      </div>
    </div>
  );
}

/** A row follows the pointer, and takes the place over which it is let go. */
function follow(
  { currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>,
  list: HTMLOListElement,
  from: number,
  drop: (to: number) => void,
): void {
  const rows = [...list.children] as HTMLElement[];
  const row = rows[from]!;
  const middles = rows.map((one) => {
    const { top, height } = one.getBoundingClientRect();
    return top + height / 2;
  });
  const ended = new AbortController();
  const on = (
    name: 'pointermove' | 'pointerup' | 'pointercancel',
    act: (event: globalThis.PointerEvent) => void,
  ) => currentTarget.addEventListener(name, act, { signal: ended.signal });
  const placeOf = (y: number) => {
    const middle = middles[from]! + y - clientY;
    return middles.filter((other, at) => at !== from && other < middle).length;
  };
  const rest = () => {
    ended.abort();
    row.style.removeProperty('translate');
    delete row.dataset['isDragged'];
    for (const one of rows) delete one.dataset['mark'];
  };
  currentTarget.setPointerCapture(pointerId);
  row.dataset['isDragged'] = 'true';
  on('pointermove', ({ clientY: y }) => {
    row.style.setProperty('translate', `0 ${y - clientY}px`);
    const to = placeOf(y);
    rows.forEach((one, at) => {
      if (to !== from && at === to) one.dataset['mark'] = to > from ? 'below' : 'above';
      else delete one.dataset['mark'];
    });
  });
  on('pointerup', ({ clientY: y }) => {
    rest();
    drop(placeOf(y));
  });
  on('pointercancel', rest);
}
