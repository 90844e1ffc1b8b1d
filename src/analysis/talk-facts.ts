/** Voice and its pauses, found by the recording's own floor. Input of the talk's plan. */
export interface TalkFacts {
  /** Median rise of voice above the median rise of pauses, dB. */
  readonly separationDb: number;
  /** The separation over the spread of the pauses: 0: there are too few pauses to judge. */
  readonly certainty: number;
  /** By how much each pause was shortened, because its borders are uncertain. */
  readonly marginSeconds: number;
  /** Stretches of voice, ascending; pauses are between them. */
  readonly runs: readonly { readonly startSeconds: number; readonly endSeconds: number }[];
}
