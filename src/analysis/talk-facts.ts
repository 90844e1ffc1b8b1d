/** Voice and its pauses, found by the recording's own floor. Input of the talk's plan. */
export interface TalkFacts {
  /** Median rise of voice above the median rise of pauses, dB. */
  readonly separationDb: number;
  /** The separation over the spread of the pauses: 0: there are too few pauses to judge. */
  readonly certainty: number;
  /** By how much each pause was shortened, because its borders are uncertain. */
  readonly marginSeconds: number;
  /** Median level of the pauses, dB relative to full scale; left out: there are too few. */
  readonly pauseDb?: number;
  /** Further distance of cuts before and after a voice: the pauses are too short to judge consonants at their borders. Left out: none. */
  readonly cutMargin?: { readonly beforeSeconds: number; readonly afterSeconds: number };
  /** Stretches of voice, ascending; pauses are between them. */
  readonly runs: readonly { readonly startSeconds: number; readonly endSeconds: number }[];
  /** How far the voice rises above its background, for drawing. */
  readonly curve?: VoiceCurve;
  /** Phrases said again, ascending by the second; left out: pauses are uncertain, or none. */
  readonly repeats?: readonly PhraseRepeat[];
}

/** A phrase whose sound is the beginning of a later one. */
export interface PhraseRepeat {
  readonly firstSeconds: number;
  readonly secondSeconds: number;
  /** Distance of their sounds over that of unlike phrases, 0 to .88. */
  readonly ratio: number;
}

/** At most 1200 equal steps from the beginning to the end, so that hours cost no more than minutes. */
export interface VoiceCurve {
  readonly stepSeconds: number;
  /** Hundredths of the largest rise: 0 to 100. */
  readonly percents: readonly number[];
}
