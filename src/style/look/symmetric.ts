/** A symmetric 2×2 matrix [[xx, xy], [xy, yy]]. */
export type Symmetric = readonly [xx: number, xy: number, yy: number];

/** Eigenvalues, the larger first. */
export function eigenvalues([xx, xy, yy]: Symmetric): [number, number] {
  const middle = (xx + yy) / 2;
  const radius = Math.hypot((xx - yy) / 2, xy);
  return [middle + radius, middle - radius];
}

/** The unit vector of the larger eigenvalue; the other's is square to it. */
export function majorAxis([xx, xy, yy]: Symmetric): [number, number] {
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  return [Math.cos(angle), Math.sin(angle)];
}
