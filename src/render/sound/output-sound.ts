import type { StereoBlock } from '../../media/av/audio-frame.ts';

/** The files of a timeline. */
export interface SoundFiles {
  /** Files of the timeline's takes, in their order. */
  readonly takePaths: readonly string[];
  /** File of the song; absent: there is none. */
  readonly musicPath?: string;
}

/** The sound of a timeline before it is mastered, readable several times. */
export interface OutputSound {
  /** Length of the timeline. */
  readonly totalSamples: number;
  /** Stereo at 48 kHz. Blocks must not be modified. Throws like `openSamples`. */
  blocks(): AsyncGenerator<StereoBlock>;
}
