/** When an edit cuts: the template's rhythm on another song, its own song, or without music. */
import type { Span } from '../../analysis/facts.ts';
import type { Song } from '../../analysis/music/song.ts';
import { MIN_EDIT_SECONDS } from '../../domain/edit-options.ts';
import { median, quantile, standardDeviation } from '../../signal/statistics.ts';
import { beatPath, type GridPoint, type PathOptions, type PathSlot, type PathStep } from './beat-path.ts';
import type { EditMusic, TemplateEdit, TemplateSlot } from './edit-plan.ts';
import {
  beatPositionAt,
  beatSeconds,
  beatTimeAt,
  chooseWindow,
  type MusicWindow,
  meanEnergy,
  withoutGaps,
} from './music-window.ts';
import { TOLERATED_FRAMES } from './slot-candidates.ts';
import { materialCaps, type SequenceSlot, slotSequence } from './slot-sequence.ts';

/** A place in the output, in frames. */
export interface CutSlot {
  readonly templateSlot: number;
  readonly startFrame: number;
  readonly endFrame: number;
  /** The later part of a slot that no take can fill as a whole: a cut leads into it. */
  readonly isContinuation: boolean;
}

export interface CutPlan {
  readonly slots: readonly CutSlot[];
  readonly musicStartSeconds: number | null;
}

export interface CutRequest {
  readonly template: TemplateEdit;
  readonly music: EditMusic | null;
  /** Requested. */
  readonly seconds: number;
  readonly frameRate: number;
  /** The material of the takes. */
  readonly runs: readonly Span[];
  /** Longest run near a place of the edit (0..1 of its length), where takes are in order; left out: anywhere. */
  readonly longestAt?: (place: number) => number;
}

/** No shorter slot, unless the template has one. */
const MIN_SLOT_SECONDS = 0.3;
/** Cuts of a template this near to a beat are meant to be on it. */
const ON_BEAT_SECONDS = 0.06;
/** Starts in a song that differ less are one. */
const SAME_START_SECONDS = 0.05;
/** Times of a beat in which the template's lengths may be read in another song, the plain one first. */
const TEMPO_FACTORS = [1, 0.5, 2];
/** Parts of a slot are no shorter. */
const MIN_PART_SECONDS = 0.4;
/** Nor shorter than this share of the template's shortest slot: parts of .44 s looked like mistakes where that has .92 s. */
const MIN_PART_SHARE = 2 / 3;
/** Of a cut off its phase; with less, lengths follow the template more. */
const PHASE_COSTS = [2, 1.8, 1.6, 1.4, 1.2, 1, 0.6];
/** Of the template's spread of the logarithms of lengths; at least .7 is required. */
const MIN_SPREAD_SHARE = 0.72;
const SAME_PACE = Math.log(1.25);
const OWN_SONG_TOLERANCE = 0.05;

