/** Frames per second as an exact fraction: 30000/1001 is not 29.97. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

export function framesPerSecond(rate: FrameRate): number {
  return rate.numerator / rate.denominator;
}

/** The rates that cameras and editors use; SMPTE ST 2051 and common practice. */
const STANDARD_FRAME_RATES: readonly FrameRate[] = [
  { numerator: 24000, denominator: 1001 },
  { numerator: 24, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30000, denominator: 1001 },
  { numerator: 30, denominator: 1 },
  { numerator: 50, denominator: 1 },
  { numerator: 60000, denominator: 1001 },
  { numerator: 60, denominator: 1 },
];

/** The nearest standard rate within 0.1 %, else the rate itself to three decimals. */
export function snapFrameRate(rate: number): FrameRate {
  let best: FrameRate | undefined;
  let bestError = 0.001;
  for (const standard of STANDARD_FRAME_RATES) {
    const error = Math.abs(rate / framesPerSecond(standard) - 1);
    if (error <= bestError && (best === undefined || error < bestError)) {
      best = standard;
      bestError = error;
    }
  }
  return best ?? { numerator: Math.round(rate * 1000), denominator: 1000 };
}

/** Whether a rate has drop-frame timecode: 29.97 and its multiples (SMPTE ST 12-1). */
export function canDropFrames(rate: FrameRate): boolean {
  return rate.denominator === 1001 && rate.numerator % 30_000 === 0;
}
