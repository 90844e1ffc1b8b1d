/** Delay of an output's sound and picture relative to its source: pure functions. */
import { ComplexFft } from '../../src/signal/fft.ts';

/** Bins weaker than the strongest by more than this are ignored. */
const HEARD_POWER = 1e-8;
const BAND_HZ = [80, 7000] as const;
/** Of a sound that is only late the peak is 1; noise over n bins has about n^-½. */
const MIN_PEAK = 0.15;
/** Minimum ratio to the next peak, and the least distance of that peak. */
const MIN_LEAD = 1.3;
/** About −80 dBFS. */
const SILENT_POWER = 1e-8;
const PEAK_SECONDS = 0.003;

/**
 * The delay in seconds (positive: `after` is late), up to ±`maxSeconds`, by the phases of the cross-spectrum alone: neither
 * equaliser nor compressor moves it (C. Knapp, G. Carter, "The generalized correlation method for estimation of time delay",
 * 1976). Null without a clear peak: silence, or a tone.
 */
export function audioDelay(
  before: Float32Array,
  after: Float32Array,
  sampleRate: number,
  maxSeconds = 0.1,
): number | null {
  const length = Math.min(before.length, after.length);
  if (isSilent(before) || isSilent(after)) return null;
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * length)));
  const fft = new ComplexFft(size);
  // Both real signals in one transform.
  const { re, im } = fft;
  for (let n = 0; n < length; n++) {
    const window = Math.sin((Math.PI * (n + 0.5)) / length) ** 2;
    re[n] = before[n] * window;
    im[n] = after[n] * window;
  }
  fft.transform();
  const used = whiten(re, im, sampleRate);
  if (used === 0) return null;
  fft.transform();
  const most = Math.round(maxSeconds * sampleRate);
  const valueAt = (lag: number) => re[(lag + size) % size] / used;
  const lags = Array.from({ length: 2 * most + 1 }, (_, at) => at - most);
  const best = lags.reduce((one, other) => (valueAt(other) > valueAt(one) ? other : one));
  const away = PEAK_SECONDS * sampleRate;
  const next = Math.max(...lags.filter((lag) => Math.abs(lag - best) > away).map(valueAt));
  return valueAt(best) < MIN_PEAK || valueAt(best) < MIN_LEAD * next ? null : best / sampleRate;
}

function isSilent(audio: Float32Array): boolean {
  return audio.reduce((sum, sample) => sum + sample ** 2, 0) < SILENT_POWER * audio.length;
}

/** Makes the cross-spectrum of two signals, transformed together, one of phases. Returns the number of used bins, both sides. */
function whiten(re: Float64Array, im: Float64Array, sampleRate: number): number {
  const size = re.length;
  const cross = [new Float64Array(size), new Float64Array(size)] as const;
  let strongest = 0;
  for (let k = 0; k < size; k++) {
    const mirror = (size - k) % size;
    const [aRe, aIm] = [(re[k] + re[mirror]) / 2, (im[k] - im[mirror]) / 2];
    const [bRe, bIm] = [(im[k] + im[mirror]) / 2, (re[mirror] - re[k]) / 2];
    cross[0][k] = aRe * bRe + aIm * bIm;
    // Conjugated, so that a second forward transform takes it back.
    cross[1][k] = aRe * bIm - aIm * bRe;
    strongest = Math.max(strongest, Math.hypot(cross[0][k], cross[1][k]));
  }
  let used = 0;
  for (let k = 0; k < size; k++) {
    const hz = (Math.min(k, size - k) * sampleRate) / size;
    const magnitude = Math.hypot(cross[0][k], cross[1][k]);
    const says = hz >= BAND_HZ[0] && hz <= BAND_HZ[1] && magnitude > HEARD_POWER * strongest;
    re[k] = says ? cross[0][k] / magnitude : 0;
    im[k] = says ? -cross[1][k] / magnitude : 0;
    if (says) used++;
  }
  return used;
}

/** Of like pictures: the least correlation that is of the same moment. */
const MIN_LIKENESS = 0.5;
/**
 * Motion identifies a moment: on both sides, this many lags away, the likeness must be lower by this much. Where it hardly
 * changes, a pixel that the framing is off by decides, and calls slow zooms four frames early or late.
 */
const [SIDE_LAGS, MIN_CONTRAST] = [2, 0.01];

/**
 * Which moment is shown: `likeness[n]` is the likeness of a run's pictures if the run is late by
 * `lags[n]`, 0..1. Null where neighbouring moments look the same, or none like it.
 */
export function videoDelay(lags: readonly number[], likeness: readonly number[]): number | null {
  const best = likeness.indexOf(Math.max(...likeness));
  const sides = [best - SIDE_LAGS, best + SIDE_LAGS].map((at) => likeness[at]);
  const standsOut = sides.every((side) => side === undefined || likeness[best] - side >= MIN_CONTRAST);
  return likeness[best] >= MIN_LIKENESS && standsOut ? lags[best] : null;
}

/** Correlation of two pictures as rows of grey, −1..1; 0 where one is flat. */
export function likenessOf(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
  const count = one.length;
  for (let at = 0; at < count; at++) {
    const [p, q] = [one[at], other[at]];
    x += p;
    y += q;
    xx += p * p;
    yy += q * q;
    xy += p * q;
  }
  const spread = (xx - (x * x) / count) * (yy - (y * y) / count);
  return spread <= 1e-6 ? 0 : (xy - (x * y) / count) / Math.sqrt(spread);
}
