/** The share, 0..1, of a percentage or of an amount that a service reports; 0 for anything but numbers. */
export function receivedShare(part: unknown, whole: unknown = 100): number {
  if (typeof part !== 'number' || typeof whole !== 'number' || !(whole > 0)) return 0;
  return Math.min(1, Math.max(0, part / whole));
}
