/** Which parts of a talk are left out, by the style's pauses and by request: decision 0269. */
import type { AudioFacts } from '../../analysis/facts.ts';
import { isSpoken, type Pause, pausesOf, talkCertainty } from '../../analysis/speech/pauses.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import { SHORTEST_OUTPUT_SECONDS } from '../../domain/talk-options.ts';
import { polylineAt } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { median } from '../../signal/statistics.ts';
import { lengthOf, overlapSeconds, totalSeconds } from '../edit/take-runs.ts';
import type { Style } from '../model/schema.ts';
import type { TalkRemoval, TalkReport, TalkStyle } from '../model/talk.ts';
import { type FrameGrid, secondsAt, spanOf } from './segments.ts';
import { framesInside } from './talk-pieces.ts';

/** Left after a decay and before an onset, in seconds: cuts nearer to a voice were heard. */
const AFTER_DECAY = 0.08;
const BEFORE_ONSET = 0.06;
/** No pause becomes shorter. */
const SHORTEST_PAUSE = 0.16;
/** Least length of what may be removed of a pause, in margins of its borders. */
const UNCERTAIN_MARGINS = 2;
/** Less is not worth a cut. */
const SHORTEST_REMOVAL = 0.08;
const ROUNDING_SECONDS = 1e-6;
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
}

/** Removals ascend, do not overlap, and are whole frames. Null: nothing is left out. */
export function planTalk(request: TalkRequest, warnings: Warning[]): TalkReport | null {
  const { audio, config, grid } = request;
  const { keep, remove } = config.talk;
  const isShortened = decides(request, warnings);
  const talk = (isShortened && audio?.speech.talk) || null;
  const pauses = talk === null ? [] : pausesOf(talk);
  const certainty = talkCertainty(talk);
  const lengths = shortened(pauses, request);
  const found = pauses
    .flatMap((pause, at) => removalIn(pause, lengths[at], certainty))
    .flatMap((removal) => without(removal, keep));
  const requested = merged(
    remove.map(([startSeconds, endSeconds]) => ({
      ...{ startSeconds, endSeconds, reason: 'requested', certainty: 1 },
    })),
  );
  const all = onFrames(merged([...requested, ...found]), grid);
  const isEnoughLeft = secondsAt(grid, grid.frameCount) - totalSeconds(all) >= SHORTEST_OUTPUT_SECONDS;
  const removals = isEnoughLeft ? all : onFrames(requested, grid);
  warnOfShort(requested, grid, warnings);
  if (isShortened && config.talk.mode === 'on' && !removals.some(({ reason }) => reason === 'pause')) {
    const why = isEnoughLeft
      ? `none of its ${pauses.length} pauses outside of talk.keep is longer than those of the style`
      : 'too little would be left beside talk.remove';
    warnings.push({ code: 'TALK_LEFT', message: `No pause of the talk was shortened: ${why}.` });
  }
  if (removals.length === 0) return null;
  const left = pauses.map(
    (pause) => pause.lengthSeconds - removals.reduce((sum, one) => sum + overlapSeconds(pause, one), 0),
  );
  return {
    removals,
    medianPauseBefore: middle(pauses.map(({ lengthSeconds }) => lengthSeconds)),
    medianPauseAfter: middle(left),
  };
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
    const message = `No pause of the talk was shortened: ${why}. talk.remove leaves named parts out.`;
    warnings.push({ code: 'TALK_LEFT', message });
    return false;
  }
  if (ofStyle === undefined) {
    const message = `The style has no talk, so pauses were shortened to those of usual edited talks, ${USUAL_PAUSES.p50} s in the middle.`;
    warnings.push({ code: 'TALK_NOT_IN_STYLE', message });
  }
  return true;
}

/** Why no pause can be shortened; null: pauses can be. */
function reasonToLeave(audio: AudioFacts | null, isFollowed: boolean): string | null {
  if (audio === null) return 'it has no sound';
  if (!isSpoken(audio)) return 'no speech was found in its sound';
  if (talkCertainty(audio.speech.talk) === 0)
    return 'its pauses cannot be distinguished from its background, such as music, applause or loud noise';
  return isFollowed ? null : 'components.talk is off';
}

/** Length of each pause in the output: its rank among the source's pauses is its rank among the style's. Never longer. */
function shortened(pauses: readonly Pause[], { style, config }: TalkRequest): number[] {
  const { p10, p25, p50, p75, p90 } = style?.talk?.pauses ?? USUAL_PAUSES;
  const knots: [number, number][] = [
    [0, p10 * 0.8],
    [0.1, p10],
    [0.25, p25],
    [0.5, p50],
    [0.75, p75],
    [0.9, p90],
    [1, p90 * 1.2],
  ];
  const strength = strengthOf(config, 'talk');
  const ascending = pauses.map(({ lengthSeconds }) => lengthSeconds).sort((one, other) => one - other);
  return pauses.map(({ lengthSeconds }) => {
    const rank = (ascending.indexOf(lengthSeconds) + 0.5) / pauses.length;
    const wanted = Math.max(SHORTEST_PAUSE, polylineAt(knots, rank));
    return lengthSeconds - strength * Math.max(0, lengthSeconds - wanted);
  });
}

/** The middle of a pause, so that it lasts as long as wanted. */
function removalIn(pause: Pause, wantedSeconds: number, certainty: number): TalkRemoval[] {
  const room = pause.endSeconds - pause.startSeconds - AFTER_DECAY - BEFORE_ONSET;
  const marginSeconds = pause.lengthSeconds - (pause.endSeconds - pause.startSeconds);
  const removed = Math.min(pause.lengthSeconds - wantedSeconds, room);
  // Where borders are uncertain, a soft consonant within a word looks like a short pause.
  if (removed < SHORTEST_REMOVAL || room < UNCERTAIN_MARGINS * marginSeconds) return [];
  const startSeconds = pause.startSeconds + AFTER_DECAY + (room - removed) / 2;
  return [{ startSeconds, endSeconds: startSeconds + removed, reason: 'pause', certainty }];
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
      const shortest = reason === 'pause' ? SHORTEST_REMOVAL - ROUNDING_SECONDS : 0;
      return endSeconds - startSeconds > shortest;
    });
}

/** Requested parts in which no frame begins and ends. */
function warnOfShort(requested: readonly TalkRemoval[], grid: FrameGrid, warnings: Warning[]): void {
  const isShort = (removal: TalkRemoval) =>
    removal.startSeconds < secondsAt(grid, grid.frameCount) && onFrames([removal], grid).length === 0;
  for (const { startSeconds, endSeconds } of requested.filter(isShort)) {
    const message = `[${startSeconds}, ${endSeconds}] of talk.remove has no whole frame and was not left out; a frame lasts ${secondsAt(grid, 1).toFixed(3)} s.`;
    warnings.push({ code: 'TALK_LEFT', message });
  }
}

/** Ascending, without overlaps; the longer one of two that overlap gives the reason. */
function merged(removals: readonly TalkRemoval[]): TalkRemoval[] {
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
