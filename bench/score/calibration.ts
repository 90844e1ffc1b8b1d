/** Calibration: findings of higher confidence must be right more often. */

export interface Judged {
  readonly confidence: number;
  /** 0..1: true or false, or how nearly right. */
  readonly right: number;
}

export interface Third {
  readonly count: number;
  /** Lowest and highest confidence in it. */
  readonly from: number;
  readonly to: number;
  readonly meanRight: number;
}

/** The findings in thirds, from the least confident to the most; fewer thirds where there are fewer findings. */
export function confidenceThirds(findings: readonly Judged[]): Third[] {
  const sorted = [...findings].sort((a, b) => a.confidence - b.confidence);
  return [0, 1, 2]
    .map((third) =>
      sorted.slice(Math.round((third * sorted.length) / 3), Math.round(((third + 1) * sorted.length) / 3)),
    )
    .filter((part) => part.length > 0)
    .map((part) => ({
      count: part.length,
      from: part[0].confidence,
      to: part.at(-1)!.confidence,
      meanRight: part.reduce((sum, { right }) => sum + right, 0) / part.length,
    }));
}
