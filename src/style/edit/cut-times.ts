/** When an edit cuts: the template's rhythm on another song, its own song, or without music. */
import type { Song } from '../../analysis/music/song.ts';
import { MIN_EDIT_SECONDS } from '../../domain/edit-options.ts';
import { median } from '../../signal/statistics.ts';
import {
  type CutPlan,
  type CutRequest,
  type CutSlot,
  MIN_END_SECONDS,
  MIN_SLOT_SECONDS,
  minAtEnds,
  minRhythmSeconds,
  minSlotSeconds,
} from './cut-plan.ts';
import { beatSeconds, chooseWindow, withoutGaps } from './music-window.ts';
import { TOLERATED_FRAMES } from './slot-candidates.ts';
import { materialCaps, type SequenceSlot, slotSequence } from './slot-sequence.ts';
import { songCuts } from './song-cuts.ts';
import { followsBeat, longestLengths, paceFor, slowerLimits } from './template-rhythm.ts';

/** Starts in a song that differ less are one. */
const SAME_START_SECONDS = 0.05;
/** Relative difference of lengths up to which the template's is kept. */
const OWN_SONG_TOLERANCE = 0.05;
/** Of a template without a tempo. */
const DEFAULT_BAR_SECONDS = 2;
const BAR_BEATS = 4;
/** A slot of .5 s between slots of 1.8 and 3 s, and one of .6 s between slots of 1.9 s, were judged too short. */
const FLASH_SECONDS = 0.75;
/** Of both slots beside it: 3.1 and 3.6 were seen, 2 is usual rhythm. */
const FLASH_RATIO = 2.2;

export function planCuts(request: CutRequest): CutPlan {
  const plan = cutsOf(request);
  const framesOf = (seconds: number) => Math.floor(seconds * request.frameRate + 1e-6);
  // On its own song the template may cut as briefly as it does.
  if (ownStart(request) !== null)
    return { ...plan, slots: withoutSlivers(plan.slots, framesOf(minSlotSeconds(request.template))) };
  const slots = withoutSlivers(plan.slots, framesOf(minRhythmSeconds(request.template)));
  return { ...plan, slots: withoutFlashes(slots, framesOf(FLASH_SECONDS)) };
}

/** Shorter slots go to the one before them, the first to the next. */
function withoutSlivers(slots: readonly CutSlot[], least: number): CutSlot[] {
  const result: CutSlot[] = [];
  for (const slot of slots) {
    const before = result.at(-1);
    if (before !== undefined && slot.endFrame - slot.startFrame < least)
      result[result.length - 1] = { ...before, endFrame: slot.endFrame };
    else if (before !== undefined && before.endFrame - before.startFrame < least)
      result[result.length - 1] = { ...slot, startFrame: before.startFrame };
    else result.push(slot);
  }
  return result;
}

/** A brief slot between two far longer ones goes to the shorter of them; one of several brief ones is rhythm. */
function withoutFlashes(slots: readonly CutSlot[], most: number): CutSlot[] {
  const framesOf = ({ startFrame, endFrame }: CutSlot) => endFrame - startFrame;
  const at = slots.findIndex((slot, index) => {
    const beside = [slots[index - 1], slots[index + 1]].map((other) => (other ? framesOf(other) : 0));
    return framesOf(slot) < most && Math.min(...beside) >= FLASH_RATIO * framesOf(slot);
  });
  if (at < 0) return [...slots];
  const isLater = framesOf(slots[at + 1]) < framesOf(slots[at - 1]);
  const first = isLater ? at : at - 1;
  const [before, after] = slots.slice(first, first + 2);
  const main = isLater ? after : before;
  const joined = { ...main, startFrame: before.startFrame, endFrame: after.endFrame };
  return withoutFlashes([...slots.slice(0, first), joined, ...slots.slice(first + 2)], most);
}

