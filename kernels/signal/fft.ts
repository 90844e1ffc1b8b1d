/**
 * Discrete Fourier transforms in double precision. Results and memory layout: `src/signal/fft.ts`. Complex
 * values are two rows, real and imaginary parts. `turns` is the address of the twiddle factors, pairs of cos
 * and −sin. `turnBytes` is the distance of the used ones, for a table finer than the transform. Operations
 * and their order are those of the scalar version.
 */

const VALUE_BYTES: usize = 8;
const VECTOR_BYTES: usize = 16;
/** Values in a vector. */
const LANES: usize = 2;

/**
 * Forward transform in place; the number of values is a power of two, at least 2. Radix-4 Stockham autosort, without
 * bit reversal (C. Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, §1.7). `workRe` and
 * `workIm` have the same size.
 */
export function transform(
  re: usize,
  im: usize,
  workRe: usize,
  workIm: usize,
  turns: usize,
  turnBytes: usize,
  size: usize,
): void {
  let fromRe = re;
  let fromIm = im;
  let toRe = workRe;
  let toIm = workIm;
  let length = size;
  let stride: usize = 1;
  while (length > 1) {
    if (length === 2) radix2(fromRe, fromIm, toRe, toIm, stride);
    else if (length === 4) lastRadix4(fromRe, fromIm, toRe, toIm, stride);
    else if (stride === 1) firstRadix4(fromRe, fromIm, toRe, toIm, turns, turnBytes, length);
    else radix4(fromRe, fromIm, toRe, toIm, turns, turnBytes, length, stride);
    const radix: usize = length === 2 ? 2 : 4;
    length /= radix;
    stride *= radix;
    const usedRe = fromRe;
    const usedIm = fromIm;
    fromRe = toRe;
    fromIm = toIm;
    toRe = usedRe;
    toIm = usedIm;
  }
  if (fromRe === re) return;
  memory.copy(re, fromRe, VALUE_BYTES * size);
  memory.copy(im, fromIm, VALUE_BYTES * size);
}

/** The stage with adjacent butterflies: two at a time, whose results are interleaved when stored. */
function firstRadix4(
  xr: usize,
  xi: usize,
  yr: usize,
  yi: usize,
  turns: usize,
  turnBytes: usize,
  length: usize,
): void {
  const step = (length >> 2) * VALUE_BYTES;
  const end = xr + step;
  const toIm = yi - yr;
  let turn: usize = 0;
  do {
    const ar = v128.load(xr);
    const br = v128.load(xr + step);
    const cr = v128.load(xr + 2 * step);
    const dr = v128.load(xr + 3 * step);
    const ai = v128.load(xi);
    const bi = v128.load(xi + step);
    const ci = v128.load(xi + 2 * step);
    const di = v128.load(xi + 3 * step);
    const sumAcR = f64x2.add(ar, cr);
    const sumAcI = f64x2.add(ai, ci);
    const difAcR = f64x2.sub(ar, cr);
    const difAcI = f64x2.sub(ai, ci);
    const sumBdR = f64x2.add(br, dr);
    const sumBdI = f64x2.add(bi, di);
    // i·(b − d)
    const turnR = f64x2.sub(di, bi);
    const turnI = f64x2.sub(br, dr);
    const r1 = f64x2.sub(difAcR, turnR);
    const i1 = f64x2.sub(difAcI, turnI);
    const r2 = f64x2.sub(sumAcR, sumBdR);
    const i2 = f64x2.sub(sumAcI, sumBdI);
    const r3 = f64x2.add(difAcR, turnR);
    const i3 = f64x2.add(difAcI, turnI);
    const t1 = turns + turn;
    const t2 = t1 + turn;
    const t3 = t2 + turn;
    const c1 = cosines(t1, turnBytes);
    const s1 = sines(t1, turnBytes);
    const c2 = cosines(t2, 2 * turnBytes);
    const s2 = sines(t2, 2 * turnBytes);
    const c3 = cosines(t3, 3 * turnBytes);
    const s3 = sines(t3, 3 * turnBytes);
    storeTurned(yr, f64x2.add(sumAcR, sumBdR), turnedRe(r1, i1, c1, s1));
    storeTurned(yr + VECTOR_BYTES, turnedRe(r2, i2, c2, s2), turnedRe(r3, i3, c3, s3));
    storeTurned(yr + toIm, f64x2.add(sumAcI, sumBdI), turnedIm(r1, i1, c1, s1));
    storeTurned(yr + toIm + VECTOR_BYTES, turnedIm(r2, i2, c2, s2), turnedIm(r3, i3, c3, s3));
    xr += VECTOR_BYTES;
    xi += VECTOR_BYTES;
    yr += 4 * VECTOR_BYTES;
    turn += LANES * turnBytes;
  } while (xr < end);
}

