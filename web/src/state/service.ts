/** The service of this page. Everything that the page does goes through its public API. */
import { QueryClient } from '@tanstack/react-query';
import { StyleDnaClient } from '../../../src/client/client.ts';
import { notedFetch } from './connection.ts';

/** Where the service's root lies, a path prefix included, without a slash at its end. */
export const ROOT_PATH = new URL(document.baseURI).pathname.replace(/\/+$/, '');

export const service = new StyleDnaClient({ baseUrl: document.baseURI, fetch: notedFetch });

/** An address below the service's root, for links, pictures and videos. */
export function addressOf(path: string): string {
  return `${ROOT_PATH}/${path}`;
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client tries again by itself what may pass.
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
    },
  },
});
