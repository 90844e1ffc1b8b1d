/** Level of a power in dB relative to 1. */
export function powerDb(power: number): number {
  return 10 * Math.log10(power);
}

/** Power of a level in dB; the inverse of `powerDb`. */
export function powerOfDb(level: number): number {
  return 10 ** (level / 10);
}

/** Level of an amplitude in dB relative to 1. */
export function amplitudeDb(amplitude: number): number {
  return 20 * Math.log10(amplitude);
}
