import type { Frame, Picture } from '../footage.ts';
import { bytesToLab } from '../signal/colour-space.ts';
import { paletteOf } from './colour-palette.ts';
import { ColourTally } from './colour-tally.ts';
import type { CaptionSpan, ColourFacts, ColourStatistics, Shot, Transition } from './facts.ts';

/** Ten frames a second are plenty for colour; beyond `MOST_SAMPLES` the interval doubles. */
const FIRST_INTERVAL_SECONDS = 0.1;
/** Half a 48×27 picture is 1.9 kB: 16,384 of them are 32 MB, whatever the clip's length. */
const MOST_SAMPLES = 16384;
/** Full-range levels at or below which a pixel counts as border black; coded black wavers by a few. */
const BORDER_LEVEL = 20;
/** What the picture beside a border reaches at its brightest over a shot. */
const PICTURE_LEVEL = 48;
/** A frame whose brightest twentieth stays below this luma level is black. */
const BLACK_FRAME_LEVEL = 18;
const PALETTE_PIXELS = 4096;

interface Sample {
  readonly index: number;
  readonly timeSeconds: number;
  /** RGB of every second pixel in a quincunx: row y starts at x = y mod 2. */
  readonly pixels: Uint8Array;
  readonly black: boolean;
}

/** The part of the grid, in pixels, that is neither letterbox nor pillarbox. */
interface Window {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Colour of a clip and its shots. Frames are only sampled until `finish`, when the shots are known: frames
 * inside transitions, black frames, borders and captions are left out, and each shot has the same weight.
 */
export class ColourAnalysis {
  #samples: Sample[] = [];
  #intervalSeconds = FIRST_INTERVAL_SECONDS;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  #width = 0;
  #height = 0;
  readonly #mostSamples: number;

  constructor(mostSamples = MOST_SAMPLES) {
    this.#mostSamples = mostSamples;
  }

  push(frame: Frame): void {
    const { colour } = frame;
    // The tolerance keeps a frame that lies on the interval but for rounding.
    if (frame.timeSeconds < this.#nextSeconds - 1e-6) return;
    if (this.#samples.length > 0 && (colour.width !== this.#width || colour.height !== this.#height)) return;
    this.#width = colour.width;
    this.#height = colour.height;
    this.#nextSeconds = frame.timeSeconds + this.#intervalSeconds;
    const pixels = quincunx(colour);
    this.#samples.push({
      index: frame.index,
      timeSeconds: frame.timeSeconds,
      pixels,
      black: isBlack(pixels),
    });
    if (this.#samples.length >= this.#mostSamples) {
      this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
      this.#intervalSeconds *= 2;
    }
  }

  /** `captions` are the burnt-in captions to leave out. A clip without any frame gives neutral zeros. */
  finish(
    shots: readonly Shot[],
    transitions: readonly Transition[],
    captions: readonly CaptionSpan[] = [],
  ): ColourFacts {
    const gradual = transitions.filter((transition) => transition.endFrame - transition.startFrame > 1);
    const clean = this.#samples.filter(
      (sample) =>
        !sample.black &&
        !gradual.some(({ startFrame, endFrame }) => sample.index > startFrame && sample.index < endFrame),
    );
    const whole = new ColourTally();
    const palette: number[] = [];
    const quota = Math.max(24, Math.floor(PALETTE_PIXELS / Math.max(1, shots.length)));
    const statistics = shots.map((shot): ColourStatistics | null => {
      const inside = samplesOf(clean, shot);
      if (inside.length === 0) return null;
      const tally = this.#tally(inside, captions, quota, palette);
      whole.merge(tally);
      return tally.weight > 0 ? tally.statistics() : null;
    });
    if (whole.weight === 0) {
      // Nothing usable: the figures of what there is, with a confidence of nothing.
      whole.merge(this.#tally(this.#samples, [], PALETTE_PIXELS, palette));
      return {
        clip: whole.statistics(),
        shots: statistics,
        palette: paletteOf(thin(palette)),
        confidence: 0,
      };
    }
    const usable = clean.length / this.#samples.length;
    const confidence = (1 - Math.exp(-clean.length / 8)) * (0.5 + 0.5 * Math.sqrt(usable));
    return {
      clip: whole.statistics(),
      shots: statistics,
      palette: paletteOf(thin(palette)),
      confidence: Math.round(confidence * 1000) / 1000,
    };
  }

