/** Points of a picture from the pointer and from arrow keys. */
import type { KeyboardEvent, PointerEvent } from 'react';
import type { Point } from '../state/edit-parts.ts';

const STEP = 0.02;
const LARGE_STEP = 0.1;
const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Null: nothing is dragged. */
export function draggedPoint(event: PointerEvent<HTMLElement>): Point | null {
  if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
  if (!event.currentTarget.hasPointerCapture(event.pointerId)) return null;
  // A picture below would follow the pointer through time.
  event.stopPropagation();
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return { x: inside((event.clientX - left) / width), y: inside((event.clientY - top) / height) };
}

/** Null: another key. */
export function steppedPoint(event: KeyboardEvent, from: Point): Point | null {
  const step = STEPS[event.key];
  if (step === undefined) return null;
  event.preventDefault();
  const size = event.shiftKey ? LARGE_STEP : STEP;
  return { x: inside(from.x + size * step[0]), y: inside(from.y + size * step[1]) };
}

function inside(share: number): number {
  return Math.min(1, Math.max(0, share));
}
