/**
 * Audible differences, as a picture and as figures. From the top: waveforms of template, source and output; their
 * loudness over time (400 ms, −60 to 0 LUFS, a line every 10), each over its own length; their long-term spectra (25 Hz to
 * 20 kHz, a line every 10 dB, levels apart). Template orange, source grey, output blue.
 */

import { Readable } from 'node:stream';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { loudnessOf } from '../../src/analysis/loudness/loudness.ts';
import type { StereoBlock } from '../../src/media/av/audio-frame.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/av/output-sample-rate.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { AudioTrace, STEPS_PER_LOUDNESS_STEP } from '../../src/render/sound/audio-trace.ts';
import { mean, quantile } from '../../src/signal/statistics.ts';
import { writePng } from './sheet.ts';

const WIDTH = 1200;
const WAVE_HEIGHT = 110;
const PLOT_HEIGHT = 260;
const GAP = 8;
const COLORS = { template: [225, 120, 30], source: [120, 120, 120], output: [30, 90, 210] } as const;
const MIN_LUFS = -60;
const [LOW_HZ, HIGH_HZ] = [25, 20_000];
const SPECTRUM_DB = [-40, 25] as const;
/** Of 100 ms: momentary loudness. */
const MOMENTARY = 4;
/** Passages in which gain is looked at: within this of the source's loudest. */
const HEARD_LU = 25;

export interface Heard {
  /** Greatest magnitude of each 100 ms. */
  readonly peaks: readonly number[];
  /** LUFS of each 100 ms. */
  readonly levels: readonly number[];
}

