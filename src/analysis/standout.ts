import type { Frame } from '../footage.ts';
import type { Box, Shot, SubjectTrack } from './facts.ts';
import { findSalientRegion } from './salient-region.ts';
import { ThinnedSamples } from './thinned-samples.ts';

const FIRST_INTERVAL_SECONDS = 0.4;
/** Of a clip. */
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
  readonly #samples = new ThinnedSamples<Sample>(FIRST_INTERVAL_SECONDS, MOST_SAMPLES);

  push({ timeSeconds, colour }: Frame): void {
    if (!this.#samples.isDue(timeSeconds)) return;
    const found = findSalientRegion(colour);
    const seen = found !== null && found.salience >= LEAST_SALIENCE;
    const box = seen ? found.box : null;
    this.#samples.push(timeSeconds, { timeSeconds, box, salience: seen ? found.salience : 0 });
  }

  /** At most one track for each shot, in order; its salience is the mean over the shot. */
  finish(shots: readonly Shot[]): SubjectTrack[] {
    const tracks: SubjectTrack[] = [];
    const samples = this.#samples.all;
    let at = 0;
    for (const { startSeconds, endSeconds } of shots) {
      const inside: Sample[] = [];
      while (at < samples.length && samples[at]!.timeSeconds < endSeconds) {
        if (samples[at]!.timeSeconds >= startSeconds) inside.push(samples[at]!);
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
