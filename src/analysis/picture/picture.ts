import type { Frame, Picture } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import { type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type Box, WHOLE_PICTURE } from '../facts.ts';
import { ThinnedSamples } from '../frames/thinned-samples.ts';
import type { MotionField } from '../optical-flow/field.ts';
import type { PictureFacts } from '../picture-facts.ts';
import { ChangeMeter } from './change.ts';
import { colorSpreadOf } from './color-spread.ts';
import { type Flatness, flatnessOf } from './flatness.ts';
import { grainOf } from './grain.ts';
import { ImpactDetector } from './impacts.ts';
import { levelsOf } from './levels.ts';
import { StructureKernel } from './picture-kernel.ts';
import { structureOf } from './structure.ts';
import { VIEW_SIDE, viewOf } from './view.ts';

/** Detailed pictures have a step of .3 s; 65,536 of them are 5.4 hours. */
const SAMPLE_SECONDS = 0.29;
const MAX_SAMPLES = 65_536;
/** Pixels of the detailed picture in a row of one of the size at which noise is known; their mean has so much less noise. */
const QUARTER = 4;
const VIEW_SECONDS = 1;
const MAX_VIEWS = 16_384;

interface PictureSample extends Flatness {
  readonly timeSeconds: number;
  readonly sharpness: number;
  readonly noise: number;
  readonly detail: number;
  readonly contrast: number;
  readonly lightness: number;
  readonly black: number;
  readonly white: number;
  readonly highlight: number;
  readonly colorSpread: number;
  readonly change: number | null;
  readonly difference: number | null;
}

/** Measures the appearance of the picture, about three times a second, and sudden changes of motion at every frame. */
export class PictureMeter implements Detector<[Frame, MotionField | null, Box?], PictureFacts> {
  #structure: StructureKernel | null = null;
  readonly #change = new ChangeMeter();
  readonly #impacts = new ImpactDetector();
  readonly #samples = new ThinnedSamples<PictureSample>(SAMPLE_SECONDS, MAX_SAMPLES);
  readonly #views = new ThinnedSamples<{ readonly timeSeconds: number; readonly view: Uint8Array }>(
    VIEW_SECONDS,
    MAX_VIEWS,
  );

  push(frame: Frame, field: MotionField | null, area: Box = WHOLE_PICTURE): void {
    const { timeSeconds, color, grey, detail } = frame;
    this.#impacts.push(timeSeconds, field);
    if (this.#views.isDue(timeSeconds))
      this.#views.push(timeSeconds, { timeSeconds, view: viewOf(grey, area) });
    this.#change.push(grey);
    if (detail === null || !this.#samples.isDue(timeSeconds)) return;
    const { noise: calmChange, ...change } = this.#change.closeWindow(
      pixelsWithin(area, grey) ?? wholeOf(grey),
    );
    this.#samples.push(timeSeconds, {
      timeSeconds,
      ...this.#structureOf(detail, area, calmChange),
      ...flatnessOf(grey, area),
      ...levelsOf(grey, area),
      colorSpread: colorSpreadOf(color, area),
      ...change,
    });
  }

  #structureOf(detail: Picture, area: Box, calmChange: number) {
    const { width, height } = detail;
    if (this.#structure?.width !== width || this.#structure.height !== height)
      this.#structure = new StructureKernel(width, height);
    const box = pixelsWithin(area, detail) ?? wholeOf(detail);
    const mostNoise = Math.min(calmChange, grainOf(detail, box) / QUARTER);
    return structureOf(this.#structure.measure(detail), box, mostNoise);
  }

  finish(): PictureFacts {
    const samples = this.#samples.all;
    const views = this.#views.all;
    const column = (of: (sample: PictureSample) => number, places: number) =>
      samples.map((sample) => rounded(of(sample), places));
    const bytes = new Uint8Array(views.length * VIEW_SIDE * VIEW_SIDE);
    for (const [at, { view }] of views.entries()) bytes.set(view, at * view.length);
    return {
      timesSeconds: column((sample) => sample.timeSeconds, 4),
      sharpness: column((sample) => sample.sharpness, 3),
      noise: column((sample) => sample.noise, 2),
      detail: column((sample) => sample.detail, 3),
      flat: column((sample) => sample.flat, 3),
      hard: column((sample) => sample.hard, 4),
      contrast: column((sample) => sample.contrast, 3),
      lightness: column((sample) => sample.lightness, 1),
      black: column((sample) => sample.black, 3),
      white: column((sample) => sample.white, 3),
      highlight: column((sample) => sample.highlight, 0),
      colorSpread: column((sample) => sample.colorSpread, 3),
      change: samples.map(({ change }) => (change === null ? null : rounded(change, 2))),
      difference: samples.map(({ difference }) => (difference === null ? null : rounded(difference, 4))),
      viewTimesSeconds: views.map((one) => rounded(one.timeSeconds, 4)),
      views: Buffer.from(bytes).toString('base64'),
      jolts: this.#impacts.finish(),
    };
  }
}

function wholeOf({ width, height }: Picture): PixelBox {
  return { left: 0, top: 0, width, height };
}
