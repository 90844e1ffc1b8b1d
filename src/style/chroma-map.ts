/** A symmetric 2×2 matrix [[xx, xy], [xy, yy]]. */
export type Symmetric = readonly [xx: number, xy: number, yy: number];

export interface ChromaLimits {
  /** Added to both covariances' diagonals, in squared Lab units: thin spreads then map to nearly nothing. */
  readonly ridge: number;
  readonly leastScale: number;
  readonly mostScale: number;
}

/**
 * The linear Monge–Kantorovich map between two Gaussians of (a, b) (Pitié and Kokaram 2007):
 * T = A^-½ (A^½ B A^½)^½ A^-½, the gentlest linear map that gives the spread B to what has the spread A.
 * The ridge and the limits on its eigenvalues keep it from stretching noise into colour blotches.
 */
export function chromaMap(from: Symmetric, to: Symmetric, limits: ChromaLimits): Symmetric {
  const a: Symmetric = [from[0] + limits.ridge, from[1], from[2] + limits.ridge];
  const b: Symmetric = [to[0] + limits.ridge, to[1], to[2] + limits.ridge];
  const root = ofEigenvalues(a, Math.sqrt);
  const inverseRoot = ofEigenvalues(a, (value) => 1 / Math.sqrt(value));
  const middle = ofEigenvalues(sandwich(root, b), Math.sqrt);
  return ofEigenvalues(sandwich(inverseRoot, middle), (value) =>
    Math.max(limits.leastScale, Math.min(limits.mostScale, value)),
  );
}

/** Eigenvalues of a symmetric matrix, the larger first. */
export function eigenvalues([xx, xy, yy]: Symmetric): [number, number] {
  const middle = (xx + yy) / 2;
  const radius = Math.hypot((xx - yy) / 2, xy);
  return [middle + radius, middle - radius];
}

/** The matrix with the same eigenvectors and `change` applied to its eigenvalues (0 at the least). */
function ofEigenvalues(matrix: Symmetric, change: (value: number) => number): Symmetric {
  const [large, small] = eigenvalues(matrix);
  const angle = Math.atan2(2 * matrix[1], matrix[0] - matrix[2]) / 2;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const [p, q] = [change(Math.max(0, large)), change(Math.max(0, small))];
  return [
    p * cosine * cosine + q * sine * sine,
    (p - q) * cosine * sine,
    p * sine * sine + q * cosine * cosine,
  ];
}

/** M N M of symmetric matrices, symmetric again. */
function sandwich(m: Symmetric, n: Symmetric): Symmetric {
  const [a, b, c] = [m[0] * n[0] + m[1] * n[1], m[0] * n[1] + m[1] * n[2], m[1] * n[0] + m[2] * n[1]];
  const d = m[1] * n[1] + m[2] * n[2];
  return [a * m[0] + b * m[1], a * m[1] + b * m[2], c * m[1] + d * m[2]];
}
