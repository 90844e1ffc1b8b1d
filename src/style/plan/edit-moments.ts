import type { Beat, ClipFacts } from '../../analysis/facts.ts';
import { coveredSeconds, type Span, totalSeconds } from '../../domain/spans.ts';
import type { EditMoment } from '../model/edit-summary.ts';
import { REMOVAL_WORDS } from '../model/removal-words.ts';
import type { TalkRemoval } from '../model/talk.ts';
import type { Clip, Timeline, TimelineTransition } from '../model/timeline.ts';
import { transitionWord } from '../model/transition-words.ts';
import { leavesStart } from './framing-path.ts';
import { continuesShot } from './talk-pieces.ts';

/** Tolerance of `cuts_on_beat` (`docs/style-cuts.md`). */
const BEAT_TOLERANCE_SECONDS = 0.07;
/** Smaller differences in size are not visible; the second camera is at least a tenth closer. */
const SEEN_ZOOM = 1.01;

/** One clip, with the previous clip and the transition between them. */
interface Cut {
  readonly clip: Clip;
  /** Null: it is the first clip. */
  readonly before: Clip | null;
  readonly atSeconds: number;
  readonly transition: TimelineTransition | null;
}

/** The clips in order, with their times in the output. */
export function cutsOf({ clips, transitions }: Pick<Timeline, 'clips' | 'transitions'>): readonly Cut[] {
  let atSeconds = 0;
  return clips.map((clip, index) => {
    const transition = transitions.find(({ clipIndex }) => clipIndex === index) ?? null;
    const cut = { clip, before: clips[index - 1] ?? null, atSeconds, transition };
    atSeconds += clip.sourceEndSeconds - clip.sourceStartSeconds;
    return cut;
  });
}

/** All moments to which a player can jump, in the output's order; at equal times the cut is first. */
export function editMoments(timeline: Timeline, source: ClipFacts): EditMoment[] {
  const beats = source.audio?.beats ?? [];
  const removals = timeline.talk?.removals ?? [];
  const ofClips = cutsOf(timeline).flatMap((cut) => [
    ...cutMoments(cut, beats, removals),
    ...movementMoments(cut, followedKind(timeline, source)),
  ]);
  return [...ofClips, ...captionMoments(timeline)].sort((one, other) => one.at_seconds - other.at_seconds);
}

function cutMoments(
  { clip, before, atSeconds, transition }: Cut,
  beats: readonly Beat[],
  removals: readonly TalkRemoval[],
): EditMoment[] {
  const moments: EditMoment[] = [];
  const add = (kind: EditMoment['kind'], text: string, lead = 0) =>
    moments.push({
      at_seconds: rounded(atSeconds - lead),
      kind,
      text,
      source_seconds: rounded(
        (lead > 0 && before !== null ? before.sourceEndSeconds : clip.sourceStartSeconds) - lead,
      ),
    });
  if (transition !== null) {
    const { type, durationSeconds } = transition;
    add('transition', `${transitionWord(type, 1)} ${durationSeconds.toFixed(1)} s`, durationSeconds / 2);
  }
  const gap = clip.sourceStartSeconds - (before?.sourceEndSeconds ?? 0);
  const why = removals.find(
    ({ endSeconds }) => Math.abs(endSeconds - clip.sourceStartSeconds) < 1e-3,
  )?.reason;
  if (gap > 1e-3)
    add('left_out', `${gap.toFixed(1)} s left out${why === undefined ? '' : `: ${REMOVAL_WORDS[why]}`}`);
  if (!continuesShot(clip) || before === null) return moments;
  const beat = isOnBeat(clip.sourceStartSeconds, beats) ? ' on the beat' : '';
  if (isPunchIn(clip, before)) add('punch_in', `punch-in ${zoomBetween(before, clip).toFixed(2)}×${beat}`);
  else if (clip.reason === 'punch_in' || zoomBetween(clip, before) >= SEEN_ZOOM)
    add('punch_out', `back to the wider framing${beat}`);
  return moments;
}

function movementMoments({ clip, before, atSeconds }: Cut, follows: string): EditMoment[] {
  const at = { at_seconds: rounded(atSeconds), source_seconds: rounded(clip.sourceStartSeconds) };
  const growth = clip.from.width / clip.to.width;
  return [
    ...(growth >= SEEN_ZOOM
      ? [{ ...at, kind: 'push_in', text: `slow push-in to ${growth.toFixed(2)}×` } as const]
      : []),
    ...(isFollowing(clip) && !(before !== null && isFollowing(before))
      ? [{ ...at, kind: 'follow', text: `follows the ${follows}` } as const]
      : []),
    ...(isSteadied(clip) && !(before !== null && isSteadied(before))
      ? [{ ...at, kind: 'steady', text: 'steadied' } as const]
      : []),
  ];
}

/** Only the first of consecutive captions: a reader follows the rest. */
function captionMoments(timeline: Timeline): EditMoment[] {
  const [first] = timeline.captions;
  if (first === undefined) return [];
  const cut = cutsOf(timeline).findLast(({ atSeconds }) => atSeconds <= first.startSeconds)!;
  const sourceSeconds = cut.clip.sourceStartSeconds + first.startSeconds - cut.atSeconds;
  return [
    {
      at_seconds: rounded(first.startSeconds),
      kind: 'captions',
      text: 'captions begin',
      source_seconds: rounded(sourceSeconds),
    },
  ];
}

/** Magnification at the start of a clip relative to the end of the previous one; above 1 it is closer. */
export function zoomBetween(before: Clip, { from }: Clip): number {
  return Math.sqrt((before.to.width * before.to.height) / (from.width * from.height));
}

/** Whether a cut within a shot goes to a closer framing; otherwise it goes back. */
export function isPunchIn(clip: Clip, before: Clip): boolean {
  return continuesShot(clip) && zoomBetween(before, clip) >= SEEN_ZOOM;
}

export function isOnBeat(sourceSeconds: number, beats: readonly Beat[]): boolean {
  return beats.some(({ timeSeconds }) => Math.abs(timeSeconds - sourceSeconds) <= BEAT_TOLERANCE_SECONDS);
}

export function isFollowing({ track = [] }: Clip): boolean {
  return leavesStart(track);
}

export function isSteadied({ steady = [] }: Clip): boolean {
  return steady.length > 0;
}

/**
 * Kind of subject that moving framings follow: a speaker (a face that speaks for at least half of the time), a face, or
 * another subject.
 */
export function followedKind(
  { clips }: Pick<Timeline, 'clips'>,
  source: ClipFacts,
): 'speaker' | 'face' | 'subject' {
  const runs = clips.filter(isFollowing).map(({ sourceStartSeconds, sourceEndSeconds }) => ({
    startSeconds: sourceStartSeconds,
    endSeconds: sourceEndSeconds,
  }));
  const all = totalSeconds(runs);
  const half = all / 2;
  if (all === 0 || sharedSeconds(runs, source.video.faces) < half) return 'subject';
  return sharedSeconds(runs, source.audio?.speech.spans ?? []) < half ? 'face' : 'speaker';
}

/** Time in which a run and any of the spans coincide. */
function sharedSeconds(runs: readonly Span[], spans: readonly Span[]): number {
  return runs.reduce((sum, run) => sum + coveredSeconds(run, spans), 0);
}

/** Milliseconds are finer than any frame. */
export function rounded(value: number): number {
  return Math.max(0, Number(value.toFixed(3)));
}