export function planCuts(request: CutRequest): CutPlan {
  const plan = cutsOf(request);
  const least = Math.floor(minSlotSeconds(request.template) * request.frameRate + 1e-6);
  return { ...plan, slots: withoutSlivers(plan.slots, least) };
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

function cutsOf(request: CutRequest): CutPlan {
  const { music } = request;
  if (music === null) return timedCuts(request, null);
  const { startSeconds, templateStartSeconds: own } = music;
  const song = withoutGaps(music.song);
  const isInSong = own !== null && song.soundEndSeconds - own >= MIN_EDIT_SECONDS;
  if (isInSong && (startSeconds === null || Math.abs(startSeconds - own) <= SAME_START_SECONDS))
    return ownSongCuts(request, song, own);
  const period = beatSeconds(song);
  const window = chooseWindow(song, request.seconds, startSeconds);
  const cuts = period === null ? null : songCuts(request, song, period, window);
  return (
    cuts ?? timedCuts({ ...request, seconds: window.endSeconds - window.startSeconds }, window.startSeconds)
  );
}

/** Lengths of the template in seconds. */
function timedCuts(request: CutRequest, musicStartSeconds: number | null): CutPlan {
  const sequence = slotSequence(
    request.template.slots.map(({ durationSeconds }) => durationSeconds),
    request.seconds,
  );
  return { slots: framed(withinMaterial(sequence, request), request), musicStartSeconds };
}

/** The template's cut times, to the frame; beyond its end its rhythm continues on the song's beats. */
function ownSongCuts(request: CutRequest, song: Song, start: number): CutPlan {
  const lengths = request.template.slots.map(({ durationSeconds }) => durationSeconds);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const seconds = Math.min(request.seconds, song.soundEndSeconds - start);
  if (Math.abs(seconds / total - 1) <= OWN_SONG_TOLERANCE)
    return {
      slots: framed(withinMaterial(copied(lengths, total), request), request),
      musicStartSeconds: start,
    };
  if (seconds < total)
    return {
      slots: framed(withinMaterial(copied(lengths, seconds), request), request),
      musicStartSeconds: start,
    };
  const first = framed(withinMaterial(copied(lengths, total), request), request);
  const period = beatSeconds(song);
  const rest = { ...request, seconds: seconds - total };
  const window = { startSeconds: start + total, endSeconds: start + seconds };
  const more = (period === null ? null : songCuts(rest, song, period, window)) ?? timedCuts(rest, null);
  const offset = first.at(-1)!.endFrame;
  const shifted = more.slots.map((slot) => ({
    ...slot,
    startFrame: slot.startFrame + offset,
    endFrame: slot.endFrame + offset,
  }));
  return { slots: [...first, ...shifted], musicStartSeconds: start };
}

function copied(lengths: readonly number[], seconds: number): SequenceSlot[] {
  const result: SequenceSlot[] = [];
  let left = seconds;
  for (let slot = 0; slot < lengths.length && left > MIN_SLOT_SECONDS / 2; slot++) {
    const isLast = slot === lengths.length - 1 || left - lengths[slot] < MIN_SLOT_SECONDS;
    result.push({ slot, seconds: isLast ? Math.min(left, lengths[slot] + MIN_SLOT_SECONDS) : lengths[slot] });
    left -= lengths[slot];
    if (isLast) break;
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

export function minSlotSeconds({ slots }: TemplateEdit): number {
  return Math.min(MIN_SLOT_SECONDS, ...slots.map(({ durationSeconds }) => durationSeconds));
}

/** The template's lengths in beats on the song's grid; null where no path fits. */
function songCuts(request: CutRequest, song: Song, period: number, window: MusicWindow): CutPlan | null {
  const { template, frameRate, runs } = request;
  const factor = tempoFactor(template, period);
  const beats = template.slots.map((slot) => beatsOf(slot, period) * factor);
  const perBeat = quantile(beats, 0.1) < 0.4 ? 4 : quantile(beats, 0.1) < 0.8 ? 2 : 1;
  const points = gridOf(song, period, window, perBeat, request.longestAt);
  const usable = runsForWindow(runs, beats, period, window);
  const caps = materialCaps(tiledLengths(beats, period, window), usable).slice(0, beats.length);
  const templatePeriod = template.tempoBpm === null ? period : 60 / template.tempoBpm;
  const phases = template.slots.map((slot) => phaseOf(slot, templatePeriod, perBeat));
  const slots: PathSlot[] = beats.map((wanted, at) => ({
    beats: wanted,
    maxBeats: Math.max((caps[at] ?? wanted) / period, 1 / perBeat),
    startsOnBeat: phases[at].isOnBeat,
  }));
  const minSeconds = Math.min(minSlotSeconds(template), MIN_SLOT_SECONDS);
  const steps = spreadPath(points, slots, { minSeconds, energyShifts: energyShifts(template) });
  if (steps === null) return null;
  const frameOf = (seconds: number) => Math.round((seconds - window.startSeconds) * frameRate);
  const starts = steps.map(({ slot, point }, at) =>
    at === 0 ? 0 : frameOf(points[point].seconds + phases[slot].aside * period),
  );
  const last = frameOf(window.endSeconds);
  return {
    slots: steps.map(({ slot }, at) => ({
      templateSlot: slot,
      startFrame: starts[at],
      endFrame: starts[at + 1] ?? last,
      isContinuation: false,
    })),
    musicStartSeconds: window.startSeconds,
  };
}

/** The path most on the beat whose lengths are about as spread as the template's: a metronome would be on the beat always. */
function spreadPath(
  points: readonly GridPoint[],
  slots: readonly PathSlot[],
  options: Omit<PathOptions, 'phaseCost'>,
): PathStep[] | null {
  const wanted = MIN_SPREAD_SHARE * logSpread(slots.map(({ beats }) => beats));
  let steps: PathStep[] | null = null;
  for (const phaseCost of PHASE_COSTS) {
    steps = beatPath(points, slots, { ...options, phaseCost });
    if (steps === null) return null;
    const ends = [...steps.slice(1).map(({ point }) => point), points.length - 1];
    const lengths = steps.map(({ point }, at) => points[ends[at]].position - points[point].position);
    if (logSpread(lengths) >= wanted) break;
  }
  return steps;
}

function logSpread(lengths: readonly number[]): number {
  return standardDeviation(lengths.map((length) => Math.log(length)));
}

function beatsOf({ beats, durationSeconds }: TemplateSlot, period: number): number {
  return beats ?? durationSeconds / period;
}

/** Keeps the median length in seconds within a quarter where it can. */
function tempoFactor(template: TemplateEdit, period: number): number {
  const inBeats = template.slots.flatMap(({ beats }) => (beats === null ? [] : [beats]));
  if (inBeats.length < template.slots.length) return 1;
  const seconds = median(template.slots.map(({ durationSeconds }) => durationSeconds));
  const off = (factor: number) => Math.abs(Math.log((median(inBeats) * factor * period) / seconds));
  if (off(1) <= SAME_PACE) return 1;
  return TEMPO_FACTORS.reduce((best, factor) => (off(factor) < off(best) ? factor : best));
}

/** An edit that uses some of the slots needs a run for these alone: each run counts as often as all slots are longer than the window. */
function runsForWindow(
  runs: readonly Span[],
  beats: readonly number[],
  period: number,
  { startSeconds, endSeconds }: MusicWindow,
): Span[] {
  const total = beats.reduce((sum, count) => sum + count * period, 0);
  const times = Math.max(1, Math.round(total / (endSeconds - startSeconds)));
  return runs.flatMap((run) => Array.from({ length: times }, () => run));
}

/** Lengths in seconds as often as they fill the window: the need of material. */
function tiledLengths(beats: readonly number[], period: number, window: MusicWindow): number[] {
  const lengths = beats.map((count) => count * period);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const rest = window.endSeconds - window.startSeconds - total;
  if (rest <= 0) return lengths;
  const result = [...lengths];
  for (let [at, left] = [0, rest]; left > 0; at++) {
    result.push(lengths[at % lengths.length]);
    left -= lengths[at % lengths.length];
  }
  return result;
}

/** Beats and, where the template is that fast, their halves or quarters; the window's ends are points as well. */
function gridOf(
  song: Song,
  period: number,
  window: MusicWindow,
  perBeat: number,
  longestAt: CutRequest['longestAt'],
): GridPoint[] {
  const windowSeconds = window.endSeconds - window.startSeconds;
  const first = beatPositionAt(song, period, window.startSeconds);
  const last = beatPositionAt(song, period, window.endSeconds);
  const positions = [first];
  // Nearer to an end than a third of a step there is no point: it would be a sliver.
  const margin = 1 / 3 / perBeat;
  for (let step = Math.ceil((first + margin) * perBeat); step / perBeat < last - margin; step++)
    positions.push(step / perBeat);
  positions.push(last);
  const times = positions.map((position) => beatTimeAt(song, period, position));
  const energies = times.map((time, at) => meanEnergy(song, time, times[at + 1] ?? time + period));
  const thirds = [quantile(energies, 1 / 3), quantile(energies, 2 / 3)];
  return positions.map((position, at) => ({
    seconds: times[at],
    position,
    isBeat: Math.abs(position - Math.round(position)) < 1e-6,
    maxBeats:
      longestAt === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(1 / perBeat, longestAt((times[at] - window.startSeconds) / windowSeconds) / period),
    third: thirds[0] === thirds[1] ? 1 : energies[at] <= thirds[0] ? 0 : energies[at] >= thirds[1] ? 2 : 1,
  }));
}

/** Whether a slot's cut lies on a beat, and else its distance from a point of the grid, in beats. */
function phaseOf(
  { phase }: TemplateSlot,
  templatePeriod: number,
  perBeat: number,
): { readonly isOnBeat: boolean; readonly aside: number } {
  if (phase === null) return { isOnBeat: true, aside: 0 };
  const nearest = Math.round(phase * perBeat) / perBeat;
  const aside = phase - nearest;
  return {
    isOnBeat: nearest % 1 === 0,
    aside: Math.abs(aside) * templatePeriod <= ON_BEAT_SECONDS ? 0 : aside,
  };
}

/** Where the template cuts more often in loud music, its shots are shorter there. */
function energyShifts({ cutsPerBarByEnergy: cuts }: TemplateEdit): number[] | null {
  if (cuts === null) return null;
  // A third without cuts still has the rate of a long shot.
  const logs = cuts.map((count) => -Math.log(Math.max(count, 0.1)));
  const centre = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  return logs.map((value) => value - centre);
}

/** Parts slots that no take can fill, at the beat nearest to their middle or there; null if they are too short for that. */
export function partedCuts(
  { slots, musicStartSeconds }: CutPlan,
  unfilled: ReadonlySet<number>,
  { template, frameRate, music }: CutRequest,
): CutPlan | null {
  const shortest = Math.min(...template.slots.map(({ durationSeconds }) => durationSeconds));
  const least = Math.ceil(Math.max(MIN_PART_SECONDS, MIN_PART_SHARE * shortest) * frameRate);
  const beats =
    music === null || musicStartSeconds === null
      ? []
      : music.song.beats.map(({ timeSeconds }) => Math.round((timeSeconds - musicStartSeconds) * frameRate));
  let isParted = false;
  const parted = slots.flatMap((slot, at) => {
    const middle = Math.round((slot.startFrame + slot.endFrame) / 2);
    if (!unfilled.has(at) || slot.endFrame - slot.startFrame < 2 * least) return [slot];
    isParted = true;
    const cut = [middle, ...beats]
      .filter((frame) => frame >= slot.startFrame + least && frame <= slot.endFrame - least)
      .sort((one, other) => cutCost(one, middle) - cutCost(other, middle))[0];
    return [
      { ...slot, endFrame: cut },
      { ...slot, startFrame: cut, isContinuation: true },
    ];
  });
  return isParted ? { slots: parted, musicStartSeconds } : null;

  /** A beat within a quarter of a second replaces the middle. */
  function cutCost(frame: number, middle: number): number {
    return frame === middle ? frameRate / 4 : Math.abs(frame - middle);
  }
}
