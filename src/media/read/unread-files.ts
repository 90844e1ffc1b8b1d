import { type FileHandle, open } from 'node:fs/promises';
import { Packet } from 'node-av/lib';
import type { Warning } from '../../domain/stage.ts';
import { containerName } from '../av/file-survey.ts';
import type { Input } from '../av/input.ts';
import { openInput } from '../av/open-input.ts';

/** First bytes of files whose demuxers stop at the end of the first of several joined ones. */
const SIGNATURES: Readonly<Record<string, Buffer>> = {
  flv: Buffer.from('FLV\x01', 'latin1'),
  asf: Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
  wav: Buffer.from('RIFF', 'latin1'),
  // With the length of the first block (RFC 9639, section 8).
  flac: Buffer.from('fLaC\0\0\0\x22', 'latin1'),
  // The first page of a stream (RFC 3533, section 6). Of a single stream, FFmpeg reads the next file too.
  ogg: Buffer.from('OggS\0\x02', 'latin1'),
};
const BLOCK_BYTES = 1 << 20;
/** Fragmented files have a box for each second or frame. */
const MAX_BOXES = 1_000_000;
const BOX_HEADER_BYTES = 16;

/** Warns about further files that are appended to the first one and are not read. Their length is estimated by their bytes. */
export async function unreadFileWarnings(path: string): Promise<Warning[]> {
  using input = await openInput(path);
  const span = input.clock?.spanOf((input.video ?? input.audio)?.index ?? -1) ?? null;
  const spanSeconds = span === null ? null : span.endSeconds - span.startSeconds;
  const durationSeconds = input.durationSeconds ?? spanSeconds;
  const name = containerName(input.context);
  await using file = await open(path);
  const { size } = await file.stat();
  const readBytes = name === 'mov' ? await secondMovie(file, size) : await secondSignature(file, input, name);
  if (durationSeconds === null || readBytes === null) return [];
  const unreadBytes = size - readBytes;
  const seconds = (durationSeconds * unreadBytes) / readBytes;
  return [
    {
      code: 'JOINED_FILE_LEFT_OUT',
      message: `A second file of ${(unreadBytes / 1e6).toFixed(1)} MB (about ${seconds.toFixed(1)} s by its size) is appended to this one and was not used, because most players cannot read it. Join such files with an editing program.`,
    },
  ];
}

/** Position of the second file's first bytes; null: there is none, or the container's demuxer reads it. */
async function secondSignature(file: FileHandle, input: Input, name: string): Promise<number | null> {
  const signature = SIGNATURES[name];
  if (signature === undefined) return null;
  if (name !== 'flac') return await findBehind(file, endOfPackets(input), signature);
  // The demuxer reads the second file's frames too, with stamps of the first.
  const first = await findBehind(file, 0, signature);
  return first === null ? null : await findBehind(file, first + 1, signature);
}

/** End of the last packet in the file. */
function endOfPackets({ context }: Input): number {
  const packet = new Packet();
  packet.alloc();
  let end = 0;
  while (context.readFrameSync(packet) >= 0) {
    end = Math.max(end, Number(packet.pos) + packet.size);
    packet.unref();
  }
  packet.free();
  return end;
}

/** Position of a signature at or behind `from`; null: there is none. */
async function findBehind(file: FileHandle, from: number, signature: Buffer): Promise<number | null> {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let at = from; ; at += BLOCK_BYTES - signature.length) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, at);
    const found = block.subarray(0, bytesRead).indexOf(signature);
    if (found >= 0) return at + found;
    if (bytesRead < BLOCK_BYTES) return null;
  }
}

/**
 * Position of a second movie among the top-level boxes of an MP4 or MOV (ISO/IEC 14496-12, 4.2): a second `ftyp`, or in old files without
 * it a second `moov` and `mdat`. Null: there is none.
 */
async function secondMovie(file: FileHandle, size: number): Promise<number | null> {
  const header = Buffer.alloc(BOX_HEADER_BYTES);
  /** Positions of the boxes with data, and of those that describe them. */
  const [data, movies]: [number[], number[]] = [[], []];
  let behindMovie = 0;
  for (let at = 0, box = 0; at + 8 <= size && box < MAX_BOXES; box++) {
    const { bytesRead } = await file.read(header, 0, BOX_HEADER_BYTES, at);
    if (bytesRead < 8) return null;
    const type = header.toString('latin1', 4, 8);
    if (at > 0 && type === 'ftyp') return at;
    if (type === 'mdat') data.push(at);
    if (type === 'moov') movies.push(at);
    if (movies.length > 1 && data.length > 1) return data[0] < movies[0] ? behindMovie : movies[1];
    const short = header.readUInt32BE(0);
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    // 0: up to the end of the file; less than a header: damaged.
    if (length < 8) return null;
    at += length;
    if (movies.length === 1 && type === 'moov') behindMovie = at;
  }
  return null;
}
