import type { PlayedFiles } from './playback-plan.ts';
import type { Scene } from './scene.ts';

/** Source of pictures: a decoder in a worker, or video elements. */
export interface PictureSource {
  /** Plays these from now on. Call before all others. */
  setFiles(files: PlayedFiles): void;
  /** Other files of the same timeline: playing continues. */
  replaceFiles(files: PlayedFiles): void;
  /** The scene of one frame, as soon as it can be shown; null: superseded by another request. */
  show(number: number): Promise<Scene | null>;
  /** Begins to decode frames from `number` on. Resolves when enough are there to play without a stop. */
  play(number: number): Promise<void>;
  /** While playing: the newest scene up to `number`; null: no new one. */
  take(number: number): Scene | null;
  /** Whether frames after `number` are there. */
  isAhead(number: number): boolean;
  stop(): void;
  close(): void;
}