function cutsOf(request: CutRequest): CutPlan {
  const { music, seconds } = request;
  if (music === null) return timedCuts(request, null);
  const song = withoutGaps(music.song);
  const period = beatSeconds(song);
  const own = ownStart(request);
  if (own !== null && (period === null || isCopied(request))) return ownSongCuts(request, song, own);
  const window = chooseWindow(music.song, seconds, own ?? music.startSeconds);
  const cuts = period === null ? null : songCuts(request, song, period, window);
  return (
    cuts ?? timedCuts({ ...request, seconds: window.endSeconds - window.startSeconds }, window.startSeconds)
  );
}

/** Where the template begins in its own song; null: another song, or another part of it. */
function ownStart({ music }: Pick<CutRequest, 'music'>): number | null {
  if (music === null || music.templateStartSeconds === null) return null;
  const { song, startSeconds, templateStartSeconds: own } = music;
  if (song.soundEndSeconds - own < MIN_EDIT_SECONDS) return null;
  return startSeconds === null || Math.abs(startSeconds - own) <= SAME_START_SECONDS ? own : null;
}

/** Whether the template's cut times are kept: on its own song, if they follow it or if any rhythm is wanted. */
export function isCopied(request: Pick<CutRequest, 'music' | 'rhythm' | 'template'>): boolean {
  const { rhythm, template } = request;
  return ownStart(request) !== null && (rhythm === 'loose' || followsBeat(template) !== false);
}

/** Lengths of the template in seconds. */
function timedCuts(request: CutRequest, musicStartSeconds: number | null): CutPlan {
  const { template, seconds, leastSlots = 1, slower = 1 } = request;
  const own = template.slots.map(({ durationSeconds }) => durationSeconds);
  const bar = template.tempoBpm === null ? DEFAULT_BAR_SECONDS : (BAR_BEATS * 60) / template.tempoBpm;
  const limits = slowerLimits(
    longestLengths(template.slots, own, { bar, second: 1, hasSpeech: request.playsTakes }),
    slower,
    1,
  );
  const limited = own.map((length, at) => Math.min(slower * length, limits[at]));
  const pace = paceFor(limited, seconds, leastSlots);
  const sequence = slotSequence(
    limited.map((length) => length * pace),
    seconds,
  );
  const slots = framed(withinMaterial(sequence, request), request);
  return { slots: withLongEnd(withLongStart(slots, request), request), musicStartSeconds };
}

/** The first cut is later, or left out where the slot after it would be too short. */
function withLongStart(slots: readonly CutSlot[], request: CutRequest): CutSlot[] {
  const { template, frameRate, longestAt } = request;
  const [first, next, ...rest] = slots;
  const least = Math.ceil(minAtEnds(usualSeconds(slots, frameRate), longestAt).startSeconds * frameRate);
  if (next === undefined || first.endFrame - first.startFrame >= least) return [...slots];
  const cut = first.startFrame + least;
  if (next.endFrame - cut < minSlotSeconds(template) * frameRate)
    return withLongStart([{ ...first, endFrame: next.endFrame }, ...rest], request);
  return [{ ...first, endFrame: cut }, { ...next, startFrame: cut }, ...rest];
}

/** The last cut is earlier, or left out where the slot before it would be too short. */
function withLongEnd(slots: readonly CutSlot[], request: CutRequest): CutSlot[] {
  const { template, frameRate, longestAt } = request;
  const [before, last] = [slots.at(-2), slots.at(-1)!];
  const least = Math.ceil(minAtEnds(usualSeconds(slots, frameRate), longestAt).endSeconds * frameRate);
  if (before === undefined || last.endFrame - last.startFrame >= least) return [...slots];
  const cut = last.endFrame - least;
  const rest = slots.slice(0, -2);
  if (cut - before.startFrame < minSlotSeconds(template) * frameRate)
    return withLongEnd([...rest, { ...before, endFrame: last.endFrame }], request);
  return [...rest, { ...before, endFrame: cut }, { ...last, startFrame: cut }];
}

function usualSeconds(slots: readonly CutSlot[], frameRate: number): number {
  return median(slots.map(({ startFrame, endFrame }) => endFrame - startFrame)) / frameRate;
}

