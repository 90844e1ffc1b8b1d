import type { MotionKernel } from './kernel.ts';

/**
 * Motion of the whole picture. The content of the earlier frame moves by (shiftX, shiftY) pixels and is
 * scaled by exp(logScale). It is turned by `rotation` radians (clockwise on the screen) about the picture's
 * middle.
 */
export interface Similarity {
  readonly shiftX: number;
  readonly shiftY: number;
  readonly logScale: number;
  readonly rotation: number;
}

/** Largest residual of an inlier, pixels; smaller motion needs no prediction. */
export const INLIER_PIXELS = 0.5;

/** The motion that the kernel has fitted to the blocks. */
export class SimilarityFit {
  readonly #kernel: MotionKernel;

  constructor(kernel: MotionKernel) {
    this.#kernel = kernel;
  }

  /** No motion. */
  reset(): void {
    this.#kernel.model.fill(0);
  }

  similarity(): Similarity {
    const { model, radius } = this.#kernel;
    const [shiftX, shiftY, a, b] = model;
    const scaled = 1 + a / radius;
    const turned = b / radius;
    return {
      shiftX,
      shiftY,
      logScale: 0.5 * Math.log(Math.max(1e-6, scaled * scaled + turned * turned)),
      rotation: Math.atan2(turned, scaled),
    };
  }

  /** At the picture's corners, pixels. */
  largestMotion(): number {
    const { run, width, height } = this.#kernel;
    const motion = (x: number, y: number) => Math.hypot(run.modelX(x, y), run.modelY(x, y));
    const [x, y] = [width / 2, height / 2];
    return Math.max(motion(x, y), motion(-x, -y), motion(x, -y), motion(-x, y));
  }
}
