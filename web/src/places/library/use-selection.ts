import { useState } from 'react';

export interface Selection {
  /** By id. */
  readonly names: ReadonlyMap<string, string>;
  readonly toggle: (id: string, name: string) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    names,
    toggle: (id, name) =>
      setNames((before) => {
        const next = new Map(before);
        if (!next.delete(id)) next.set(id, name);
        return next;
      }),
    clear: () => setNames(new Map()),
  };
}
