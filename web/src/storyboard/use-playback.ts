import { queryOptions, useQueries } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { Preview, Proxy as SmallCopy } from '../../../src/client/api-types.ts';
import type { PlaybackPlan, ProxyOf } from '../player/playback-plan.ts';
import { isUnderWay } from '../state/server-data.ts';
import { service } from '../state/service.ts';

const POLL_MS = 1000;

export interface Playback {
  /** The newest plan whose files are all there; null: none yet. */
  readonly playable: { readonly plan: PlaybackPlan; readonly proxyOf: ProxyOf } | null;
  /** Of the small copies that the plan needs: those that are there, and all. */
  readonly made: number;
  readonly needed: number;
  /** A copy could not be made: the plan cannot be played. */
  readonly hasFailed: boolean;
}

/** What the player needs of a plan: its data, and small copies of the takes that it shows. */
export function usePlayback(preview: Preview | null): Playback {
  const plan = useMemo(() => playbackPlanOf(preview), [preview]);
  const ids = plan === null ? [] : fileIds(plan);
  const proxies = useQueries({ queries: ids.map(proxyData) });
  const made = proxies.filter(({ data }) => data?.status === 'completed').length;
  const latest = useRef<Playback['playable']>(null);
  if (plan !== null && made === ids.length && latest.current?.plan !== plan)
    latest.current = { plan, proxyOf: proxyOfThose(proxies.map(({ data }) => data!)) };
  return {
    playable: latest.current,
    made,
    needed: ids.length,
    hasFailed: proxies.some(({ data, error }) => error !== null || data?.status === 'failed'),
  };
}

function proxyData(videoId: string) {
  return queryOptions({
    queryKey: ['proxy-state', videoId],
    queryFn: async ({ client, queryKey, signal }) => {
      const isAsked = client.getQueryData<SmallCopy>(queryKey) !== undefined;
      return isAsked ? service.getProxy(videoId, { signal }) : service.createProxy(videoId, { signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? POLL_MS : false),
  });
}

function playbackPlanOf(preview: Preview | null): PlaybackPlan | null {
  const plan = preview?.plan;
  if (plan == null) return null;
  return {
    timeline: plan.timeline as unknown as PlaybackPlan['timeline'],
    gainDb: plan.loudness_gain_db,
    takes: plan.takes.map(({ video_id: videoId, width, height }) => ({ videoId, size: { width, height } })),
    music: plan.music === null ? null : { videoId: plan.music.video_id },
  };
}

/** Takes that no clip shows need no file. */
function fileIds({ timeline, takes, music }: PlaybackPlan): string[] {
  const shown = new Set(timeline.clips.map(({ take }) => take));
  return [
    ...new Set([
      ...takes.filter((_, at) => shown.has(at)).map(({ videoId }) => videoId),
      ...(music === null ? [] : [music.videoId]),
    ]),
  ];
}

function proxyOfThose(proxies: readonly SmallCopy[]): ProxyOf {
  return (videoId) => {
    const proxy = proxies.find(({ video_id: id }) => id === videoId);
    // A take that is not shown is named, and never read.
    const { kind = 'video', has_sound: hasSound } = proxy ?? {};
    return { kind, address: service.proxyFileUrl(videoId), hasSound: hasSound === true };
  };
}
