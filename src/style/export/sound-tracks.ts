/** The sound of an edit as tracks of an editing program: spans that overlap lie on different tracks. */
import { framesPerSecond } from '../../domain/time.ts';
import {
  clipStartFrames,
  musicGainDbAt,
  type SoundMix,
  type SoundSpan,
  type Timeline,
} from '../model/timeline.ts';
import { type MediaSource, mediaSeconds, type TimelineMedia } from './source-media.ts';

/**
 * Keys of a fade or of a flank of the ducking. Straight lines between them are off by at most .6 dB, except
 * in the first frames of a fade.
 */
const CURVE_KEYS = 6;
/** Channels that editing programs play of one file. */
const MAX_CHANNELS = 2;
/** Frames: sums of times in binary fractions are off by less. */
const ROUNDING = 1e-6;

/** A span of sound on whole frames of the output. */
export interface PlacedSpan {
  readonly span: SoundSpan;
  /** End exclusive. */
  readonly start: number;
  readonly end: number;
  /** Time in its file at `start`. */
  readonly sourceStartSeconds: number;
}

export interface SoundTrack {
  readonly kind: 'takes' | 'music';
  /** Ascending, with at least a frame between them. */
  readonly spans: readonly PlacedSpan[];
}

/** Gain at a frame of the output, as a factor; linear between keys. */
export interface LevelKey {
  readonly frame: number;
  readonly gain: number;
}

/** Tracks of the takes, as many as overlap, then one of the song. */
export function soundTracks(timeline: Timeline, sound: SoundMix, media: TimelineMedia): SoundTrack[] {
  const placed = sound.spans
    .flatMap((span) => placedSpan(span, timeline, media) ?? [])
    .sort((one, other) => one.start - other.start);
  const takes: PlacedSpan[][] = [];
  for (const span of placed) {
    if (span.span.source === 'music') continue;
    const free = takes.find((spans) => spans.at(-1)!.end < span.start);
    if (free === undefined) takes.push([span]);
    else free.push(span);
  }
  const music = placed.filter(({ span }) => span.source === 'music');
  const tracks = takes.map((spans): SoundTrack => ({ kind: 'takes', spans }));
  return music.length === 0 ? tracks : [...tracks, { kind: 'music', spans: music }];
}

/** Channels of a file that are played. */
export function playedChannels({ takes, music }: TimelineMedia, source: MediaSource): number {
  const { audioChannels } = source === 'music' ? music! : takes[source];
  return Math.min(MAX_CHANNELS, audioChannels);
}

/** Channels of each track: one where all files have one. */
export function trackChannels(tracks: readonly SoundTrack[], media: TimelineMedia): number {
  return Math.max(
    1,
    ...tracks.flatMap(({ spans }) => spans.map(({ span }) => playedChannels(media, span.source))),
  );
}

/** Null: nothing of it is heard. */
function placedSpan(span: SoundSpan, timeline: Timeline, media: TimelineMedia): PlacedSpan | null {
  const file = span.source === 'music' ? media.music : media.takes[span.source];
  if (file === null || file.audioChannels === 0) return null;
  const fps = framesPerSecond(timeline.frameRate);
  // Rounding may reach before the file's first or after its last sample by less than a frame.
  const shift = span.startSeconds - span.sourceStartSeconds;
  const first = Math.ceil(shift * fps - ROUNDING);
  const { durationSeconds } = file;
  const endSeconds =
    span.source === 'music'
      ? durationSeconds
      : Math.min(durationSeconds, mediaSeconds(media.takes[span.source]));
  const last = Math.floor((endSeconds + shift) * fps + ROUNDING);
  const start = Math.max(0, first, Math.round(span.startSeconds * fps));
  const end = Math.min(last, clipStartFrames(timeline).at(-1)!, Math.round(span.endSeconds * fps));
  return start < end ? { span, start, end, sourceStartSeconds: Math.max(0, start / fps - shift) } : null;
}

/** Gain of a span with its fades and, of the song, its ducking; one key where it is constant. */
export function levelKeys(placed: PlacedSpan, { musicGain }: SoundMix, fps: number): readonly LevelKey[] {
  const { span, start, end } = placed;
  const { fadeInSeconds, fadeOutSeconds } = span;
  const [from, to] = [start / fps, end / fps];
  const ducking = span.source === 'music' ? musicGain : [];
  const times = [
    ...curve(from, from + fadeInSeconds),
    ...curve(to - fadeOutSeconds, to),
    ...ducking.flatMap(({ timeSeconds }, index) => curve(timeSeconds, ducking[index + 1]?.timeSeconds)),
  ];
  // Before and after each time: a key on one frame alone would bend the straight line beside it.
  const frames = new Set(
    times
      .flatMap((seconds) => [Math.floor(seconds * fps + ROUNDING), Math.ceil(seconds * fps - ROUNDING)])
      .map((frame) => Math.max(start, Math.min(end, frame))),
  );
  const keys = [...frames]
    .sort((one, other) => one - other)
    .map((frame) => {
      const faded = ramp(frame / fps - from, fadeInSeconds) * ramp(to - frame / fps, fadeOutSeconds);
      return { frame, gain: factorOf(span.gainDb + musicGainDbAt(ducking, frame / fps)) * faded };
    });
  return keys.every(({ gain }) => gain === keys[0].gain) ? keys.slice(0, 1) : keys;
}

function curve(from: number, to = from): number[] {
  return Array.from({ length: CURVE_KEYS + 1 }, (_, key) => from + ((to - from) * key) / CURVE_KEYS);
}

/** Ramp of equal power, like the renderer's. */
function ramp(distance: number, length: number): number {
  return distance >= length ? 1 : Math.sin((Math.max(0, distance) / length) * (Math.PI / 2));
}

function factorOf(gainDb: number): number {
  return 10 ** (gainDb / 20);
}