export function hearFile(path: string): Promise<Heard> {
  const options = { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' } as const;
  return hear(Readable.from(openSamples(path, options)).map(({ channels }) => channels));
}

export async function hear(blocks: AsyncIterable<StereoBlock>): Promise<Heard> {
  const trace = new AudioTrace(OUTPUT_SAMPLE_RATE);
  for await (const block of blocks) trace.push(block);
  trace.finish();
  const each = <T>(values: Float32Array, of: (part: Float32Array) => T) =>
    Array.from({ length: Math.floor(values.length / STEPS_PER_LOUDNESS_STEP) }, (_, at) =>
      of(values.subarray(at * STEPS_PER_LOUDNESS_STEP, (at + 1) * STEPS_PER_LOUDNESS_STEP)),
    );
  return {
    peaks: each(trace.peaks, (part) => Math.max(...part)),
    levels: each(trace.powers, (part) =>
      loudnessOf(part.reduce((sum, power) => sum + power, 0) / part.length + 1e-12),
    ),
  };
}

export interface Objections {
  /** 95th percentile of the gain's change within half a second, dB: above 3 pumping is audible. */
  readonly pumpingDb: number;
  /** Gain of the first sounding 200 ms less that of the two seconds after, dB: a start that is ducked or blurts out. */
  readonly startDb: number;
  /** 2–8 kHz against 200 Hz–1 kHz, output less source, dB: dull below, harsh above. */
  readonly brightnessDb: number;
  /**
   * Share of 100 ms segments whose peak is within 0.2 dB of the level that a fiftieth exceed: above .3 the
   * sound is heavily limited. The highest peak of all is often an overshoot of the codec, which would hide
   * this.
   */
  readonly wall: number;
}

/** Changes from source to output, for clips with equal times; `source`: after the equalizer. */
export function objections(
  source: Heard,
  output: Heard,
  spectra: { readonly source: AudioFacts['spectrum']; readonly output: AudioFacts['spectrum'] },
): Objections {
  const loudest = Math.max(...source.levels);
  const gains = source.levels.map((level, at) =>
    level > loudest - HEARD_LU && output.levels[at] !== undefined ? output.levels[at] - level : null,
  );
  const changes = gains.flatMap((gain, at) => {
    const later = gains[at + 5];
    return gain == null || later == null ? [] : [Math.abs(later - gain)];
  });
  const first = gains.findIndex((gain) => gain !== null);
  const known = (from: number, to: number) => mean(gains.slice(from, to).filter((value) => value !== null));
  const high = quantile(output.peaks, 0.98);
  return {
    pumpingDb: changes.length === 0 ? 0 : quantile(changes, 0.95),
    startDb: known(first, first + 2) - known(first + 2, first + 22),
    brightnessDb: brightness(spectra.output) - brightness(spectra.source),
    wall: output.peaks.filter((peak) => peak > high * 10 ** (-0.2 / 20)).length / output.peaks.length,
  };
}

function brightness({ centresHz, levelsDb }: AudioFacts['spectrum']): number {
  const level = (from: number, to: number) =>
    10 *
    Math.log10(
      levelsDb.reduce(
        (sum, db, band) => sum + (centresHz[band] >= from && centresHz[band] <= to ? 10 ** (db / 10) : 0),
        1e-30,
      ),
    );
  return level(2000, 8000) - level(200, 1000);
}

type Three<T> = Readonly<Record<keyof typeof COLORS, T>>;

export function writeAudioSheet(
  path: string,
  heard: Three<Heard>,
  spectra: Three<AudioFacts['spectrum']>,
): void {
  const names = Object.keys(COLORS) as (keyof typeof COLORS)[];
  const height = names.length * (WAVE_HEIGHT + GAP) + 2 * (PLOT_HEIGHT + GAP);
  const canvas = new Canvas(WIDTH, height);
  names.forEach((name, row) => {
    const middle = row * (WAVE_HEIGHT + GAP) + WAVE_HEIGHT / 2;
    const { peaks } = heard[name];
    for (let x = 0; x < WIDTH; x++) {
      const half = (peaks[Math.floor((x / WIDTH) * peaks.length)] ?? 0) * (WAVE_HEIGHT / 2);
      canvas.line(x, middle - half, x, middle + half, COLORS[name]);
    }
    canvas.line(0, middle - WAVE_HEIGHT / 2, WIDTH, middle - WAVE_HEIGHT / 2, [200, 200, 200]);
    canvas.line(0, middle + WAVE_HEIGHT / 2, WIDTH, middle + WAVE_HEIGHT / 2, [200, 200, 200]);
  });
  const top = names.length * (WAVE_HEIGHT + GAP);
  const loud = new Plot(canvas, top, [MIN_LUFS, 0]);
  const spectrum = new Plot(canvas, top + PLOT_HEIGHT + GAP, SPECTRUM_DB);
  for (const name of names) {
    const levels = momentary(heard[name].levels);
    loud.draw(
      levels.map((level, at) => [at / Math.max(1, levels.length - 1), level]),
      COLORS[name],
    );
    const { centresHz, levelsDb } = spectra[name];
    const middle = mean(levelsDb);
    const place = (hz: number) => Math.log(hz / LOW_HZ) / Math.log(HIGH_HZ / LOW_HZ);
    spectrum.draw(
      centresHz.map((hz, band) => [place(hz), levelsDb[band] - middle]),
      COLORS[name],
    );
  }
  writePng(path, { width: WIDTH, height, rgb: canvas.rgb });
}

function momentary(levels: readonly number[]): number[] {
  return levels.map((_, at) => {
    const window = levels.slice(Math.max(0, at - MOMENTARY + 1), at + 1);
    return 10 * Math.log10(window.reduce((sum, level) => sum + 10 ** (level / 10), 0) / window.length);
  });
}

class Plot {
  readonly #canvas: Canvas;
  readonly #top: number;
  readonly #range: readonly [number, number];

  constructor(canvas: Canvas, top: number, range: readonly [number, number]) {
    this.#canvas = canvas;
    this.#top = top;
    this.#range = range;
    for (let level = Math.ceil(range[0] / 10) * 10; level <= range[1]; level += 10) {
      const y = this.#y(level);
      canvas.line(0, y, WIDTH, y, level === 0 ? [150, 150, 150] : [225, 225, 225]);
    }
  }

  /** Places 0..1 from the left, and levels. */
  draw(points: readonly (readonly [number, number])[], color: readonly number[]): void {
    points.forEach(([place, level], at) => {
      const [before, from] = points[Math.max(0, at - 1)];
      this.#canvas.line(before * (WIDTH - 1), this.#y(from), place * (WIDTH - 1), this.#y(level), color);
    });
  }

  #y(level: number): number {
    const [least, most] = this.#range;
    return this.#top + PLOT_HEIGHT * (1 - (Math.max(least, Math.min(most, level)) - least) / (most - least));
  }
}

class Canvas {
  readonly rgb: Uint8Array;
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.rgb = new Uint8Array(width * height * 3).fill(255);
  }

  line(fromX: number, fromY: number, toX: number, toY: number, color: readonly number[]): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY))));
    for (let step = 0; step <= steps; step++) {
      const x = Math.round(fromX + ((toX - fromX) * step) / steps);
      const y = Math.round(fromY + ((toY - fromY) * step) / steps);
      if (x >= 0 && y >= 0 && x < this.#width && y < this.#height)
        this.rgb.set(color, (y * this.#width + x) * 3);
    }
  }
}
