import { type Box, type CaptionSpan, type Shot, type VideoFacts, WHOLE_PICTURE } from '../facts.ts';
import { BLOCK } from '../optical-flow/kernel.ts';
import { type MotionInterval, type MotionLog, RESIDUAL_STEP } from '../optical-flow/log.ts';
import type { BlockGrid, MotionMap } from '../subjects/subject.ts';
import type { Step } from './pacing.ts';

/** Block motion over an interval that noise alone can cause, pixels of the grey picture. */
const RESIDUAL_NOISE = 0.35;
/**
 * Largest speed (frame diagonals per second) assumed for a block without a match, which moves too fast or too
 * irregularly to be tracked. Maps, which show where things move, use it for each such block.
 */
const LOST_BLOCK_SPEED = 0.3;
/**
 * In the mean motion a block without a match is this many times as fast as the fastest block beside it. With 2, every
 * frame and every second frame give the same motion (22 clips: 1 % less). With 1 it is 6 % less, without such
 * blocks 14 %.
 */
const LOST_OVER_NEIGHBOURS = 2;
/** Largest share of the camera's motion that depth (parallax) alone leaves in a block. */
const PARALLAX = 0.25;
/** Root mean square distance from the middle of a rectangle of diagonal 1. */
export const SPREAD = Math.sqrt(1 / 12);

/** 1 for each frame whose step from the previous frame lies in one shot and takes time. */
export function measuredSteps(log: MotionLog, video: VideoFacts): Uint8Array {
  const measured = new Uint8Array(log.timesSeconds.length);
  for (let i = 1; i < measured.length; i++) {
    measured[i] = log.timesSeconds[i] > log.timesSeconds[i - 1] ? 1 : 0;
  }
  for (const { edge, startFrame, endFrame } of video.transitions) {
    // Fades at the clip's start and end lie within a shot.
    if (edge === undefined) measured.fill(0, startFrame + 1, endFrame + 1);
  }
  for (const shot of video.shots) measured[shot.startFrame] = 0;
  return measured;
}

/** The part of each frame inside black bars. Motion is in diagonals of that part, so that bars do not change it. */
export function areaPerFrame({ shots, shotAreas }: VideoFacts): (frame: number) => Box {
  let at = 0;
  return (frame) => {
    if (frame < (shots[at]?.startFrame ?? 0)) at = 0;
    while (at + 1 < shots.length && frame >= shots[at + 1].startFrame) at++;
    return shotAreas[at] ?? WHOLE_PICTURE;
  };
}

/** Diagonal of the grey picture's part inside bars, pixels. */
export function diagonalOf({ width, height }: MotionLog, area: Box): number {
  return Math.hypot(width * area.width, height * area.height);
}

/**
 * Mean motion of the blocks relative to the camera's, in picture diagonals per frame, one entry per frame. Blocks
 * without a match count by their neighbours.
 */
export function residualPerFrame(
  log: MotionLog,
  measured: Uint8Array,
  areaAt: (frame: number) => Box,
): Float64Array {
  const out = new Float64Array(log.timesSeconds.length);
  const speed = new Float32Array(log.columns * log.rows);
  for (const interval of log.intervals) {
    if (!isMeasured(interval, measured)) continue;
    const area = areaAt(interval.endFrame);
    const seconds = writeBlockSpeeds(log, interval, area, speed);
    const sum = sumOfSpeeds(log, interval, speed);
    const secondsPerFrame = seconds / (interval.endFrame - interval.startFrame);
    // Blocks of the bars do not move: the mean is over the others.
    const mean = sum / (speed.length * area.width * area.height);
    out.fill(mean * secondsPerFrame, interval.startFrame + 1, interval.endFrame + 1);
  }
  return out;
}

/**
 * Maps of block motion through a shot, without parallax. Speed is 0 under burnt-in captions, which do not move with
 * the camera, and along the picture's edge, where many clips have a dark line. Each map is overwritten by the next.
 */
export function* motionMaps(
  log: MotionLog,
  measured: Uint8Array,
  shot: Shot,
  captions: readonly CaptionSpan[],
  area: Box = WHOLE_PICTURE,
): Generator<MotionMap> {
  const speed = new Float32Array(log.columns * log.rows);
  const atEdge = blocksAtEdge(log, area);
  const within = captions.filter(
    (span) => span.startSeconds < shot.endSeconds && span.endSeconds > shot.startSeconds,
  );
  for (let k = firstInterval(log, shot.startFrame); k < log.intervals.length; k++) {
    const interval = log.intervals[k];
    if (interval.endFrame >= shot.endFrame) return;
    if (!isMeasured(interval, measured)) continue;
    const seconds = writeBlockSpeeds(log, interval, area, speed);
    const timeSeconds = log.timesSeconds[interval.endFrame];
    let camera = 0;
    for (let i = interval.startFrame + 1; i <= interval.endFrame; i++) camera += cameraDistance(log, i, area);
    const parallax = (PARALLAX * camera) / seconds;
    for (let i = 0; i < speed.length; i++) {
      const withoutParallax = Math.max(0, speed[i] - parallax);
      speed[i] =
        atEdge[i] === 1 ? 0 : Math.max(withoutParallax, (LOST_BLOCK_SPEED * interval.unmatched[i]) / 255);
    }
    for (const span of within) {
      if (span.startSeconds < timeSeconds && span.endSeconds > timeSeconds - seconds)
        clearUnder(speed, log, span.box);
    }
    yield { timeSeconds, seconds, speed, cameraSpeed: camera / seconds };
  }
}

