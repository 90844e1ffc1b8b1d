/** Requests for proxies, the small copies of videos that the player plays. */
import { queryOptions } from '@tanstack/react-query';
import type { Proxy as VideoProxy } from '../../../src/client/api-types.ts';
import { ended } from '../../../src/client/polling.ts';
import { sleep } from '../../../src/client/sleep.ts';
import { FOREVER } from './server-data.ts';
import { service } from './service.ts';

/** Proxies of short takes are made in 1 to 4 s. */
const POLL_MS = 300;
/** While an earlier proxy is made: a service with several workers makes this one too. */
const QUEUED_POLL_MS = 2000;

/** The response to the newest request, and the end of its work. They never reject. */
let [lastResponse, lastEnd]: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

/**
 * Made once for each content. The service makes proxies in the order in which requests arrive, so each request waits for the response to the
 * one before: a player requests first what it plays first.
 */
export function proxyData(videoId: string) {
  return queryOptions({
    queryKey: ['proxy', videoId],
    queryFn: ({ client, signal }) => {
      const earlierEnd = lastEnd!;
      const first = lastResponse!.then(() => service.createProxy(videoId, { signal }));
      const onUpdate = ({ progress_percent: percent }: VideoProxy) =>
        client.setQueryData(proxyProgressData(videoId).queryKey, percent);
      const pause = ({ status }: VideoProxy) => pauseOf(status, earlierEnd, signal);
      const made = first.then((work) =>
        ended('proxy', work, () => service.getProxy(videoId, { signal }), { onUpdate, pause, signal }),
      );
      lastResponse = first.catch(() => {});
      lastEnd = made.catch(() => {});
      return made;
    },
    staleTime: FOREVER,
    retry: false,
  });
}

async function pauseOf(status: string, earlierEnd: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (status === 'queued') await Promise.race([earlierEnd, sleep(QUEUED_POLL_MS, signal)]);
  await sleep(POLL_MS, signal);
}

/** In percent, while `proxyData` waits for it. */
export function proxyProgressData(videoId: string) {
  return queryOptions({
    queryKey: ['proxy-progress', videoId],
    queryFn: () => 0,
    staleTime: FOREVER,
  });
}
