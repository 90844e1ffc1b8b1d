/** Level of a power, against one of 1. */
export function powerDb(power: number): number {
  return 10 * Math.log10(power);
}

/** The power of a level: the inverse of `powerDb`. */
export function powerOfDb(level: number): number {
  return 10 ** (level / 10);
}

/** Level of an amplitude, against one of 1. */
export function amplitudeDb(amplitude: number): number {
  return 20 * Math.log10(amplitude);
}
