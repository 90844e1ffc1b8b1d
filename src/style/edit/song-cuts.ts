/** The template's lengths in beats on the grid of another song. */
import type { Span } from '../../analysis/facts.ts';
import type { Song } from '../../analysis/music/song.ts';
import { mean, median, quantile, standardDeviation } from '../../signal/statistics.ts';
import { beatPath, type GridPoint, type PathOptions, type PathSlot, type PathStep } from './beat-path.ts';
import { type CutPlan, type CutRequest, minAtEnds, minRhythmSeconds } from './cut-plan.ts';
import type { TemplateEdit, TemplateSlot } from './edit-plan.ts';
import { beatPositionAt, beatTimeAt, type MusicWindow, meanEnergy } from './music-window.ts';
import { materialCaps } from './slot-sequence.ts';
import { longestLengths, paceFor, slowerLimits } from './template-rhythm.ts';

/** Cuts of a template this near to a beat are meant to be on it. */
const ON_BEAT_SECONDS = 0.06;
/** Times of a beat in which the template's lengths may be read in another song, the plain one first. */
const TEMPO_FACTORS = [1, 0.5, 2];
/** Of a cut on a half beat, where these are used. */
const HALF_BEAT_COST = 0.3;
/** Part of a step of the grid that a longest slot may have more. */
const ROUNDED_UP = 0.6;
/** Of the longest slots in seconds: as much as a median may be slower than the template's. */
const MAX_SLOWER = 1.25;
/** With one step alone every cut would be equally far from the next. */
const LEAST_LONGEST_STEPS = 2;
/** Of a song without a meter. */
const DEFAULT_BAR_BEATS = 4;
/** Of a cut off its phase: more than of any length. */
const PHASE_COST = 2;
/** Below this median length in beats of the song, whole beats alone would nearly double the shots: half beats are used too. */
const MIN_WHOLE_BEATS = 0.6;
/** Powers of the lengths over their mean: on whole beats lengths from .8 to 1.4 beats would all become one beat. */
const EXAGGERATIONS = [1, 1.15, 1.3, 1.5, 1.75, 2, 2.5, 3.5];
/** Of the template's spread of the logarithms of lengths; at least .7 is required. */
const MIN_SPREAD_SHARE = 0.72;
const SAME_PACE = Math.log(1.25);
/** Of a median length, in steps of the grid: shorter ones would all become one step. */
const MIN_GRID_STEPS = 0.75;

