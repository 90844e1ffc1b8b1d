import type { PlayedFiles } from './playback-plan.ts';
import type { Scene } from './scene.ts';

/** Where pictures come from: a decoder in a worker, or video elements. */
export interface PictureSource {
  /** Plays these from now on. Call before all others. */
  setFiles(files: PlayedFiles): void;
  /** The scene of one frame, as soon as it can be shown; null: another request came meanwhile. */
  show(number: number): Promise<Scene | null>;
  /** Begins to decode frames from `number` on. Resolves when enough are there to play without a stop. */
  play(number: number): Promise<void>;
  /** While playing: the newest scene up to `number`; null: none is there that was not taken yet. */
  take(number: number): Scene | null;
  /** Whether frames after `number` are there. */
  isAhead(number: number): boolean;
  stop(): void;
  close(): void;
}
