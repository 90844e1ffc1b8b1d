import { type CSSProperties, type ReactElement, useState } from 'react';
import type { Point } from '../state/edit-parts.ts';
import { draggedPoint, steppedPoint } from './point-input.ts';
import styles from './titles.module.css';

/** Of a style that has no place of its own yet. */
const MIDDLE: Point = { x: 0.5, y: 0.5 };

/** Where the middle of a title lies in the picture, by drag or arrow keys. Applications for upright videos cover the marked areas. */
export function TitlePlace({
  label,
  place,
  ratio,
  onPlace,
}: {
  readonly label: string;
  /** Null: the style's own. */
  readonly place: Point | null;
  /** Width over height of the output. */
  readonly ratio: number;
  readonly onPlace: (place: Point) => void;
}): ReactElement {
  const [dragged, setDragged] = useState<Point | null>(null);
  const shown = dragged ?? place ?? MIDDLE;
  return (
    <div
      className={styles.pad}
      data-is-upright={ratio < 1}
      style={{ '--ratio': ratio } as CSSProperties}
      onPointerDown={(event) => setDragged(draggedPoint(event))}
      onPointerMove={(event) => {
        const point = draggedPoint(event);
        if (point !== null) setDragged(point);
      }}
      onPointerUp={() => {
        if (dragged !== null) onPlace(rounded(dragged));
        setDragged(null);
      }}
      onPointerCancel={() => setDragged(null)}
    >
      <button
        type="button"
        className={styles.dot}
        data-is-set={place !== null}
        style={{ '--x': shown.x, '--y': shown.y } as CSSProperties}
        aria-label={`${label}: ${placeWords(shown)}. Arrow keys move it`}
        onKeyDown={(event) => {
          const point = steppedPoint(event, shown);
          if (point !== null) onPlace(rounded(point));
        }}
      />
    </div>
  );
}

function placeWords({ x, y }: Point): string {
  return `${Math.round(100 * x)} % from the left, ${Math.round(100 * y)} % from the top`;
}

/** An address holds hundredths. */
function rounded({ x, y }: Point): Point {
  return { x: Math.round(100 * x) / 100, y: Math.round(100 * y) / 100 };
}