/** Null: no path fits. */
export function songCuts(
  request: CutRequest,
  song: Song,
  period: number,
  window: MusicWindow,
): CutPlan | null {
  const { template, frameRate, runs } = request;
  const { beats, longest, perBeat } = wantedBeats(request, song, period, window);
  const points = gridOf(song, period, window, perBeat, request.longestAt);
  const usable = runsForWindow(runs, beats, period, window);
  const caps = materialCaps(tiledLengths(beats, period, window), usable).slice(0, beats.length);
  const templatePeriod = template.tempoBpm === null ? period : 60 / template.tempoBpm;
  const phases = template.slots.map((slot) =>
    request.rhythm === 'loose' ? phaseOf(slot, templatePeriod, perBeat) : ON_BEAT,
  );
  const slots: PathSlot[] = beats.map((wanted, at) => ({
    beats: wanted,
    maxBeats: Math.max(Math.min((caps[at] ?? wanted) / period, longest[at]), 1 / perBeat),
    startsOnBeat: phases[at].isOnBeat,
  }));
  const shortest = minRhythmSeconds(template) / period;
  const possible = beats.map((wanted, at) => Math.max(shortest, Math.min(wanted, longest[at])));
  const spread = MIN_SPREAD_SHARE * logSpread(possible);
  const usual = median(slots.map((slot) => Math.min(slot.beats, slot.maxBeats))) * period;
  const ends = minAtEnds(usual, request.longestAt);
  const steps = spreadPath(points, slots, spread, {
    minSeconds: minRhythmSeconds(template),
    minStartSeconds: ends.startSeconds,
    minEndSeconds: ends.endSeconds,
    phaseCost: request.rhythm === 'loose' ? PHASE_COST : HALF_BEAT_COST,
    energyShifts: energyShifts(template),
  });
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

/** The template's lengths in beats of the song, their limits, and the steps of the grid per beat. */
function wantedBeats(
  { template, rhythm, playsTakes, leastSlots = 1, slower = 1 }: CutRequest,
  song: Song,
  period: number,
  { startSeconds, endSeconds }: MusicWindow,
): { readonly beats: readonly number[]; readonly longest: readonly number[]; readonly perBeat: number } {
  const lengths = template.slots.map(({ durationSeconds }) => durationSeconds);
  const wholeOrHalf = slower * median(lengths) < MIN_WHOLE_BEATS * period ? 2 : 1;
  const factor = tempoFactor(
    template,
    period,
    rhythm === 'loose' ? 0 : MIN_GRID_STEPS / wholeOrHalf / slower,
  );
  const own = template.slots.map((slot) => beatsOf(slot, period) * factor * slower);
  const bar = song.beatsPerBar === 1 ? DEFAULT_BAR_BEATS : song.beatsPerBar;
  // At twice the template's beats a bar of the song is felt as half of one.
  const felt = bar * Math.max(1, factor);
  const inSeconds = longestLengths(template.slots, lengths, {
    ...{ bar: felt * period, second: 1, hasSpeech: playsTakes },
  });
  const limits = slowerLimits(
    longestLengths(
      template.slots,
      own.map((length) => length / slower),
      { bar: felt, second: 1 / period, hasSpeech: playsTakes },
    ).map((limit, at) => Math.min(limit, (MAX_SLOWER * inSeconds[at]) / period)),
    slower,
    1 / period,
  );
  const limited = own.map((length, at) => Math.min(length, limits[at]));
  const pace = paceFor(
    limited.map((length) => length * period),
    endSeconds - startSeconds,
    leastSlots,
  );
  const beats = limited.map((length) => length * pace);
  const shortest = quantile(beats, 0.1);
  const looseSteps = shortest < 0.4 ? 4 : shortest < 0.8 ? 2 : 1;
  const perBeat = rhythm === 'loose' ? looseSteps : wholeOrHalf;
  const longest = limits.map((limit) => {
    const steps = Math.floor(limit * pace * perBeat + ROUNDED_UP);
    return Math.max(LEAST_LONGEST_STEPS, steps) / perBeat;
  });
  return { beats, longest, perBeat };
}

/**
 * The first path whose lengths are as spread as wanted, else the most spread: a metronome would be on the beat always. Its usual length is that
 * of the plain lengths.
 */
function spreadPath(
  points: readonly GridPoint[],
  slots: readonly PathSlot[],
  wanted: number,
  options: PathOptions,
): PathStep[] | null {
  const centre = Math.exp(mean(slots.map(({ beats }) => Math.log(beats))));
  let best: { readonly steps: PathStep[]; readonly spread: number; readonly usual: number } | null = null;
  for (const power of EXAGGERATIONS) {
    const exaggerated = slots.map((slot) => ({ ...slot, beats: centre * (slot.beats / centre) ** power }));
    const steps = beatPath(points, exaggerated, options);
    if (steps === null) return null;
    const ends = [...steps.slice(1).map(({ point }) => point), points.length - 1];
    const lengths = steps.map(({ point }, at) => points[ends[at]].position - points[point].position);
    const [spread, usual] = [logSpread(lengths), median(lengths)];
    if (best === null) best = { steps, spread, usual };
    else if (spread > best.spread + 1e-9 && Math.abs(Math.log(usual / best.usual)) <= SAME_PACE)
      best = { steps, spread, usual: best.usual };
    if (best.spread >= wanted) break;
  }
  return best!.steps;
}

function logSpread(lengths: readonly number[]): number {
  return standardDeviation(lengths.map((length) => Math.log(length)));
}

function beatsOf({ beats, durationSeconds }: TemplateSlot, period: number): number {
  return beats ?? durationSeconds / period;
}

/** Keeps the median length in seconds within a quarter where it can, with a median of at least `leastBeats`. */
function tempoFactor(template: TemplateEdit, period: number, leastBeats: number): number {
  const inBeats = template.slots.flatMap(({ beats }) => (beats === null ? [] : [beats]));
  if (inBeats.length < template.slots.length) return 1;
  const seconds = median(template.slots.map(({ durationSeconds }) => durationSeconds));
  const beats = median(inBeats);
  const off = (factor: number) => Math.abs(Math.log((beats * factor * period) / seconds));
  const possible = TEMPO_FACTORS.filter((factor) => beats * factor >= leastBeats);
  if (off(1) <= SAME_PACE || possible.length === 0) return 1;
  return possible.reduce((best, factor) => (off(factor) < off(best) ? factor : best));
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

interface CutPhase {
  readonly isOnBeat: boolean;
  /** Distance from a point of the grid, in beats. */
  readonly aside: number;
}

const ON_BEAT: CutPhase = { isOnBeat: true, aside: 0 };

function phaseOf({ phase }: TemplateSlot, templatePeriod: number, perBeat: number): CutPhase {
  if (phase === null) return ON_BEAT;
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
