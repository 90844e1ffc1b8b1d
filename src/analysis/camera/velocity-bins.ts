import { CAMERA } from './camera-limits.ts';

/** The camera's motion through one shot, one entry per frame step, all arrays of one length. */
export interface CameraPath {
  /** Length of each step, seconds, > 0. */
  readonly stepSeconds: Float64Array;
  /** Shift per step in frame diagonals. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
  /** Radians. */
  readonly rotation: Float64Array;
  /** Share of the blocks with texture. */
  readonly texture: Float64Array;
  /** Share of the blocks along the picture's sides that move with the camera: see `MotionField.reach`. */
  readonly reach: Float64Array;
  /** Coherence of the whole shot; see `coherenceOf`. */
  readonly coherence: number | null;
}

/** Mean velocities of a path in bins of at least `CAMERA.binSeconds`. */
export interface VelocityBins {
  readonly seconds: Float64Array;
  /** Velocities: diagonals, log scale and radians per second. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly logScale: Float64Array;
  readonly rotation: Float64Array;
}

/** A path shorter than a bin is one bin. */
export function toBins(path: CameraPath): VelocityBins {
  const seconds: number[] = [];
  const velocities = [path.x, path.y, path.logScale, path.rotation].map((of) => ({
    of,
    sum: 0,
    means: [] as number[],
  }));
  let binSeconds = 0;
  const count = path.stepSeconds.length;
  for (let i = 0; i < count; i++) {
    binSeconds += path.stepSeconds[i];
    for (const velocity of velocities) velocity.sum += velocity.of[i];
    const isOnlyBin = i === count - 1 && seconds.length === 0;
    if ((binSeconds < CAMERA.binSeconds && !isOnlyBin) || binSeconds <= 0) continue;
    seconds.push(binSeconds);
    for (const velocity of velocities) {
      velocity.means.push(velocity.sum / binSeconds);
      velocity.sum = 0;
    }
    binSeconds = 0;
  }
  const [x, y, logScale, rotation] = velocities.map(({ means }) => Float64Array.from(means));
  return { seconds: Float64Array.from(seconds), x, y, logScale, rotation };
}

/** The bins without shake: means over `CAMERA.smoothSeconds` about each bin. */
export function smoothed(bins: VelocityBins): VelocityBins {
  return {
    seconds: bins.seconds,
    x: movingMean(bins.x, bins.seconds),
    y: movingMean(bins.y, bins.seconds),
    logScale: movingMean(bins.logScale, bins.seconds),
    rotation: movingMean(bins.rotation, bins.seconds),
  };
}

/** Mean over CAMERA.smoothSeconds about each bin, shorter at the ends. */
export function movingMean(values: Float64Array, seconds: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  let from = 0;
  let to = 0;
  let weight = 0;
  let sum = 0;
  let middle = 0;
  let fromTime = 0;
  let toTime = 0;
  for (let i = 0; i < values.length; i++) {
    const center = middle + seconds[i] / 2;
    while (to < values.length && toTime + seconds[to] / 2 <= center + CAMERA.smoothSeconds / 2) {
      sum += values[to] * seconds[to];
      weight += seconds[to];
      toTime += seconds[to];
      to++;
    }
    while (fromTime + seconds[from] / 2 < center - CAMERA.smoothSeconds / 2) {
      sum -= values[from] * seconds[from];
      weight -= seconds[from];
      fromTime += seconds[from];
      from++;
    }
    out[i] = to > from ? sum / weight : values[i];
    middle += seconds[i];
  }
  return out;
}
