import type { Detector } from '../detector.ts';
import type { MotionField } from './field.ts';
import { BYTE_PLANES, IntervalSums, VECTOR_STEP } from './interval.ts';

const MAGIC = 0x474f4c4d;
const VERSION = 4;
const WORD = Uint32Array.BYTES_PER_ELEMENT;
const HEADER = ['magic', 'version', 'width', 'height', 'columns', 'rows', 'frames', 'intervals'] as const;
const HEADER_BYTES = HEADER.length * WORD;
/** Time, then these as single floats. */
const FRAME_FLOATS = [
  'shiftX',
  'shiftY',
  'logScale',
  'rotation',
  'support',
  'texture',
  'reach',
  'jump',
] as const;
const FRAME_BYTES = Float64Array.BYTES_PER_ELEMENT + FRAME_FLOATS.length * WORD;
/** Start and end frame, then the planes: one byte per block in each. */
const INTERVAL_HEAD_BYTES = 2 * WORD;
/** Block motion is summed over at least this time: motion adds up over frames, noise does not. */
const INTERVAL_SECONDS = 0.095;
/** Bytes allocated at a time for data that is stored until the end. */
const PIECE_BYTES = 1 << 16;

const NO_MOTION = { shiftX: 0, shiftY: 0, logScale: 0, rotation: 0 } as const;
const NO_FIELD = { width: 1, height: 1, support: 0, texture: 0, reach: 0 } as const;

/** The decoded motion of a clip. All arrays have one entry per frame unless noted. */
export interface MotionLog {
  /** Size of the grey pictures, and their blocks. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly timesSeconds: Float64Array;
  /** Shares of the picture's width and height. */
  readonly shiftX: Float32Array;
  readonly shiftY: Float32Array;
  readonly logScale: Float32Array;
  readonly rotation: Float32Array;
  readonly support: Float32Array;
  readonly texture: Float32Array;
  /** See `MotionField.reach`. */
  readonly reach: Float32Array;
  /** Log scale of a scale jump at this frame; NaN without one. */
  readonly jump: Float32Array;
  readonly intervals: readonly MotionInterval[];
}

/** Motion of the blocks relative to the camera's, summed over the frames after `startFrame` up to `endFrame`. */
export interface MotionInterval {
  readonly startFrame: number;
  readonly endFrame: number;
  /** In steps of a quarter of a pixel of the grey picture; 0 if unknown. */
  readonly residualX: Int8Array;
  readonly residualY: Int8Array;
  /** 0..255: certainty of the block's motion. */
  readonly weight: Uint8Array;
  /** 0..255: share of the frames in which the block had no match. */
  readonly unmatched: Uint8Array;
}

/** Pixels of the grey picture per unit of `MotionInterval.residualX`. */
export const RESIDUAL_STEP = VECTOR_STEP;

/**
 * Encodes the motion of a clip while it is measured: 40 bytes a frame, and about 890 bytes for each tenth of a
 * second. Little-endian; `readMotionLog` is the inverse.
 */
export class MotionLogWriter
  implements Detector<[number, MotionField | null, (readonly number[])?], Uint8Array>
{
  readonly #frames = new Bytes();
  readonly #intervals = new Bytes();
  #frameCount = 0;
  #intervalCount = 0;
  #size = { width: 0, height: 0, columns: 0, rows: 0 };
  /** Null before the first blocks. */
  #sums: IntervalSums | null = null;
  #startFrame = 0;
  #startSeconds = 0;
  #lastSeconds = 0;
  /** Times of repeats since the last distinct picture, and their field. */
  #repeatSeconds: number[] = [];
  #repeat: MotionField | null = null;

  /**
   * `field`: motion since the last distinct picture, null for the first. It is divided among the frames that were
   * skipped since, and the repeats.
   */
  push(timeSeconds: number, field: MotionField | null, skippedSeconds: readonly number[] = []): void {
    if (field?.isRepeat === true) {
      this.#repeatSeconds.push(...skippedSeconds, timeSeconds);
      this.#repeat = field;
      return;
    }
    const between = [...this.#repeatSeconds, ...skippedSeconds];
    this.#repeatSeconds = [];
    this.#write(timeSeconds, field, between);
  }

  #write(timeSeconds: number, field: MotionField | null, skippedSeconds: readonly number[]): void {
    const seconds = timeSeconds - this.#lastSeconds;
    let last = this.#lastSeconds;
    for (const time of [...skippedSeconds, timeSeconds]) {
      this.#writeFrame(time, field, skippedSeconds.length === 0 ? 1 : (time - last) / seconds);
      last = time;
    }
    this.#frameCount += skippedSeconds.length + 1;
    const frame = this.#frameCount - 1;
    if (field === null || field.broken) {
      this.#endInterval(frame - 1);
      this.#startInterval(frame, timeSeconds);
    } else {
      this.#add(field);
      if (timeSeconds - this.#startSeconds >= INTERVAL_SECONDS) {
        this.#endInterval(frame);
        this.#startInterval(frame, timeSeconds);
      }
    }
    this.#lastSeconds = timeSeconds;
  }

  /** `share`: part of the field's motion that belongs to this frame. */
  #writeFrame(timeSeconds: number, field: MotionField | null, share: number): void {
    const at = this.#frames.grow(FRAME_BYTES);
    const { view } = this.#frames;
    view.setFloat64(at, timeSeconds, true);
    // Motion across a break is meaningless.
    const { shiftX, shiftY, logScale, rotation } =
      field === null || field.broken ? NO_MOTION : field.similarity;
    const { width, height, support, texture, reach } = field ?? NO_FIELD;
    const jump = field?.scaleJump?.logScale ?? Number.NaN;
    const floats = [
      ...[share * (shiftX / width), share * (shiftY / height), share * logScale, share * rotation],
      ...[support, texture, reach, jump],
    ];
    let place = at + Float64Array.BYTES_PER_ELEMENT;
    for (const value of floats) {
      view.setFloat32(place, value, true);
      place += WORD;
    }
  }

  finish(): Uint8Array {
    const last = this.#repeatSeconds.pop();
    if (last !== undefined) this.#write(last, this.#repeat, this.#repeatSeconds);
    if (this.#lastSeconds > this.#startSeconds) this.#endInterval(this.#frameCount - 1);
    const out = new Uint8Array(HEADER_BYTES + this.#frames.length + this.#intervals.length);
    const view = new DataView(out.buffer);
    const { width, height, columns, rows } = this.#size;
    const header = [MAGIC, VERSION, width, height, columns, rows, this.#frameCount, this.#intervalCount];
    for (const [place, value] of header.entries()) view.setUint32(WORD * place, value, true);
    this.#frames.moveTo(out, HEADER_BYTES);
    this.#intervals.moveTo(out, out.length - this.#intervals.length);
    return out;
  }

  #startInterval(frame: number, timeSeconds: number): void {
    this.#startFrame = frame;
    this.#startSeconds = timeSeconds;
    this.#sums?.clear();
  }

  #add(field: MotionField): void {
    const blocks = field.columns * field.rows;
    if (blocks === 0) return;
    if (this.#sums?.blocks !== blocks) {
      this.#size = { width: field.width, height: field.height, columns: field.columns, rows: field.rows };
      this.#sums = new IntervalSums(blocks);
    }
    this.#sums.add(field);
  }

  #endInterval(frame: number): void {
    const sums = this.#sums;
    if (sums === null || sums.empty) return;
    const head = this.#intervals.grow(INTERVAL_HEAD_BYTES + BYTE_PLANES * sums.blocks);
    const { view, bytes } = this.#intervals;
    view.setUint32(head, this.#startFrame, true);
    view.setUint32(head + WORD, frame, true);
    bytes.set(sums.write(), head + INTERVAL_HEAD_BYTES);
    this.#intervalCount++;
  }
}

