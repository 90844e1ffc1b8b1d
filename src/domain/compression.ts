/** Settings of x264. */
export interface Compression {
  readonly preset: string;
  readonly crf: number;
  /** Divisions of a macroblock for predictions, in x264's names; undefined: those of the preset. */
  readonly partitions?: string | undefined;
  /** Added to the quantizer of chroma, negative for finer colors; undefined: 0. */
  readonly chromaOffset?: number | undefined;
}