/** Cosines of a twiddle factor and of the one `apart` bytes after it. */
function cosines(turn: usize, apart: usize): v128 {
  return i64x2.shuffle(v128.load(turn), v128.load(turn + apart), 0, 2);
}

/** Negative sines of a twiddle factor and of the one `apart` bytes after it. */
function sines(turn: usize, apart: usize): v128 {
  return i64x2.shuffle(v128.load(turn), v128.load(turn + apart), 1, 3);
}

/** Two neighbouring results of two butterflies, which are four places apart. */
function storeTurned(to: usize, one: v128, next: v128): void {
  v128.store(to, i64x2.shuffle(one, next, 0, 2));
  v128.store(to + 2 * VECTOR_BYTES, i64x2.shuffle(one, next, 1, 3));
}

/** A stage between the first and the last: the butterflies of one twiddle factor are adjacent, at least four. */
function radix4(
  xr: usize,
  xi: usize,
  yr: usize,
  yi: usize,
  turns: usize,
  turnBytes: usize,
  length: usize,
  stride: usize,
): void {
  const wide = stride * VALUE_BYTES;
  const step = wide * (length >> 2);
  const end = xr + step;
  const toIm = yi - yr;
  const fromIm = xi - xr;
  let turn: usize = 0;
  do {
    const t1 = turns + turn;
    const t2 = t1 + turn;
    const t3 = t2 + turn;
    const c1 = v128.load64_splat(t1);
    const s1 = v128.load64_splat(t1, VALUE_BYTES);
    const c2 = v128.load64_splat(t2);
    const s2 = v128.load64_splat(t2, VALUE_BYTES);
    const c3 = v128.load64_splat(t3);
    const s3 = v128.load64_splat(t3, VALUE_BYTES);
    const last = xr + wide;
    do {
      const ar = v128.load(xr);
      const br = v128.load(xr + step);
      const cr = v128.load(xr + 2 * step);
      const dr = v128.load(xr + 3 * step);
      const from = xr + fromIm;
      const ai = v128.load(from);
      const bi = v128.load(from + step);
      const ci = v128.load(from + 2 * step);
      const di = v128.load(from + 3 * step);
      const sumAcR = f64x2.add(ar, cr);
      const sumAcI = f64x2.add(ai, ci);
      const difAcR = f64x2.sub(ar, cr);
      const difAcI = f64x2.sub(ai, ci);
      const sumBdR = f64x2.add(br, dr);
      const sumBdI = f64x2.add(bi, di);
      // i·(b − d)
      const turnR = f64x2.sub(di, bi);
      const turnI = f64x2.sub(br, dr);
      const to = yr + toIm;
      v128.store(yr, f64x2.add(sumAcR, sumBdR));
      v128.store(to, f64x2.add(sumAcI, sumBdI));
      const r1 = f64x2.sub(difAcR, turnR);
      const i1 = f64x2.sub(difAcI, turnI);
      v128.store(yr + wide, turnedRe(r1, i1, c1, s1));
      v128.store(to + wide, turnedIm(r1, i1, c1, s1));
      const r2 = f64x2.sub(sumAcR, sumBdR);
      const i2 = f64x2.sub(sumAcI, sumBdI);
      v128.store(yr + 2 * wide, turnedRe(r2, i2, c2, s2));
      v128.store(to + 2 * wide, turnedIm(r2, i2, c2, s2));
      const r3 = f64x2.add(difAcR, turnR);
      const i3 = f64x2.add(difAcI, turnI);
      v128.store(yr + 3 * wide, turnedRe(r3, i3, c3, s3));
      v128.store(to + 3 * wide, turnedIm(r3, i3, c3, s3));
      xr += VECTOR_BYTES;
      yr += VECTOR_BYTES;
    } while (xr < last);
    yr += 3 * wide;
    // A full turn is `size` entries of the table; at this stage one is `length` butterflies.
    turn += stride * turnBytes;
  } while (xr < end);
}

