import type { FrameRate } from '../../domain/time.ts';

/** A take's file as editing programs need to know it. */
export interface SourceMedia {
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
