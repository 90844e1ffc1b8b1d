/**
 * Discrete Fourier transform of complex data, sizes a power of two ≥ 2. Radix-4 Stockham autosort: it needs no
 * bit reversal (C. Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, §1.7).
 */
export class ComplexFft {
  readonly size: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  #workRe: Float64Array;
  #workIm: Float64Array;

  constructor(size: number) {
    if (!Number.isInteger(size) || size < 2 || (size & (size - 1)) !== 0) {
      throw new RangeError(`FFT size must be a power of two, not ${size}`);
    }
    this.size = size;
    this.#cos = Float64Array.from({ length: size }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#sin = Float64Array.from({ length: size }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
    this.#workRe = new Float64Array(size);
    this.#workIm = new Float64Array(size);
  }

  /** Forward transform in place, unscaled: X[k] = Σ x[n]·exp(−2πi·kn/N). */
  transform(re: Float64Array, im: Float64Array): void {
    let fromRe = re;
    let fromIm = im;
    let toRe = this.#workRe;
    let toIm = this.#workIm;
    let length = this.size;
    let stride = 1;
    while (length > 1) {
      if (length > 4) this.#radix4(fromRe, fromIm, toRe, toIm, length, stride);
      else if (length === 4) this.#lastRadix4(fromRe, fromIm, toRe, toIm, stride);
      else this.#radix2(fromRe, fromIm, toRe, toIm, stride);
      const radix = length >= 4 ? 4 : 2;
      length /= radix;
      stride *= radix;
      [fromRe, toRe] = [toRe, fromRe];
      [fromIm, toIm] = [toIm, fromIm];
    }
    if (fromRe !== re) {
      re.set(fromRe);
      im.set(fromIm);
    }
  }

  #radix4(
    xr: Float64Array,
    xi: Float64Array,
    yr: Float64Array,
    yi: Float64Array,
    length: number,
    stride: number,
  ): void {
    const quarter = length >> 2;
    const cos = this.#cos;
    const sin = this.#sin;
    const step = stride * quarter;
    for (let p = 0; p < quarter; p++) {
      // A full turn is `size` table steps; at this stage one turn is `length` butterflies.
      const t = p * stride;
      const c1 = cos[t];
      const s1 = sin[t];
      const c2 = cos[2 * t];
      const s2 = sin[2 * t];
      const c3 = cos[3 * t];
      const s3 = sin[3 * t];
      let from = stride * p;
      let to = 4 * stride * p;
      for (let q = 0; q < stride; q++, from++, to++) {
        const ar = xr[from];
        const ai = xi[from];
        const br = xr[from + step];
        const bi = xi[from + step];
        const cr = xr[from + 2 * step];
        const ci = xi[from + 2 * step];
        const dr = xr[from + 3 * step];
        const di = xi[from + 3 * step];
        const sumAcR = ar + cr;
        const sumAcI = ai + ci;
        const difAcR = ar - cr;
        const difAcI = ai - ci;
        const sumBdR = br + dr;
        const sumBdI = bi + di;
        // i·(b − d)
        const turnR = di - bi;
        const turnI = br - dr;
        yr[to] = sumAcR + sumBdR;
        yi[to] = sumAcI + sumBdI;
        const r1 = difAcR - turnR;
        const i1 = difAcI - turnI;
        yr[to + stride] = r1 * c1 - i1 * s1;
        yi[to + stride] = r1 * s1 + i1 * c1;
        const r2 = sumAcR - sumBdR;
        const i2 = sumAcI - sumBdI;
        yr[to + 2 * stride] = r2 * c2 - i2 * s2;
        yi[to + 2 * stride] = r2 * s2 + i2 * c2;
        const r3 = difAcR + turnR;
        const i3 = difAcI + turnI;
        yr[to + 3 * stride] = r3 * c3 - i3 * s3;
        yi[to + 3 * stride] = r3 * s3 + i3 * c3;
      }
    }
  }

  /** The stage of four points, whose twiddle factors are all 1. */
  #lastRadix4(xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array, stride: number): void {
    const second = stride;
    const third = 2 * stride;
    const fourth = 3 * stride;
    for (let q = 0; q < stride; q++) {
      const sumAcR = xr[q] + xr[q + third];
      const sumAcI = xi[q] + xi[q + third];
      const difAcR = xr[q] - xr[q + third];
      const difAcI = xi[q] - xi[q + third];
      const sumBdR = xr[q + second] + xr[q + fourth];
      const sumBdI = xi[q + second] + xi[q + fourth];
      const turnR = xi[q + fourth] - xi[q + second];
      const turnI = xr[q + second] - xr[q + fourth];
      yr[q] = sumAcR + sumBdR;
      yi[q] = sumAcI + sumBdI;
      yr[q + second] = difAcR - turnR;
      yi[q + second] = difAcI - turnI;
      yr[q + third] = sumAcR - sumBdR;
      yi[q + third] = sumAcI - sumBdI;
      yr[q + fourth] = difAcR + turnR;
      yi[q + fourth] = difAcI + turnI;
    }
  }

  #radix2(xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array, stride: number): void {
    for (let q = 0; q < stride; q++) {
      yr[q] = xr[q] + xr[q + stride];
      yi[q] = xi[q] + xi[q + stride];
      yr[q + stride] = xr[q] - xr[q + stride];
      yi[q + stride] = xi[q] - xi[q + stride];
    }
  }
}

