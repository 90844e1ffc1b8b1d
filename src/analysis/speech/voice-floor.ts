/**
 * The background of a recording in each band, and how far each frame rises above it. Limits without a range beside them were set on 17
 * recordings of 16 voices in four languages.
 */
import { clamp } from '../../signal/interpolation.ts';
import { BANDS, type BandLevels, levelOf, STEP_DB } from './voice-bands.ts';

/** Frames of one block; floors are computed once per block. */
const BLOCK = 50;
/** Blocks on either side whose frames count: 4 s in all, longer than a phrase without a gap. */
const REACH_BLOCKS = 4;
/** Share of those frames below the floor. */
const LOCAL_SHARE = 0.08;
/** The floor is at most this far above the whole recording's quietest, dB: a phrase without a gap is no floor. */
const WHOLE_SHARE = 0.05;
const MAX_RISE_DB = 14;
/** Nor is it further below the band's loud frames, dB: gated recordings have digital silence. */
const LOUD_SHARE = 0.95;
const MAX_RANGE_DB = 38;
/** No band counts for more, dB: a hum that stops would outweigh a voice. */
const MAX_EXCESS_DB = 45;

/** Bands from 2.9 kHz: s, f and t at the ends of words are only there. */
const HISS_FROM = 12;

export interface Rise {
  /** Mean of all bands. */
  readonly voice: Float32Array;
  /** Mean of the upper third. */
  readonly hiss: Float32Array;
}

/** Rise of the bands above their floors, dB, for each frame. Independent of the recording's level. */
export function riseAboveFloor({ frames, steps }: BandLevels): Rise {
  const blocks = Math.ceil(frames / BLOCK);
  const voice = new Float32Array(frames);
  const hiss = new Float32Array(frames);
  for (let band = 0; band < BANDS; band++) {
    const histograms = blockHistograms(steps, frames, band);
    const whole = new Uint32Array(256);
    for (const histogram of histograms) addTo(whole, histogram, 1);
    const most = shareOf(whole, WHOLE_SHARE) + MAX_RISE_DB / STEP_DB;
    const least = shareOf(whole, LOUD_SHARE) - MAX_RANGE_DB / STEP_DB;
    const local = new Uint32Array(256);
    for (let block = -REACH_BLOCKS; block < blocks; block++) {
      if (block + REACH_BLOCKS < blocks) addTo(local, histograms[block + REACH_BLOCKS], 1);
      if (block - REACH_BLOCKS > 0) addTo(local, histograms[block - REACH_BLOCKS - 1], -1);
      if (block < 0) continue;
      const floor = levelOf(Math.max(least, Math.min(most, shareOf(local, LOCAL_SHARE))));
      for (let t = block * BLOCK; t < Math.min(frames, (block + 1) * BLOCK); t++) {
        const excess = clamp(levelOf(steps[t * BANDS + band]) - floor, 0, MAX_EXCESS_DB);
        voice[t] += excess / BANDS;
        if (band >= HISS_FROM) hiss[t] += excess / (BANDS - HISS_FROM);
      }
    }
  }
  return { voice, hiss };
}

function blockHistograms(steps: Uint8Array, frames: number, band: number): Uint16Array[] {
  return Array.from({ length: Math.ceil(frames / BLOCK) }, (_, block) => {
    const histogram = new Uint16Array(256);
    for (let t = block * BLOCK; t < Math.min(frames, (block + 1) * BLOCK); t++)
      histogram[steps[t * BANDS + band]] += 1;
    return histogram;
  });
}

function addTo(sum: Uint32Array, histogram: Uint16Array, sign: 1 | -1): void {
  for (let step = 0; step < sum.length; step++) sum[step] += sign * histogram[step];
}

/** The step below which this share of a histogram lies. */
function shareOf(histogram: Uint32Array, share: number): number {
  let total = 0;
  for (const count of histogram) total += count;
  let passed = 0;
  for (let step = 0; step < histogram.length; step++) {
    passed += histogram[step];
    if (passed > share * total) return step;
  }
  return histogram.length - 1;
}
