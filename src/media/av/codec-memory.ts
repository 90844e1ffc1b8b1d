/**
 * Bounds the memory of decoders and encoders. Pure arithmetic over the picture's size: the parent process, which sets a child's limit,
 * and the child, which opens the codecs, get the same values. Figures: `docs/decisions/0029-plan-memory-before-a-task-starts.md`.
 */
import { availableParallelism } from 'node:os';
import type { Size } from '../../domain/footage.ts';

/** Read once, because each call opens system files. */
const CORES = availableParallelism();

/** Decoded 10-bit 4:2:0, two bytes a sample, as phones record. 8-bit takes half. */
export const TEN_BIT_BYTES_PER_PIXEL = 3;
/** FFmpeg's own limit (libavcodec/pthread.c, MAX_AUTO_THREADS). */
const MAX_DECODER_THREADS = 16;
/** Each thread of a decoder buffers a picture. 10-bit 4K: 8 threads, 8K: 2. */
const DECODER_THREAD_BYTES = 200e6;
const MIN_DECODER_THREADS = 2;
/** Reference pictures. H.264 and HEVC allow 16 (table A.1); cameras use at most this many. */
const DECODER_PICTURES = 6;

/**
 * Memory of x264 for each pixel of a picture. In the lookahead: 4:2:0, four planes of a quarter of the size,
 * block costs. Of a picture that is being coded or referenced: 4:2:0, three interpolated planes, motion.
 */
const WAITING_BYTES_PER_PIXEL = 3.1;
const CODED_BYTES_PER_PIXEL = 6;
/** More threads gain little and need more bits. */
const MAX_ENCODER_THREADS = 16;
/** Fewer would leave cores idle. */
const MIN_ENCODER_THREADS = 3;
const ENCODER_THREAD_BYTES = 640e6;
/** Enough for the whole lookahead of every preset up to 1440 lines; 4K gets 24 pictures, 8K 10. */
const LOOKAHEAD_BYTES = 620e6;
const MIN_LOOKAHEAD = 10;
/** x264's defaults (`x264 --fullhelp`): pictures in the lookahead, and reference pictures. */
const PRESETS: Readonly<Record<string, { readonly lookahead: number; readonly references: number }>> = {
  veryfast: { lookahead: 10, references: 1 },
  medium: { lookahead: 40, references: 3 },
  slow: { lookahead: 50, references: 5 },
};
const B_FRAMES = 3;

export interface EncoderPlan {
  /** Always set, because x264 counts the machine's cores although a container may have fewer. */
  readonly threads: number;
  /** Null: the preset's lookahead. */
  readonly lookahead: number | null;
  /** Total memory of the encoder. */
  readonly bytes: number;
}

/** Threads, lookahead and memory of x264 for pictures of a size. */
export function encoderPlan({ width, height }: Size, preset: string, cores = CORES): EncoderPlan {
  const pixels = width * height;
  const { lookahead, references } = PRESETS[preset] ?? PRESETS['slow'];
  const maxLookahead = Math.max(
    MIN_LOOKAHEAD,
    Math.floor(LOOKAHEAD_BYTES / (WAITING_BYTES_PER_PIXEL * pixels)),
  );
  const threadBytes = (WAITING_BYTES_PER_PIXEL + CODED_BYTES_PER_PIXEL) * pixels;
  const affordable = Math.max(MIN_ENCODER_THREADS, Math.floor(ENCODER_THREAD_BYTES / threadBytes));
  // Like x264: one and a half a core, and at least two rows of blocks each.
  const own = Math.min(Math.floor((cores * 3) / 2), Math.max(1, Math.floor(Math.ceil(height / 16) / 2)));
  const threads = Math.max(1, Math.min(own, affordable, MAX_ENCODER_THREADS));
  const waiting = Math.min(lookahead, maxLookahead) + 2 * (B_FRAMES + 1);
  return {
    threads,
    lookahead: maxLookahead < lookahead ? maxLookahead : null,
    bytes:
      threads * threadBytes +
      waiting * WAITING_BYTES_PER_PIXEL * pixels +
      (references + 2) * CODED_BYTES_PER_PIXEL * pixels,
  };
}

/** Number of threads for decoding pictures of `pictureBytes`. */
export function decoderThreads(pictureBytes: number, cores = CORES): number {
  const own = cores > 1 ? Math.min(cores + 1, MAX_DECODER_THREADS) : 1;
  return Math.min(own, Math.max(MIN_DECODER_THREADS, Math.floor(DECODER_THREAD_BYTES / pictureBytes)));
}

/** Memory of a decoder for pictures of `pictureBytes`. */
export function decoderBytes(pictureBytes: number, cores = CORES): number {
  return (DECODER_PICTURES + decoderThreads(pictureBytes, cores)) * pictureBytes;
}