/** The template's cut times, to the frame; beyond its end its rhythm continues on the song's beats, or its last slot is longer. */
function ownSongCuts(request: CutRequest, song: Song, start: number): CutPlan {
  const lengths = request.template.slots.map(({ durationSeconds }) => durationSeconds);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const seconds = Math.min(request.seconds, song.soundEndSeconds - start);
  const copy = (length: number, part: CutRequest) =>
    framed(withinMaterial(copied(lengths, length), part), part);
  if (seconds <= total * (1 + OWN_SONG_TOLERANCE))
    return { slots: copy(Math.min(seconds, total), request), musicStartSeconds: start };
  const first = copy(total, partOf(request, 0, total / seconds));
  const last = first.at(-1)!;
  const begun = last.endFrame / request.frameRate;
  if (seconds - begun < MIN_END_SECONDS) {
    const ended = { ...last, endFrame: Math.round(seconds * request.frameRate) };
    return { slots: [...first.slice(0, -1), ended], musicStartSeconds: start };
  }
  const period = beatSeconds(song);
  const rest = { ...partOf(request, total / seconds, 1), seconds: seconds - begun };
  const window = { startSeconds: start + begun, endSeconds: start + seconds };
  const more = (period === null ? null : songCuts(rest, song, period, window)) ?? timedCuts(rest, null);
  const shifted = more.slots.map((slot) => ({
    ...slot,
    startFrame: slot.startFrame + last.endFrame,
    endFrame: slot.endFrame + last.endFrame,
  }));
  return { slots: [...first, ...shifted], musicStartSeconds: start };
}

/** The request for a part of the edit, from and to shares of its length. */
function partOf(request: CutRequest, from: number, to: number): CutRequest {
  const { longestAt } = request;
  if (longestAt === undefined) return request;
  return { ...request, longestAt: (place) => longestAt(from + place * (to - from)) };
}

/** The first `seconds` of the lengths; a rest that is too short for a last slot belongs to the slot before it. */
function copied(lengths: readonly number[], seconds: number): SequenceSlot[] {
  const result: SequenceSlot[] = [];
  const final = lengths.length - 1;
  const total = lengths.reduce((sum, length) => sum + length, 0);
  // The template's own end may be as short as it is.
  const least = seconds >= total * (1 - OWN_SONG_TOLERANCE) ? MIN_SLOT_SECONDS : MIN_END_SECONDS;
  let left = seconds;
  for (const [slot, length] of lengths.entries()) {
    if (slot === final || left - length < least) return [...result, { slot, seconds: left }];
    result.push({ slot, seconds: length });
    left -= length;
  }
  return result;
}

interface PartSlot extends SequenceSlot {
  readonly isContinuation: boolean;
}

/** Slots longer than the run that is left for them are parted evenly. */
function withinMaterial(sequence: readonly SequenceSlot[], request: CutRequest): PartSlot[] {
  const { runs, template, longestAt } = request;
  const total = sequence.reduce((sum, { seconds }) => sum + seconds, 0);
  let before = 0;
  const caps = materialCaps(
    sequence.map(({ seconds }) => seconds),
    runs,
  );
  return sequence.flatMap(({ slot, seconds }, at) => {
    const place = (before + seconds / 2) / total;
    before += seconds;
    const most = Math.max(Math.min(caps[at], longestAt?.(place) ?? caps[at]), minSlotSeconds(template));
    const parts = Math.max(1, Math.ceil((seconds - TOLERATED_FRAMES / request.frameRate) / most - 1e-9));
    return Array.from({ length: parts }, (_, part) => ({
      slot,
      seconds: seconds / parts,
      isContinuation: part > 0,
    }));
  });
}

/** Ends are rounded, not lengths: errors do not add up. */
function framed(slots: readonly PartSlot[], { frameRate }: CutRequest): CutSlot[] {
  const result: CutSlot[] = [];
  let [end, startFrame] = [0, 0];
  for (const { slot, seconds, isContinuation } of slots) {
    end += seconds;
    const endFrame = Math.round(end * frameRate);
    if (endFrame <= startFrame) continue;
    result.push({ templateSlot: slot, startFrame, endFrame, isContinuation });
    startFrame = endFrame;
  }
  return result;
}