function turnedRe(re: v128, im: v128, cos: v128, sin: v128): v128 {
  return f64x2.sub(f64x2.mul(re, cos), f64x2.mul(im, sin));
}

function turnedIm(re: v128, im: v128, cos: v128, sin: v128): v128 {
  return f64x2.add(f64x2.mul(re, sin), f64x2.mul(im, cos));
}

/**
 * The stage of four points, whose twiddle factors are 1. With a stride of 1 the second lane of each vector is
 * undefined. The next store overwrites it, and the memory after the last one is unused.
 */
function lastRadix4(xr: usize, xi: usize, yr: usize, yi: usize, stride: usize): void {
  const wide = stride * VALUE_BYTES;
  const end = xr + wide;
  do {
    const ar = v128.load(xr);
    const br = v128.load(xr + wide);
    const cr = v128.load(xr + 2 * wide);
    const dr = v128.load(xr + 3 * wide);
    const ai = v128.load(xi);
    const bi = v128.load(xi + wide);
    const ci = v128.load(xi + 2 * wide);
    const di = v128.load(xi + 3 * wide);
    const sumAcR = f64x2.add(ar, cr);
    const sumAcI = f64x2.add(ai, ci);
    const difAcR = f64x2.sub(ar, cr);
    const difAcI = f64x2.sub(ai, ci);
    const sumBdR = f64x2.add(br, dr);
    const sumBdI = f64x2.add(bi, di);
    const turnR = f64x2.sub(di, bi);
    const turnI = f64x2.sub(br, dr);
    v128.store(yr, f64x2.add(sumAcR, sumBdR));
    v128.store(yr + wide, f64x2.sub(difAcR, turnR));
    v128.store(yr + 2 * wide, f64x2.sub(sumAcR, sumBdR));
    v128.store(yr + 3 * wide, f64x2.add(difAcR, turnR));
    v128.store(yi, f64x2.add(sumAcI, sumBdI));
    v128.store(yi + wide, f64x2.sub(difAcI, turnI));
    v128.store(yi + 2 * wide, f64x2.sub(sumAcI, sumBdI));
    v128.store(yi + 3 * wide, f64x2.add(difAcI, turnI));
    xr += VECTOR_BYTES;
    xi += VECTOR_BYTES;
    yr += VECTOR_BYTES;
    yi += VECTOR_BYTES;
  } while (xr < end);
}

/** The stage of two points; the same applies to a stride of 1. */
function radix2(xr: usize, xi: usize, yr: usize, yi: usize, stride: usize): void {
  const wide = stride * VALUE_BYTES;
  const end = xr + wide;
  do {
    const ar = v128.load(xr);
    const br = v128.load(xr + wide);
    const ai = v128.load(xi);
    const bi = v128.load(xi + wide);
    v128.store(yr, f64x2.add(ar, br));
    v128.store(yr + wide, f64x2.sub(ar, br));
    v128.store(yi, f64x2.add(ai, bi));
    v128.store(yi + wide, f64x2.sub(ai, bi));
    xr += VECTOR_BYTES;
    xi += VECTOR_BYTES;
    yr += VECTOR_BYTES;
    yi += VECTOR_BYTES;
  } while (xr < end);
}

/**
 * Power |X|² of bins 0..half of twice `half` real samples under a window. A transform of `half` complex
 * values has even samples as real, odd samples as imaginary parts. `turns` has one step for each sample, so
 * the transform uses every second one.
 */
