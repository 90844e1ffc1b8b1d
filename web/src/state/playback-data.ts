/** The player's data from the service: the plan, and proxies of the videos. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Preview, PreviewCreateRequest, Proxy as VideoProxy } from '../../../src/client/api-types.ts';
import type { Timeline } from '../../../src/style/model/timeline.ts';
import type { PlaybackPlan, ProxyFile, ProxyOf } from '../player/playback-plan.ts';
import type { Look } from './make.ts';
import { FOREVER, requestOf, type UsedVideo } from './server-data.ts';
import { service } from './service.ts';
import type { Settings } from './settings.ts';

export interface PlannedStrength {
  /** Null: the service has no plan. */
  readonly plan: PlaybackPlan | null;
  /** Strength of the style, 0..1, of the plan. */
  readonly strength: number;
}

/** The plan of one video in a look. The last plan is shown until the next arrives. */
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
    staleTime: FOREVER,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** A grade is not exaggerated further: colors leave the range of the picture. */
const MAX_MIX = 2;

/** Share of a plan's grade that approximates another strength until the exact grade arrives. */
export function strengthMix(planned: number, wanted: number): number {
  return planned > 0 ? Math.min(MAX_MIX, wanted / planned) : 1;
}

/** Null: the preview holds no plan. */
export function playbackPlan({ plan }: Pick<Preview, 'plan'>): PlaybackPlan | null {
  if (plan === null) return null;
  const timeline = plan.timeline as unknown as Timeline;
  return {
    timeline: { ...timeline, takes: timeline.takes.map(withTables) },
    gainDb: plan.loudness_gain_db,
    takes: plan.takes.map(({ video_id: videoId }) => ({ videoId })),
    music: plan.music === null ? null : { videoId: plan.music.video_id },
  };
}

export function proxyFile({ video_id: videoId, kind, has_sound: hasSound }: VideoProxy): ProxyFile {
  return { kind, address: service.proxyFileUrl(videoId), hasSound: hasSound === true };
}

/** The videos whose files are played, in the order in which they are needed. Takes that no clip shows need none. */
export function proxyIdsOf({ timeline, takes, music }: PlaybackPlan): string[] {
  const shown = timeline.clips.map(({ take }) => takes[take]!.videoId);
  return [...new Set([...(music === null ? [] : [music.videoId]), ...shown])];
}

/** Shots within it move from the first moment on: the next files are made while they play. */
const OPENING_SECONDS = 2;

/**
 * Whether the song and the takes of the first shots have loaded; of a changed plan the song is enough: the plan that it replaces must not
 * play on.
 */
export function canBegin(
  { timeline, takes, music }: PlaybackPlan,
  proxies: readonly VideoProxy[],
  isChanged: boolean,
): boolean {
  const there = new Set(proxies.map((proxy) => proxy.video_id));
  if (music !== null && !there.has(music.videoId)) return false;
  if (isChanged) return true;
  let begins = 0;
  for (const { take, sourceStartSeconds, sourceEndSeconds } of timeline.clips) {
    if (begins >= OPENING_SECONDS) return true;
    if (!there.has(takes[take]!.videoId)) return false;
    begins += sourceEndSeconds - sourceStartSeconds;
  }
  return true;
}

/** The files of the plan's videos. A video without a proxy is shown as a still. */
export function proxyOfThose(proxies: readonly VideoProxy[]): ProxyOf {
  const files = new Map(proxies.map((proxy) => [proxy.video_id, proxyFile(proxy)]));
  return (videoId) =>
    files.get(videoId) ?? { kind: 'image', address: service.videoPosterUrl(videoId), hasSound: false };
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
