/** Whether the service answers, as every request of the page finds it. */
import { createStore } from './store.ts';

export type Connection = 'fine' | 'away' | 'unauthorized' | 'forbidden';

const REFUSALS: Readonly<Record<number, Connection>> = { 401: 'unauthorized', 403: 'forbidden' };
/** Status codes of a proxy whose service is unavailable. */
const PROXY_STATUSES = [502, 504];

const connection = createStore<Connection>('fine');

export function useConnection(): Connection {
  return connection.use();
}

/** `fetch`, which notes how it went. */
export const notedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    connection.set(REFUSALS[response.status] ?? (PROXY_STATUSES.includes(response.status) ? 'away' : 'fine'));
    return response;
  } catch (error) {
    // An abort is caused by the page, not by the service.
    if (error instanceof TypeError) connection.set('away');
    throw error;
  }
};