export function windowedPower(
  samples: usize,
  window: usize,
  re: usize,
  im: usize,
  workRe: usize,
  workIm: usize,
  turns: usize,
  turnBytes: usize,
  half: usize,
  power: usize,
): void {
  let to: usize = 0;
  const bytes = VALUE_BYTES * half;
  do {
    const from = 2 * to;
    const one = f64x2.mul(v128.load(samples + from), v128.load(window + from));
    const next = f64x2.mul(v128.load(samples + from, VECTOR_BYTES), v128.load(window + from, VECTOR_BYTES));
    v128.store(re + to, i64x2.shuffle(one, next, 0, 2));
    v128.store(im + to, i64x2.shuffle(one, next, 1, 3));
    to += VECTOR_BYTES;
  } while (to < bytes);
  transform(re, im, workRe, workIm, turns, 2 * turnBytes, half);
  const oneHalf = f64x2.splat(0.5);
  let turn = turns + turnBytes;
  let at = VALUE_BYTES;
  let mirror = bytes - VECTOR_BYTES;
  const middle = bytes >> 1;
  do {
    const r = v128.load(re + at);
    const i = v128.load(im + at);
    const mirrorR = turnedAbout(re + mirror);
    const mirrorI = turnedAbout(im + mirror);
    const evenR = f64x2.mul(f64x2.add(r, mirrorR), oneHalf);
    const evenI = f64x2.mul(f64x2.sub(i, mirrorI), oneHalf);
    const oddR = f64x2.mul(f64x2.add(i, mirrorI), oneHalf);
    const oddI = f64x2.mul(f64x2.sub(mirrorR, r), oneHalf);
    const cos = cosines(turn, turnBytes);
    const sin = sines(turn, turnBytes);
    const turnR = turnedRe(oddR, oddI, cos, sin);
    const turnI = turnedIm(oddR, oddI, cos, sin);
    v128.store(power + at, squaredLength(f64x2.add(evenR, turnR), f64x2.add(evenI, turnI)));
    // The mirrored bin is the conjugate of even minus odd.
    const other = squaredLength(f64x2.sub(evenR, turnR), f64x2.sub(evenI, turnI));
    v128.store(power + mirror, i64x2.shuffle(other, other, 1, 0));
    at += VECTOR_BYTES;
    mirror -= VECTOR_BYTES;
    turn += LANES * turnBytes;
  } while (at <= middle);
  const first = f64.load(re) + f64.load(im);
  const last = f64.load(re) - f64.load(im);
  f64.store(power, first * first);
  f64.store(power + bytes, last * last);
}

/** Two values in reverse order. */
function turnedAbout(from: usize): v128 {
  const v = v128.load(from);
  return i64x2.shuffle(v, v, 1, 0);
}

function squaredLength(re: v128, im: v128): v128 {
  return f64x2.add(f64x2.mul(re, re), f64x2.mul(im, im));
}

/**
 * Circular autocorrelation at lags 0..half of a signal with this power in bins 0..half: the transform of the symmetric
 * power spectrum, which is real.
 */
export function autocorrelate(
  power: usize,
  re: usize,
  im: usize,
  workRe: usize,
  workIm: usize,
  turns: usize,
  turnBytes: usize,
  half: usize,
  correlation: usize,
): void {
  const bytes = VALUE_BYTES * half;
  const middle = bytes >> 1;
  let at: usize = 0;
  do {
    const from = power + 2 * at;
    f64.store(re + at, f64.load(from));
    f64.store(im + at, f64.load(from, VALUE_BYTES));
    const back = bytes - at - VALUE_BYTES;
    f64.store(re + back, f64.load(from, 2 * VALUE_BYTES));
    f64.store(im + back, f64.load(from, VALUE_BYTES));
    at += VALUE_BYTES;
  } while (at < middle);
  transform(re, im, workRe, workIm, turns, 2 * turnBytes, half);
  const oneHalf = f64x2.splat(0.5);
  let turn = turns + turnBytes;
  at = VALUE_BYTES;
  do {
    const r = v128.load(re + at);
    const i = v128.load(im + at);
    const mirror = bytes - at - VALUE_BYTES;
    const mirrorR = turnedAbout(re + mirror);
    const mirrorI = turnedAbout(im + mirror);
    const evenR = f64x2.mul(f64x2.add(r, mirrorR), oneHalf);
    const oddR = f64x2.mul(f64x2.add(i, mirrorI), oneHalf);
    const oddI = f64x2.mul(f64x2.sub(mirrorR, r), oneHalf);
    const byCos = f64x2.mul(oddR, cosines(turn, turnBytes));
    const bySin = f64x2.mul(oddI, sines(turn, turnBytes));
    v128.store(correlation + at, f64x2.sub(f64x2.add(evenR, byCos), bySin));
    at += VECTOR_BYTES;
    turn += LANES * turnBytes;
  } while (at < bytes);
  f64.store(correlation, f64.load(re) + f64.load(im));
  f64.store(correlation + bytes, f64.load(re) - f64.load(im));
}
