import type { Frame } from '../footage.ts';
import type { Box, Shot, SubjectTrack } from './facts.ts';
import { findSalientRegion } from './salient-region.ts';

const FIRST_INTERVAL_SECONDS = 0.4;
/** Of a clip; beyond, every second one goes and the interval doubles. */
const MOST_SAMPLES = 8192;
/** Of one moment, below which nothing stands out. */
const LEAST_SALIENCE = 0.25;
/** Of a shot's moments in which it is seen. */
const LEAST_SHARE = 0.6;

interface Sample {
  readonly timeSeconds: number;
  readonly box: Box | null;
  readonly salience: number;
}

/** What stands out by its colour, through the shots of a clip: the subject that motion does not tell. */
export class StandoutTracker {
  #samples: Sample[] = [];
  #intervalSeconds = FIRST_INTERVAL_SECONDS;
  #nextSeconds = Number.NEGATIVE_INFINITY;

  push({ timeSeconds, colour }: Frame): void {
    if (timeSeconds < this.#nextSeconds - 1e-6) return;
    this.#nextSeconds = timeSeconds + this.#intervalSeconds;
    const found = findSalientRegion(colour);
    const seen = found !== null && found.salience >= LEAST_SALIENCE;
    this.#samples.push({ timeSeconds, box: seen ? found.box : null, salience: seen ? found.salience : 0 });
    if (this.#samples.length < MOST_SAMPLES) return;
    this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
    this.#intervalSeconds *= 2;
  }

  /** At most one track for each shot, in order; its salience is the mean over the shot. */
  finish(shots: readonly Shot[]): SubjectTrack[] {
    const tracks: SubjectTrack[] = [];
    let at = 0;
    for (const { startSeconds, endSeconds } of shots) {
      const inside: Sample[] = [];
      while (at < this.#samples.length && this.#samples[at]!.timeSeconds < endSeconds) {
        if (this.#samples[at]!.timeSeconds >= startSeconds) inside.push(this.#samples[at]!);
        at++;
      }
      const boxes = inside.flatMap(({ timeSeconds, box }) => (box === null ? [] : [{ timeSeconds, box }]));
      if (boxes.length < LEAST_SHARE * inside.length || boxes.length === 0) continue;
      const salience = inside.reduce((sum, one) => sum + one.salience, 0) / inside.length;
      tracks.push({ startSeconds, endSeconds, boxes, salience: Math.round(salience * 1000) / 1000 });
    }
    return tracks;
  }
}
