/** Rounds to `places` decimal places; never returns −0. */
export function rounded(value: number, places: number): number {
  const scale = 10 ** places;
  return Math.round(value * scale) / scale + 0;
}
