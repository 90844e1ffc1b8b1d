/** What is heard of a talk of several takes: their parts without pauses, in the order of the story. */
import type { AudioFacts, ClipFacts, Span } from '../../analysis/facts.ts';
import { isSpoken, talkCertainty } from '../../analysis/speech/pauses.ts';
import type { TextCue } from '../../domain/footage.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { overlapSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import type { FrameRate } from '../../domain/time.ts';
import { outputEnd, type TakeRole, type TalkGap, type TalkPart } from '../edit/talk-plan.ts';
import type { Style } from '../model/schema.ts';
import type { TalkRemoval } from '../model/talk.ts';
import { type FrameGrid, frameAt, frameGrid, type Segment, secondsAt, spanOf } from './segments.ts';
import { merged, planTalk } from './talk.ts';

/** As for a talk of one source: below it most of a take is something else. */
const SPEECH_SHARE = 0.5;
/** Shorter pauses belong to the speech: those of recorded talks last up to 2.5 s. */
const PAUSE_SECONDS = 2.5;
/** Silence that stays before the first and after the last word: enough for a breath and a look. */
const OPENING_SECONDS = 1;
/** Between takes, for styles without a talk: the longer pauses of edited talks. */
const USUAL_LONG_PAUSE = 0.5;
/** Least silence beside a voice at the edge of a take: of one of five voices the last half second was not found. */
const EDGE_SECONDS = 0.3;

export interface TalkTake {
  readonly facts: ClipFacts;
  /** Exclusions and bans, in its seconds. */
  readonly unwanted: readonly Span[];
  readonly role: TakeRole;
  /** Captions with the spoken words, in its time; empty: not known. */
  readonly cues: readonly TextCue[];
}

export interface TalkTrack {
  readonly parts: readonly TalkPart[];
  /** Per take, in its times; none of B-roll. */
  readonly removals: readonly (readonly TalkRemoval[])[];
  readonly warnings: readonly Warning[];
}

/** The role of a take without a requested one. */
export function roleOf(facts: ClipFacts): TakeRole {
  return spokenShare(facts) >= SPEECH_SHARE ? 'talk' : 'b_roll';
}

/** Share of a take in which somebody speaks, with the pauses of speech. */
export function spokenShare({ audio }: ClipFacts): number {
  if (audio === null || !isSpoken(audio)) return 0;
  const { spans } = audio.speech;
  const seconds = spans.reduce((sum, { startSeconds, endSeconds }, at) => {
    const pause = startSeconds - (spans[at - 1]?.endSeconds ?? Number.NEGATIVE_INFINITY);
    return sum + endSeconds - startSeconds + (pause <= PAUSE_SECONDS ? pause : 0);
  }, 0);
  return seconds / audio.durationSeconds;
}

/** Takes that become silent although somebody speaks in them, without a request. Numbered from 1. */
export function silencedWarnings(
  takes: readonly { readonly facts: ClipFacts; readonly isRequested: boolean; readonly role: TakeRole }[],
): Warning[] {
  return takes.flatMap(({ facts, isRequested, role }, at) => {
    const share = spokenShare(facts);
    if (isRequested || role === 'talk' || share === 0) return [];
    const spoken = `${Math.round(100 * share)} %`;
    return [
      {
        code: 'TALK_TAKE_SILENT',
        message: `Take ${at + 1} is shown without its sound: somebody speaks for ${spoken} of it, and from ${100 * SPEECH_SHARE} % on a take is heard. Set edit.takes.role to "talk" to hear it, or to "b_roll" to confirm.`,
      },
    ];
  });
}

export interface TalkTrackRequest {
  readonly takes: readonly TalkTake[];
  readonly style: Style;
  readonly config: Pick<JobConfig, 'components' | 'style_strength' | 'pacing'>;
  readonly frameRate: FrameRate;
}

