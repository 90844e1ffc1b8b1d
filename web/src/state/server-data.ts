/** Requests of the page, each under one key, so that all components share the answer. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Analysis, Captions, JobConfig, PreviewCreateRequest } from '../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../src/client/error.ts';
import type { Range } from './edit-parts.ts';
import type { Look } from './make.ts';
import { service } from './service.ts';
import { configOf, type Settings } from './settings.ts';

const POLL_MS = 1000;
/** `staleTime` of data that never changes. */
export const FOREVER = Number.POSITIVE_INFINITY;

export function videoData(videoId: string) {
  return queryOptions({
    queryKey: ['video', videoId],
    queryFn: ({ signal }) => service.getVideo(videoId, { signal }),
    staleTime: FOREVER,
  });
}

export function presetsData() {
  return queryOptions({
    queryKey: ['presets'],
    queryFn: ({ signal }) => service.listPresets({ signal }),
    staleTime: FOREVER,
  });
}

/** A look that was saved. */
export function savedLookData(styleId: string) {
  return queryOptions({
    queryKey: ['style', styleId],
    queryFn: ({ signal }) => service.getStyle(styleId, { signal }),
    staleTime: 0,
  });
}

/** Optional features of this service. */
export function featuresData() {
  return queryOptions({
    queryKey: ['features'],
    // A service of an earlier version does not report it.
    queryFn: async ({ signal }) => (await service.getHealth({ signal })).features ?? { transcription: false },
    staleTime: FOREVER,
  });
}

export interface KnownCaptions {
  readonly format: Captions['format'];
  /** Null: the file was there before this page, which does not read it. */
  readonly cueCount: number | null;
  readonly warnings: Captions['warnings'];
}

/** The caption file that a video has; null: none. */
export function captionsData(videoId: string) {
  return queryOptions({
    queryKey: ['captions', videoId],
    queryFn: async ({ signal }): Promise<KnownCaptions | null> => {
      try {
        const { headers, body } = await service.getCaptions(videoId, { signal });
        await body?.cancel();
        const format = headers.get('content-type')?.startsWith('text/vtt') === true ? 'vtt' : 'srt';
        return { format, cueCount: null, warnings: [] };
      } catch (error) {
        if (isStyleDnaError(error, 'CAPTIONS_NOT_FOUND')) return null;
        throw error;
      }
    },
    staleTime: FOREVER,
  });
}

/** Analysis of a video or of a part of it. Requested once, after `turn` has resolved, then polled until it is complete. */
export function analysisData(
  videoId: string,
  part: Range | null = null,
  turn?: (signal: AbortSignal) => Promise<void>,
) {
  const partSeconds = part ?? undefined;
  return queryOptions({
    queryKey: ['analysis', videoId, part],
    queryFn: async ({ client, queryKey, signal }) => {
      const isRequested = client.getQueryData<Analysis>(queryKey) !== undefined;
      if (isRequested) return service.getAnalysis(videoId, { signal, partSeconds });
      await turn?.(signal);
      return service.createAnalysis(videoId, { signal, partSeconds });
    },
    staleTime: FOREVER,
    refetchInterval: ({ state: { data } }) => (isUnderWay(data?.status) ? POLL_MS : false),
  });
}

const USED_LOOKS = 6;
const LOOKED_AT_JOBS = 50;

/** The newest videos whose look was used, each once. */
export function usedLooksData() {
  return queryOptions({
    queryKey: ['jobs', 'used-looks'],
    queryFn: async ({ signal }) => {
      const { jobs } = await service.listJobs({ page_size: LOOKED_AT_JOBS }, { signal });
      const ids = jobs.map((job) => job.template_video_id).filter((id) => id !== null);
      return [...new Set(ids)].slice(0, USED_LOOKS);
    },
  });
}

/** Moments of the video before and after. The last picture is shown until the next arrives. */
export function previewData(video: UsedVideo, look: Look, settings: Settings) {
  const request: PreviewCreateRequest = requestOf(video, look, settings);
  return queryOptions({
    queryKey: ['preview', request],
    queryFn: ({ signal }) => service.waitForPreview(request, { signal }),
    staleTime: FOREVER,
    placeholderData: keepPreviousData,
  });
}

/** The video that is styled. */
export interface UsedVideo {
  readonly videoId: string;
  /** The part that counts; null: all of it. */
  readonly part: Range | null;
}

/** The fields that a job and its previews share. */
export function requestOf({ videoId, part }: UsedVideo, look: Look, settings: Settings) {
  const config = { ...configOf(settings), ...lookPart(look) };
  return {
    video_id: videoId,
    ...lookFields(look),
    config: part === null ? config : { ...config, source_range: pairOf(part) },
  };
}

/** Fields of a config. */
export function lookPart(look: Look): Pick<JobConfig, 'template_range'> {
  return look.kind === 'video' && look.range !== undefined ? { template_range: pairOf(look.range) } : {};
}

/** Pairs of requests can be changed, those of this page cannot. */
export function pairOf([from, to]: Range): [number, number] {
  return [from, to];
}

export function lookFields(
  look: Look,
): Pick<PreviewCreateRequest, 'template_video_id' | 'preset' | 'style_id' | 'style_json'> {
  switch (look.kind) {
    case 'video':
      return { template_video_id: look.videoId };
    case 'preset':
      return { preset: look.presetId };
    case 'saved':
      return { style_id: look.styleId };
    case 'style':
      return { style_json: look.style };
    case 'upload':
      return {};
  }
}

export function isUnderWay(status: string | undefined): boolean {
  return status === 'queued' || status === 'processing';
}
