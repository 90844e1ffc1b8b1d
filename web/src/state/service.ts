/** The service of this page. Everything that the page does goes through its public API. */
import { QueryClient } from '@tanstack/react-query';
import { StyleDnaClient } from '../../../src/client/client.ts';
import { notedFetch } from './connection.ts';

/** Path of the service's root, including a prefix, without a slash at its end. */
export const ROOT_PATH = new URL(document.baseURI).pathname.replace(/\/+$/, '');

export const service = new StyleDnaClient({ baseUrl: document.baseURI, fetch: notedFetch });

/** Its requests outlive the page. Browsers allow bodies of up to 64 KiB (Fetch standard). */
export const lastingService = new StyleDnaClient({
  baseUrl: document.baseURI,
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
});

/** An address below the service's root, for links, pictures and videos. */
export function addressOf(path: string): string {
  return `${ROOT_PATH}/${path}`;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client itself retries temporary errors.
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
    },
  },
});
