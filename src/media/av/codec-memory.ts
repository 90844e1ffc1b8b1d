/**
 * How decoders and encoders are held to a bounded memory: pure arithmetic over the picture's size, so that the parent, which
 * sets a child's limit, and the child, which opens the codecs, come to the same. Figures: `docs/decisions/0029-plan-memory-before-a-task-starts.md`.
 */
import { availableParallelism } from 'node:os';
import type { Size } from '../../domain/footage.ts';

/** Asked once: each question opens files of the system. */
const CORES = availableParallelism();

/** Decoded 4:2:0 of ten bits, in two bytes a sample: what telephones record. Of 8 bits it is half. */
export const TEN_BIT_BYTES_PER_PIXEL = 3;
/** FFmpeg starts no more by itself (libavcodec/pthread.c, MAX_AUTO_THREADS). */
const MAX_DECODER_THREADS = 16;
/** Each thread of a decoder holds a picture. 4K of ten bits: 8 threads, 8K: 2. */
const DECODER_THREAD_BYTES = 200e6;
const MIN_DECODER_THREADS = 2;
/** A stream may ask for 16 pictures to refer to (H.264, HEVC: table A.1); what cameras write asks for at most this many. */
const DECODER_PICTURES = 6;

/**
 * What x264 takes for each pixel of the picture: of one that waits in the lookahead (4:2:0, four planes of a quarter of the
 * size, costs of its blocks), and of one that is being coded or referred to (4:2:0, three planes between the pixels, motion).
 */
const WAITING_BYTES_PER_PIXEL = 3.1;
const CODED_BYTES_PER_PIXEL = 6;
/** More threads than this gain little, and cost bits. */
const MAX_ENCODER_THREADS = 16;
/** Fewer would leave cores idle. */
const MIN_ENCODER_THREADS = 3;
const ENCODER_THREAD_BYTES = 640e6;
/** Pictures of up to 1440 lines keep the whole lookahead of every preset, 4K keeps 24, 8K 10. */
const LOOKAHEAD_BYTES = 620e6;
const MIN_LOOKAHEAD = 10;
/** x264's defaults (`x264 --fullhelp`): the pictures of its lookahead, and those that one may refer to. */
const PRESETS: Readonly<Record<string, { readonly lookahead: number; readonly references: number }>> = {
  veryfast: { lookahead: 10, references: 1 },
  medium: { lookahead: 40, references: 3 },
  slow: { lookahead: 50, references: 5 },
};
const B_FRAMES = 3;

export interface EncoderPlan {
  /** Never left to x264, which counts the machine's cores where a container may use only some of them. */
  readonly threads: number;
  /** Null: the preset's. */
  readonly lookahead: number | null;
  /** What the encoder takes in all. */
  readonly bytes: number;
}

/** Threads, lookahead and memory of x264 for pictures of a size. */
export function encoderPlan({ width, height }: Size, preset: string, cores = CORES): EncoderPlan {
  const pixels = width * height;
  const { lookahead, references } = PRESETS[preset] ?? PRESETS['slow'];
  const kept = Math.max(MIN_LOOKAHEAD, Math.floor(LOOKAHEAD_BYTES / (WAITING_BYTES_PER_PIXEL * pixels)));
  const threadBytes = (WAITING_BYTES_PER_PIXEL + CODED_BYTES_PER_PIXEL) * pixels;
  const affordable = Math.max(MIN_ENCODER_THREADS, Math.floor(ENCODER_THREAD_BYTES / threadBytes));
  // As x264 chooses: one and a half a core, and two rows of blocks each.
  const own = Math.min(Math.floor((cores * 3) / 2), Math.max(1, Math.floor(Math.ceil(height / 16) / 2)));
  const threads = Math.max(1, Math.min(own, affordable, MAX_ENCODER_THREADS));
  const waiting = Math.min(lookahead, kept) + 2 * (B_FRAMES + 1);
  return {
    threads,
    lookahead: kept < lookahead ? kept : null,
    bytes:
      threads * threadBytes +
      waiting * WAITING_BYTES_PER_PIXEL * pixels +
      (references + 2) * CODED_BYTES_PER_PIXEL * pixels,
  };
}

/** How many threads may decode pictures of so many bytes. */
export function decoderThreads(pictureBytes: number, cores = CORES): number {
  const own = cores > 1 ? Math.min(cores + 1, MAX_DECODER_THREADS) : 1;
  return Math.min(own, Math.max(MIN_DECODER_THREADS, Math.floor(DECODER_THREAD_BYTES / pictureBytes)));
}

/** What a decoder of pictures of so many bytes takes. */
export function decoderBytes(pictureBytes: number, cores = CORES): number {
  return (DECODER_PICTURES + decoderThreads(pictureBytes, cores)) * pictureBytes;
}
