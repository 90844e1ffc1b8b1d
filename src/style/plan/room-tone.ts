/** The louder room of two takes that follow each other fades under the other one: decision 0299. */
import type { AudioFacts, Span } from '../../analysis/facts.ts';
import { pausesOf, talkCertainty } from '../../analysis/speech/pauses.ts';
import { lengthOf } from '../../domain/spans.ts';
import { outputEnd, type TalkPart } from '../edit/talk-plan.ts';
import type { SoundSpan } from '../model/timeline.ts';
import { CROSSFADE_SECONDS } from './edit-sound.ts';

/** A smaller step between rooms is no longer heard behind a crossfade; both rooms together would be up to 1.8 dB louder. */
const MIN_STEP_DB = 3;
/** Length of a fade, as far as a pause of the take lasts. Steps of 34 to 47 dB became 1 to 6 dB. */
const TONE_SECONDS = 1.2;
const MIN_TONE_SECONDS = 0.25;
/** Distance from a voice: decays and breaths. */
const AFTER_VOICE = 0.1;
const BEFORE_VOICE = 0.08;

interface Room {
  /** Level in the output, dB. */
  readonly levelDb: number;
  /** The longest pause, in the take's time. */
  readonly tone: Span;
}

interface ToneRequest {
  readonly parts: readonly TalkPart[];
  /** One per take; null: no sound. */
  readonly takes: readonly (AudioFacts | null)[];
  readonly gainOf: (take: number) => number;
  readonly frameRate: number;
}

/** A span of pause for each change of takes whose rooms differ. */
export function roomTones(request: ToneRequest): SoundSpan[] {
  const { parts, gainOf, frameRate } = request;
  const rooms = new Map<number, Room | null>();
  const roomOf = (take: number) => {
    if (!rooms.has(take)) rooms.set(take, roomIn(take, request));
    return rooms.get(take) ?? null;
  };
  const totalSeconds = parts.length === 0 ? 0 : outputEnd(parts.at(-1)!) / frameRate;
  return parts.slice(1).flatMap((part, at): SoundSpan[] => {
    const before = parts[at];
    if (!part.isTakeStart || before.take === part.take) return [];
    const [first, second] = [roomOf(before.take), roomOf(part.take)];
    if (first === null || second === null) return [];
    const stepDb = first.levelDb - second.levelDb;
    if (Math.abs(stepDb) < MIN_STEP_DB) return [];
    const isFirst = stepDb > 0;
    const source = isFirst ? before.take : part.take;
    const { tone } = isFirst ? first : second;
    const join = part.outputFrame / frameRate;
    const half = CROSSFADE_SECONDS / 2;
    const free = isFirst ? totalSeconds - join + half : join + half;
    const length = Math.min(TONE_SECONDS, lengthOf(tone), free);
    if (length < MIN_TONE_SECONDS) return [];
    const startSeconds = isFirst ? join - half : join + half - length;
    const long = length - CROSSFADE_SECONDS;
    return [
      {
        ...{ source, sourceStartSeconds: tone.startSeconds, gainDb: gainOf(source), isRoomTone: true },
        ...{ startSeconds, endSeconds: startSeconds + length },
        fadeInSeconds: isFirst ? CROSSFADE_SECONDS : long,
        fadeOutSeconds: isFirst ? long : CROSSFADE_SECONDS,
      },
    ];
  });
}

/** Null: its pauses are not certain, or all too short. */
function roomIn(take: number, { parts, takes, gainOf, frameRate }: ToneRequest): Room | null {
  const talk = takes[take]?.speech.talk ?? null;
  if (talk?.pauseDb === undefined || talkCertainty(talk) === 0) return null;
  const usable = stretchesOf(take, parts, frameRate);
  const tones = pausesOf(talk)
    .map(({ startSeconds, endSeconds }) => ({
      startSeconds: startSeconds + AFTER_VOICE,
      endSeconds: endSeconds - BEFORE_VOICE,
    }))
    .filter((tone) =>
      usable.some((one) => tone.startSeconds >= one.startSeconds && tone.endSeconds <= one.endSeconds),
    )
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  return tones.length === 0 ? null : { levelDb: talk.pauseDb + gainOf(take), tone: tones[0] };
}

/** Parts of a take with the pauses omitted between them: nothing that a person left out is among them. */
function stretchesOf(take: number, parts: readonly TalkPart[], frameRate: number): Span[] {
  const stretches: Span[] = [];
  for (const part of parts) {
    if (part.take !== take) continue;
    const [startSeconds, endSeconds] = [part.startFrame / frameRate, part.endFrame / frameRate];
    const last = stretches.at(-1);
    if (last !== undefined && part.before.isPause && !part.isTakeStart)
      stretches[stretches.length - 1] = { startSeconds: last.startSeconds, endSeconds };
    else stretches.push({ startSeconds, endSeconds });
  }
  return stretches;
}
