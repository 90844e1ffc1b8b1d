import type { Box, SubjectTrack } from '../facts.ts';
import { overlapShare } from './box-overlap.ts';
import { BOX_INTERVAL_SECONDS } from './shot-samples.ts';

/** Motion of the blocks relative to the camera's at one moment; rows of `columns` blocks. */
export interface MotionMap {
  readonly timeSeconds: number;
  /** Length of time the motion was measured over. */
  readonly seconds: number;
  /** Speed per block in frame diagonals per second; 0 where nothing moves or nothing is known. */
  readonly speed: Float32Array;
  /** Speed of the camera itself in frame diagonals per second. */
  readonly cameraSpeed: number;
}

/** Position of the block grid in the picture, as shares of its width and height. */
export interface BlockGrid {
  readonly columns: number;
  readonly rows: number;
  readonly left: number;
  readonly top: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
}

/** A box is drawn around the motion during this time, and belongs to its middle. */
const WINDOW_SECONDS = 0.5;
/** Tolerance for rounded time stamps. */
const ROUNDING_SECONDS = 0.01;
/** Least speed of a moving block, diagonals per second. */
const MIN_SPEED = 0.012;
/** A neighbour belongs to the same blob from this share of the busiest block's motion. */
const PEAK_SHARE = 0.2;
/** A track without a blob for this long has ended; shorter tracks than the least are dropped. */
const LOST_SECONDS = 1;
const MIN_SECONDS = 0.4;
const TRACKS_PER_SHOT = 4;

interface Blob {
  readonly box: Box;
  readonly energy: number;
}

interface OpenTrack {
  readonly boxes: { readonly timeSeconds: number; readonly box: Box }[];
  energy: number;
  lastSeconds: number;
}

/**
 * Tracks blobs of motion through one shot, the most salient first. Salience is the blob's share of all motion
 * during the track, times the root of the track's share of the shot. Motion that is small beside the camera's
 * counts less: residual motion under a moving camera is uncertain.
 */
export function trackSubjects(
  maps: Iterable<MotionMap>,
  grid: BlockGrid,
  shotSeconds: number,
): SubjectTrack[] {
  const recent = new RecentMotion(grid.columns * grid.rows);
  const open: OpenTrack[] = [];
  let total = 0;
  let peak = 0;
  let cameraSpeed = 0;
  let seconds = 0;
  let nextSeconds = Number.NEGATIVE_INFINITY;
  for (const map of maps) {
    cameraSpeed += map.cameraSpeed * map.seconds;
    seconds += map.seconds;
    recent.push(map);
    if (map.timeSeconds < nextSeconds) continue;
    nextSeconds = map.timeSeconds + BOX_INTERVAL_SECONDS - ROUNDING_SECONDS;
    const { speed, middleSeconds } = recent.mean();
    for (const value of speed) {
      total += value;
      if (value > peak) peak = value;
    }
    extendTracks(open, findBlobs(speed, grid), middleSeconds);
  }
  if (total === 0) return [];
  const background = MIN_SPEED + cameraSpeed / seconds;
  const strength = 1 - Math.exp(-peak / (4 * background));
  return open
    .map((track) => finishTrack(track, total, strength, shotSeconds))
    .filter((track) => track.endSeconds - track.startSeconds >= MIN_SECONDS)
    .sort((a, b) => b.salience - a.salience)
    .slice(0, TRACKS_PER_SHOT);
}

/** The motion maps of the last moments. */
class RecentMotion {
  readonly #speed: Float32Array;
  readonly #maps: {
    readonly speed: Float32Array;
    readonly seconds: number;
    readonly startSeconds: number;
  }[] = [];
  #endSeconds = 0;

  constructor(blocks: number) {
    this.#speed = new Float32Array(blocks);
  }

  push({ speed, seconds, timeSeconds }: MotionMap): void {
    this.#endSeconds = timeSeconds;
    this.#maps.push({ speed: speed.slice(), seconds, startSeconds: timeSeconds - seconds });
    while (
      timeSeconds - this.#maps[0].startSeconds > WINDOW_SECONDS + ROUNDING_SECONDS &&
      this.#maps.length > 1
    )
      this.#maps.shift();
  }

  /** Mean speed of each block; overwritten by the next call. */
  mean(): { readonly speed: Float32Array; readonly middleSeconds: number } {
    const { startSeconds } = this.#maps[0];
    const whole = this.#endSeconds - startSeconds;
    this.#speed.fill(0);
    for (const { speed, seconds } of this.#maps) {
      for (let i = 0; i < speed.length; i++) this.#speed[i] += (speed[i] * seconds) / whole;
    }
    return { speed: this.#speed, middleSeconds: startSeconds + whole / 2 };
  }
}

