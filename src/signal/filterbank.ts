/** Triangular filters over the bins of a spectrum, kept sparse. */
export interface Filterbank {
  readonly count: number;
  readonly centresHz: Float64Array;
  readonly firstBin: Int32Array;
  /** Of all filters, one after the other; filter b owns weightStart[b]..weightStart[b + 1]. */
  readonly weights: Float64Array;
  readonly weightStart: Int32Array;
}

/**
 * Logarithmically spaced triangles as SuperFlux uses them (Böck & Widmer, DAFx 2013): 24 an octave around
 * 440 Hz; neighbours that fall on one bin are merged, which leaves 138 between 27.5 Hz and 16 kHz for 2048
 * samples at 44.1 kHz. Peaks are 1, so that `apply` gives sums of magnitudes.
 */
export function logarithmicFilterbank(
  fftSize: number,
  sampleRate: number,
  range: { lowHz: number; highHz: number; bandsPerOctave: number },
): Filterbank {
  const bins = semitoneBins(fftSize, sampleRate, range);
  const count = Math.max(0, bins.length - 2);
  const weights: number[] = [];
  const weightStart = new Int32Array(count + 1);
  const firstBin = new Int32Array(count);
  const centresHz = new Float64Array(count);
  for (let b = 0; b < count; b++) {
    const low = bins[b];
    const centre = bins[b + 1];
    const high = Math.max(bins[b + 2], centre + 1);
    const first = Math.min(low + 1, centre);
    firstBin[b] = first;
    centresHz[b] = (centre * sampleRate) / fftSize;
    for (let bin = first; bin < high; bin++) {
      weights.push(bin <= centre ? (bin - low) / (centre - low) : (high - bin) / (high - centre));
    }
    weightStart[b + 1] = weights.length;
  }
  return { count, centresHz, firstBin, weights: Float64Array.from(weights), weightStart };
}

function semitoneBins(
  fftSize: number,
  sampleRate: number,
  { lowHz, highHz, bandsPerOctave }: { lowHz: number; highHz: number; bandsPerOctave: number },
): number[] {
  const top = Math.min(highHz, sampleRate / 2);
  const first = Math.floor(Math.log2(lowHz / 440) * bandsPerOctave);
  const last = Math.ceil(Math.log2(top / 440) * bandsPerOctave);
  const bins: number[] = [];
  for (let step = first; step <= last; step++) {
    const frequency = 440 * 2 ** (step / bandsPerOctave);
    if (frequency < lowHz || frequency > top) continue;
    const bin = Math.min(Math.round((frequency * fftSize) / sampleRate), fftSize / 2 - 1);
    if (bin !== bins.at(-1)) bins.push(bin);
  }
  return bins;
}

/** Weighted sums of the magnitudes of a power spectrum per filter into `into`. */
export function applyFilterbank(bank: Filterbank, power: Float64Array, into: Float64Array): void {
  const { count, firstBin, weights, weightStart } = bank;
  for (let b = 0; b < count; b++) {
    const end = weightStart[b + 1];
    let bin = firstBin[b];
    let sum = 0;
    for (let i = weightStart[b]; i < end; i++, bin++) sum += weights[i] * Math.sqrt(power[bin]);
    into[b] = sum;
  }
}