/** Throws if the bytes are no motion log of this version: an old or damaged file must be measured again. */
export function readMotionLog(bytes: Uint8Array): MotionLog {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = bytes.length < HEADER_BYTES;
  const header = Array.from({ length: HEADER_BYTES / WORD }, (_, place) =>
    damaged ? 0 : view.getUint32(WORD * place, true),
  );
  const [magic, version, width, height, columns, rows, frameCount, intervalCount] = header;
  if (magic !== MAGIC || version !== VERSION) throw new Error('Not a motion log of this version');
  const blocks = columns * rows;
  const intervalBytes = INTERVAL_HEAD_BYTES + BYTE_PLANES * blocks;
  if (bytes.length !== HEADER_BYTES + frameCount * FRAME_BYTES + intervalCount * intervalBytes) {
    throw new Error('The motion log is damaged');
  }
  const timesSeconds = new Float64Array(frameCount);
  const floats = FRAME_FLOATS.map(() => new Float32Array(frameCount));
  for (let i = 0; i < frameCount; i++) {
    const at = HEADER_BYTES + i * FRAME_BYTES;
    timesSeconds[i] = view.getFloat64(at, true);
    for (let k = 0; k < floats.length; k++)
      floats[k][i] = view.getFloat32(at + Float64Array.BYTES_PER_ELEMENT + WORD * k, true);
  }
  const [shiftX, shiftY, logScale, rotation, support, texture, reach, jump] = floats;
  const intervals: MotionInterval[] = [];
  for (let k = 0; k < intervalCount; k++) {
    const at = HEADER_BYTES + frameCount * FRAME_BYTES + k * intervalBytes;
    const planes = bytes.byteOffset + at + INTERVAL_HEAD_BYTES;
    intervals.push({
      startFrame: view.getUint32(at, true),
      endFrame: view.getUint32(at + WORD, true),
      residualX: new Int8Array(bytes.buffer, planes, blocks),
      residualY: new Int8Array(bytes.buffer, planes + blocks, blocks),
      weight: new Uint8Array(bytes.buffer, planes + 2 * blocks, blocks),
      unmatched: new Uint8Array(bytes.buffer, planes + 3 * blocks, blocks),
    });
  }
  return {
    width,
    height,
    columns,
    rows,
    timesSeconds,
    shiftX,
    shiftY,
    logScale,
    rotation,
    support,
    texture,
    reach,
    jump,
    intervals,
  };
}

/** A byte buffer in chunks of one size: growing copies nothing. */
class Bytes {
  length = 0;
  /** The chunk being written. */
  bytes = new Uint8Array(PIECE_BYTES);
  view = new DataView(this.bytes.buffer);
  readonly #full: Uint8Array[] = [];
  #used = 0;

  /** Offset in the chunk of this many zeroed bytes; write them before the next call. */
  grow(count: number): number {
    if (this.#used + count > this.bytes.length) {
      this.#full.push(this.bytes.subarray(0, this.#used));
      this.bytes = new Uint8Array(Math.max(PIECE_BYTES, count));
      this.view = new DataView(this.bytes.buffer);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += count;
    this.length += count;
    return start;
  }

  /** Copies all chunks into `out` from `at`, and frees each at once. */
  moveTo(out: Uint8Array, at: number): void {
    this.#full.push(this.bytes.subarray(0, this.#used));
    let end = at;
    for (let piece = this.#full.shift(); piece !== undefined; piece = this.#full.shift()) {
      out.set(piece, end);
      end += piece.length;
    }
  }
}
