/** Motion along one degree of freedom, as displacement of the picture's points in diagonals. */
export interface Travel {
  /** From the first to the last position. */
  readonly net: number;
  readonly pathLength: number;
  /** Share of the path that leads towards its end. */
  readonly directness: number;
}

/** `scale`: displacement of the picture's points for a velocity of 1. */
export function travelOf(velocity: Float64Array, seconds: Float64Array, scale: number): Travel {
  let net = 0;
  let pathLength = 0;
  for (let i = 0; i < velocity.length; i++) {
    const distance = velocity[i] * scale * seconds[i];
    net += distance;
    pathLength += Math.abs(distance);
  }
  return { net, pathLength, directness: pathLength === 0 ? 0 : Math.abs(net) / pathLength };
}

/** The same for the picture's center, which moves in two dimensions. */
export function travelOfCenter({
  x,
  y,
  seconds,
}: {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly seconds: Float64Array;
}): Travel {
  const speeds = x.map((value, i) => Math.hypot(value, y[i]));
  const { pathLength } = travelOf(speeds, seconds, 1);
  const net = Math.hypot(travelOf(x, seconds, 1).net, travelOf(y, seconds, 1).net);
  return { net, pathLength, directness: pathLength === 0 ? 0 : net / pathLength };
}

/** Distance between the outermost positions of a path. */
export function rangeOf(velocity: Float64Array, seconds: Float64Array): number {
  let position = 0;
  let least = 0;
  let most = 0;
  for (let i = 0; i < velocity.length; i++) {
    position += velocity[i] * seconds[i];
    least = Math.min(least, position);
    most = Math.max(most, position);
  }
  return most - least;
}
