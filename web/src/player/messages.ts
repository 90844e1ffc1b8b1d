/** Messages between the player and its workers. */
import type { CubeGrade } from '../../../src/domain/footage.ts';
import type { Take } from '../../../src/style/model/timeline.ts';
import type { Picture } from './picture.ts';
import type { PlayedFiles } from './playback-plan.ts';

/** Of all mixed sound, as in rendered outputs. */
export const SAMPLE_RATE = 48_000;

/** A clip's part of an output frame. */
export interface SentPicture {
  readonly clipIndex: number;
  /** `same`: that of this clip in the message before; null: it could not be decoded in time. */
  readonly picture: Picture | 'same' | null;
}

export type ToWorker =
  | { readonly type: 'files'; readonly files: PlayedFiles; readonly asImages: boolean }
  /** The same timeline with more files: the run continues. */
  | { readonly type: 'arrived'; readonly files: PlayedFiles }
  /** Sends one frame. */
  | { readonly type: 'show'; readonly run: number; readonly number: number }
  /** Sends frames from `number` on, some ahead of the last `shown`. */
  | { readonly type: 'play'; readonly run: number; readonly number: number }
  | { readonly type: 'shown'; readonly run: number; readonly number: number }
  | { readonly type: 'stop' }
  | { readonly type: 'cube'; readonly key: string; readonly grade: NonNullable<Take['grade']> }
  /** Mixes `count` samples of the output at 48 kHz. */
  | { readonly type: 'sound'; readonly run: number; readonly from: number; readonly count: number };

export type FromWorker =
  | {
      readonly type: 'frame';
      readonly run: number;
      readonly number: number;
      readonly pictures: readonly SentPicture[];
      /** The rendered frame; null: it could not be decoded in time. Left out: there is no rendered output. */
      readonly output?: Picture | null;
    }
  | { readonly type: 'cube'; readonly key: string; readonly cube: CubeGrade }
  | {
      readonly type: 'sound';
      readonly run: number;
      readonly from: number;
      readonly left: Float32Array<ArrayBuffer>;
      readonly right: Float32Array<ArrayBuffer>;
    }
  /** A file cannot be played by this browser. */
  | { readonly type: 'failed'; readonly address: string; readonly reason: string };
