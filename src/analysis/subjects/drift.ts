import { rounded } from '../../signal/rounding.ts';
import type { WayPoint } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { BLOCK } from '../optical-flow/kernel.ts';
import { BOX_INTERVAL_SECONDS } from './shot-samples.ts';

/** Decimals of positions: a ten-thousandth of the picture is a fifth of a pixel at 1080p. */
const PLACES = 4;

/** Path of a part of the picture: the mean motion of the blocks in it, weighted by their certainty. */
export class Drift {
  /** About five points a second, relative to the first, (0, 0). */
  readonly path: WayPoint[];
  /** Whether a point (shares of the picture's sides) was in the part at the beginning. */
  readonly #holds: (x: number, y: number) => boolean;
  /** Position after the last frame. */
  #now: WayPoint;

  constructor(timeSeconds: number, holds: (x: number, y: number) => boolean) {
    this.#holds = holds;
    this.#now = { timeSeconds, x: 0, y: 0 };
    this.path = [this.#now];
  }

  push(timeSeconds: number, field: MotionField): void {
    const { width, height, columns, rows, weight, vectorX, vectorY } = field;
    const { x, y } = this.#now;
    const [left, top] = [(width - columns * BLOCK) >> 1, (height - rows * BLOCK) >> 1];
    let weights = 0;
    let sumX = 0;
    let sumY = 0;
    for (let block = 0; block < columns * rows; block++) {
      if (weight[block] === 0) continue;
      const middleX = left + ((block % columns) + 0.5) * BLOCK;
      const middleY = top + (Math.floor(block / columns) + 0.5) * BLOCK;
      if (!this.#holds(middleX / width - x, middleY / height - y)) continue;
      weights += weight[block];
      sumX += weight[block] * vectorX[block];
      sumY += weight[block] * vectorY[block];
    }
    const moved = (sum: number, side: number) => (weights === 0 ? 0 : sum / weights / side);
    this.#now = { timeSeconds, x: x + moved(sumX, width), y: y + moved(sumY, height) };
    if (timeSeconds >= this.path.at(-1)!.timeSeconds + BOX_INTERVAL_SECONDS) this.#extend();
  }

  /**
   * Extends the path to the last moment. `found`: position at which the part is detected again. If that is nearer to the
   * start than to the path's end, the path is wrong, and only its first point is kept.
   */
  end(found: Omit<WayPoint, 'timeSeconds'> | null = null): void {
    this.#extend();
    const { x, y } = this.#now;
    if (found !== null && Math.hypot(found.x - x, found.y - y) > Math.hypot(found.x, found.y))
      this.path.splice(1);
  }

  #extend(): void {
    const { timeSeconds, x, y } = this.#now;
    if (timeSeconds > this.path.at(-1)!.timeSeconds)
      this.path.push({ timeSeconds, x: rounded(x, PLACES), y: rounded(y, PLACES) });
  }
}
