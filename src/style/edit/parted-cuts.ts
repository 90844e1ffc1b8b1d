/** Cuts within slots: for slots that no take can fill, and for takes that have no slot. */
import {
  type CutPlan,
  type CutRequest,
  type CutSlot,
  MIN_END_SECONDS,
  MIN_START_SECONDS,
} from './cut-plan.ts';
import { isCopied } from './cut-times.ts';
import { withoutGaps } from './music-window.ts';

/** Parts of a slot are no shorter. */
const MIN_PART_SECONDS = 0.4;
/** Nor shorter than this share of the template's shortest slot: parts of .44 s looked like mistakes where that has .92 s. */
const MIN_PART_SHARE = 2 / 3;
/** It takes about as long to recognize a scene: parts of calm templates may be as short, and joined shots of fast ones as long. */
export const MIN_SHOWN_SECONDS = 1.2;
/** In a loose rhythm a beat this near to the middle replaces it. */
const NEAR_SECONDS = 0.25;

/** Null: all named slots are too short to be parted. */
export function partedCuts(cuts: CutPlan, named: ReadonlySet<number>, request: CutRequest): CutPlan | null {
  const { slots } = cuts;
  const beats = beatFrames(cuts, request);
  const parted = slots.flatMap((slot, at) => {
    const cut = named.has(at) ? cutWithin(slot, at === slots.length - 1, beats, request) : null;
    if (cut === null) return [slot];
    return [
      { ...slot, endFrame: cut },
      { ...slot, startFrame: cut, isContinuation: true },
    ];
  });
  return parted.length === slots.length ? null : { ...cuts, slots: parted };
}

/** Whether a slot is long enough to be parted. */
export function canPart(cuts: CutPlan, at: number, request: CutRequest): boolean {
  return partedCuts(cuts, new Set([at]), request) !== null;
}

/** The beat nearest to the middle; without beats, or in a loose rhythm without a near one, the middle. */
function cutWithin(
  { startFrame, endFrame }: CutSlot,
  isLast: boolean,
  beats: readonly number[],
  request: CutRequest,
): number | null {
  const { template, frameRate, rhythm } = request;
  const shortest = Math.min(...template.slots.map(({ durationSeconds }) => durationSeconds));
  const seconds = Math.max(MIN_PART_SECONDS, Math.min(MIN_PART_SHARE * shortest, MIN_SHOWN_SECONDS));
  const least = Math.ceil(seconds * frameRate);
  const first = startFrame + (startFrame === 0 ? Math.max(least, MIN_START_SECONDS * frameRate) : least);
  const last = endFrame - (isLast ? Math.max(least, MIN_END_SECONDS * frameRate) : least);
  if (first > last) return null;
  const middle = Math.min(last, Math.max(first, Math.round((startFrame + endFrame) / 2)));
  const nearest = beats
    .filter((frame) => frame >= first && frame <= last)
    .reduce((best, frame) => (Math.abs(frame - middle) < Math.abs(best - middle) ? frame : best), -Infinity);
  const isOnGrid = beats.length > 0 && rhythm !== 'loose' && !isCopied(request);
  if (isOnGrid) return nearest === -Infinity ? null : nearest;
  return Math.abs(nearest - middle) <= NEAR_SECONDS * frameRate ? nearest : Math.floor(middle);
}

function beatFrames({ musicStartSeconds }: CutPlan, { music, frameRate }: CutRequest): number[] {
  if (music === null || musicStartSeconds === null) return [];
  return withoutGaps(music.song).beats.map(({ timeSeconds }) =>
    Math.round((timeSeconds - musicStartSeconds) * frameRate),
  );
}
