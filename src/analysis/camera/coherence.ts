import type { Shot } from '../facts.ts';
import { BLOCK } from '../optical-flow/kernel.ts';
import { type MotionInterval, type MotionLog, RESIDUAL_STEP } from '../optical-flow/log.ts';
import { isMeasured, SPREAD } from './motion-steps.ts';

const LIMITS = {
  /**
   * Distance that the camera travels, in pixels of the grey picture, before its blocks are compared with it.
   * Vectors are stored in quarter pixels, so an object and its background may differ by less than the rounding
   * from one frame to the next.
   */
  distance: 3,
  /** A camera that takes longer over that distance has not moved. */
  seconds: 1,
  /**
   * Largest difference from the camera's displacement, as a share of it, at which a block counts as moving with
   * the camera, or as at rest.
   */
  alike: 0.4,
} as const;

/** The camera's motion since the window began. */
interface CameraDisplacement {
  x: number;
  y: number;
  logScale: number;
  rotation: number;
  seconds: number;
}

/**
 * -1..1: share of the blocks that move with the camera through a shot, less the share that rest in the frame
 * meanwhile. While the camera moves, only overlays rest. If a near subject, or the landscape behind a car's
 * window, was mistaken for the background, the real background rests. Null if the camera hardly moves.
 */
export function coherenceOf(log: MotionLog, measured: Uint8Array, shot: Shot): number | null {
  const window = new Window(log);
  for (const interval of log.intervals) {
    if (interval.startFrame < shot.startFrame) continue;
    if (interval.endFrame >= shot.endFrame) break;
    window.add(interval, measured);
  }
  return window.known === 0 ? null : (window.along - window.resting) / window.known;
}

class Window {
  along = 0;
  resting = 0;
  known = 0;
  readonly #log: MotionLog;
  readonly #camera: CameraDisplacement = { x: 0, y: 0, logScale: 0, rotation: 0, seconds: 0 };
  readonly #residualX: Float64Array;
  readonly #residualY: Float64Array;
  readonly #isKnown: Uint8Array;

  constructor(log: MotionLog) {
    this.#log = log;
    const blocks = log.columns * log.rows;
    this.#residualX = new Float64Array(blocks);
    this.#residualY = new Float64Array(blocks);
    this.#isKnown = new Uint8Array(blocks).fill(1);
  }

  add(interval: MotionInterval, measured: Uint8Array): void {
    if (!isMeasured(interval, measured)) {
      this.#reset();
      return;
    }
    this.#addCamera(interval);
    for (let block = 0; block < this.#isKnown.length; block++) {
      if (interval.weight[block] === 0) this.#isKnown[block] = 0;
      this.#residualX[block] += interval.residualX[block] * RESIDUAL_STEP;
      this.#residualY[block] += interval.residualY[block] * RESIDUAL_STEP;
    }
    const { x, y, logScale, rotation, seconds } = this.#camera;
    const turned = Math.hypot(logScale, rotation) * Math.hypot(this.#log.width, this.#log.height);
    if (Math.hypot(x, y, turned * SPREAD) >= LIMITS.distance) this.#compare();
    else if (seconds < LIMITS.seconds) return;
    this.#reset();
  }

  #addCamera({ startFrame, endFrame }: MotionInterval): void {
    const { width, height, shiftX, shiftY, logScale, rotation, timesSeconds } = this.#log;
    for (let i = startFrame + 1; i <= endFrame; i++) {
      this.#camera.x += shiftX[i] * width;
      this.#camera.y += shiftY[i] * height;
      this.#camera.logScale += logScale[i];
      this.#camera.rotation += rotation[i];
    }
    this.#camera.seconds += timesSeconds[endFrame] - timesSeconds[startFrame];
  }

  #compare(): void {
    const { columns, rows, width, height } = this.#log;
    const { x, y, logScale, rotation } = this.#camera;
    const left = ((width - columns * BLOCK) >> 1) + BLOCK / 2 - width / 2;
    const top = ((height - rows * BLOCK) >> 1) + BLOCK / 2 - height / 2;
    for (let block = 0; block < this.#isKnown.length; block++) {
      if (this.#isKnown[block] === 0) continue;
      const column = block % columns;
      const fromMiddleX = left + column * BLOCK;
      const fromMiddleY = top + ((block - column) / columns) * BLOCK;
      const cameraX = x + logScale * fromMiddleX - rotation * fromMiddleY;
      const cameraY = y + logScale * fromMiddleY + rotation * fromMiddleX;
      const distance = Math.hypot(cameraX, cameraY);
      // Near the middle of a zoom, motion and rest cannot be distinguished.
      if (distance < LIMITS.distance) continue;
      this.known++;
      if (Math.hypot(this.#residualX[block], this.#residualY[block]) < LIMITS.alike * distance) this.along++;
      const movedX = cameraX + this.#residualX[block];
      const movedY = cameraY + this.#residualY[block];
      if (Math.hypot(movedX, movedY) < LIMITS.alike * distance) this.resting++;
    }
  }

  #reset(): void {
    Object.assign(this.#camera, { x: 0, y: 0, logScale: 0, rotation: 0, seconds: 0 });
    this.#residualX.fill(0);
    this.#residualY.fill(0);
    this.#isKnown.fill(1);
  }
}
