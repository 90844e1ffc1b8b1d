/** Clamps to `min`..`max`; returns `min` if `max` is less than `min`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}

/** 0 up to `from`, 1 from `to` on, smooth between them (Hermite); `from` may be greater than `to`. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}

/** Linear interpolation between two values by `share` (0..1). */
export function between(from: number, to: number, share: number): number {
  return from + share * (to - from);
}

/** Two neighbouring knots and the position of `at` between them, 0..1. */
export interface Segment<Knot> {
  readonly left: Knot;
  readonly right: Knot;
  readonly share: number;
}

/**
 * The segment of a polyline through `knots` (at least one, ascending in `placeOf`) that contains `at`. Before the first and after the
 * last knot both ends are that knot, so the polyline is constant there.
 */
export function segmentAt<Knot>(
  knots: readonly Knot[],
  placeOf: (knot: Knot) => number,
  at: number,
): Segment<Knot> {
  const next = knots.findIndex((knot) => placeOf(knot) >= at);
  if (next <= 0) {
    const end = knots[next < 0 ? knots.length - 1 : 0];
    return { left: end, right: end, share: 0 };
  }
  const [left, right] = [knots[next - 1], knots[next]];
  return { left, right, share: (at - placeOf(left)) / (placeOf(right) - placeOf(left)) };
}

/** Value at `at` of the polyline through (place, value) pairs, ascending in place; constant beyond its ends. */
export function polylineAt(knots: readonly (readonly [number, number])[], at: number): number {
  const { left, right, share } = segmentAt(knots, ([place]) => place, at);
  return between(left[1], right[1], share);
}

interface Place {
  readonly timeSeconds: number;
  readonly x: number;
  readonly y: number;
}

/** Position at a time on a path of straight lines through at least one place; constant beyond its ends. */
export function placeAt(
  places: readonly Place[],
  timeSeconds: number,
): { readonly x: number; readonly y: number } {
  const { left, right, share } = segmentAt(places, (place) => place.timeSeconds, timeSeconds);
  return { x: between(left.x, right.x, share), y: between(left.y, right.y, share) };
}
