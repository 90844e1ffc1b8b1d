/** Hertz, of all written sound. In a file of its own because `audio-frame.ts` loads FFmpeg, which the service's own process must not do. */
export const OUTPUT_SAMPLE_RATE = 48_000;
