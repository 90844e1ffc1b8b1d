/** Which parts of a talk are left out, by the style's pauses and by request: decision 0269. */
import type { AudioFacts, Span } from '../../analysis/facts.ts';
import { isSpoken, pausesOf, talkCertainty } from '../../analysis/speech/pauses.ts';
import type { TalkFacts } from '../../analysis/talk-facts.ts';
import type { TextCue } from '../../domain/footage.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { lengthOf, overlapSeconds, totalSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import { SHORTEST_OUTPUT_SECONDS } from '../../domain/talk-options.ts';
import { polylineAt } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { median } from '../../signal/statistics.ts';
import type { Style } from '../model/schema.ts';
import type { TalkRemoval, TalkReport, TalkStyle } from '../model/talk.ts';
import { fillersIn, secondAttempts } from './second-attempts.ts';
import { type FrameGrid, secondsAt, spanOf } from './segments.ts';
import { framesInside } from './talk-pieces.ts';
import {
  proposed,
  removalOf,
  SHORTEST_JOIN,
  SHORTEST_REMOVAL,
  type TalkUnit,
  talkUnits,
  voiceOf,
} from './talk-units.ts';
import { talkWords } from './talk-words.ts';

const ROUNDING_SECONDS = 1e-6;
/** No pause becomes shorter. */
const SHORTEST_PAUSE = 0.16;
/**
 * `auto` cuts only a source with this certainty, share of speech and number of pauses, after a template with this confidence whose longest tenth of
 * pauses begins at .6 s or below. The .6 s are an estimate: the pauses of a talk as it was recorded are longer. The certainty of few pauses is
 * chance: a reel with two pauses had 4.2.
 */
const AUTO = {
  confidence: 0.6,
  certainty: 0.65,
  speechShare: 0.5,
  longestPauseSeconds: 0.6,
  pauses: 6,
} as const;
/** Pauses of edited talks, for styles without a talk: medians of four were .22 to .48 s. */
const USUAL_PAUSES: TalkStyle['pauses'] = { p10: 0.18, p25: 0.25, p50: 0.35, p75: 0.5, p90: 0.7 };

export interface TalkRequest {
  readonly audio: AudioFacts | null;
  readonly grid: FrameGrid;
  /** Null: a clean copy. */
  readonly style: Style | null;
  readonly config: Pick<JobConfig, 'talk' | 'components' | 'style_strength' | 'pacing'>;
  /** Captions with the spoken words, in the source's time; left out: not known. */
  readonly cues?: readonly TextCue[];
  /** The field of the request that leaves parts out; left out: `talk.remove`. Of a take, whose times count from its start. */
  readonly takeField?: string;
}

/** Removals ascend, do not overlap, and are whole frames. Null: nothing is left out, and nothing proposed. */
export function planTalk(request: TalkRequest, warnings: Warning[]): TalkReport | null {
  const { audio, config, grid, takeField } = request;
  const { keep, remove } = config.talk;
  const isShortened = decides(request, warnings);
  const talk = (isShortened && audio?.speech.talk) || null;
  const { units, removals: found, likely, isUnsafe } = talk === null ? NOTHING : removalsIn(talk, request);
  const requested = merged(
    remove.map(([startSeconds, endSeconds]) => ({
      ...{ startSeconds, endSeconds, reason: 'requested', certainty: 1 },
    })),
  );
  const all = onFrames(merged([...requested, ...found.flatMap((removal) => without(removal, keep))]), grid);
  const isEnoughLeft = secondsAt(grid, grid.frameCount) - totalSeconds(all) >= SHORTEST_OUTPUT_SECONDS;
  const removals = isEnoughLeft ? all : onFrames(requested, grid);
  warnOfShort(requested, request, warnings);
  if (isShortened && config.talk.mode === 'on' && removals.every(({ reason }) => reason === 'requested')) {
    const count = units.filter(({ drop }) => drop === null).length;
    const pauses = count === 1 ? 'its only pause is' : `its ${count} pauses are`;
    const short = isUnsafe
      ? 'too short to be cut without taking from words'
      : 'as short as those of the style';
    const why = isEnoughLeft
      ? `${pauses} ${short}${keep.length === 0 ? '' : ', or in talk.keep'}`
      : `beside ${takeField ?? 'talk.remove'} less than ${SHORTEST_OUTPUT_SECONDS} s would be left`;
    warnings.push({ code: 'TALK_LEFT', message: `No pause was shortened: ${why}.` });
  }
  const decided = [...removals.filter(({ reason }) => reason !== 'pause'), ...keep.map(spanOfRange)];
  const proposals = likely.filter((one) => decided.every((other) => overlapSeconds(one, other) === 0));
  warnOfProposals(proposals, takeField, warnings);
  if (removals.length === 0 && proposals.length === 0) return null;
  const pauses = talk === null ? [] : pausesOf(talk).map(({ lengthSeconds }) => lengthSeconds);
  const removedOf = (unit: TalkUnit) => removals.reduce((sum, one) => sum + overlapSeconds(unit, one), 0);
  return {
    removals,
    medianPauseBefore: middle(pauses),
    medianPauseAfter: middle(units.map((unit) => unit.lengthSeconds - removedOf(unit))),
    ...(proposals.length === 0 ? {} : { proposals }),
  };
}

