import { writeFileSync } from 'node:fs';

/** KSDATAFORMAT_SUBTYPE_IEEE_FLOAT. */
const FLOAT_FORMAT = Buffer.from('0300000000001000800000aa00389b71', 'hex');
const EXTENSIBLE = 0xfffe;
/** In the order of the channel mask: mono, stereo, 5.1. */
const MASKS: Readonly<Record<number, number>> = { 1: 0x4, 2: 0x3, 6: 0x3f };

/** Writes a WAV of 32-bit floats: one array per channel, equal lengths. */
export function writeWave(path: string, sampleRate: number, channels: readonly Float32Array[]): string {
  const bytesPerFrame = 4 * channels.length;
  const length = channels[0].length;
  const header = Buffer.alloc(68);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(60 + length * bytesPerFrame, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(40, 16);
  header.writeUInt16LE(EXTENSIBLE, 20);
  header.writeUInt16LE(channels.length, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * bytesPerFrame, 28);
  header.writeUInt16LE(bytesPerFrame, 32);
  header.writeUInt16LE(32, 34);
  header.writeUInt16LE(22, 36);
  header.writeUInt16LE(32, 38);
  header.writeUInt32LE(MASKS[channels.length] ?? 0, 40);
  FLOAT_FORMAT.copy(header, 44);
  header.write('data', 60, 'latin1');
  header.writeUInt32LE(length * bytesPerFrame, 64);
  const frames = new Float32Array(length * channels.length);
  for (let n = 0, at = 0; n < length; n++) for (const channel of channels) frames[at++] = channel[n];
  writeFileSync(path, Buffer.concat([header, Buffer.from(frames.buffer)]));
  return path;
}