/** Connected moving blocks (8 neighbours), at most four blobs, the most energetic first. */
function findBlobs(speed: Float32Array, grid: BlockGrid): Blob[] {
  const { columns, rows } = grid;
  let peak = 0;
  for (const value of speed) if (value > peak) peak = value;
  const threshold = Math.max(MIN_SPEED, peak * PEAK_SHARE);
  const visited = new Uint8Array(speed.length);
  const blobs: Blob[] = [];
  const stack: number[] = [];
  for (let start = 0; start < speed.length; start++) {
    if (visited[start] === 1 || speed[start] < threshold) continue;
    const members: number[] = [];
    visited[start] = 1;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop()!;
      members.push(at);
      const column = at % columns;
      const row = (at - column) / columns;
      for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
        for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
          const next = r * columns + c;
          if (visited[next] === 1 || speed[next] < threshold) continue;
          visited[next] = 1;
          stack.push(next);
        }
      }
    }
    blobs.push(toBlob(members, speed, grid));
  }
  return blobs.sort((a, b) => b.energy - a.energy).slice(0, TRACKS_PER_SHOT);
}

/** The box excludes motion beyond the 3rd and 97th percentile: stray blocks do not widen it. */
function toBlob(members: readonly number[], speed: Float32Array, grid: BlockGrid): Blob {
  const byColumn = new Float32Array(grid.columns);
  const byRow = new Float32Array(grid.rows);
  let energy = 0;
  for (const at of members) {
    const column = at % grid.columns;
    byColumn[column] += speed[at];
    byRow[(at - column) / grid.columns] += speed[at];
    energy += speed[at];
  }
  const [left, right] = range(byColumn, energy);
  const [top, bottom] = range(byRow, energy);
  const box = {
    x: grid.left + left * grid.blockWidth,
    y: grid.top + top * grid.blockHeight,
    width: (right - left + 1) * grid.blockWidth,
    height: (bottom - top + 1) * grid.blockHeight,
  };
  return { box, energy };
}

function range(marginal: Float32Array, total: number): [number, number] {
  const cut = 0.03 * total;
  let first = 0;
  let sum = 0;
  while (first < marginal.length - 1 && sum + marginal[first] < cut) sum += marginal[first++];
  let last = marginal.length - 1;
  sum = 0;
  while (last > first && sum + marginal[last] < cut) sum += marginal[last--];
  return [first, last];
}

/** Adds each blob to the open track whose last box it overlaps most; a blob without one opens a track. */
function extendTracks(open: OpenTrack[], blobs: readonly Blob[], timeSeconds: number): void {
  for (const blob of blobs) {
    let best: OpenTrack | null = null;
    let bestOverlap = 0.15;
    for (const track of open) {
      if (track.lastSeconds === timeSeconds || timeSeconds - track.lastSeconds > LOST_SECONDS) continue;
      // A subject that turns sideways shrinks but is still the same.
      const overlap = overlapShare(track.boxes.at(-1)!.box, blob.box);
      if (overlap > bestOverlap) {
        best = track;
        bestOverlap = overlap;
      }
    }
    if (best === null) {
      best = { boxes: [], energy: 0, lastSeconds: timeSeconds };
      open.push(best);
    }
    best.boxes.push({ timeSeconds, box: blob.box });
    best.energy += blob.energy;
    best.lastSeconds = timeSeconds;
  }
}

function finishTrack(track: OpenTrack, total: number, strength: number, shotSeconds: number): SubjectTrack {
  const startSeconds = track.boxes[0].timeSeconds;
  const endSeconds = track.lastSeconds;
  const lasting = Math.min(1, (endSeconds - startSeconds + BOX_INTERVAL_SECONDS) / shotSeconds);
  return {
    kind: 'motion',
    startSeconds,
    endSeconds,
    boxes: track.boxes,
    salience: Math.min(1, track.energy / total) * strength * Math.sqrt(lasting),
  };
}
