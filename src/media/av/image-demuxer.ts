import { type FileHandle, open } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';
import { type AnimationDemuxer, readAnimationLength } from './animation.ts';
import { isHeifStill } from './heif-image.ts';
import { openHeader } from './open-context.ts';

/**
 * FFmpeg's accepted demuxers of still pictures. Unlike `image2`, which FFmpeg would choose by the file's name, they never open other
 * files. AVIF and HEIC are read by the demuxer of MP4, GIF and animated WebP of one picture by those of animations.
 */
export type ImageDemuxer = 'jpeg_pipe' | 'png_pipe' | 'webp_pipe' | 'mov' | AnimationDemuxer;

const HEAD_BYTES = 32;
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const GIF_STARTS = ['GIF87a', 'GIF89a'];
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A flag in WebP's extended header, at byte 20 (RFC 9649, section 2.7). */
const WEBP_ANIMATION = 0x02;
/** Length, type and checksum. */
const PNG_CHUNK_BYTES = 12;
/** Of those before the pixels; cameras and editors write up to twenty. */
const MAX_PNG_CHUNKS = 256;

/**
 * Demuxer by the file's content; null: it is no image, or an animation of several pictures. Throws `Failure` INVALID_VIDEO for an animation
 * without a picture, and like `isHeifStill`.
 */
export async function imageDemuxerOf(path: string): Promise<ImageDemuxer | null> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  if (head.subarray(0, 3).equals(JPEG_START)) return 'jpeg_pipe';
  if (head.subarray(0, 8).equals(PNG_START))
    return (await isMarkedAnimated(file)) && (await picturesOf(path, 'apng')) > 1 ? null : 'png_pipe';
  if (GIF_STARTS.includes(head.toString('latin1', 0, 6))) return await lonePicture(path, 'gif');
  if (head.toString('latin1', 4, 8) === 'ftyp') return (await isHeifStill(file)) ? 'mov' : null;
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP') return null;
  if (head.toString('latin1', 12, 16) === 'VP8X' && (head[20] & WEBP_ANIMATION) !== 0)
    return await lonePicture(path, 'webp_anim');
  return 'webp_pipe';
}

/** Whether `acTL` precedes the pixels (PNG, third edition, section 11.3.6); a file with it can still have one picture. */
async function isMarkedAnimated(file: FileHandle): Promise<boolean> {
  let start = PNG_START.length;
  for (let chunks = 0; chunks < MAX_PNG_CHUNKS; chunks++) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, start);
    const type = buffer.toString('latin1', 4, 8);
    if (bytesRead < 8 || type === 'IDAT') return false;
    if (type === 'acTL') return true;
    start += PNG_CHUNK_BYTES + buffer.readUInt32BE(0);
  }
  return false;
}

/** 0: none can be read; 2: two or more. */
async function picturesOf(path: string, demuxer: AnimationDemuxer): Promise<number> {
  const context = await openHeader(path, demuxer, demuxer).catch(() => null);
  return context === null ? 0 : readAnimationLength(context, 2).pictures;
}

/** Null: there are several pictures. */
async function lonePicture(path: string, demuxer: AnimationDemuxer): Promise<ImageDemuxer | null> {
  const pictures = await picturesOf(path, demuxer);
  if (pictures === 0)
    throw new Failure(
      'INVALID_VIDEO',
      'The image has no picture that can be read; it is damaged or cut off: send the whole file',
    );
  return pictures > 1 ? null : demuxer;
}
