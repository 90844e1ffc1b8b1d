import { RealFft } from '../../signal/fft.ts';
import { FrameSlicer } from '../../signal/slicer.ts';
import { hannWindow } from '../../signal/window.ts';
import type { Detector } from '../detector.ts';

/** Power spectra of Hann windows at a steady rate. */
export class Spectra implements Detector<[Float32Array], void> {
  readonly fft: RealFft;
  /** Power of a full-scale sine, summed over the bins. */
  readonly fullScale: number;
  readonly #slicer: FrameSlicer;

  constructor(size: number, sampleRate: number, framesPerSecond: number, onPower: (p: Float64Array) => void) {
    this.fft = new RealFft(size, hannWindow(size));
    // Parseval: Σ|X|² over half the bins = N/2 · Σ (w·sin)², and Σ (w·sin)² = Σ w² / 2 = 3N/16.
    this.fullScale = (size / 2) * ((3 * size) / 16);
    this.#slicer = new FrameSlicer({ size, sampleRate, framesPerSecond }, (buffer, offset) => {
      onPower(this.fft.powerOf(buffer.subarray(offset, offset + size)));
    });
  }

  push(samples: Float32Array): void {
    this.#slicer.push(samples);
  }

  finish(): void {
    this.#slicer.finish();
  }
}
