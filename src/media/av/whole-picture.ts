import { AV_CODEC_ID_GIF, AV_CODEC_ID_MJPEG, AV_PKT_FLAG_CORRUPT } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { hasWholePicture } from './gif-blocks.ts';
import type { IccProfile } from './icc-profile.ts';
import type { Input } from './input.ts';
import { jpegStructure } from './jpeg-structure.ts';
import { StreamDecoder } from './stream-decoder.ts';

/**
 * Ones in entropy-coded data. No Huffman code consists of ones only (ITU-T T.81, section C.2), so a decoder that reads them reports
 * an error. 64 bytes are more than one code and its value.
 */
const ONES = Buffer.from('ff00'.repeat(64), 'hex');
const END_MARKER = Buffer.from([0xff, 0xd9]);

/**
 * Decodes the picture of an image; returns a color profile that is not applied, null: none. Throws `Failure` INVALID_VIDEO if it is
 * damaged or cut off. A JPEG without its end marker is accepted if no scan lacks data, because some cameras leave the marker out and every
 * viewer shows such files.
 */
export async function checkWholePicture(input: Input): Promise<IccProfile | null> {
  const { video } = input;
  using packet = new Packet();
  packet.alloc();
  if (video === null || !input.read(packet) || packet.data === null) throw damagedImage('has no picture');
  if ((packet.flags & AV_PKT_FLAG_CORRUPT) !== 0) throw damagedImage('ends before its last line');
  const isJpeg = video.codecpar.codecId === AV_CODEC_ID_MJPEG;
  if (isJpeg) closePicture(packet);
  if (video.codecpar.codecId === AV_CODEC_ID_GIF && !hasWholePicture(packet.data))
    throw damagedImage('ends before its last line');
  using decoder = await StreamDecoder.open(input, video, {
    threads: 1,
    packets: onlyPacket(packet),
    // Other decoders refuse cut pictures anyway; HEVC would also refuse unknown messages.
    isStrict: isJpeg,
  }).catch((error: unknown) => {
    throw error instanceof Failure ? new Failure('INVALID_VIDEO', error.detail) : error;
  });
  if (decoder.next() === null) throw damagedImage('cannot be decoded');
  return decoder.unusedProfile;
}

/** Ends a JPEG without end marker such that its decoder reports missing data. Throws if scans are missing. */
function closePicture(packet: Packet): void {
  const data = packet.data!;
  const { end, hasAllScans } = jpegStructure(data);
  if (end !== null) return;
  if (!hasAllScans) throw damagedImage('ends before its last line');
  const isMarkerCut = data.at(-1) === 0xff;
  packet.data = Buffer.concat([isMarkerCut ? data.subarray(0, -1) : data, ONES, END_MARKER]);
}

function onlyPacket(packet: Packet) {
  const left = [packet];
  return { next: () => left.shift() ?? null, [Symbol.dispose]() {} };
}

function damagedImage(fault: string): Failure {
  return new Failure('INVALID_VIDEO', `The image ${fault}; it is damaged or cut off: send the whole file`);
}
