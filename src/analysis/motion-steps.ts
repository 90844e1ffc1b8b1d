import type { Box, CaptionSpan, PictureFacts, Shot } from './facts.ts';
import { type MotionInterval, type MotionLog, RESIDUAL_STEP } from './motion-log.ts';
import type { Step } from './pacing.ts';
import type { BlockGrid, MotionMap } from './subject.ts';

/** Motion of a block over an interval that noise alone can make, pixels of the grey picture. */
const RESIDUAL_NOISE = 0.35;
const BLOCK_PIXELS = 8;
/**
 * Speed (frame diagonals per second) that a block counts for which was nowhere to be found, where it moves too fast or too
 * irregularly to be followed; and the most of the picture that may be so: more is the camera's, or the light's.
 */
const GONE_SPEED = 0.3;
const MOST_GONE = 0.25;
/** Share of the camera's own motion that depth alone can leave behind in a block (parallax). */
const PARALLAX = 0.25;

/** 1 for every frame whose step from the frame before lies in one shot and takes time. */
export function measuredSteps(log: MotionLog, picture: PictureFacts): Uint8Array {
  const measured = new Uint8Array(log.timesSeconds.length);
  for (let i = 1; i < measured.length; i++) {
    measured[i] = log.timesSeconds[i] > log.timesSeconds[i - 1] ? 1 : 0;
  }
  for (const transition of picture.transitions) {
    if (transition.edge === undefined) measured.fill(0, transition.startFrame + 1, transition.endFrame + 1);
  }
  for (const shot of picture.shots) measured[shot.startFrame] = 0;
  return measured;
}

/** Mean motion of the blocks relative to the camera's, in frame diagonals per frame, one entry per frame. */
export function residualPerFrame(log: MotionLog, measured: Uint8Array): Float64Array {
  const out = new Float64Array(log.timesSeconds.length);
  const speed = new Float32Array(log.columns * log.rows);
  for (const interval of log.intervals) {
    if (!isMeasured(interval, measured)) continue;
    const seconds = blockSpeeds(log, interval, speed);
    let sum = 0;
    for (const value of speed) sum += value;
    const frames = interval.endFrame - interval.startFrame;
    out.fill((sum / speed.length) * (seconds / frames), interval.startFrame + 1, interval.endFrame + 1);
  }
  return out;
}

/**
 * Maps of block motion through a shot, without what parallax can make and without the blocks under burnt-in
 * captions, which stand still while the camera moves, nor those along the picture's edge, where many clips
 * carry a dark line that does. The map handed out is overwritten by the next.
 */
export function* motionMaps(
  log: MotionLog,
  measured: Uint8Array,
  shot: Shot,
  captions: readonly CaptionSpan[],
): Generator<MotionMap> {
  const speed = new Float32Array(log.columns * log.rows);
  const within = captions.filter(
    (span) => span.startSeconds < shot.endSeconds && span.endSeconds > shot.startSeconds,
  );
  for (let k = firstInterval(log, shot.startFrame); k < log.intervals.length; k++) {
    const interval = log.intervals[k];
    if (interval.endFrame >= shot.endFrame) return;
    if (!isMeasured(interval, measured)) continue;
    const seconds = blockSpeeds(log, interval, speed);
    const timeSeconds = log.timesSeconds[interval.endFrame];
    let camera = 0;
    for (let i = interval.startFrame + 1; i <= interval.endFrame; i++) camera += cameraDistance(log, i);
    const parallax = (PARALLAX * camera) / seconds;
    const goneSpeed = goneShare(interval) <= MOST_GONE ? GONE_SPEED / 255 : 0;
    for (let i = 0; i < speed.length; i++) {
      const known = Math.max(0, speed[i] - parallax);
      speed[i] = isAtEdge(log, i) ? 0 : Math.max(known, goneSpeed * interval.gone[i]);
    }
    for (const span of within) {
      if (span.startSeconds < timeSeconds && span.endSeconds > timeSeconds - seconds)
        clearUnder(speed, log, span.box);
    }
    yield { timeSeconds, seconds, speed, cameraSpeed: camera / seconds };
  }
}

