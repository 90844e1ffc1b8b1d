import { useSyncExternalStore } from 'react';

/** A value that lasts longer than what shows it. */
export interface Store<Value> {
  get(): Value;
  /** Notifies all subscribers, unless the value is the same. */
  set(value: Value): void;
  /** Returns how to end it. */
  subscribe(changed: () => void): () => void;
  /** For components, which are drawn again when their selected part has changed. */
  use(): Value;
  use<Part>(choose: (value: Value) => Part): Part;
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (changed: () => void) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  };
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const changed of listeners) changed();
    },
    subscribe,
    use: <Part>(choose?: (now: Value) => Part) =>
      useSyncExternalStore(subscribe, () =>
        choose === undefined ? (value as unknown as Part) : choose(value),
      ),
  };
}
