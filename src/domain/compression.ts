/** Settings of x264. */
export interface Compression {
  readonly preset: string;
  readonly crf: number;
  /** Into which parts of a macroblock a prediction may be divided, as x264 names them; left out: as the preset has it. */
  readonly partitions?: string | undefined;
  /** Added to the quantizer of chroma, negative for finer colors; left out: 0. */
  readonly chromaOffset?: number | undefined;
}
