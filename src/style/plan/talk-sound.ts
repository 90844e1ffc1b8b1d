/** The sound of a talk from several takes: its parts at one level, over a ducked song. */
import type { AudioFacts, Span } from '../../analysis/facts.ts';
import type { Warning } from '../../domain/stage.ts';
import { powerDb, powerOfDb } from '../../signal/decibels.ts';
import { mean, median } from '../../signal/statistics.ts';
import { outputEnd, type TalkGap, type TalkPart, talkFrames } from '../edit/talk-plan.ts';
import type { SoundMix, SoundSpan } from '../model/timeline.ts';
import {
  CROSSFADE_SECONDS,
  ducking,
  EDGE_SECONDS,
  type EditSoundRequest,
  limited,
  songSpan,
} from './edit-sound.ts';
import { roomTones } from './room-tone.ts';

/** Relative gate of BS.1770: seconds that are quieter by more than this are pauses. */
const GATE_LU = 10;
/** Without a warning the song may end so long before the talk, which then ends while the song fades. */
const SONG_TOLERANCE_SECONDS = 1;
/** With fewer seconds of short-term loudness the loudness of the whole take is used. */
const MIN_VALUES = 3;

export interface TalkSoundRequest
  extends Pick<EditSoundRequest, 'music' | 'musicStartSeconds' | 'barSeconds' | 'sound' | 'takes'> {
  readonly parts: readonly TalkPart[];
  /** Frames per second of the output. */
  readonly frameRate: number;
}

/** Null: no take that speaks has sound, and there is no song. */
export function planTalkSound(request: TalkSoundRequest, warnings: Warning[]): SoundMix | null {
  const { parts, takes, music, frameRate, sound } = request;
  const takeLufs = new Map<number, number>();
  for (const { take } of parts) {
    if (takeLufs.has(take)) continue;
    const lufs = speechLufs(takes[take] ?? null, parts, take, frameRate);
    if (lufs !== null) takeLufs.set(take, lufs);
  }
  if (takeLufs.size === 0 && music === null) return null;
  const talkLufs = takeLufs.size === 0 ? null : median([...takeLufs.values()]);
  const gainOf = (take: number) =>
    talkLufs === null ? 0 : limited(talkLufs - (takeLufs.get(take) ?? talkLufs));
  const voices = parts.flatMap((part, at): SoundSpan[] => {
    if (takes[part.take] == null) return [];
    return [spanOf(part, parts[at - 1], parts[at + 1], frameRate, gainOf(part.take))];
  });
  const spans = [...voices, ...roomTones({ parts, takes, gainOf, frameRate })];
  if (music === null || sound === 'takes') return spans.length === 0 ? null : { spans, musicGain: [] };
  const totalSeconds = talkFrames(parts) / frameRate;
  const songLufs = music.loudness.integratedLufs;
  const gainDb = songLufs === null || talkLufs === null ? 0 : limited(talkLufs - songLufs);
  const song = songSpan({ ...request, slots: [] }, music, totalSeconds);
  if (song.endSeconds < totalSeconds - SONG_TOLERANCE_SECONDS)
    warnings.push({
      code: 'EDIT_SONG_ENDS',
      message: `The song ends after ${song.endSeconds.toFixed(1)} s, and the rest of the talk, which lasts ${totalSeconds.toFixed(1)} s, has no music. A longer song fills it.`,
    });
  const speech = parts.flatMap((part) => speechIn(part, takes[part.take] ?? null, frameRate));
  return { spans: [{ ...song, gainDb }, ...spans], musicGain: ducking(speech) };
}

/** Mean loudness of the parts of a take that are heard, gated; null: silent. */
function speechLufs(
  audio: AudioFacts | null,
  parts: readonly TalkPart[],
  take: number,
  frameRate: number,
): number | null {
  if (audio === null) return null;
  const { shortTermLufs, integratedLufs } = audio.loudness;
  const heard = shortTermLufs.filter((lufs, second) => {
    const isHeard = (part: TalkPart) =>
      part.take === take && second >= part.startFrame / frameRate && second < part.endFrame / frameRate;
    return lufs !== null && parts.some(isHeard);
  }) as number[];
  if (heard.length < MIN_VALUES) return integratedLufs;
  const meanOf = (values: readonly number[]) => powerDb(mean(values.map(powerOfDb)));
  const ungated = meanOf(heard);
  return meanOf(heard.filter((lufs) => lufs > ungated - GATE_LU));
}

/** The sound of a part. It overlaps with its neighbors within the pauses that are omitted between them. */
function spanOf(
  part: TalkPart,
  previous: TalkPart | undefined,
  next: TalkPart | undefined,
  frameRate: number,
  gainDb: number,
): SoundSpan {
  const lead = previous === undefined ? 0 : overhang(part.before);
  const tail = next === undefined ? 0 : overhang(part.after);
  const startSeconds = part.outputFrame / frameRate;
  const fade = (overlap: number) => Math.max(EDGE_SECONDS, overlap);
  return {
    source: part.take,
    sourceStartSeconds: part.startFrame / frameRate - lead,
    startSeconds: startSeconds - lead,
    endSeconds: outputEnd(part) / frameRate + tail,
    gainDb,
    fadeInSeconds: fade(previous === undefined ? 0 : lead + overhang(previous.after)),
    fadeOutSeconds: fade(next === undefined ? 0 : tail + overhang(next.before)),
  };
}

/** Seconds of an omitted pause that are heard, crossfaded with the neighbor's. */
function overhang({ seconds, isPause }: TalkGap): number {
  return isPause ? Math.min(CROSSFADE_SECONDS / 2, seconds) : 0;
}

/** Phrases of a part, in the output's time. */
function speechIn(part: TalkPart, audio: AudioFacts | null, frameRate: number): Span[] {
  const [from, to] = [part.startFrame / frameRate, part.endFrame / frameRate];
  const shift = part.outputFrame / frameRate - from;
  return (audio?.speech.spans ?? []).flatMap(({ startSeconds, endSeconds }) => {
    const [start, end] = [Math.max(from, startSeconds), Math.min(to, endSeconds)];
    return end > start ? [{ startSeconds: start + shift, endSeconds: end + shift }] : [];
  });
}
