/** Requests for an edit: measurements of its takes, and its plan. */
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type {
  Analysis,
  EditResult,
  JobCreateRequest,
  Preview,
  PreviewCreateRequest,
} from '../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../src/client/error.ts';
import { type ErrorText, errorTextOf, errorTextOfCode } from '../words/error-text.ts';
import { planErrorText } from '../words/plan-error-text.ts';
import { useDebounced } from './debounced.ts';
import { followedLook, isEdit, videoIdOf } from './edit-parts.ts';
import type { Make } from './make.ts';
import { withoutMissingSlots } from './missing-slots.ts';
import {
  analysisData,
  FOREVER,
  isUnderWay,
  lookFields,
  lookPart,
  POLL_MS,
  pairOf,
  videoData,
} from './server-data.ts';
import { queries, service } from './service.ts';
import { configOf } from './settings.ts';

/** Fields that a job and the preview of its plan share. */
export type EditJob = Pick<
  JobCreateRequest,
  'video_id' | 'template_video_id' | 'preset' | 'style_id' | 'style_json' | 'config'
> & { readonly edit: NonNullable<JobCreateRequest['edit']> };

/** Pause after the last change of a slider. */
const SETTLED_MS = 120;
/** Long, because most of fifty takes wait while a few are measured. */
const QUEUED_TAKE_POLL_MS = 4000;
/** The next of so few may begin within a second: a take is measured in 1 to 15 s. */
const FEW_UNDER_WAY = 5;

/** Null: no edit, or its takes, song or look are not all at the service. */
export function editJobOf(make: Make): EditJob | null {
  const { takes, song, settings, pins, lengths, bans, titles } = make;
  const look = followedLook(make);
  const ids = takes.map(({ source }) => videoIdOf(source));
  const songId = videoIdOf(song?.source);
  if (!isEdit(make) || look === null || look.kind === 'upload') return null;
  if (ids.length === 0 || ids.includes(null) || (song !== null && songId === null)) return null;
  return {
    video_id: ids[0]!,
    ...lookFields(look),
    config: { ...configOf(settings), ...lookPart(look), ...(make.seed === 0 ? {} : { seed: make.seed }) },
    edit: {
      takes: takes.map(({ exclude, mustUse }, at) => ({
        video_id: ids[at]!,
        exclude: exclude.map(pairOf),
        must_use: mustUse,
      })),
      music: songId === null ? null : { video_id: songId, start_seconds: song!.startSeconds },
      sound: make.sound,
      duration: make.duration === 'music' && song === null ? 'template' : make.duration,
      order: make.order,
      rhythm: make.rhythm,
      pins: pins.map(({ slot, videoId, startSeconds, focus }) => ({
        slot,
        video_id: videoId,
        start_seconds: startSeconds,
        ...(focus === undefined ? {} : { focus: { ...focus } }),
      })),
      ...(lengths.length === 0 ? {} : { lengths: lengths.map((length) => ({ ...length })) }),
      bans: bans.map(({ videoId, range }) => ({ video_id: videoId, range: pairOf(range) })),
      titles: titles.filter(({ text }) => text.trim() !== '').map((title) => ({ ...title })),
    },
  };
}

export interface TakeState {
  readonly analysis: Analysis | undefined;
  readonly errorText: ErrorText | null;
}

export interface EditPlanState {
  readonly job: EditJob | null;
  readonly plan: EditResult | null;
  readonly preview: Preview | null;
  /** The plan's request as the service followed it; null: no plan. */
  readonly followed: EditJob | null;
  /** Numbers of slots that this plan does not have, but wishes name. */
  readonly setAside: readonly number[];
  /** Whether `plan` is of an earlier request, and the next is pending. */
  readonly isStale: boolean;
  readonly errorText: ErrorText | null;
  /** Number of measured takes among those that have arrived. */
  readonly measured: number;
  /** 0..1, of all takes. */
  readonly measuredShare: number;
}

/** Analysis of a take, or of the song. */
export function takeAnalysisData(videoId: string) {
  return analysisData(videoId, null, () =>
    analysesUnderWay() > FEW_UNDER_WAY ? QUEUED_TAKE_POLL_MS : POLL_MS,
  );
}

