import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';

/** Whether no other picture of the stream refers to the picture in a packet. */
type PacketTest = (packet: Packet) => boolean;

/**
 * Tells the packets of a stream whose pictures no other one refers to, by the headers of their slices; null of a codec of
 * which it is not known how. Packets that cannot be read so count as referred to.
 */
export function disposableTest({ codecpar }: Stream): PacketTest | null {
  const { codecId, extradata } = codecpar;
  const isHevc = codecId === AV_CODEC_ID_HEVC;
  if (codecId !== AV_CODEC_ID_H264 && !isHevc) return null;
  const lengthBytes = extradata === null ? null : lengthBytesOf(extradata, isHevc);
  const isSlice = isHevc ? isHevcSlice : isAvcSlice;
  const isUnreferenced = isHevc ? isHevcUnreferenced : isAvcUnreferenced;
  return ({ data }) => {
    if (data === null) return false;
    let slices = 0;
    for (const header of unitHeaders(data, lengthBytes)) {
      if (!isSlice(header)) continue;
      if (!isUnreferenced(header)) return false;
      slices++;
    }
    return slices > 0;
  };
}

/** Bytes of the length before each unit, as `avcC` and `hvcC` boxes say (ISO/IEC 14496-15); null: start codes part them. */
function lengthBytesOf(extradata: Uint8Array, isHevc: boolean): number | null {
  const at = isHevc ? 21 : 4;
  return extradata[0] === 1 && extradata.length > at ? (extradata[at] & 3) + 1 : null;
}

/** The first byte of each unit. */
function* unitHeaders(data: Uint8Array, lengthBytes: number | null): Generator<number> {
  let at = 0;
  while (at < data.length) {
    if (lengthBytes === null) {
      at = startCode(data, at);
      if (at < data.length) yield data[at];
      continue;
    }
    let length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (data[at++] ?? 0);
    if (at < data.length && length > 0) yield data[at];
    at += length;
  }
}

/** Where the next unit begins at or after a place: after the bytes 0, 0, 1. */
function startCode(data: Uint8Array, from: number): number {
  for (let at = from + 2; at < data.length; at++)
    if (data[at] === 1 && data[at - 1] === 0 && data[at - 2] === 0) return at + 1;
  return data.length;
}

/** ITU-T H.264, 7.3.1: a byte of zero, two bits of `nal_ref_idc`, five of the type; slices are 1 to 5. */
const isAvcSlice = (header: number) => (header & 31) >= 1 && (header & 31) <= 5;
const isAvcUnreferenced = (header: number) => (header & 0x60) === 0;

/**
 * ITU-T H.265, 7.3.1.2 and table 7-1: a bit of zero, six of the type; slices are 0 to 31, and of 0 to 14 the even ones are
 * pictures to which none of their layer refers.
 */
const isHevcSlice = (header: number) => ((header >> 1) & 63) < 32;
const isHevcUnreferenced = (header: number) => ((header >> 1) & 63) <= 14 && ((header >> 1) & 1) === 0;
