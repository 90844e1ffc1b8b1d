/** What the player needs of the service: the plan as data, and small copies of the videos. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Preview, PreviewCreateRequest, Proxy as VideoProxy } from '../../../src/client/api-types.ts';
import type { Timeline } from '../../../src/style/model/timeline.ts';
import type { PlaybackPlan, ProxyFile } from '../player/playback-plan.ts';
import type { Look } from './make.ts';
import { requestOf, type UsedVideo } from './server-data.ts';
import { service } from './service.ts';
import type { Settings } from './settings.ts';

const EVER = Number.POSITIVE_INFINITY;

export interface PlannedStrength {
  /** Null: the service has none. */
  readonly plan: PlaybackPlan | null;
  /** Of the style, 0..1, that it was planned with. */
  readonly strength: number;
}

/** The plan of one video in a look. The last one stays until the next is there. */
export function planData(video: UsedVideo, look: Look, settings: Settings) {
  const request: PreviewCreateRequest = {
    ...requestOf(video, look, settings),
    kind: 'plan',
  };
  return queryOptions({
    queryKey: ['plan', request],
    queryFn: async ({ signal }): Promise<PlannedStrength> => ({
      plan: playbackPlan(await service.waitForPreview(request, { signal })),
      strength: settings.strength,
    }),
    staleTime: EVER,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Made once for each content. */
export function proxyData(videoId: string) {
  return queryOptions({
    queryKey: ['proxy', videoId],
    queryFn: ({ signal }) => service.waitForProxy(videoId, { signal }),
    staleTime: EVER,
    retry: false,
  });
}

/** Null: the preview holds no plan. */
export function playbackPlan({ plan }: Pick<Preview, 'plan'>): PlaybackPlan | null {
  if (plan === null) return null;
  const timeline = plan.timeline as unknown as Timeline;
  return {
    timeline: { ...timeline, takes: timeline.takes.map(withTables) },
    gainDb: plan.loudness_gain_db,
    takes: plan.takes.map(({ video_id: videoId, width, height }) => ({ videoId, size: { width, height } })),
    music: plan.music === null ? null : { videoId: plan.music.video_id },
  };
}

export function proxyFile({ video_id: videoId, kind, has_sound: hasSound }: VideoProxy): ProxyFile {
  return { kind, address: service.proxyFileUrl(videoId), hasSound: hasSound === true };
}

/** Tables of numbers are objects after JSON. */
function withTables(take: Timeline['takes'][number]): Timeline['takes'][number] {
  const { grade } = take;
  if (grade === null || !('rgb' in grade)) return take;
  const numbers = (table: Float32Array) => Float32Array.from(Object.values(table));
  const { rgb, curves } = grade;
  return {
    grade: { ...grade, rgb: numbers(rgb), ...(curves === undefined ? {} : { curves: numbers(curves) }) },
  };
}
