/** The sound of an edit: the song as its spine, the takes' own sound over it or instead of it. */
import type { AudioFacts, Span } from '../../analysis/facts.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import type { SoundMix, SoundSpan } from '../model/timeline.ts';

/** Duck under speech: enough for every word (BBC R&D: 10 to 14 dB), fast in, slow out. */
const DUCK_DB = -12;
const DUCK_IN_SECONDS = 0.15;
const DUCK_OUT_SECONDS = 0.7;
/** Level of a take without speech under the song, in LU: heard in pauses of the song, no rival to it. */
const AMBIENCE_LU = -12;
/** Speech is brought to the song's loudness, within these changes: more raises noise. */
const MAX_RAISE_DB = 12;
const MAX_LOWER_DB = -18;
/** Fades at the edges of a take's sound: shorter ones click. */
const EDGE_SECONDS = 0.03;
/** Overlap of takes that follow each other without a song. */
const CROSSFADE_SECONDS = 0.1;
/** A phrase that runs over a cut is heard to its end over the next slot, up to this (an L cut), or begins before its slot (a J cut). */
const MAX_OVERHANG_SECONDS = 1;
/** A slot speaks if its take does for at least this long in it. */
const MIN_SPEECH_SECONDS = 0.3;
/** A take with a beat this sure and little speech has music of its own, which is silenced under a song. */
const MUSIC_CONFIDENCE = 0.6;
const MUSIC_MAX_SPEECH_SHARE = 0.3;
/** Fade of a song that goes on after the edit's end, where its bars are unknown. */
const USUAL_FADE_SECONDS = 1.5;
const MAX_FADE_SECONDS = 3;

