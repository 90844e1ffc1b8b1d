import { writeFileSync } from 'node:fs';

/** Writes one or more channels in -1..1 as 16-bit PCM in a RIFF/WAVE file (Microsoft, "Multimedia Programming Interface", 1991). */
export function writeWave(path: string, channels: readonly Float32Array[], sampleRate: number): void {
  const count = channels.length;
  const length = channels[0]?.length ?? 0;
  const bytes = Buffer.alloc(44 + 2 * count * length);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(count, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2 * count, 28);
  bytes.writeUInt16LE(2 * count, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(2 * count * length, 40);
  const words = new Int16Array(bytes.buffer, bytes.byteOffset + 44, count * length);
  channels.forEach((channel, c) => {
    for (let n = 0; n < length; n++) {
      words[n * count + c] = Math.round(Math.max(-1, Math.min(1, channel[n])) * 32767);
    }
  });
  writeFileSync(path, bytes);
}
