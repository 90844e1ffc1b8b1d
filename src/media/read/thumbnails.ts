import type { Frame } from 'node-av/lib';
import { Failure } from '../../errors.ts';
import type { Size, Still } from '../../footage.ts';
import { openInput, StreamDecoder, VIDEO_AND_IMAGE_DEMUXERS } from '../av/input.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  streamRotation,
  toneMapFilters,
  turnFilters,
} from '../av/upright.ts';
import { shapeOf } from './filmstrip-layout.ts';
import { encodeJpeg, type JpegQuality } from './still.ts';

const QUALITY: JpegQuality = { best: 3, worst: 7 };
const YIELD_MS = 50;
const POSTER_SIDE = 640;

export interface ThumbnailRequest {
  /** Ascending, from the container's start. */
  readonly timesSeconds: readonly number[];
  /** Of each picture; width and height follow the clip's ratio. */
  readonly areaPixels: number;
  readonly onProgress: (seconds: number) => void;
}

/**
 * The frames that are shown at the given times, small. Decodes from the start up to the last of them: exact on every
 * file, where seeking is not.
 */
export async function readThumbnails(path: string, request: ThumbnailRequest): Promise<Still[]> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  using decoder = await StreamDecoder.open(input, input.video);
  const turn = turnFilters(streamRotation(input.video));
  const size = smallSize(displaySize(input.video), request.areaPixels);
  const wanted = [...request.timesSeconds];
  const stills: Still[] = [];
  let shown: { frame: Frame; seconds: number } | null = null;
  let lastYield = performance.now();
  try {
    while (wanted.length > 0) {
      const decoded = decoder.next();
      const seconds = decoded === null ? Number.POSITIVE_INFINITY : decoder.frameSeconds(decoded);
      // The first frame stands for what lies before it.
      while (shown !== null && wanted.length > 0 && wanted[0]! < seconds) {
        const jpeg = await encodeJpeg(shown.frame, thumbnailFilters(shown.frame, size, turn), QUALITY);
        stills.push({ timeSeconds: wanted.shift()!, ...size, jpeg });
      }
      if (decoded === null) break;
      shown?.frame.free();
      const frame = decoded.clone();
      shown = frame === null ? null : { frame, seconds };
      if (performance.now() - lastYield < YIELD_MS) continue;
      request.onProgress(seconds);
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  } finally {
    shown?.frame.free();
  }
  return stills;
}

/** At most 640 pixels long, never larger than it is; both sides even. */
export function posterSize(displayed: Size): Size {
  const ratio = shapeOf(displayed);
  const long = Math.min(POSTER_SIDE, Math.max(displayed.width, displayed.height));
  const even = (length: number) => Math.max(2, 2 * Math.floor(length / 2));
  return ratio >= 1
    ? { width: even(long), height: even(long / ratio) }
    : { width: even(long * ratio), height: even(long) };
}

function smallSize(size: Size, areaPixels: number): Size {
  const ratio = shapeOf(size);
  const even = (length: number) => Math.max(16, 2 * Math.round(length / 2));
  return { width: even(Math.sqrt(areaPixels * ratio)), height: even(Math.sqrt(areaPixels / ratio)) };
}

/**
 * Filters that make a decoded frame small, upright and SDR, `turn` being that of `turnFilters`. JPEG's matrix is that of BT.601,
 * full range (ITU-T T.871, section 7).
 */
export function thumbnailFilters(frame: Frame, size: Size, turn: string): string {
  const { width, height } = size;
  const stored = turn.startsWith('transpose') ? `${height}:${width}` : `${width}:${height}`;
  const matrix = isHdrTransfer(frame.colorTrc) ? 'bt709' : colourMatrix(frame);
  const first = isHdrTransfer(frame.colorTrc) ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`;
  return (
    `scale=${stored}:flags=area+accurate_rnd${first},${toneMapFilters(frame)}${turn}` +
    'scale=flags=bicubic+accurate_rnd:in_color_matrix=bt709:out_color_matrix=smpte170m:out_range=full'
  );
}
