/** Requests for an edit: measurements of its takes, and its plan. */

import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type {
  Analysis,
  EditResult,
  JobCreateRequest,
  Preview,
  PreviewCreateRequest,
} from '../../../src/client/api-types.ts';
import { isStyleDnaError } from '../../../src/client/error.ts';
import { sleep } from '../../../src/client/sleep.ts';
import { isTalkEdit } from '../../../src/domain/talk-takes.ts';
import { type ErrorText, errorTextOf, errorTextOfJob } from '../words/error-text.ts';
import {
  earlyTakes,
  followedLook,
  isEdit,
  type Look,
  type Take,
  videoIdOf,
  withoutRefused,
} from './edit-parts.ts';
import type { Make } from './make.ts';
import { withoutMissingSlots } from './missing-slots.ts';
import { usePaced } from './paced.ts';
import { analysisData, FOREVER, isUnderWay, lookFields, lookPart, pairOf, videoData } from './server-data.ts';
import { queries, service } from './service.ts';
import { configOf } from './settings.ts';
import { useRefusedUploads } from './uploads.ts';

/** Fields that a job and the preview of its plan share. */
export type EditJob = Pick<
  JobCreateRequest,
  'video_id' | 'template_video_id' | 'preset' | 'style_id' | 'style_json' | 'config'
> & { readonly edit: NonNullable<JobCreateRequest['edit']> };

/** More would delay a look or a song that arrives later: the service measures in the order of requests, copies for the player too. Three keep one or two workers busy. */
const MEASURED_AT_ONCE = 3;
const TURN_MS = 200;

