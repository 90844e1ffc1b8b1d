import type { FrameRate } from '../../domain/time.ts';

/** A take's file as editing programs need to know it. */
export interface SourceMedia {
  /** Without folders: editing programs find the file by its name. */
  readonly fileName: string;
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
