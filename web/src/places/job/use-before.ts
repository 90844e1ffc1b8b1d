import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../../src/client/error.ts';
import type { Timeline } from '../../../../src/style/model/timeline.ts';
import type { PlaybackPlan, ProxyOf } from '../../player/playback-plan.ts';
import { proxyIdsOf, proxyOfThose } from '../../state/playback-data.ts';
import { proxyData, proxyProgressData } from '../../state/proxies.ts';
import { videoData } from '../../state/server-data.ts';
import { service } from '../../state/service.ts';

interface Sound {
  /** Whether a video has sound of its own. */
  readonly hasSound: boolean;
}

/** The picture before: the unstyled videos at the moments that the output shows. */
export type Before =
  | ({ readonly kind: 'possible' } & Sound)
  /** Small copies of the videos are made. `share`: 0..1. */
  | ({ readonly kind: 'preparing'; readonly share: number } & Sound)
  | ({ readonly kind: 'ready'; readonly plan: PlaybackPlan; readonly proxyOf: ProxyOf } & Sound)
  /** `reason`: for the person. */
  | { readonly kind: 'absent'; readonly reason: string };

/** Proxies are requested only when needed, because they take time of the service. */
export function useBefore(job: JobDetail, isWanted: boolean): Before {
  const isEdit = job.edit !== null;
  const shown = job.edit?.slots.map(({ video_id }) => video_id) ?? [job.video_id];
  const videos = useQueries({ queries: [...new Set(shown)].map(videoData) });
  const isGone = videos.some(({ error }) => isStyleDnaError(error));
  const timeline = useQuery({ ...timelineData(job.job_id), enabled: isWanted && !isGone });
  const plan = useMemo(() => planOf(job.job_id, timeline.data), [job.job_id, timeline.data]);
  const ids = plan === null || !isWanted || isGone ? [] : proxyIdsOf(plan);
  const proxies = useQueries({ queries: ids.map(proxyData) });
  const progress = useQueries({ queries: ids.map(proxyProgressData) });
  const made = proxies.flatMap(({ data }) => data ?? []);
  const isMade = plan !== null && made.length === ids.length;
  const key = isMade ? ids.join(' ') : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the copies are those of the ids, and never change.
  const proxyOf = useMemo(() => proxyOfThose(made), [key]);
  const errors = [...videos, timeline, ...proxies].map(({ error }) => error);
  const error = errors.find((one) => one !== null);
  if (error !== undefined) return { kind: 'absent', reason: reasonOf(error, isEdit) };
  const hasSound = videos.some(({ data }) => data?.has_audio === true);
  if (!isWanted) return { kind: 'possible', hasSound };
  if (!isMade) {
    const percent = progress.reduce((sum, { data }) => sum + (data ?? 0), 0);
    return { kind: 'preparing', share: ids.length === 0 ? 0 : percent / 100 / ids.length, hasSound };
  }
  return { kind: 'ready', plan, proxyOf, hasSound };
}

function timelineData(jobId: string) {
  return queryOptions({
    queryKey: ['job-timeline', jobId],
    queryFn: ({ signal }) => service.getJobTimeline(jobId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function planOf(
  jobId: string,
  data: Awaited<ReturnType<typeof service.getJobTimeline>> | undefined,
): PlaybackPlan | null {
  if (data === undefined) return null;
  const timeline = data.timeline as unknown as Timeline;
  return {
    timeline,
    gainDb: 0,
    takes: data.takes.map(({ video_id: videoId }) => ({ videoId })),
    music: null,
    output: { kind: 'video', address: service.outputUrl(jobId), hasSound: timeline.audio !== null },
  };
}

function reasonOf(error: unknown, isEdit: boolean): string {
  const what = isEdit ? 'a video of it' : 'the original video';
  const code = isStyleDnaError(error) ? error.code : '';
  switch (code) {
    case 'VIDEO_NOT_FOUND':
      return `No before and after: ${what} was deleted.`;
    case 'VIDEO_EXPIRED':
      return `No before and after: ${what} has expired.`;
    case 'RESULT_EXPIRED':
      return 'No before and after: the result has expired.';
    case 'ARTIFACT_NOT_FOUND':
      return 'No before and after: an earlier version of the service rendered this.';
    default:
      return 'Before and after could not be prepared. Reload the page to try again.';
  }
}
