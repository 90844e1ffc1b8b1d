import type { MotionCurve, MotionFacts, Shot } from '../analysis/facts.ts';
import type { MotionView } from './view.ts';

/** Limits of `zoom_usage`: log scale a second, total log scale, and seconds (`docs/style-motion.md`). */
const ZOOM_RATE = 0.03;
const MIN_ZOOM = 0.035;
const MIN_ZOOM_SECONDS = 0.4;
/** Curves are means over this time, so that a pan is visible through hand tremor. */
const SMOOTH_SECONDS = 0.3;
const ZOOM_SMOOTH_SECONDS = 0.7;
const MAX_COLUMNS = 1200;

/** The motion as the camera's: a picture that moves left is a pan to the right. */
export function motionView(motion: MotionFacts, shots: readonly Shot[], durationSeconds: number): MotionView {
  const { curve } = motion;
  const columns = Math.max(1, Math.min(MAX_COLUMNS, curve.timesSeconds.length));
  const columnSeconds = durationSeconds / columns;
  const bounds = [
    ...shots.map(({ startSeconds }) => Math.min(columns, Math.round(startSeconds / columnSeconds))),
    columns,
  ];
  const sum = (values: readonly number[]) => binned(curve, values, columns, durationSeconds);
  const rates = (values: readonly number[], window: number) =>
    movingMean(sum(values), bounds, Math.round(window / columnSeconds)).map((value) => value / columnSeconds);
  const zoom = rates(curve.logScale, ZOOM_SMOOTH_SECONDS);
  return {
    pan: rates(curve.shiftX, SMOOTH_SECONDS).map((value) => 0 - value),
    tilt: rates(curve.shiftY, SMOOTH_SECONDS),
    zoom,
    speed: rates(speeds(curve), SMOOTH_SECONDS),
    zooms: zoomSpans(zoom, bounds, columnSeconds),
    punchIns: motion.punchIns,
    confidence: motion.confidence,
  };
}

/** Steps of camera and residual together, frame diagonals (16:9; other ratios differ little). */
function speeds({ shiftX, shiftY, residual }: MotionCurve): number[] {
  const [width, height] = [16 / Math.hypot(16, 9), 9 / Math.hypot(16, 9)];
  return shiftX.map((x, at) => Math.hypot(x * width, shiftY[at] * height) + residual[at]);
}

/** Sums over columns of equal length; a longer step is spread over its columns. */
function binned(
  { timesSeconds }: MotionCurve,
  values: readonly number[],
  columns: number,
  durationSeconds: number,
): number[] {
  const sums = new Array<number>(columns).fill(0);
  const perSecond = columns / durationSeconds;
  for (let at = 1; at < values.length; at++) {
    const from = Math.min(columns, timesSeconds[at - 1] * perSecond);
    const to = Math.min(columns, timesSeconds[at] * perSecond);
    if (to <= from) continue;
    for (let column = Math.floor(from); column < to; column++) {
      const overlap = Math.min(to, column + 1) - Math.max(from, column);
      sums[column] += (values[at] * overlap) / (to - from);
    }
  }
  return sums;
}

/** Mean over `window` columns around each, within its shot. */
function movingMean(values: readonly number[], bounds: readonly number[], window: number): number[] {
  const half = Math.max(0, Math.floor(window / 2));
  const before = [0];
  for (const value of values) before.push(before.at(-1)! + value);
  const means = new Array<number>(values.length).fill(0);
  for (let shot = 0; shot + 1 < bounds.length; shot++) {
    for (let at = bounds[shot]; at < bounds[shot + 1]; at++) {
      const from = Math.max(bounds[shot], at - half);
      const to = Math.min(bounds[shot + 1], at + half + 1);
      means[at] = (before[to] - before[from]) / (to - from);
    }
  }
  return means;
}

function zoomSpans(
  rates: readonly number[],
  bounds: readonly number[],
  columnSeconds: number,
): MotionView['zooms'] {
  const spans: MotionView['zooms'][number][] = [];
  let from = 0;
  let logScale = 0;
  for (let at = 0; at <= rates.length; at++) {
    const rate = rates[at] ?? 0;
    const isContinued = Math.abs(rate) >= ZOOM_RATE && rate * logScale > 0 && !bounds.includes(at);
    if (!isContinued) {
      const long = (at - from) * columnSeconds >= MIN_ZOOM_SECONDS;
      if (long && Math.abs(logScale) >= MIN_ZOOM) {
        spans.push({ startSeconds: from * columnSeconds, endSeconds: at * columnSeconds, logScale });
      }
      from = at;
      logScale = 0;
    }
    if (Math.abs(rate) >= ZOOM_RATE) logScale += rate * columnSeconds;
  }
  return spans;
}
