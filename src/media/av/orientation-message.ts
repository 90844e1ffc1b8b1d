import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC } from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';
import { lengthBytesOf, nalUnits } from './nal-units.ts';

/** Payload type of a display orientation (ITU-T H.264, D.1; H.265, D.2.1). */
const DISPLAY_ORIENTATION = 47;
const AVC_SEI = 6;
const HEVC_PREFIX_SEI = 39;
const MATRIX_BYTES = 36;

/** Whether the codec's packets may hold an orientation. */
export function hasOrientationMessages({ codecId }: CodecParameters): boolean {
  return codecId === AV_CODEC_ID_H264 || codecId === AV_CODEC_ID_HEVC;
}

/** The display orientation of an SEI message in a packet of H.264 or HEVC, as FFmpeg's display matrix; null: there is none. */
export function orientationMatrix({ codecId, extradata }: CodecParameters, data: Uint8Array): Buffer | null {
  const isHevc = codecId === AV_CODEC_ID_HEVC;
  for (const unit of nalUnits(data, lengthBytesOf(extradata, isHevc))) {
    const type = isHevc ? (unit[0] >> 1) & 63 : unit[0] & 31;
    if (type !== (isHevc ? HEVC_PREFIX_SEI : AVC_SEI)) continue;
    const message = findMessage(withoutEmulation(unit.subarray(isHevc ? 2 : 1)));
    if (message !== null) return matrixOf(message);
  }
  return null;
}

/** Removes the byte 3 that keeps start codes out of a unit. */
function withoutEmulation(unit: Uint8Array): Uint8Array {
  return unit.filter((byte, at) => byte !== 3 || at < 2 || unit[at - 1] !== 0 || unit[at - 2] !== 0);
}

/** Type and size of each message are sums of bytes, of which all but the last are 255. */
function findMessage(messages: Uint8Array): Uint8Array | null {
  let at = 0;
  const sum = () => {
    let total = 0;
    while (messages[at] === 255) total += messages[at++];
    return total + (messages[at++] ?? 0);
  };
  while (at + 2 < messages.length) {
    const type = sum();
    const size = sum();
    if (type === DISPLAY_ORIENTATION) return messages.subarray(at, at + size);
    at += size;
  }
  return null;
}

/**
 * The message holds a bit that cancels it, horizontal and vertical flip, and 16 bits of anticlockwise rotation in units of 2⁻¹⁶ turns.
 * The flips come first. Null: it is cancelled, cut off or upright.
 */
function matrixOf([first = 0x80, second = 0, third = 0]: Uint8Array): Buffer | null {
  if ((first & 0x80) !== 0) return null;
  const [mirrorX, mirrorY] = [0x40, 0x20].map((bit) => ((first & bit) === 0 ? 1 : -1)) as [number, number];
  const turns = (((first << 16) | (second << 8) | third) >> 5) & 0xffff;
  if (turns === 0 && mirrorX + mirrorY === 2) return null;
  const angle = ((turns * 2 * Math.PI) / 65536) * mirrorX * mirrorY;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const matrix = Buffer.alloc(MATRIX_BYTES);
  const set = (at: number, value: number) => matrix.writeInt32LE(Math.round(value * 0x10000), at);
  set(0, cos * mirrorX);
  set(4, -sin * mirrorY);
  set(12, sin * mirrorX);
  set(16, cos * mirrorY);
  matrix.writeInt32LE(1 << 30, 32);
  return matrix;
}
