/** The sound of an edit: the song, mixed with or replaced by the takes' own sound. */

import type { AudioFacts, Span } from '../../analysis/facts.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import { joinedSpans, overlapSeconds } from '../../domain/spans.ts';
import { powerDb, powerOfDb } from '../../signal/decibels.ts';
import { mean } from '../../signal/statistics.ts';
import type { SoundMix, SoundSpan } from '../model/timeline.ts';

/** Ducking under speech: enough for every word (BBC R&D: 10 to 14 dB), with a fast attack and a slow release. */
const DUCK_DB = -12;
const DUCK_IN_SECONDS = 0.15;
const DUCK_OUT_SECONDS = 0.7;
/** Level of a take without speech relative to the song, in LU: audible only in pauses of the song. */
const AMBIENCE_LU = -12;
/** Largest gains that bring speech to the song's loudness: a higher gain raises noise. */
const MAX_RAISE_DB = 12;
const MAX_LOWER_DB = -18;
/** Fades at the edges of a take's sound: shorter ones click. */
export const EDGE_SECONDS = 0.03;
/** Overlap of consecutive takes without a song. */
export const CROSSFADE_SECONDS = 0.1;
/**
 * A phrase that crosses a cut is heard completely. It covers up to this much of the next slot (L cut) or the
 * previous one (J cut).
 */
const MAX_OVERHANG_SECONDS = 1;
/** Least duration of speech for a slot to count as speech. */
const MIN_SPEECH_SECONDS = 0.3;
/** A take with a pulse of at least this support and little speech contains music, which is muted under a song. */
const MUSIC_SUPPORT = 0.6;
const MUSIC_MAX_SPEECH_SHARE = 0.3;
/** Fade of a song at the edit's end if its bars are unknown. */
const USUAL_FADE_SECONDS = 1.5;
const MAX_FADE_SECONDS = 3;
/** A song's end below its mean level. Of 15 songs, eleven excerpts and loops end at most 3 dB below it, four tails 17 dB and more. */
const TAIL_DB = 10;
/** The last measured moments of a song. */
const TAIL_SECONDS = 0.5;

/** Position of a slot in its take and in the output. */
export interface AudibleSlot {
  readonly take: number;
  readonly sourceStartSeconds: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface EditSoundRequest {
  readonly slots: readonly AudibleSlot[];
  /** One per take; null: no sound. */
  readonly takes: readonly (AudioFacts | null)[];
  /** Null: no song. */
  readonly music: AudioFacts | null;
  readonly musicStartSeconds: number;
  /** Null: not known. */
  readonly barSeconds: number | null;
  readonly sound: EditOptions['sound'];
}

/** Null: no sound. */
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

export function songSpan(
  { musicStartSeconds, barSeconds }: EditSoundRequest,
  music: AudioFacts,
  totalSeconds: number,
): SoundSpan {
  const { durationSeconds } = music;
  const endSeconds = Math.min(totalSeconds, durationSeconds - musicStartSeconds);
  const isEnd = musicStartSeconds + endSeconds > durationSeconds - USUAL_FADE_SECONDS / 2;
  return {
    source: 'music',
    sourceStartSeconds: musicStartSeconds,
    startSeconds: 0,
    endSeconds,
    gainDb: 0,
    fadeInSeconds: musicStartSeconds > 0 ? EDGE_SECONDS : 0,
    fadeOutSeconds:
      isEnd && fadesAway(music)
        ? EDGE_SECONDS
        : Math.min(MAX_FADE_SECONDS, barSeconds ?? USUAL_FADE_SECONDS, totalSeconds / 4),
  };
}

/** Whether a song ends with a tail. Excerpts and loops stop at their usual level. */
function fadesAway({ music }: AudioFacts): boolean {
  if (music === undefined) return true;
  const { low, mid, high } = music.levelsDb;
  const powers = low.map((level, step) => powerOfDb(level) + powerOfDb(mid[step]!) + powerOfDb(high[step]!));
  const last = powers.slice(-Math.max(1, Math.round(TAIL_SECONDS / music.levelStepSeconds)));
  return powerDb(mean(last)) < powerDb(mean(powers)) - TAIL_DB;
}

function takesAlone({ slots, takes }: EditSoundRequest): SoundSpan[] {
  const levels = takes.map((audio) => audio?.loudness.integratedLufs ?? null).filter((lufs) => lufs !== null);
  const middle = levels.toSorted((one, other) => one - other)[levels.length >> 1] ?? 0;
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

/** Sound of the takes, and times of their speech in the output. */
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
    const audible = withOverhang(slot, phrases, outside, takes);
    spans.push(spanOf(slot, audible, level - own));
    for (const phrase of phrases)
      speech.push({
        startSeconds: Math.max(audible.startSeconds, phrase.startSeconds),
        endSeconds: Math.min(audible.endSeconds, phrase.endSeconds),
      });
  }
  return { spans, speech };
}

function hasOwnMusic({ tempo, speech }: AudioFacts): boolean {
  return tempo !== null && tempo.support >= MUSIC_SUPPORT && speech.share < MUSIC_MAX_SPEECH_SHARE;
}

/** The phrases of a take in a slot, in the output's time; they may extend beyond the slot. */
function phrasesIn(
  { speech }: AudioFacts,
  { sourceStartSeconds, startSeconds, endSeconds }: AudibleSlot,
): Span[] {
  const shift = startSeconds - sourceStartSeconds;
  return speech.spans
    .map((span) => ({ startSeconds: span.startSeconds + shift, endSeconds: span.endSeconds + shift }))
    .filter((span) => overlapSeconds(span, { startSeconds, endSeconds }) >= MIN_SPEECH_SECONDS);
}

/** The slot's time, extended to whole phrases over neighbours without speech. */
function withOverhang(
  slot: AudibleSlot,
  phrases: readonly Span[],
  { before, after }: { readonly before: AudibleSlot | undefined; readonly after: AudibleSlot | undefined },
  takes: readonly (AudioFacts | null)[],
): Span {
  const isFree = (beside: AudibleSlot | undefined) => {
    if (beside === undefined) return false;
    const audio = takes[beside.take];
    return audio == null || phrasesIn(audio, beside).length === 0;
  };
  const first = phrases[0].startSeconds - EDGE_SECONDS;
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

function spanOf(slot: AudibleSlot, { startSeconds, endSeconds }: Span, gainDb: number): SoundSpan {
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

export function limited(gainDb: number): number {
  return Math.max(MAX_LOWER_DB, Math.min(MAX_RAISE_DB, gainDb));
}

/** Gain of the song: lowered before each phrase, raised after the last of a group. */
export function ducking(speech: readonly Span[]): SoundMix['musicGain'] {
  const merged = joinedSpans(speech, DUCK_IN_SECONDS + DUCK_OUT_SECONDS);
  return merged.flatMap(({ startSeconds, endSeconds }) => [
    { timeSeconds: startSeconds - DUCK_IN_SECONDS, gainDb: 0 },
    { timeSeconds: startSeconds, gainDb: DUCK_DB },
    { timeSeconds: endSeconds, gainDb: DUCK_DB },
    { timeSeconds: endSeconds + DUCK_OUT_SECONDS, gainDb: 0 },
  ]);
}