const NOTHING = { units: [], removals: [], likely: [], isUnsafe: false } as const;

/** Pauses, second attempts and fillers; `likely`: attempts that a person should decide about. */
function removalsIn(
  talk: TalkFacts,
  request: TalkRequest,
): {
  readonly units: readonly TalkUnit[];
  readonly removals: readonly TalkRemoval[];
  readonly likely: readonly TalkRemoval[];
  /** A pause is longer than the style's, but too short for its uncertain borders. */
  readonly isUnsafe: boolean;
} {
  const { config, grid, cues = [] } = request;
  const kept = config.talk.keep.map(spanOfRange);
  const certainty = talkCertainty(talk);
  const words = talkWords(cues);
  const attempts = secondAttempts(talk, words);
  const leftOf = pausesLeft(talk, request);
  const removalsOf = (unit: TalkUnit) => removalOf(talk, unit, leftOf(unit), { grid, certainty }) ?? [];
  const drops = [...attempts.certain, ...fillersIn(talk, words, certainty)].filter((drop) => {
    const voice = voiceOf(talk, drop);
    if (kept.some((range) => overlapSeconds(range, voice) > 0)) return false;
    return (
      talkUnits(talk, [drop])
        .filter((unit) => unit.drop !== null)
        .flatMap(removalsOf).length > 0
    );
  });
  const units = talkUnits(talk, drops);
  const likely = attempts.likely.map((drop) => proposed(talk, drop));
  const isUnsafe = units.some(
    (unit) =>
      unit.drop === null &&
      unit.lengthSeconds - leftOf(unit) >= SHORTEST_REMOVAL &&
      removalOf(talk, unit, leftOf(unit), { grid, certainty }) === null,
  );
  return { units, removals: units.flatMap(removalsOf), likely, isUnsafe };
}

function spanOfRange([startSeconds, endSeconds]: readonly [start: number, end: number]): Span {
  return { startSeconds, endSeconds };
}

/** Whether pauses are shortened; a request that cannot be followed is explained. */
function decides({ audio, style, config }: TalkRequest, warnings: Warning[]): boolean {
  const { mode } = config.talk;
  const talk = audio?.speech.talk ?? null;
  const certainty = talkCertainty(talk);
  const speaks = audio !== null && isSpoken(audio);
  const ofStyle = style?.talk;
  const isFollowed = strengthOf(config, 'talk') > 0;
  if (mode === 'off') return false;
  if (mode === 'auto')
    return (
      isFollowed &&
      config.pacing !== 'keep' &&
      speaks &&
      certainty >= AUTO.certainty &&
      pausesOf(talk!).length >= AUTO.pauses &&
      audio.speech.share >= AUTO.speechShare &&
      ofStyle !== undefined &&
      ofStyle.confidence >= AUTO.confidence &&
      ofStyle.pauses.p90 <= AUTO.longestPauseSeconds
    );
  const why = reasonToLeave(audio, isFollowed);
  if (why !== null) {
    warnings.push({ code: 'TALK_LEFT', message: `No pause was shortened: ${why}.` });
    return false;
  }
  if (ofStyle === undefined) {
    const message = `Nobody talks in the style, so pauses became as long as in usual edited talks: half of them at most ${USUAL_PAUSES.p50} s. A talk as the template gives its own pauses.`;
    warnings.push({ code: 'TALK_NOT_IN_STYLE', message });
  }
  return true;
}

/** Why no pause can be shortened; null: pauses can be. */
function reasonToLeave(audio: AudioFacts | null, isFollowed: boolean): string | null {
  if (audio === null) return 'it has no sound';
  if (!isSpoken(audio)) return 'no speech was found in its sound';
  if (talkCertainty(audio.speech.talk) === 0)
    return 'its pauses cannot be distinguished from music, applause or noise behind the voice; add music after the edit, and record with less noise';
  return isFollowed ? null : 'components.talk is off';
}

/**
 * Pause that is left of each unit: the rank of a pause among those of the source is its rank among the style's. Never longer. A filler with its
 * pauses counts as one pause; over an attempt the pause before it stays.
 */