/** Transform of real data of `size` samples (a power of two ≥ 4) through a complex one of half the size. */
export class RealFft {
  readonly size: number;
  /** Number of distinct bins: size/2 + 1. */
  readonly bins: number;
  readonly #half: ComplexFft;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;

  constructor(size: number) {
    const half = size / 2;
    this.size = size;
    this.bins = half + 1;
    this.#half = new ComplexFft(half);
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    this.#cos = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#sin = Float64Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / size));
  }

  /** Real and imaginary parts of bins 0..size/2, unscaled. */
  transform(samples: ArrayLike<number>, re: Float64Array, im: Float64Array): void {
    const half = this.size / 2;
    const zr = this.#re;
    const zi = this.#im;
    for (let k = 0; k < half; k++) {
      zr[k] = samples[2 * k];
      zi[k] = samples[2 * k + 1];
    }
    this.#half.transform(zr, zi);
    re[0] = zr[0] + zi[0];
    im[0] = 0;
    re[half] = zr[0] - zi[0];
    im[half] = 0;
    for (let k = 1; k < half; k++) {
      const mirror = half - k;
      const evenR = (zr[k] + zr[mirror]) / 2;
      const evenI = (zi[k] - zi[mirror]) / 2;
      const oddR = (zi[k] + zi[mirror]) / 2;
      const oddI = (zr[mirror] - zr[k]) / 2;
      re[k] = evenR + oddR * this.#cos[k] + oddI * this.#sin[k];
      im[k] = evenI + oddI * this.#cos[k] - oddR * this.#sin[k];
    }
  }

  /**
   * Power |X|² of bins 0..size/2 of the samples from `offset` on under a window: the transform, its windowing and its
   * squaring in two passes instead of four.
   */
  windowedPower(samples: Float64Array, offset: number, window: Float64Array, power: Float64Array): void {
    const half = this.size / 2;
    const zr = this.#re;
    const zi = this.#im;
    for (let k = 0, n = 0; k < half; k++, n += 2) {
      zr[k] = samples[offset + n] * window[n];
      zi[k] = samples[offset + n + 1] * window[n + 1];
    }
    this.#half.transform(zr, zi);
    power[0] = (zr[0] + zi[0]) ** 2;
    power[half] = (zr[0] - zi[0]) ** 2;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let k = 1, mirror = half - 1; k <= mirror; k++, mirror--) {
      const evenR = (zr[k] + zr[mirror]) / 2;
      const evenI = (zi[k] - zi[mirror]) / 2;
      const oddR = (zi[k] + zi[mirror]) / 2;
      const oddI = (zr[mirror] - zr[k]) / 2;
      const turnedR = oddR * cos[k] + oddI * sin[k];
      const turnedI = oddI * cos[k] - oddR * sin[k];
      // The mirror's bin is the conjugate of even less odd.
      power[k] = (evenR + turnedR) ** 2 + (evenI + turnedI) ** 2;
      power[mirror] = (evenR - turnedR) ** 2 + (evenI - turnedI) ** 2;
    }
  }
}

/**
 * Circular autocorrelation from a power spectrum of size/2 + 1 bins: lags 0..size/2, unscaled
 * (Wiener–Khinchin). Zero-pad the signal to twice its length for the linear one.
 */
export function autocorrelationOf(power: Float64Array, fft: RealFft): Float64Array {
  const { size } = fft;
  const symmetric = new Float64Array(size);
  for (let k = 0; k <= size / 2; k++) {
    symmetric[k] = power[k];
    if (k > 0 && k < size / 2) symmetric[size - k] = power[k];
  }
  const re = new Float64Array(fft.bins);
  fft.transform(symmetric, re, new Float64Array(fft.bins));
  return re;
}