export function planTalkTrack({ takes, style, config, frameRate }: TalkTrackRequest): TalkTrack {
  const speaking = takes.flatMap(({ role }, number) => (role === 'talk' ? [number] : []));
  const longPause = style.talk?.pauses.p75 ?? USUAL_LONG_PAUSE;
  const strength = strengthOf(config, 'talk');
  const parts: TalkPart[] = [];
  const warnings: Warning[] = [];
  const removals = takes.map(({ facts, unwanted, role, cues }, number): readonly TalkRemoval[] => {
    if (role !== 'talk') return [];
    const { audio } = facts;
    const grid = frameGrid(frameRate, facts.video.durationSeconds);
    const end = secondsAt(grid, grid.frameCount);
    const remove = unwanted
      .filter(({ startSeconds }) => startSeconds < end)
      .map(({ startSeconds, endSeconds }): [number, number] => [startSeconds, Math.min(end, endSeconds)]);
    const ofTake: Warning[] = [];
    const talk = { mode: 'on' as const, keep: [], remove };
    const takeField = 'edit.takes.exclude';
    const report = planTalk({ audio, grid, style, cues, config: { ...config, talk }, takeField }, ofTake);
    warnings.push(...ofTake.map((warning) => inTake(warning, number)));
    const left = {
      startSeconds: number === speaking[0] ? OPENING_SECONDS : Math.max(EDGE_SECONDS, longPause / 2),
      endSeconds: number === speaking.at(-1) ? OPENING_SECONDS : Math.max(EDGE_SECONDS, longPause / 2),
    };
    const removed = [...(report?.removals ?? []), ...silentEnds(audio, grid, left, strength)];
    parts.push(...partsOf(number, grid, removed));
    return merged(removed);
  });
  return { parts: placed(parts), removals, warnings: oncePerStyle(warnings) };
}

/** Silence before the first and after the last word, as far as it is longer than `left`. */
function silentEnds(audio: AudioFacts | null, grid: FrameGrid, left: Span, strength: number): TalkRemoval[] {
  const talk = audio?.speech.talk ?? null;
  const certainty = talkCertainty(talk);
  if (certainty === 0 || talk!.runs.length === 0) return [];
  const spans = [...talk!.runs, ...audio!.speech.spans];
  const end = secondsAt(grid, grid.frameCount);
  const first = spans.reduce((least, { startSeconds }) => Math.min(least, startSeconds), end);
  const last = spans.reduce((most, { endSeconds }) => Math.max(most, endSeconds), 0);
  const lead = frameAt(grid, strength * (first - left.startSeconds));
  const tail = frameAt(grid, end - strength * (end - last - left.endSeconds));
  const ends = [
    { startFrame: 0, endFrame: lead },
    { startFrame: tail, endFrame: grid.frameCount },
  ];
  return ends
    .filter(({ startFrame, endFrame }) => endFrame > startFrame)
    .map((frames) => ({ ...spanOf(grid, frames), reason: 'pause', certainty }));
}

/** The frames outside of removals, which may overlap. */
function partsOf(take: number, grid: FrameGrid, removals: readonly TalkRemoval[]): TalkPart[] {
  const removed = new Uint8Array(grid.frameCount);
  for (const { startSeconds, endSeconds } of removals)
    removed.fill(1, frameAt(grid, startSeconds), frameAt(grid, endSeconds));
  const gapOf = (run: Segment): TalkGap => ({
    seconds: secondsAt(grid, run.endFrame - run.startFrame),
    isPause: !removals.some(
      (removal) => removal.reason === 'requested' && overlapSeconds(removal, spanOf(grid, run)) > 1e-6,
    ),
  });
  const parts: TalkPart[] = [];
  let reached = 0;
  for (let startFrame = removed.indexOf(0); startFrame !== -1; startFrame = removed.indexOf(0, reached)) {
    const next = removed.indexOf(1, startFrame);
    const endFrame = next === -1 ? grid.frameCount : next;
    const kept = removed.indexOf(0, endFrame);
    const afterFrame = next === -1 ? endFrame : kept === -1 ? grid.frameCount : kept;
    parts.push({
      ...{ take, startFrame, endFrame, outputFrame: 0 },
      isTakeStart: parts.length === 0,
      before: gapOf({ startFrame: reached, endFrame: startFrame }),
      after: gapOf({ startFrame: endFrame, endFrame: afterFrame }),
    });
    reached = endFrame;
  }
  return parts;
}

function placed(parts: readonly TalkPart[]): TalkPart[] {
  let outputFrame = 0;
  return parts.map((part) => {
    const own = { ...part, outputFrame };
    outputFrame = outputEnd(own);
    return own;
  });
}

/** Takes are numbered from 1 in texts for people. */
function inTake({ code, message }: Warning, take: number): Warning {
  return { code, message: code === 'TALK_NOT_IN_STYLE' ? message : `Take ${take + 1}: ${message}` };
}

function oncePerStyle(warnings: readonly Warning[]): Warning[] {
  return warnings.filter(
    ({ message }, at) => warnings.findIndex((other) => other.message === message) === at,
  );
}
