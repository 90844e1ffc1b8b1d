import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';

/** Whether no other picture of the stream refers to the picture in a packet. */
type PacketTest = (packet: Packet) => boolean;

/**
 * Returns a test for packets whose pictures no other picture refers to, by their slice headers; null: not supported for the codec.
 * Unreadable packets count as referenced.
 */
export function disposableTest({ codecpar }: Stream): PacketTest | null {
  const { codecId, extradata } = codecpar;
  const isHevc = codecId === AV_CODEC_ID_HEVC;
  if (codecId !== AV_CODEC_ID_H264 && !isHevc) return null;
  const lengthBytes = lengthBytesOf(extradata, isHevc);
  const isSlice = isHevc ? isHevcSlice : isAvcSlice;
  const isUnreferenced = isHevc ? isHevcUnreferenced : isAvcUnreferenced;
  return ({ data }) => {
    if (data === null) return false;
    let slices = 0;
    for (const [header] of nalUnits(data, lengthBytes)) {
      if (!isSlice(header)) continue;
      if (!isUnreferenced(header)) return false;
      slices++;
    }
    return slices > 0;
  };
}

/** Size of the length before each unit by the boxes `avcC` and `hvcC` (ISO/IEC 14496-15); null: units begin with start codes. */
export function lengthBytesOf(extradata: Uint8Array | null, isHevc: boolean): number | null {
  const at = isHevc ? 21 : 4;
  if (extradata === null) return null;
  return extradata[0] === 1 && extradata.length > at ? (extradata[at] & 3) + 1 : null;
}

/** The units of a packet, which are not empty. With start codes, trailing zeros belong to the unit before. */
export function* nalUnits(data: Uint8Array, lengthBytes: number | null): Generator<Uint8Array> {
  let at = lengthBytes === null ? startCode(data, 0) : 0;
  while (at < data.length) {
    let end: number;
    if (lengthBytes === null) end = startCode(data, at);
    else {
      let length = 0;
      for (let i = 0; i < lengthBytes; i++) length = length * 256 + (data[at++] ?? 0);
      end = at + length;
    }
    if (end > at && at < data.length) yield data.subarray(at, end);
    at = end;
  }
}

/** Position of the next unit, which begins after the bytes 0, 0, 1. */
function startCode(data: Uint8Array, from: number): number {
  for (let at = from + 2; at < data.length; at++)
    if (data[at] === 1 && data[at - 1] === 0 && data[at - 2] === 0) return at + 1;
  return data.length;
}

/** ITU-T H.264, 7.3.1: a byte of zero, two bits of `nal_ref_idc`, five of the type; slices are 1 to 5. */
const isAvcSlice = (header: number) => (header & 31) >= 1 && (header & 31) <= 5;
const isAvcUnreferenced = (header: number) => (header & 0x60) === 0;

/**
 * ITU-T H.265, 7.3.1.2 and table 7-1: a bit of zero, six of the type. Types 0 to 31 are slices. The even
 * types of 0 to 14 are pictures that no picture of the same layer refers to.
 */
const isHevcSlice = (header: number) => ((header >> 1) & 63) < 32;
const isHevcUnreferenced = (header: number) => ((header >> 1) & 63) <= 14 && ((header >> 1) & 1) === 0;
