import { median } from '../../signal/statistics.ts';
import {
  fitConstantGrid,
  type PulseWindow,
  pulseClarity,
  pulseWindows,
  SAME_TEMPO,
  straighten,
} from './tempo.ts';

/**
 * Least clarity of windows with a pulse, and of the clearest one. Drum patterns and songs have .05 to .2;
 * noise, speech and film scores less than .04.
 */
const CLEAR_WINDOW = 0.035;
export const CLEAREST_WINDOW = 0.045;
/**
 * Weight of clarity along the path. A path finds beats in noise too, and sound straightened along it repeats
 * a little by that alone: speech and noise .015 to .044, rubato without drums .04 to .12.
 */
const FOLLOWED_WEIGHT = 0.78;
/** Largest change from one window to the next; a tempo may drift without limit. */
const SAME_INTERVAL = 0.06;
/** Least standard errors of a constant grid: songs have 8 to 33; speech, noise and ambience up to 5. */
export const STEADY_ERRORS = 7;
/** Fewest beats from which a stretch can be scored. */
export const MIN_BEATS = 3;
/** Windows without a clear pulse that a passage bridges, such as a break in the drums. */
const BRIDGED_WINDOWS = 3;

/** A stretch of one pulse, in frames. */
export interface Passage {
  readonly from: number;
  readonly to: number;
  readonly interval: number;
  /** Clarity of its windows, except bridged ones. */
  readonly clarities: readonly number[];
}

interface Run {
  readonly first: number;
  last: number;
  intervals: number[];
  clarities: number[];
}

/**
 * Finds the passages with one pulse in a tracked path, so that an edit or speech in the sound affects no
 * other passage.
 */
export function findPassages(
  windows: readonly PulseWindow[],
  path: readonly number[],
  activation: Float32Array,
): readonly Passage[] {
  const runs: Run[] = [];
  const beatsIn = windows.map((window) =>
    path.filter((frame) => frame >= window.startFrame && frame < window.endFrame),
  );
  const intervals = beatsIn.map((beats) => median(beats.slice(1).map((beat, i) => beat - beats[i])));
  const steady = steadyWindows(windows, intervals, activation);
  windows.forEach((window, index) => {
    const beats = beatsIn[index];
    if (beats.length < MIN_BEATS) return;
    const interval = intervals[index];
    const clarity = Math.max(
      pulseClarity(window, interval),
      FOLLOWED_WEIGHT * followedClarity(beats, interval, activation),
    );
    if (clarity < CLEAR_WINDOW && !steady.has(index)) return;
    const run = runs.findLast(
      (r) =>
        index - r.last <= BRIDGED_WINDOWS + 1 &&
        Math.abs(interval / r.intervals[r.intervals.length - 1] - 1) < SAME_INTERVAL,
    );
    if (run === undefined) {
      runs.push({ first: index, last: index, intervals: [interval], clarities: [clarity] });
      return;
    }
    run.last = index;
    run.intervals.push(interval);
    run.clarities.push(clarity);
  });
  const clear = runs.filter((run) => Math.max(...run.clarities) >= CLEAREST_WINDOW || steady.has(run.first));
  return placeRuns(dropEnclosed(clear), windows, activation.length);
}

/**
 * Consecutive windows whose path has one interval, and in which a constant grid is significant. Dense guitars
 * may hide the repetition in each window, but a long constant tempo is not chance.
 */
function steadyWindows(
  windows: readonly PulseWindow[],
  intervals: readonly number[],
  activation: Float32Array,
): ReadonlySet<number> {
  const steady = new Set<number>();
  for (let first = 0, end = 1; first < windows.length; first = end, end++) {
    while (end < windows.length && Math.abs(intervals[end] / intervals[end - 1] - 1) < SAME_TEMPO) end++;
    const part = activation.subarray(windows[first].startFrame, windows[end - 1].endFrame);
    const { standardErrors } = fitConstantGrid(part, intervals[first], SAME_TEMPO);
    if (standardErrors < STEADY_ERRORS) continue;
    for (let index = first; index < end; index++) steady.add(index);
  }
  return steady;
}

/** Clarity of the repetition from beat to beat, independent of tempo changes. */
function followedClarity(beats: readonly number[], interval: number, activation: Float32Array): number {
  const [window] = pulseWindows(straighten(activation, beats, interval));
  return window === undefined ? 0 : pulseClarity(window, interval);
}

/** Removes short runs of another interval inside a longer one, which are slips of the tracker. */
function dropEnclosed(runs: readonly Run[]): readonly Run[] {
  return runs.filter(
    (run) => !runs.some((other) => other !== run && other.first <= run.first && other.last >= run.last),
  );
}

/** Overlapping neighbors meet half-way between the middles of their outer windows. */
function placeRuns(
  runs: readonly Run[],
  windows: readonly PulseWindow[],
  totalFrames: number,
): readonly Passage[] {
  const middle = (index: number) => (windows[index].startFrame + windows[index].endFrame) / 2;
  return runs.map((run, r) => {
    const previous = runs[r - 1];
    const next = runs[r + 1];
    const start = windows[run.first].startFrame;
    // The last window may end before the clip.
    const end = run.last === windows.length - 1 ? totalFrames : windows[run.last].endFrame;
    const meets = (a: Run, b: Run) => Math.round((middle(a.last) + middle(b.first)) / 2);
    return {
      from: previous === undefined ? start : Math.max(start, meets(previous, run)),
      to: next === undefined ? end : Math.min(end, meets(run, next)),
      interval: median(run.intervals),
      clarities: run.clarities,
    };
  });
}