export function blockGrid(log: MotionLog): BlockGrid {
  const { columns, rows, width, height } = log;
  return {
    columns,
    rows,
    left: ((width - columns * BLOCK) >> 1) / width,
    top: ((height - rows * BLOCK) >> 1) / height,
    blockWidth: BLOCK / width,
    blockHeight: BLOCK / height,
  };
}

/**
 * The measured steps and their distances. A distance is the root mean square displacement of the picture's
 * points by the camera, plus the mean motion of the blocks.
 */
export function toSteps(
  log: MotionLog,
  residual: Float64Array,
  measured: Uint8Array,
  areaAt: (frame: number) => Box,
): Step[] {
  const steps: Step[] = [];
  for (let i = 1; i < measured.length; i++) {
    if (measured[i] === 0) continue;
    steps.push({
      startSeconds: log.timesSeconds[i - 1],
      endSeconds: log.timesSeconds[i],
      distance: cameraDistance(log, i, areaAt(i)) + residual[i],
    });
  }
  return steps;
}

/**
 * Displacement at one step of the middle of the picture inside the bars, in its diagonals. The log has that of
 * the frame's middle; a zoom about it shifts an off-centre picture.
 */
export function shiftOf(
  log: MotionLog,
  frame: number,
  area: Box,
): { readonly x: number; readonly y: number } {
  const diagonal = diagonalOf(log, area);
  const asideX = (area.x + area.width / 2 - 0.5) * log.width;
  const asideY = (area.y + area.height / 2 - 0.5) * log.height;
  const scale = Math.exp(log.logScale[frame]);
  const [along, turn] = [scale * Math.cos(log.rotation[frame]) - 1, scale * Math.sin(log.rotation[frame])];
  return {
    x: (log.shiftX[frame] * log.width + along * asideX - turn * asideY) / diagonal,
    y: (log.shiftY[frame] * log.height + turn * asideX + along * asideY) / diagonal,
  };
}

/** Root mean square displacement of the picture's points at one step, picture diagonals. */
function cameraDistance(log: MotionLog, frame: number, area: Box): number {
  const { x, y } = shiftOf(log, frame, area);
  return Math.sqrt(x * x + y * y + (log.logScale[frame] ** 2 + log.rotation[frame] ** 2) * SPREAD ** 2);
}

/** 1 for the outermost blocks inside the bars, and for those outside. */
function blocksAtEdge(log: MotionLog, area: Box): Uint8Array {
  const grid = blockGrid(log);
  const marks = new Uint8Array(log.columns * log.rows);
  for (let i = 0; i < marks.length; i++) {
    const column = i % log.columns;
    const left = grid.left + (column - 1) * grid.blockWidth;
    const top = grid.top + ((i - column) / log.columns - 1) * grid.blockHeight;
    const isInner =
      left >= area.x &&
      top >= area.y &&
      left + 3 * grid.blockWidth <= area.x + area.width &&
      top + 3 * grid.blockHeight <= area.y + area.height;
    marks[i] = isInner ? 0 : 1;
  }
  return marks;
}

/** Sets the speed of the blocks that a box touches to 0. */
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

/** Whether all steps of an interval are measured. */
export function isMeasured(interval: MotionInterval, measured: Uint8Array): boolean {
  for (let i = interval.startFrame + 1; i <= interval.endFrame; i++) if (measured[i] === 0) return false;
  return interval.endFrame > interval.startFrame;
}

/** Writes block speeds in diagonals of the picture per second; returns the interval's length in seconds. */
function writeBlockSpeeds(log: MotionLog, interval: MotionInterval, area: Box, out: Float32Array): number {
  const seconds = log.timesSeconds[interval.endFrame] - log.timesSeconds[interval.startFrame];
  const scale = 1 / (diagonalOf(log, area) * seconds);
  for (let i = 0; i < out.length; i++) {
    const pixels = Math.hypot(interval.residualX[i], interval.residualY[i]) * RESIDUAL_STEP;
    out[i] = pixels > RESIDUAL_NOISE ? (pixels - RESIDUAL_NOISE) * scale : 0;
  }
  return seconds;
}

function sumOfSpeeds(log: MotionLog, interval: MotionInterval, speed: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < speed.length; i++) sum += Math.max(speed[i], lostBlockSpeed(log, interval, speed, i));
  return sum;
}

/** Probable speed of a block without a match, from the fastest of the eight around it; 0 for a matched block. */
function lostBlockSpeed(
  { columns, rows }: MotionLog,
  { unmatched }: MotionInterval,
  speed: Float32Array,
  block: number,
): number {
  if (unmatched[block] === 0) return 0;
  const column = block % columns;
  const row = (block - column) / columns;
  let fastest = 0;
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++)
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++)
      fastest = Math.max(fastest, speed[r * columns + c]);
  return (Math.min(LOST_BLOCK_SPEED, LOST_OVER_NEIGHBOURS * fastest) * unmatched[block]) / 255;
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
