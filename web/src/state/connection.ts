/** Whether the service answers, as every request of the page finds it. */
import { useSyncExternalStore } from 'react';

export type Connection = 'fine' | 'away' | 'unauthorized' | 'forbidden';

const REFUSALS: Readonly<Record<number, Connection>> = { 401: 'unauthorized', 403: 'forbidden' };
/** What a proxy answers in the place of a service that is not there. */
const PROXY_STATUSES = [502, 504];

let state: Connection = 'fine';
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (next === state) return;
  state = next;
  for (const changed of listeners) changed();
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => state,
  );
}

/** `fetch`, which notes how it went. */
export const notedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    become(REFUSALS[response.status] ?? (PROXY_STATUSES.includes(response.status) ? 'away' : 'fine'));
    return response;
  } catch (error) {
    // An abort is the page's own doing and says nothing of the service.
    if (error instanceof TypeError) become('away');
    throw error;
  }
};