  #tally(
    samples: readonly Sample[],
    captions: readonly CaptionSpan[],
    quota: number,
    palette: number[],
  ): ColourTally {
    const tally = new ColourTally();
    const window = borderless(samples, this.#width, this.#height);
    const lab = new Float64Array(3);
    const pixelsAll = samples.length * (window.right - window.left) * (window.bottom - window.top) * 0.5;
    const stride = Math.max(1, Math.floor(pixelsAll / quota));
    let seen = 0;
    for (const sample of samples) {
      const over = captions.filter(
        (span) => sample.timeSeconds >= span.startSeconds && sample.timeSeconds <= span.endSeconds,
      );
      eachPixel(this.#width, this.#height, (x, y, at) => {
        if (x < window.left || x >= window.right || y < window.top || y >= window.bottom) return;
        const [u, v] = [(x + 0.5) / this.#width, (y + 0.5) / this.#height];
        for (const { box } of over) {
          if (u >= box.x && u <= box.x + box.width && v >= box.y && v <= box.y + box.height) return;
        }
        const [red, green, blue] = [sample.pixels[at]!, sample.pixels[at + 1]!, sample.pixels[at + 2]!];
        bytesToLab(red, green, blue, lab);
        const end =
          Math.max(red, green, blue) <= 1 ? 'black' : Math.min(red, green, blue) >= 254 ? 'white' : null;
        tally.add(lab[0]!, lab[1]!, lab[2]!, end);
        if (seen++ % stride === 0) palette.push(lab[0]!, lab[1]!, lab[2]!);
      });
    }
    return tally;
  }
}

/** Samples are in order, so those of one shot are found by bisection: long clips have thousands of shots. */
function samplesOf(samples: readonly Sample[], shot: Shot): Sample[] {
  const first = lowerBound(samples, shot.startFrame);
  return samples.slice(first, lowerBound(samples, shot.endFrame));
}

function lowerBound(samples: readonly Sample[], index: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle]!.index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function quincunx(picture: Picture): Uint8Array {
  const { width, height, data } = picture;
  const kept = new Uint8Array(countOf(width, height) * 3);
  eachPixel(width, height, (x, y, at) => {
    const from = (y * width + x) * 3;
    kept[at] = data[from]!;
    kept[at + 1] = data[from + 1]!;
    kept[at + 2] = data[from + 2]!;
  });
  return kept;
}

function countOf(width: number, height: number): number {
  return Math.ceil(height / 2) * Math.ceil(width / 2) + Math.floor(height / 2) * Math.floor(width / 2);
}

function eachPixel(width: number, height: number, visit: (x: number, y: number, at: number) => void): void {
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = y & 1; x < width; x += 2, at += 3) visit(x, y, at);
  }
}

function isBlack(pixels: Uint8Array): boolean {
  const count = pixels.length / 3;
  let bright = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const luma = 0.2126 * pixels[at]! + 0.7152 * pixels[at + 1]! + 0.0722 * pixels[at + 2]!;
    if (luma > BLACK_FRAME_LEVEL) bright++;
  }
  return bright * 20 < count;
}

/** The picture without black borders; a border's mixed edge row or column goes with it. */
function borderless(samples: readonly Sample[], width: number, height: number): Window {
  const whole: Window = { left: 0, top: 0, right: width, bottom: height };
  const rows = new Uint8Array(height);
  const columns = new Uint8Array(width);
  for (const sample of samples) {
    eachPixel(width, height, (x, y, at) => {
      const level = Math.max(sample.pixels[at]!, sample.pixels[at + 1]!, sample.pixels[at + 2]!);
      if (level > rows[y]!) rows[y] = level;
      if (level > columns[x]!) columns[x] = level;
    });
  }
  const [top, bottom] = darkEnds(rows);
  const [left, right] = darkEnds(columns);
  const window: Window = { left, top, right: width - right, bottom: height - bottom };
  const kept = (window.right - window.left) * (window.bottom - window.top);
  // A dark scene is not a border: no common letterbox takes more than two thirds of the picture.
  return window.right > window.left && window.bottom > window.top && kept * 3 >= width * height
    ? window
    : whole;
}

function darkEnds(levels: Uint8Array): [number, number] {
  const first = levels.findIndex((level) => level > BORDER_LEVEL);
  if (first < 0) return [0, 0];
  const last = levels.findLastIndex((level) => level > BORDER_LEVEL);
  const after = levels.length - 1 - last;
  // A border ends at once, within one mixed row or column; a vignette or a dark edge does not.
  const before = first > 0 && (levels[first + 1] ?? 0) > PICTURE_LEVEL ? first + 1 : 0;
  return [before, after > 0 && (levels[last - 1] ?? 0) > PICTURE_LEVEL ? after + 1 : 0];
}

function thin(values: readonly number[]): Float32Array {
  const pixels = values.length / 3;
  const step = Math.max(1, Math.ceil(pixels / PALETTE_PIXELS));
  const kept: number[] = [];
  for (let pixel = 0; pixel < pixels; pixel += step) {
    kept.push(values[pixel * 3]!, values[pixel * 3 + 1]!, values[pixel * 3 + 2]!);
  }
  return Float32Array.from(kept);
}
