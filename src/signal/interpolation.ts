/** Within `min` and `max`; `min` where they are the wrong way round. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}

/** 0 up to `from`, 1 from `to` on, or the other way round; a cubic without corners between (Hermite). */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}