function goneShare({ gone }: MotionInterval): number {
  let sum = 0;
  for (const share of gone) sum += share;
  return sum / (255 * gone.length);
}

export function blockGrid(log: MotionLog): BlockGrid {
  const { columns, rows, width, height } = log;
  return {
    columns,
    rows,
    left: ((width - columns * BLOCK_PIXELS) >> 1) / width,
    top: ((height - rows * BLOCK_PIXELS) >> 1) / height,
    blockWidth: BLOCK_PIXELS / width,
    blockHeight: BLOCK_PIXELS / height,
  };
}

/**
 * The measured steps with how far the picture moved: the root mean square displacement of its points under the
 * camera's motion, plus the mean motion of the blocks.
 */
export function toSteps(log: MotionLog, residual: Float64Array, measured: Uint8Array): Step[] {
  const steps: Step[] = [];
  for (let i = 1; i < measured.length; i++) {
    if (measured[i] === 0) continue;
    steps.push({
      endSeconds: log.timesSeconds[i],
      seconds: log.timesSeconds[i] - log.timesSeconds[i - 1],
      distance: cameraDistance(log, i) + residual[i],
    });
  }
  return steps;
}

/** Root mean square displacement of the picture's points at one step, frame diagonals. */
function cameraDistance(log: MotionLog, frame: number): number {
  const diagonal = Math.hypot(log.width, log.height);
  const x = (log.shiftX[frame] * log.width) / diagonal;
  const y = (log.shiftY[frame] * log.height) / diagonal;
  // Mean squared distance from the middle of a rectangle of diagonal 1 is 1/12.
  return Math.sqrt(x * x + y * y + (log.logScale[frame] ** 2 + log.rotation[frame] ** 2) / 12);
}

function isAtEdge(log: MotionLog, block: number): boolean {
  const column = block % log.columns;
  const row = (block - column) / log.columns;
  return column === 0 || row === 0 || column === log.columns - 1 || row === log.rows - 1;
}

function clearUnder(speed: Float32Array, log: MotionLog, box: Box): void {
  const grid = blockGrid(log);
  for (let i = 0; i < speed.length; i++) {
    const left = grid.left + (i % grid.columns) * grid.blockWidth;
    const top = grid.top + Math.floor(i / grid.columns) * grid.blockHeight;
    const apart =
      left >= box.x + box.width ||
      left + grid.blockWidth <= box.x ||
      top >= box.y + box.height ||
      top + grid.blockHeight <= box.y;
    if (!apart) speed[i] = 0;
  }
}

function isMeasured(interval: MotionInterval, measured: Uint8Array): boolean {
  for (let i = interval.startFrame + 1; i <= interval.endFrame; i++) if (measured[i] === 0) return false;
  return interval.endFrame > interval.startFrame;
}

/** Fills in diagonals per second; returns the interval's length in seconds. */
function blockSpeeds(log: MotionLog, interval: MotionInterval, out: Float32Array): number {
  const seconds = log.timesSeconds[interval.endFrame] - log.timesSeconds[interval.startFrame];
  const scale = 1 / (Math.hypot(log.width, log.height) * seconds);
  for (let i = 0; i < out.length; i++) {
    const pixels = Math.hypot(interval.residualX[i], interval.residualY[i]) * RESIDUAL_STEP;
    out[i] = pixels > RESIDUAL_NOISE ? (pixels - RESIDUAL_NOISE) * scale : 0;
  }
  return seconds;
}

/** Index of the first interval that starts at or after a frame. */
function firstInterval(log: MotionLog, frame: number): number {
  let low = 0;
  let high = log.intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (log.intervals[middle].startFrame < frame) low = middle + 1;
    else high = middle;
  }
  return low;
}
