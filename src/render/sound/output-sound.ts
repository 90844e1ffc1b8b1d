import type { StereoBlock } from '../../media/av/audio-frame.ts';

/** The files of a timeline. */
export interface SoundFiles {
  /** Of the timeline's takes, in their order. */
  readonly takePaths: readonly string[];
  /** Of the song; left out: there is none. */
  readonly musicPath?: string;
}

/** The sound of a timeline before it is mastered, readable several times. */
export interface OutputSound {
  /** As long as the timeline. */
  readonly totalSamples: number;
  /** Stereo at 48 kHz. Blocks must not be modified. Throws like `openSamples`. */
  blocks(): AsyncGenerator<StereoBlock>;
}
