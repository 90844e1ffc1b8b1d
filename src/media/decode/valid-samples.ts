import {
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_DBLP,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
} from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';

/** 120 dB above full scale: larger values are no sound, and overflow in filters. */
const MAX_LEVEL = 1e6;

/** Floating-point formats: array of a plane, and whether a plane has all channels. */
const FORMATS = new Map([
  [AV_SAMPLE_FMT_FLT, { values: Float32Array, isPacked: true }],
  [AV_SAMPLE_FMT_FLTP, { values: Float32Array, isPacked: false }],
  [AV_SAMPLE_FMT_DBL, { values: Float64Array, isPacked: true }],
  [AV_SAMPLE_FMT_DBLP, { values: Float64Array, isPacked: false }],
]);

/** Sets samples of a decoded frame to 0 that are no numbers, infinite or beyond any level. Returns their number in the worst channel. */
export function silenceInvalidSamples(frame: Frame): number {
  const format = FORMATS.get(frame.format as typeof AV_SAMPLE_FMT_FLT);
  if (format === undefined || planesOf(frame, format).every(isValid)) return 0;
  if (frame.makeWritable() < 0)
    throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for a sound frame');
  const channels = format.isPacked ? frame.channelLayout.nbChannels : 1;
  const counts = planesOf(frame, format).flatMap((plane) => silenced(plane, channels));
  return Math.max(...counts);
}

type Plane = Float32Array | Float64Array;

function planesOf(
  frame: Frame,
  {
    values: Values,
    isPacked,
  }: { values: Float32ArrayConstructor | Float64ArrayConstructor; isPacked: boolean },
): Plane[] {
  const count = frame.nbSamples * (isPacked ? frame.channelLayout.nbChannels : 1);
  const planes = frame.extendedData ?? frame.data ?? [];
  return planes.map(({ buffer, byteOffset }) => new Values(buffer as ArrayBuffer, byteOffset, count));
}

/** The comparison is false for NaN. */
function isValid(plane: Plane): boolean {
  for (let at = 0; at < plane.length; at++) if (!(Math.abs(plane[at]!) <= MAX_LEVEL)) return false;
  return true;
}

/** Number of silenced samples of each channel. */
function silenced(plane: Plane, channels: number): number[] {
  const counts = Array.from({ length: channels }, () => 0);
  for (let at = 0; at < plane.length; at++) {
    if (Math.abs(plane[at]!) <= MAX_LEVEL) continue;
    plane[at] = 0;
    counts[at % channels]!++;
  }
  return counts;
}
