/** The lists of jobs and videos, page after page. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Job } from '../../../src/client/api-types.ts';
import type { PresetId } from './make.ts';
import { isUnderWay } from './server-data.ts';
import { queries, service } from './service.ts';

const PAGE_SIZE = 48;
/** A job that waits moves no faster than those before it end. */
const POLL_MS = { processing: 3000, queued: 10_000 };

export const JOB_STATES = [
  { value: 'all', text: 'All' },
  { value: 'under way', text: 'Under way' },
  { value: 'completed', text: 'Done' },
  { value: 'failed', text: 'Failed' },
  { value: 'cancelled', text: 'Cancelled' },
] as const;
export type JobState = (typeof JOB_STATES)[number]['value'];
const UNDER_WAY: Job['status'][] = ['queued', 'processing'];

export const VIDEO_KINDS = [
  { value: 'all', text: 'All' },
  { value: 'video', text: 'Videos' },
  { value: 'image', text: 'Pictures' },
] as const;
export type VideoKind = (typeof VIDEO_KINDS)[number]['value'];

const VIDEO_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A look is named by its template's id, or by a preset's, which is a word. */
export function isVideoId(look: string): boolean {
  return VIDEO_ID.test(look);
}

/** Marks the id of a saved look: a template has an id of the same form. */
const SAVED = 'saved:';

export function savedLookKey(styleId: string): string {
  return SAVED + styleId;
}

/** Null: it is not a saved look. */
export function savedLookId(look: string): string | null {
  return look.startsWith(SAVED) ? look.slice(SAVED.length) : null;
}

/** `look`: only of this template, saved look or preset; null: of any. */
export function jobsData(state: JobState, name: string, look: string | null) {
  const ofLook = look === null ? {} : lookQuery(look);
  return infiniteQueryOptions({
    queryKey: ['jobs', state, name, look],
    queryFn: ({ pageParam, signal }) =>
      service.listJobs(
        {
          page_size: PAGE_SIZE,
          cursor: pageParam ?? undefined,
          status: state === 'all' ? undefined : state === 'under way' ? UNDER_WAY : state,
          q: name === '' ? undefined : name,
          ...ofLook,
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
  });
}

function lookQuery(look: string) {
  const styleId = savedLookId(look);
  if (styleId !== null) return { style_id: styleId };
  return isVideoId(look) ? { template_video_id: look } : { preset: look as PresetId };
}

export function videosData(kind: VideoKind, name: string) {
  return infiniteQueryOptions({
    queryKey: ['videos', kind, name],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        page_size: PAGE_SIZE,
        cursor: pageParam ?? undefined,
        kind: kind === 'all' ? undefined : kind,
        q: name === '' ? undefined : name,
      };
      const page = await service.listVideos(query, { signal });
      for (const video of page.videos) queries.setQueryData(['video', video.video_id], video);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
  });
}

export function savedLooksData(name: string) {
  return infiniteQueryOptions({
    queryKey: ['styles', name],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        page_size: PAGE_SIZE,
        cursor: pageParam ?? undefined,
        q: name === '' ? undefined : name,
      };
      const page = await service.listStyles(query, { signal });
      for (const style of page.styles) queries.setQueryData(['style', style.style_id], style);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
  });
}

/** The current state of a job of the list: a running one is polled while it is visible. */
export function listedJob(job: Job, isVisible: boolean) {
  return {
    queryKey: ['job', job.job_id],
    queryFn: ({ signal }: { signal: AbortSignal }) => service.getJob(job.job_id, { signal }),
    enabled: isVisible && isUnderWay(job.status),
    refetchInterval: ({ state: { data = job } }: { state: { data: Job | undefined } }) =>
      data.status === 'processing' || data.status === 'queued' ? POLL_MS[data.status] : (false as const),
  };
}