/** Null: no edit, or its takes, song or look are not all at the service. */
export function editJobOf(make: Make): EditJob | null {
  const { takes, song, settings, lengths, titles } = make;
  const look = followedLook(make);
  const ids = takes.map(({ source }) => videoIdOf(source));
  const songId = videoIdOf(song?.source);
  if (!isEdit(make) || look === null || look.kind === 'upload') return null;
  if (ids.length === 0 || ids.includes(null) || (song !== null && songId === null)) return null;
  const isUsed = ({ videoId }: { readonly videoId: string }) => ids.includes(videoId);
  const [pins, bans] = [make.pins.filter(isUsed), make.bans.filter(isUsed)];
  // A talk refuses what is for other edits, and they refuse roles.
  const isTalk = isTalkEdit({ mode: settings.talk }, takes);
  return {
    video_id: ids[0]!,
    ...lookFields(look),
    config: { ...configOf(settings), ...lookPart(look), ...(make.seed === 0 ? {} : { seed: make.seed }) },
    edit: {
      takes: takes.map(({ exclude, mustUse, role }, at) => ({
        video_id: ids[at]!,
        exclude: exclude.map(pairOf),
        must_use: mustUse,
        ...(role === undefined || !isTalk ? {} : { role }),
      })),
      music: songId === null ? null : { video_id: songId, start_seconds: song!.startSeconds },
      sound: make.sound,
      duration: isTalk || (make.duration === 'music' && song === null) ? 'template' : make.duration,
      order: make.order,
      rhythm: isTalk ? 'on_beat' : make.rhythm,
      pins: pins.map(({ slot, videoId, startSeconds, focus }) => ({
        slot,
        video_id: videoId,
        start_seconds: startSeconds,
        ...(focus === undefined ? {} : { focus: { ...focus } }),
      })),
      ...(isTalk || lengths.length === 0 ? {} : { lengths: lengths.map((length) => ({ ...length })) }),
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
  /** Number of takes that were planned while others are measured; null: all. */
  readonly early: number | null;
  readonly errorText: ErrorText | null;
  /** Whether the service refuses the plan, so that undoing the last change helps. */
  readonly isRefused: boolean;
  /** Number of measured takes among those that have arrived. */
  readonly measured: number;
  /** 0..1, of all takes. */
  readonly measuredShare: number;
}

/** Analysis of a take, requested in its turn. */
export function takeAnalysisData(videoId: string) {
  return analysisData(videoId, null, turn);
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Resolves when fewer than `MEASURED_AT_ONCE` analyses are under way; the next one when the answer to this one has had time to arrive. */
function turn(signal: AbortSignal): Promise<void> {
  const mine = lastTurn.then(async () => {
    while (analysesUnderWay() >= MEASURED_AT_ONCE) await sleep(TURN_MS, signal);
  });
  lastTurn = mine.then(() => sleep(TURN_MS)).catch(() => {});
  return mine;
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
  const errorText = error != null ? errorTextOf(error) : failure === null ? null : errorTextOfJob(failure);
  return { analysis, errorText };
}

/** Without refused files, which stay in the list with their reasons. */
export function useUsableMake(make: Make): Make {
  const refused = useRefusedUploads();
  return withoutRefused(make, (uploadId) => refused.has(uploadId));
}

/** The plan of the edit, requested again with every change. All callers share the answer. */
export function useEditPlan(whole: Make): EditPlanState {
  const make = useUsableMake(whole);
  const ids = [...new Set(make.takes.map(({ source }) => videoIdOf(source)).filter((id) => id !== null))];
  const analyses = useQueries({ queries: ids.map(takeAnalysisData) });
  const ended = ids.filter((_, at) => hasEnded(analyses[at]!.data));
  const isSongPending = useSongAnalysis(videoIdOf(make.song?.source));
  const isLookPending = useLookAnalysis(followedLook(make));
  const isReady = ended.length === ids.length && ids.length > 0 && !isSongPending;
  const job = editJobOf(make);
  const early = useEarlyTakes(make, ended);
  const isEarly = !(isReady && job !== null) && !isSongPending && !isLookPending && early.length > 0;
  const planned = isEarly ? editJobOf({ ...make, takes: early }) : isReady ? job : null;
  const wanted = JSON.stringify(planned);
  const [sent, send] = useState(wanted);
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    ...planData(sent),
    enabled: sent !== 'null' && planned !== null,
  });
  usePaced({ value: wanted, sent, send, isBusy: isFetching });
  const preview = data?.preview ?? null;
  const failure = preview?.error ?? null;
  const plan = preview?.edit ?? null;
  const shares = analyses.map(({ data: analysis }) => (analysis?.progress_percent ?? 0) / 100);
  return {
    job,
    plan,
    preview,
    followed: plan === null ? null : (data?.job ?? null),
    setAside: isEarly ? [] : (data?.setAside ?? []),
    isStale: isPlaceholderData || isFetching || sent !== wanted,
    early: isEarly ? early.length : null,
    errorText: error !== null ? errorTextOf(error) : failure === null ? null : errorTextOfJob(failure),
    isRefused: failure !== null || (isStyleDnaError(error) && !error.retryable),
    measured: ended.length,
    measuredShare: shares.reduce((sum, share) => sum + share, 0) / Math.max(1, make.takes.length),
  };
}

/** A take whose measurement failed is left out by the service. */
function hasEnded(analysis: Analysis | undefined): boolean {
  return analysis !== undefined && !isUnderWay(analysis.status);
}

/** `ended`: ids of the takes that are measured. */
function useEarlyTakes(make: Make, ended: readonly string[]): readonly Take[] {
  const inOrder = useRef<readonly string[]>([]);
  const known = inOrder.current.filter((id) => ended.includes(id));
  inOrder.current = [...known, ...ended.filter((id) => !known.includes(id))];
  return earlyTakes(make.takes, inOrder.current);
}

/** Whether the look is still to be measured; its card requests that. */
function useLookAnalysis(look: Look | null): boolean {
  const video = look?.kind === 'video' ? look : null;
  const { data } = useQuery({
    ...analysisData(video?.videoId ?? '', video?.range ?? null),
    enabled: false,
  });
  return look?.kind === 'upload' || (video !== null && !hasEnded(data));
}

/** The plan of other parts of the same edit, before they are chosen; null: not known yet. */
export function useOtherPlan(make: Make, parts: Partial<Make> | null): EditResult | null {
  const usable = useUsableMake(make);
  const job = parts === null ? null : editJobOf({ ...usable, ...parts });
  const { data, isPlaceholderData } = useQuery({ ...planData(JSON.stringify(job)), enabled: job !== null });
  return isPlaceholderData ? null : (data?.preview.edit ?? null);
}

/** How many seeds are tried: each avoids half of the shots of the first version. */
const TRIED_SEEDS = 4;

/** The next seed whose plan differs from `plan`; null: none of the next ones does. */
export async function nextVersion(
  make: Make,
  plan: EditResult,
  isSame: (one: EditResult, other: EditResult) => boolean,
): Promise<number | null> {
  for (let seed = make.seed + 1; seed <= make.seed + TRIED_SEEDS; seed++) {
    const job = editJobOf({ ...make, seed });
    if (job === null) return null;
    const { preview } = await queries.fetchQuery(planData(JSON.stringify(job)));
    if (preview.edit != null && !isSame(plan, preview.edit)) return seed;
  }
  return null;
}

/** Lets the song be measured as soon as it has arrived; returns whether that is pending. The plan reports failures. */
function useSongAnalysis(songId: string | null): boolean {
  const { data: song, isLoading } = useQuery({ ...videoData(songId ?? ''), enabled: songId !== null });
  // Of a video only the sound is needed: its pictures take longer than the plan, which measures the sound.
  const isMeasured = song?.kind === 'audio';
  const { data, error } = useQuery({ ...analysisData(songId ?? ''), enabled: isMeasured });
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
    const fields = preview instanceof Error ? preview.fields : (preview.error?.fields ?? []);
    const { job: fewer, missing } = withoutMissingSlots(job, fields);
    if (missing.length === 0) {
      if (preview instanceof Error) throw preview;
      return { job, setAside, preview };
    }
    setAside.push(...missing);
    job = fewer;
  }
}
