/** Units that a talk's plan shortens: pauses alone, and voices that are left out, with their pauses. */
import type { Span } from '../../analysis/facts.ts';
import { type Pause, pausesOf } from '../../analysis/speech/pauses.ts';
import type { TalkFacts } from '../../analysis/talk-facts.ts';
import { overlapSeconds } from '../../domain/spans.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { clamp } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import type { TalkRemoval } from '../model/talk.ts';
import { type FrameGrid, type Segment, spanOf } from './segments.ts';

/** Left after a decay and before an onset, in seconds: cuts nearer to a voice were heard. */
const AFTER_DECAY = 0.08;
const BEFORE_ONSET = 0.06;
/** Least that stays of a pause beside a voice. */
export const SHORTEST_JOIN = AFTER_DECAY + BEFORE_ONSET;
/** Less is not worth a cut. */
export const SHORTEST_REMOVAL = 0.08;
/** Least length of what may be removed of a pause, in margins of its borders. */
const UNCERTAIN_MARGINS = 2;
const ROUNDING = 1e-6;

/** Whole runs of voice that are left out. */
export interface Drop extends Pick<TalkRemoval, 'reason' | 'certainty'> {
  readonly firstRun: number;
  /** Inclusive; never the last of all runs. */
  readonly lastRun: number;
}

export interface TalkUnit extends Pause {
  /** Null: a pause alone. */
  readonly drop: Drop | null;
  /** Of the voices that are left out; zero: a pause alone. */
  readonly voiceSeconds: number;
}

/** The pauses, ascending. Those on both sides of a drop are one unit with it; drops that touch are one. A drop of the first run has none before it. */
export function talkUnits(talk: TalkFacts, drops: readonly Drop[]): TalkUnit[] {
  const { runs } = talk;
  const units = joined(drops).map((drop): TalkUnit => {
    const [from, to] = [runs[drop.firstRun].startSeconds, runs[drop.lastRun].endSeconds];
    const startSeconds = drop.firstRun === 0 ? from - SHORTEST_JOIN : runs[drop.firstRun - 1].endSeconds;
    const endSeconds = runs[drop.lastRun + 1].startSeconds;
    return {
      startSeconds,
      endSeconds,
      lengthSeconds: endSeconds - startSeconds,
      drop,
      voiceSeconds: to - from,
    };
  });
  const alone = pausesOf(talk)
    .filter((pause) => units.every((unit) => overlapSeconds(pause, unit) === 0))
    .map((pause) => ({ ...pause, drop: null, voiceSeconds: 0 }));
  return [...units, ...alone].sort((one, other) => one.startSeconds - other.startSeconds);
}

/**
 * The whole frames to remove, so that about `leftSeconds` of pause are left. Voices beside it keep their distance. Null: too few frames, or a drop
 * would not go wholly.
 */
export function removalOf(
  { runs, cutMargin = { beforeSeconds: 0, afterSeconds: 0 } }: TalkFacts,
  { startSeconds, endSeconds, lengthSeconds, drop }: TalkUnit,
  leftSeconds: number,
  { grid, certainty }: { readonly grid: FrameGrid; readonly certainty: number },
): TalkRemoval | null {
  const rate = framesPerSecond(grid.rate);
  const bounds = {
    startFrame: Math.max(
      0,
      Math.ceil((startSeconds + AFTER_DECAY + cutMargin.afterSeconds) * rate - ROUNDING),
    ),
    endFrame: Math.min(
      grid.frameCount,
      Math.floor((endSeconds - BEFORE_ONSET - cutMargin.beforeSeconds) * rate + ROUNDING),
    ),
  };
  const further = cutMargin.beforeSeconds + cutMargin.afterSeconds;
  const room = endSeconds - startSeconds - SHORTEST_JOIN - further;
  const marginSeconds = lengthSeconds - (endSeconds - startSeconds) + further;
  // Where borders are uncertain, a soft consonant within a word looks like a short pause.
  if (drop === null && room < UNCERTAIN_MARGINS * marginSeconds) return null;
  const most = bounds.endFrame - bounds.startFrame;
  const removed = Math.min(Math.round((lengthSeconds - leftSeconds) * rate), most);
  if (removed / rate < SHORTEST_REMOVAL - ROUNDING) return null;
  const startFrame = bounds.startFrame + Math.floor((most - removed) / 2);
  const middle = { startFrame, endFrame: startFrame + removed };
  if (drop === null) return { ...spanOf(grid, middle), reason: 'pause', certainty };
  const voice = {
    startFrame: Math.floor(runs[drop.firstRun].startSeconds * rate + ROUNDING),
    endFrame: Math.ceil(runs[drop.lastRun].endSeconds * rate - ROUNDING),
  };
  const frames = about(voice, middle, bounds);
  return frames && { ...spanOf(grid, frames), reason: drop.reason, certainty: drop.certainty };
}

/** Frames moved so that they contain the voice; null: they are too few. */
function about(voice: Segment, { startFrame, endFrame }: Segment, bounds: Segment): Segment | null {
  const length = endFrame - startFrame;
  const latest = Math.min(voice.startFrame, bounds.endFrame - length);
  const earliest = Math.max(bounds.startFrame, voice.endFrame - length);
  if (earliest > latest) return null;
  const start = clamp(startFrame, earliest, latest);
  return { startFrame: start, endFrame: start + length };
}

/** Ascending; the longer one of two that touch gives the reason. */
function joined(drops: readonly Drop[]): Drop[] {
  const all: Drop[] = [];
  for (const drop of drops.toSorted((one, other) => one.firstRun - other.firstRun)) {
    const last = all.at(-1);
    if (last === undefined || drop.firstRun > last.lastRun + 1) {
      all.push(drop);
      continue;
    }
    const { reason, certainty } = runsOf(drop) > runsOf(last) ? drop : last;
    const lastRun = Math.max(last.lastRun, drop.lastRun);
    all[all.length - 1] = { firstRun: last.firstRun, lastRun, reason, certainty };
  }
  return all;
}

function runsOf({ firstRun, lastRun }: Drop): number {
  return lastRun - firstRun;
}

/** The voices of a drop. */
export function voiceOf({ runs }: TalkFacts, { firstRun, lastRun }: Drop): Span {
  return { startSeconds: runs[firstRun].startSeconds, endSeconds: runs[lastRun].endSeconds };
}

/** What a person may remove: all from before an attempt to before the next. */
export function proposed({ runs }: TalkFacts, { firstRun, lastRun, ...why }: Drop): TalkRemoval {
  const before = (run: number) => rounded(Math.max(0, runs[run].startSeconds - BEFORE_ONSET), 3);
  return { startSeconds: before(firstRun), endSeconds: before(lastRun + 1), ...why };
}
