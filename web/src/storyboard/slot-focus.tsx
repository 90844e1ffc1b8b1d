import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Reframe } from '../../../src/style/model/timeline.ts';
import type { Point } from '../state/edit-parts.ts';
import { draggedPoint, steppedPoint } from './point-input.ts';
import styles from './slot-focus.module.css';
import { windowAbout } from './slot-framing.ts';

/** A hand that rests for so long has arrived. */
const RESTED_MS = 350;

/** Over the whole picture of a shot: the part that is shown, which a pointer or arrow keys move to what must stay in view. */
export function SlotFocus({
  number,
  framing,
  focus,
  onFocus,
}: {
  readonly number: number;
  /** As planned. */
  readonly framing: Reframe;
  /** Null: the service chose the framing. */
  readonly focus: Point | null;
  /** When the hand rests; null: the service frames it. */
  readonly onFocus: (point: Point | null) => void;
}): ReactElement {
  const [moved, setMoved] = useState<Point | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The plan has followed.
  const planned = useRef(framing);
  if (planned.current !== framing && moved !== null) setMoved(null);
  planned.current = framing;
  useEffect(() => () => clearTimeout(timer.current), []);
  const shown = moved === null ? framing : windowAbout(framing, moved);
  const middle = { x: shown.x + shown.width / 2, y: shown.y + shown.height / 2 };
  const settle = (point: Point, milliseconds: number) => {
    setMoved(point);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onFocus(point), milliseconds);
  };
  const press = (event: KeyboardEvent) => {
    const point = steppedPoint(event, middle);
    if (point !== null) settle(point, RESTED_MS);
    else if (['Delete', 'Backspace'].includes(event.key) && focus !== null) {
      event.preventDefault();
      onFocus(null);
    }
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const point = draggedPoint(event);
    if (point !== null) settle(point, RESTED_MS);
  };
  const [isAcross, isUpright] = [shown.width < 1, shown.height < 1];
  return (
    <div
      className={styles.layer}
      data-scrolls={isAcross && isUpright ? 'none' : isAcross ? 'y' : 'x'}
      onPointerDown={drag}
      onPointerMove={drag}
    >
      <div
        className={styles.shown}
        style={
          {
            '--x': shown.x,
            '--y': shown.y,
            '--width': shown.width,
            '--height': shown.height,
          } as CSSProperties
        }
      />
      <button
        type="button"
        className={styles.handle}
        data-is-set={focus !== null}
        style={{ '--x': middle.x, '--y': middle.y } as CSSProperties}
        aria-label={`Part of shot ${number + 1} that stays in view: ${placeWords(middle)}`}
        aria-describedby="slot-focus-note"
        onKeyDown={press}
      />
    </div>
  );
}

function placeWords({ x, y }: Point): string {
  return `middle ${Math.round(100 * x)} % from the left, ${Math.round(100 * y)} % from the top`;
}
