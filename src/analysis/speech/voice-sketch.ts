import { clamp } from '../../signal/interpolation.ts';
import { ENVELOPE_FRAMES_PER_SECOND } from './phrases.ts';
import { BANDS, type BandLevels, STEP_DB } from './voice-bands.ts';

/** Frames of the bands that one of the sketch covers: 20 ms are finer than a sound of speech. */
const EVERY = 2;
export const SKETCH_FRAMES_PER_SECOND = ENVELOPE_FRAMES_PER_SECOND / EVERY;
/** Shares of a band's frames below its floor and above its top. */
const FLOOR_SHARE = 0.1;
const TOP_SHARE = 0.05;
/** The floor is at most this far below the top, dB, and no level counts for more above it. */
const RANGE_DB = 40;
/** Weight of the level against the balance of the bands: attempts differ in level. */
const LEVEL_WEIGHT = 0.5;
const VALUES = BANDS + 1;

/** The sound of a voice in each frame, 50 a second, independent of a noise floor: balance of the bands, and level. */
export class VoiceSketch {
  readonly frames: number;
  readonly #values: Float32Array;

  constructor({ frames, steps }: BandLevels) {
    this.frames = Math.floor(frames / EVERY);
    this.#values = new Float32Array(this.frames * VALUES);
    const floors = Array.from({ length: BANDS }, (_, band) => floorOf(steps, frames, band));
    const rises = new Float32Array(BANDS);
    for (let frame = 0; frame < this.frames; frame++) {
      let level = 0;
      for (let band = 0; band < BANDS; band++) {
        let step = 0;
        for (let part = 0; part < EVERY; part++) step += steps[(frame * EVERY + part) * BANDS + band] / EVERY;
        rises[band] = clamp((step - floors[band]) * STEP_DB, 0, RANGE_DB);
        level += rises[band] / BANDS;
      }
      const at = frame * VALUES;
      for (let band = 0; band < BANDS; band++)
        this.#values[at + band] = (rises[band] - level) / Math.sqrt(BANDS);
      this.#values[at + BANDS] = LEVEL_WEIGHT * level;
    }
  }

  /** Distance of a frame to each of `others`, dB. */
  distances(frame: number, others: ArrayLike<number>, to: Float32Array): void {
    const values = this.#values;
    const own = values.subarray(frame * VALUES, (frame + 1) * VALUES);
    for (let at = 0; at < others.length; at++) {
      const from = others[at] * VALUES;
      let sum = 0;
      for (let value = 0; value < VALUES; value++) {
        const difference = own[value] - values[from + value];
        sum += difference * difference;
      }
      to[at] = Math.sqrt(sum);
    }
  }
}

/** In steps. */
function floorOf(steps: Uint8Array, frames: number, band: number): number {
  const histogram = new Uint32Array(256);
  for (let frame = 0; frame < frames; frame++) histogram[steps[frame * BANDS + band]] += 1;
  let [floor, below] = [0, histogram[0]];
  while (floor < 255 && below < FLOOR_SHARE * frames) below += histogram[++floor];
  let [top, above] = [255, histogram[255]];
  while (top > 0 && above < TOP_SHARE * frames) above += histogram[--top];
  return Math.max(floor, top - RANGE_DB / STEP_DB);
}