function analysesUnderWay(): number {
  const known = queries.getQueriesData<Analysis>({ queryKey: ['analysis'] });
  return known.filter(([, analysis]) => isUnderWay(analysis?.status)).length;
}

export function takeStateOf({
  data: analysis,
  error,
}: {
  readonly data: Analysis | undefined;
  readonly error: unknown;
}): TakeState {
  const failure = analysis?.error ?? null;
  const errorText =
    error != null
      ? errorTextOf(error)
      : failure === null
        ? null
        : errorTextOfCode(failure.code, failure.detail);
  return { analysis, errorText };
}

/** The plan of the edit, requested again with every change. All callers share the answer. */
export function useEditPlan(make: Make): EditPlanState {
  const ids = make.takes.map(({ source }) => videoIdOf(source)).filter((id) => id !== null);
  const analyses = useQueries({ queries: [...new Set(ids)].map(takeAnalysisData) });
  const done = analyses.filter(
    ({ data }) => data !== undefined && !isUnderWay(data.status) && data.error === null,
  );
  const shares = analyses.map(({ data }) => (data?.progress_percent ?? 0) / 100);
  const job = editJobOf(make);
  const settled = useDebounced(JSON.stringify(job), SETTLED_MS);
  const isSongPending = useSongAnalysis(videoIdOf(make.song?.source));
  const isReady =
    settled !== 'null' && done.length === analyses.length && analyses.length > 0 && !isSongPending;
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    ...planData(settled),
    enabled: isReady,
  });
  const preview = data?.preview ?? null;
  const failure = preview?.error ?? null;
  const plan = preview?.edit ?? null;
  return {
    job,
    plan,
    preview,
    followed: plan === null ? null : (data?.job ?? null),
    setAside: data?.setAside ?? [],
    isStale: isPlaceholderData || isFetching || settled !== JSON.stringify(job),
    errorText:
      error !== null
        ? isStyleDnaError(error, 'VALIDATION_ERROR', 'INVALID_VIDEO')
          ? planErrorText(error.code, error.detail)
          : errorTextOf(error)
        : failure === null
          ? null
          : planErrorText(failure.code, failure.detail),
    measured: done.length,
    measuredShare: shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length,
  };
}

/** Lets the song be measured as soon as it has arrived; returns whether that is pending. The plan reports failures. */
function useSongAnalysis(songId: string | null): boolean {
  const { data: song, isLoading } = useQuery({ ...videoData(songId ?? ''), enabled: songId !== null });
  // Of a video only the sound is needed: its pictures take longer than the plan, which measures the sound.
  const isMeasured = song?.kind === 'audio';
  const { data, error } = useQuery({ ...takeAnalysisData(songId ?? ''), enabled: isMeasured });
  return isLoading || (isMeasured && error === null && (data === undefined || isUnderWay(data.status)));
}

/**
 * The request of a job as its plan follows it: wishes about slots that the plan does not have would fail the job. Waits for the plan, if there
 * are such wishes. Throws the plan's refusal.
 */
export async function followedJob(job: EditJob): Promise<EditJob> {
  const { pins = [], lengths = [] } = job.edit;
  if (pins.length + lengths.length === 0) return job;
  return (await queries.fetchQuery(planData(JSON.stringify(job)))).job;
}

function planData(job: string) {
  return queryOptions({
    queryKey: ['edit-plan', job],
    queryFn: ({ signal }) => planned(JSON.parse(job) as EditJob, signal),
    staleTime: FOREVER,
    placeholderData: keepPreviousData,
  });
}

/** Wishes about slots that the plan does not have are set aside: a longer edit follows them again. */
async function planned(wanted: EditJob, signal: AbortSignal) {
  let job = wanted;
  const setAside: number[] = [];
  for (;;) {
    const request = { ...job, kind: 'plan' } as PreviewCreateRequest;
    const preview = await service.waitForPreview(request, { signal }).catch((error: unknown) => {
      if (isStyleDnaError(error, 'VALIDATION_ERROR')) return error;
      throw error;
    });
    const detail = preview instanceof Error ? preview.detail : (preview.error?.detail ?? '');
    const { job: fewer, missing } = withoutMissingSlots(job, detail);
    if (missing.length === 0) {
      if (preview instanceof Error) throw preview;
      return { job, setAside, preview };
    }
    setAside.push(...missing);
    job = fewer;
  }
}
