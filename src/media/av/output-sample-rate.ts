/** Hertz, of all written sound. Apart from `audio-frame.ts`, which loads FFmpeg: the service's own process must not. */
export const OUTPUT_SAMPLE_RATE = 48_000;
