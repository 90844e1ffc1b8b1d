import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import type { MotionField } from '../optical-flow/field.ts';

/** A moment at which motion starts, stops or turns. */
export interface Jolt {
  /** The last frame before the change: a landing's contact. */
  readonly timeSeconds: number;
  /** Change of velocity in picture diagonals per second, mean over the blocks. */
  readonly strength: number;
}

interface Step {
  readonly timeSeconds: number;
  readonly strength: number;
}

/** A jolt is the maximum within this time on both sides. */
const REACH_SECONDS = 0.2;
/** Factor over the median of its surroundings. */
const OVER_USUAL = 4;
/** Diagonals per second: below it vectors change by noise. */
const MIN_STRENGTH = 0.02;
/** At most 2.5 a second, so that four hours have fewer than this. */
const MAX_JOLTS = 40_000;

/**
 * Finds sudden changes of motion from the change of every block's velocity between frames: steady motion of any speed
 * has none.
 */
export class ImpactDetector implements Detector<[number, MotionField | null], readonly Jolt[]> {
  #x = new Float32Array(0);
  #y = new Float32Array(0);
  #known = new Uint8Array(0);
  #lastSeconds = Number.NaN;
  readonly #steps: Step[] = [];
  #next = 0;
  readonly #jolts: Jolt[] = [];

  push(timeSeconds: number, field: MotionField | null): void {
    if (field?.isRepeat === true) return;
    const seconds = timeSeconds - this.#lastSeconds;
    if (field === null || field.broken || !(seconds > 0)) {
      this.#known.fill(0);
      this.#add({ timeSeconds: this.#lastSeconds, strength: 0 });
    } else {
      this.#add({ timeSeconds: this.#lastSeconds, strength: this.#change(field, seconds) });
    }
    this.#lastSeconds = timeSeconds;
  }

  #change(field: MotionField, seconds: number): number {
    const { vectorX, vectorY, weight } = field;
    if (this.#x.length !== vectorX.length) {
      this.#x = new Float32Array(vectorX.length);
      this.#y = new Float32Array(vectorX.length);
      this.#known = new Uint8Array(vectorX.length);
    }
    const perSecond = 1 / (Math.hypot(field.width, field.height) * seconds);
    let sum = 0;
    for (let block = 0; block < vectorX.length; block++) {
      const isKnown = weight[block] > 0;
      const x = vectorX[block] * perSecond;
      const y = vectorY[block] * perSecond;
      if (isKnown && this.#known[block] === 1) sum += lengthOf(x - this.#x[block], y - this.#y[block]);
      this.#x[block] = x;
      this.#y[block] = y;
      this.#known[block] = isKnown ? 1 : 0;
    }
    return vectorX.length === 0 ? 0 : sum / vectorX.length;
  }

  #add(step: Step): void {
    if (Number.isNaN(step.timeSeconds)) return;
    const steps = this.#steps;
    steps.push(step);
    while (this.#next < steps.length && step.timeSeconds - steps[this.#next].timeSeconds > REACH_SECONDS)
      this.#judge(this.#next++);
    while (this.#next > 0 && steps[this.#next].timeSeconds - steps[0].timeSeconds > 2 * REACH_SECONDS) {
      steps.shift();
      this.#next -= 1;
    }
  }

  #judge(at: number): void {
    const { timeSeconds, strength } = this.#steps[at];
    if (strength < MIN_STRENGTH || this.#jolts.length >= MAX_JOLTS) return;
    const near = this.#steps.filter((step) => Math.abs(step.timeSeconds - timeSeconds) <= REACH_SECONDS);
    const strengths = near.map((step) => step.strength).sort((a, b) => a - b);
    const usual = strengths[strengths.length >> 1];
    const isFirst = near.find((step) => step.strength === strengths.at(-1))?.timeSeconds === timeSeconds;
    if (!isFirst || strength < OVER_USUAL * usual) return;
    this.#jolts.push({ timeSeconds: rounded(timeSeconds, 6), strength: rounded(strength, 4) });
  }

  finish(): readonly Jolt[] {
    while (this.#next < this.#steps.length) this.#judge(this.#next++);
    return this.#jolts;
  }
}

/** Faster than `Math.hypot`. */
function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
