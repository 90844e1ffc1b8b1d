import type { FrameRate } from '../../domain/time.ts';

/** The source's file as editing programs need to know it. */
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
