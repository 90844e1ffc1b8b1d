/** Measurements for bars, phrases and sections of music. Input of `songOf`. */
export interface MusicFacts {
  /** Step of `levelsDb`. */
  readonly levelStepSeconds: number;
  /** dB relative to a full-scale sine: below 200 Hz, up to 2.5 kHz, and above. */
  readonly levelsDb: {
    readonly low: readonly number[];
    readonly mid: readonly number[];
    readonly high: readonly number[];
  };
  /** One entry per beat of `AudioFacts.beats`. */
  readonly beats: {
    /**
     * Strength of bass onsets, kick-like and snare-like hits, and of all onsets at the beat; 1: typical strong ones of
     * the song.
     */
    readonly low: readonly number[];
    readonly kick: readonly number[];
    readonly snare: readonly number[];
    readonly full: readonly number[];
    /** Twelve pitch classes from A until the next beat; their squares sum to 1, or all are 0. */
    readonly chroma: readonly (readonly number[])[];
  };
}
