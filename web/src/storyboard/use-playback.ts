import { useQueries } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { Preview } from '../../../src/client/api-types.ts';
import type { PlaybackPlan, ProxyOf } from '../player/playback-plan.ts';
import { canBegin, playbackPlan, proxyIdsOf, proxyOfThose } from '../state/playback-data.ts';
import { proxyData } from '../state/proxies.ts';

export interface Playback {
  /** The plan, once the files of its first shots are there; other shots are stills until theirs are. Null: not yet. */
  readonly playable: { readonly plan: PlaybackPlan; readonly proxyOf: ProxyOf } | null;
  /** Of the small copies that the plan needs: those that are there, and all. */
  readonly made: number;
  readonly needed: number;
  /** A copy could not be made: its shots cannot be played. */
  readonly hasFailed: boolean;
}

/** The player's input: a plan as data, and proxies of the takes that it shows. */
export function usePlayback(preview: Preview | null): Playback {
  const plan = useMemo(() => (preview === null ? null : playbackPlan(preview)), [preview]);
  const ids = plan === null ? [] : proxyIdsOf(plan);
  const proxies = useQueries({ queries: ids.map(proxyData) });
  const made = proxies.flatMap(({ data }) => data ?? []);
  const key = made.map(({ video_id: videoId }) => videoId).join();
  const latest = useRef<Playback['playable']>(null);
  const isChanged = latest.current !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `made`, a new array each time.
  const next = useMemo(
    () => (plan !== null && canBegin(plan, made, isChanged) ? { plan, proxyOf: proxyOfThose(made) } : null),
    [plan, key, isChanged],
  );
  if (next !== null) latest.current = next;
  return {
    playable: latest.current,
    made: made.length,
    needed: ids.length,
    hasFailed: proxies.some(({ error }) => error !== null),
  };
}
