import type { RecordingMarks } from '../../domain/footage.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';

/** A take's file as editing programs need to know it. */
export interface SourceMedia extends RecordingMarks {
  /** Without folders: editing programs find the file by its name. */
  readonly fileName: string;
  /** 0: a photo, which can be shown for any time. */
  readonly durationSeconds: number;
  readonly frameRate: FrameRate;
  /** As displayed, in pixels. */
  readonly width: number;
  readonly height: number;
  /** 0: no sound. */
  readonly audioChannels: number;
}

/** Frames: products of rates in binary fractions are off by less. */
const ROUNDING = 1e-6;

/** The files of a timeline. */
export interface TimelineMedia {
  /** In the order of the timeline's takes. */
  readonly takes: readonly SourceMedia[];
  /** Null: there is no song. */
  readonly music: Pick<SourceMedia, 'fileName' | 'durationSeconds' | 'audioChannels'> | null;
}

/** A file of a timeline: the number of a take, or the song. */
export type MediaSource = number | 'music';

export function isPhoto({ durationSeconds }: Pick<SourceMedia, 'durationSeconds'>): boolean {
  return durationSeconds === 0;
}

/** Length of a video in frames of its rate. */
export function mediaFrames({ durationSeconds, frameRate }: SourceMedia): number {
  return Math.round(durationSeconds * framesPerSecond(frameRate));
}

/** End of a video's last whole frame, which `durationSeconds` can miss by half a frame. */
export function mediaSeconds(file: SourceMedia): number {
  return mediaFrames(file) / framesPerSecond(file.frameRate);
}

/**
 * A range inside a file of `available` frames, all in frames of one rate. A timeline's frames end up to one after the file's last one if
 * the rates differ: the range then begins as much earlier, and only one longer than the file becomes shorter.
 */
export function withinFile(
  { from, frames }: { readonly from: number; readonly frames: number },
  available: number,
): { readonly from: number; readonly frames: number } {
  const shown = Math.min(frames, Math.max(1, Math.floor(available + ROUNDING)));
  return { from: Math.max(0, Math.min(from, available - shown)), frames: shown };
}

/**
 * Relative URL of a file. Of several files with one name, the later ones lie in folders of their own (`take-2/clip.mp4`, `music/clip.mp4`):
 * one folder cannot hold both.
 */
export function mediaUrl({ takes, music }: TimelineMedia, source: MediaSource): string {
  const { fileName } = source === 'music' ? music! : takes[source];
  const earlier = source === 'music' ? takes : takes.slice(0, source);
  const url = encodeURIComponent(fileName.toWellFormed());
  if (!earlier.some((other) => other.fileName === fileName)) return url;
  return `${source === 'music' ? 'music' : `take-${source + 1}`}/${url}`;
}
