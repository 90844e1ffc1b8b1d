import { useCallback, useState } from 'react';

export interface Selection {
  /** Names by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly toggle: (id: string, name: string) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  // Always the same function: a card is drawn again when it changes, and not when another does.
  const toggle = useCallback((id: string, name: string) => {
    setNames((before) => {
      const next = new Map(before);
      if (!next.delete(id)) next.set(id, name);
      return next;
    });
  }, []);
  return { names, toggle, clear: () => setNames(new Map()) };
}