function pausesLeft(talk: TalkFacts, { style, config }: TalkRequest): (unit: TalkUnit) => number {
  const { p10, p25, p50, p75, p90, longest = p90 * 1.2 } = style?.talk?.pauses ?? USUAL_PAUSES;
  const knots: [number, number][] = [
    [0, p10 * 0.8],
    [0.1, p10],
    [0.25, p25],
    [0.5, p50],
    [0.75, p75],
    [0.9, p90],
    [1, longest],
  ];
  const strength = strengthOf(config, 'talk');
  const all = pausesOf(talk).map(({ lengthSeconds }) => lengthSeconds);
  const left = (lengthSeconds: number) => {
    const shorter = all.filter((other) => other < lengthSeconds).length;
    const equal = all.filter((other) => other === lengthSeconds).length;
    // The position that quantiles are read at, so that a template leaves itself as it is.
    const rank = all.length < 2 ? 0.5 : (shorter + (equal - 1) / 2) / (all.length - 1);
    const wanted = Math.max(SHORTEST_PAUSE, polylineAt(knots, rank));
    return lengthSeconds - strength * Math.max(0, lengthSeconds - wanted);
  };
  return ({ drop, lengthSeconds, voiceSeconds }) => {
    if (drop?.reason !== 'retake') return left(lengthSeconds);
    const pause = drop.firstRun === 0 ? drop.lastRun : drop.firstRun - 1;
    const lengthOfPause = talk.runs[pause + 1].startSeconds - talk.runs[pause].endSeconds;
    return Math.min(Math.max(left(lengthOfPause), SHORTEST_JOIN), lengthSeconds - voiceSeconds);
  };
}

/** The parts of a removal outside of ranges. */
function without(
  removal: TalkRemoval,
  kept: readonly (readonly [start: number, end: number])[],
): TalkRemoval[] {
  let parts = [removal];
  for (const [start, end] of kept)
    parts = parts.flatMap((part) => [
      { ...part, endSeconds: Math.min(part.endSeconds, start) },
      { ...part, startSeconds: Math.max(part.startSeconds, end) },
    ]);
  return parts.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= SHORTEST_REMOVAL);
}

/** The whole frames of each. Removals without one are left out, and pauses that are not worth a cut. */
function onFrames(removals: readonly TalkRemoval[], grid: FrameGrid): TalkRemoval[] {
  return removals
    .map((removal) => ({ ...removal, ...spanOf(grid, framesInside(grid, removal)) }))
    .filter(({ startSeconds, endSeconds, reason }) => {
      const shortest = reason !== 'requested' ? SHORTEST_REMOVAL - ROUNDING_SECONDS : 0;
      return endSeconds - startSeconds > shortest;
    });
}

/** Requested parts in which no frame begins and ends. */
function warnOfShort(
  requested: readonly TalkRemoval[],
  { grid, takeField = 'talk.remove' }: TalkRequest,
  warnings: Warning[],
): void {
  const isShort = (removal: TalkRemoval) =>
    removal.startSeconds < secondsAt(grid, grid.frameCount) && onFrames([removal], grid).length === 0;
  for (const { startSeconds, endSeconds } of requested.filter(isShort)) {
    const message = `[${startSeconds}, ${endSeconds}] of ${takeField} contains no whole frame, which lasts ${secondsAt(grid, 1).toFixed(3)} s, so it was not left out.`;
    warnings.push({ code: 'TALK_LEFT', message });
  }
}

/** Attempts that stay: a person decides. Times of a source count from the start of its part here, so its message has none. */
function warnOfProposals(
  proposals: readonly TalkRemoval[],
  takeField: string | undefined,
  warnings: Warning[],
): void {
  const count = proposals.length;
  if (count === 0) return;
  const parts = count === 1 ? 'One part is' : `${count} parts are`;
  if (takeField === undefined) {
    warnings.push({
      code: 'TALK_PROPOSED',
      message: `${parts} probably said again right after and stayed. Set talk.remove to leave out what summary.talk.proposals lists.`,
    });
    return;
  }
  const times = proposals.map(
    ({ startSeconds, endSeconds }) => `${startSeconds.toFixed(2)} to ${endSeconds.toFixed(2)} s`,
  );
  const message = `${parts} probably said again right after and stayed: ${times.join(', ')}. Exclude these seconds of the take to leave them out.`;
  warnings.push({ code: 'TALK_PROPOSED', message });
}

/** Ascending, without overlaps; the longer one of two that overlap gives the reason. */
export function merged(removals: readonly TalkRemoval[]): TalkRemoval[] {
  const joined: TalkRemoval[] = [];
  for (const removal of removals.toSorted((one, other) => one.startSeconds - other.startSeconds)) {
    const last = joined.at(-1);
    if (last === undefined || removal.startSeconds > last.endSeconds) {
      joined.push(removal);
      continue;
    }
    const { reason, certainty } = lengthOf(removal) > lengthOf(last) ? removal : last;
    const endSeconds = Math.max(last.endSeconds, removal.endSeconds);
    joined[joined.length - 1] = { startSeconds: last.startSeconds, endSeconds, reason, certainty };
  }
  return joined;
}

function middle(lengths: readonly number[]): number | null {
  return lengths.length === 0 ? null : rounded(median(lengths), 3);
}
