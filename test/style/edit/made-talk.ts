/** Talks of several takes with known words: phrases with pauses, and other takes that can hide cuts. */
import type { AudioFacts, ClipFacts, Span } from '../../../src/analysis/facts.ts';
import type { PhraseRepeat, TalkFacts } from '../../../src/analysis/talk-facts.ts';
import type { TextCue } from '../../../src/domain/footage.ts';
import { jobConfigSchema } from '../../../src/domain/job-config.ts';
import type { EditPlan, EditRequest, EditTake } from '../../../src/style/edit/edit-plan.ts';
import type { TakeRole } from '../../../src/style/edit/talk-plan.ts';
import { extractStyle } from '../../../src/style/extract/extract.ts';
import { planTalkEdit } from '../../../src/style/plan/talk-edit.ts';
import { audioFacts, clipFacts } from '../../support/clip-facts.ts';
import { madeRequest, madeTake } from './made-material.ts';

export const RATE = 25;
const PHRASE_SECONDS = 2;

export interface TalkedTake {
  readonly material: EditTake;
  readonly facts: ClipFacts;
  readonly role: TakeRole | 'auto';
  /** Where somebody speaks. */
  readonly phrases: readonly Span[];
}

interface Spoken {
  /** Between phrases of 2 s. */
  readonly pauses: readonly number[];
  /** Silence before the first and after the last phrase. */
  readonly ends?: readonly [number, number];
  readonly lufs?: number;
  readonly certainty?: number;
  readonly pauseDb?: number;
  /** Phrases said again. */
  readonly repeats?: readonly PhraseRepeat[];
  readonly role?: TakeRole;
  readonly exclude?: readonly (readonly [number, number])[];
}

/** A take in which somebody speaks. */
export function speaking({ pauses, ends = [0.5, 0.5], lufs = -20, ...more }: Spoken, seed = 1): TalkedTake {
  const phrases: Span[] = [];
  let at = ends[0];
  for (const pause of [...pauses, 0]) {
    phrases.push({ startSeconds: at, endSeconds: at + PHRASE_SECONDS });
    at += PHRASE_SECONDS + pause;
  }
  const seconds = Math.round((at + ends[1]) * RATE) / RATE;
  const spokenSeconds = PHRASE_SECONDS * phrases.length;
  const usual = audioFacts();
  const audio: AudioFacts = {
    ...usual,
    durationSeconds: seconds,
    loudness: {
      ...usual.loudness,
      integratedLufs: lufs,
      shortTermLufs: Array.from({ length: Math.floor(seconds) }, () => lufs),
    },
    speech: {
      ...{ share: spokenSeconds / seconds, spans: phrases, confidence: 0.9 },
      talk: {
        separationDb: 25,
        certainty: more.certainty ?? 12,
        marginSeconds: 0,
        runs: phrases,
        ...(more.repeats && { repeats: more.repeats }),
        ...(more.pauseDb !== undefined && { pauseDb: more.pauseDb }),
      },
    },
  };
  const exclude = more.exclude ?? [];
  return {
    material: madeTake({ content: `talk${seed}`, seconds, seed, exclude }),
    facts: clipFacts({ video: { durationSeconds: seconds }, audio }),
    role: more.role ?? 'auto',
    phrases,
  };
}

/** A take with a measured voice. */
export function recordedTake(talk: TalkFacts, seconds: number, seed: number): TalkedTake {
  const usual = audioFacts();
  const audio: AudioFacts = {
    ...usual,
    durationSeconds: seconds,
    speech: { share: 1, spans: talk.runs, confidence: 0.9, talk },
  };
  return {
    material: madeTake({ content: `talk${seed}`, seconds, seed }),
    facts: clipFacts({ video: { durationSeconds: seconds }, audio }),
    ...{ role: 'talk', phrases: talk.runs },
  };
}

/** A take of something else, which shows another view each half second. */
export function silent(
  seconds: number,
  seed: number,
  more: Partial<Parameters<typeof madeTake>[0]> = {},
): TalkedTake {
  const video = more.isPhoto ? { durationSeconds: 1, isStill: true } : { durationSeconds: seconds };
  return {
    material: madeTake({ content: `other${seed}`, seconds, seed, ...more }),
    facts: clipFacts({ video, audio: null }),
    ...{ role: 'auto', phrases: [] },
  };
}

export const talkStyle = {
  ...extractStyle(clipFacts({}), { createdAt: new Date(0), fingerprint: null }),
  talk: {
    pauses: { p10: 0.2, p25: 0.2, p50: 0.2, p75: 0.2, p90: 0.2 },
    ...{ pauses_per_minute: 20, confidence: 0.9 },
  },
};

/** `cues`: words of each take. */
export function plannedTalk(
  takes: readonly TalkedTake[],
  changes: Partial<EditRequest> = {},
  cues: readonly (readonly TextCue[])[] = [],
): EditPlan {
  const config = jobConfigSchema.parse({ components: { talk: 1 } });
  const edit = madeRequest({
    ...{ takes: takes.map(({ material }) => material), music: null, frameRate: RATE },
    ...changes,
  });
  return planTalkEdit({
    ...{ edit, config, style: talkStyle, frameRate: { numerator: RATE, denominator: 1 } },
    facts: takes.map(({ facts }) => facts),
    roles: takes.map(({ role }) => role),
    cues,
  });
}