/** A slot's place in its take and in the output. */
export interface HeardSlot {
  readonly take: number;
  readonly sourceStartSeconds: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface EditSoundRequest {
  readonly slots: readonly HeardSlot[];
  /** One per take; null: it has no sound. */
  readonly takes: readonly (AudioFacts | null)[];
  /** Null: there is no song. */
  readonly music: AudioFacts | null;
  readonly musicStartSeconds: number;
  /** Null: not known. */
  readonly barSeconds: number | null;
  readonly sound: EditOptions['sound'];
}

/** Null: nothing is heard. */
export function planEditSound(request: EditSoundRequest): SoundMix | null {
  const { music, sound, slots } = request;
  const totalSeconds = slots.at(-1)?.endSeconds ?? 0;
  if (music === null || sound === 'takes') {
    const spans = takesAlone(request);
    return spans.length === 0 ? null : { spans, musicGain: [] };
  }
  const song = songSpan(request, music, totalSeconds);
  if (sound === 'music') return { spans: [song], musicGain: [] };
  const over = takesOverSong(request, music);
  return { spans: [song, ...over.spans], musicGain: ducking(over.speech) };
}

function songSpan(
  { musicStartSeconds, barSeconds }: EditSoundRequest,
  { durationSeconds }: AudioFacts,
  totalSeconds: number,
): SoundSpan {
  const endSeconds = Math.min(totalSeconds, durationSeconds - musicStartSeconds);
  const ends = musicStartSeconds + endSeconds > durationSeconds - USUAL_FADE_SECONDS / 2;
  return {
    source: 'music',
    sourceStartSeconds: musicStartSeconds,
    startSeconds: 0,
    endSeconds,
    gainDb: 0,
    fadeInSeconds: musicStartSeconds > 0 ? EDGE_SECONDS : 0,
    fadeOutSeconds: ends
      ? EDGE_SECONDS
      : Math.min(MAX_FADE_SECONDS, barSeconds ?? USUAL_FADE_SECONDS, totalSeconds / 4),
  };
}

function takesAlone({ slots, takes }: EditSoundRequest): SoundSpan[] {
  const heard = takes.map((audio) => audio?.loudness.integratedLufs ?? null).filter((lufs) => lufs !== null);
  const middle = heard.toSorted((one, other) => one - other)[heard.length >> 1] ?? 0;
  const half = CROSSFADE_SECONDS / 2;
  return slots.flatMap(({ take, sourceStartSeconds, startSeconds, endSeconds }, index): SoundSpan[] => {
    const audio = takes[take];
    if (audio == null) return [];
    const before = index === 0 ? 0 : Math.min(half, sourceStartSeconds);
    const after = index === slots.length - 1 ? 0 : half;
    return [
      {
        source: take,
        sourceStartSeconds: sourceStartSeconds - before,
        startSeconds: startSeconds - before,
        endSeconds: endSeconds + after,
        gainDb: limited(middle - (audio.loudness.integratedLufs ?? middle)),
        fadeInSeconds: index === 0 ? EDGE_SECONDS : CROSSFADE_SECONDS,
        fadeOutSeconds: CROSSFADE_SECONDS,
      },
    ];
  });
}

/** Sound of the takes with the times at which they speak, in the output. */
function takesOverSong({ slots, takes }: EditSoundRequest, music: AudioFacts) {
  const level = music.loudness.integratedLufs ?? 0;
  const spans: SoundSpan[] = [];
  const speech: Span[] = [];
  for (const [index, slot] of slots.entries()) {
    const audio = takes[slot.take];
    if (audio == null || audio.loudness.integratedLufs === null || hasOwnMusic(audio)) continue;
    const phrases = phrasesIn(audio, slot);
    const own = audio.loudness.integratedLufs;
    if (phrases.length === 0) {
      spans.push(
        spanOf(
          slot,
          { startSeconds: slot.startSeconds, endSeconds: slot.endSeconds },
          level + AMBIENCE_LU - own,
        ),
      );
      continue;
    }
    const outside = { before: slots[index - 1], after: slots[index + 1] };
    const heard = withOverhang(slot, phrases, outside, takes);
    spans.push(spanOf(slot, heard, level - own));
    for (const phrase of phrases)
      speech.push({
        startSeconds: Math.max(heard.startSeconds, phrase.startSeconds),
        endSeconds: Math.min(heard.endSeconds, phrase.endSeconds),
      });
  }
  return { spans, speech };
}

function hasOwnMusic({ tempo, speech }: AudioFacts): boolean {
  return tempo !== null && tempo.confidence >= MUSIC_CONFIDENCE && speech.share < MUSIC_MAX_SPEECH_SHARE;
}

/** The phrases of a take that are heard in a slot, in the output's time; they may exceed the slot. */
function phrasesIn(
  { speech }: AudioFacts,
  { sourceStartSeconds, startSeconds, endSeconds }: HeardSlot,
): Span[] {
  const shift = startSeconds - sourceStartSeconds;
  return speech.spans
    .map((span) => ({ startSeconds: span.startSeconds + shift, endSeconds: span.endSeconds + shift }))
    .filter(
      (span) =>
        Math.min(span.endSeconds, endSeconds) - Math.max(span.startSeconds, startSeconds) >=
        MIN_SPEECH_SECONDS,
    );
}

/** The slot's time, extended to whole phrases over neighbors that do not speak themselves. */
function withOverhang(
  slot: HeardSlot,
  phrases: readonly Span[],
  { before, after }: { readonly before: HeardSlot | undefined; readonly after: HeardSlot | undefined },
  takes: readonly (AudioFacts | null)[],
): Span {
  const isFree = (beside: HeardSlot | undefined) => {
    if (beside === undefined) return false;
    const audio = takes[beside.take];
    return audio == null || phrasesIn(audio, beside).length === 0;
  };
  const first = phrases[0]!.startSeconds - EDGE_SECONDS;
  const last = phrases.at(-1)!.endSeconds + EDGE_SECONDS;
  const earliest = Math.max(
    slot.startSeconds - MAX_OVERHANG_SECONDS,
    slot.startSeconds - slot.sourceStartSeconds,
  );
  return {
    startSeconds: isFree(before) ? Math.min(slot.startSeconds, Math.max(first, earliest)) : slot.startSeconds,
    endSeconds: isFree(after)
      ? Math.max(slot.endSeconds, Math.min(last, slot.endSeconds + MAX_OVERHANG_SECONDS))
      : slot.endSeconds,
  };
}

function spanOf(slot: HeardSlot, { startSeconds, endSeconds }: Span, gainDb: number): SoundSpan {
  return {
    source: slot.take,
    sourceStartSeconds: slot.sourceStartSeconds + startSeconds - slot.startSeconds,
    startSeconds,
    endSeconds,
    gainDb: limited(gainDb),
    fadeInSeconds: EDGE_SECONDS,
    fadeOutSeconds: EDGE_SECONDS,
  };
}

function limited(gainDb: number): number {
  return Math.max(MAX_LOWER_DB, Math.min(MAX_RAISE_DB, gainDb));
}

/** Gain of the song: down before each phrase, up after the last of those that follow each other closely. */
function ducking(speech: readonly Span[]): SoundMix['musicGain'] {
  const merged: Span[] = [];
  for (const span of speech.toSorted((one, other) => one.startSeconds - other.startSeconds)) {
    const last = merged.at(-1);
    if (last !== undefined && span.startSeconds - last.endSeconds < DUCK_IN_SECONDS + DUCK_OUT_SECONDS)
      merged[merged.length - 1] = { ...last, endSeconds: Math.max(last.endSeconds, span.endSeconds) };
    else merged.push(span);
  }
  return merged.flatMap(({ startSeconds, endSeconds }) => [
    { timeSeconds: startSeconds - DUCK_IN_SECONDS, gainDb: 0 },
    { timeSeconds: startSeconds, gainDb: DUCK_DB },
    { timeSeconds: endSeconds, gainDb: DUCK_DB },
    { timeSeconds: endSeconds + DUCK_OUT_SECONDS, gainDb: 0 },
  ]);
}
