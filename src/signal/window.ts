/** Periodic Hann window of `size` samples, for spectrograms. */
export function hannWindow(size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/** Symmetric Kaiser window of `size` samples (Kaiser & Schafer 1980); a larger `beta` gives a deeper stop band. */
export function kaiserWindow(size: number, beta: number): Float64Array {
  const middle = (size - 1) / 2;
  const norm = besselI0(beta);
  return Float64Array.from({ length: size }, (_, n) => {
    const x = middle === 0 ? 0 : (n - middle) / middle;
    return besselI0(beta * Math.sqrt(Math.max(0, 1 - x * x))) / norm;
  });
}

/** Modified Bessel function of the first kind, order 0, by its power series (Abramowitz & Stegun 9.6.12). */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 200; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
    if (term < sum * 1e-16) break;
  }
  return sum;
}
