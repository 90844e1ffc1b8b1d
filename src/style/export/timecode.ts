/** Timecode as frames (SMPTE ST 12-1). */
import type { RecordingMarks, StartTimecode } from '../../domain/footage.ts';
import { canDropFrames, type FrameRate, framesPerSecond } from '../../domain/time.ts';

/** Drop-frame at 29.97 omits the numbers 0 and 1 of each minute but every tenth; at 59.94 twice as many. */
const DROPPED_AT_30 = 2;

/** Whether numbers of frames are omitted, so that the timecode keeps up with the clock. */
export function isDropFrame({ text, rate }: StartTimecode): boolean {
  return text.includes(';') && canDropFrames(rate);
}

/** Number of frames from 00:00:00:00 to this timecode, at its rate. */
export function timecodeFrames(timecode: StartTimecode): number {
  const [hours, minutes, seconds, frames] = timecode.text.split(/[:;]/).map(Number);
  const nominal = Math.round(framesPerSecond(timecode.rate));
  const allMinutes = 60 * hours + minutes;
  const counted = nominal * (60 * allMinutes + seconds) + frames;
  if (!isDropFrame(timecode)) return counted;
  const dropped = DROPPED_AT_30 * Math.round(nominal / 30);
  return counted - dropped * (allMinutes - Math.floor(allMinutes / 10));
}

/** The first frame's number at `rate`, which may differ from the rate of the timecode; 0 without a timecode. */
export function startFrame({ startTimecode }: RecordingMarks, rate: FrameRate): number {
  if (startTimecode === undefined) return 0;
  const { numerator, denominator } = startTimecode.rate;
  // In this order a whole number of frames stays whole: 48 · (60000 · 1001) / (1001 · 30000).
  return (timecodeFrames(startTimecode) * (rate.numerator * denominator)) / (rate.denominator * numerator);
}
