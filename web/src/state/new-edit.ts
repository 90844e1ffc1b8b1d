/** A new edit empties the place Make; for some seconds the one before can be brought back. */
import { currentMake, type Make, replaceMake } from './make.ts';
import { createStore } from './store.ts';

/** As after a deletion. */
const UNDO_SECONDS = 10;

const emptied = createStore<Make | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the last edit can be brought back. */
export function useEmptied(): boolean {
  return emptied.use() !== null;
}

export function beginNewEdit(): void {
  emptied.set(currentMake());
  replaceMake({});
  clearTimeout(timer);
  timer = setTimeout(() => emptied.set(null), UNDO_SECONDS * 1000);
}

export function bringBack(): void {
  const before = emptied.get();
  clearTimeout(timer);
  emptied.set(null);
  if (before !== null) replaceMake(before);
}
