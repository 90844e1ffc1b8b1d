import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Envelope, Size } from '../../domain/footage.ts';
import { emptyFrame } from '../av/empty-frame.ts';
import { readEnvelope } from './envelope.ts';
import { FILMSTRIP_TILES, tileMoments, tileSize } from './filmstrip-layout.ts';
import { encodeJpeg, type JpegQuality } from './still.ts';

const POSTER: Size = { width: 640, height: 360 };
const QUALITY: JpegQuality = { best: 3, worst: 7 };
/** Luma of BT.709 in limited range: ground, peaks, root mean square. */
const LUMA = { ground: 28, peak: 110, rms: 190 };
const NEUTRAL_CHROMA = 128;
/** Margin above and below the loudest peak, as a share of the height. */
const MARGIN = 0.08;
/** From BT.709's limited range to JPEG's full range; grey has the same chroma in both. */
const TO_JPEG = 'scale=in_range=limited:out_range=full';

/** The waveform of a sound file as poster, and in a strip of tiles whose times run from left to right. */
export async function readWaveform(
  path: string,
  durationSeconds: number,
  onProgress: (fraction: number) => void,
): Promise<{ poster: Buffer; filmstrip: Buffer; tile: Size; tileSeconds: readonly number[] }> {
  const tile = tileSize(POSTER);
  const columns = FILMSTRIP_TILES * tile.width;
  const report = (seconds: number) => onProgress(Math.min(1, seconds / durationSeconds));
  const envelope = await readEnvelope(path, { durationSeconds, columns, onProgress: report });
  if (envelope === null) throw new Failure('INPUT_CORRUPT', 'The sound stream has no decodable samples');
  const drawn = async (size: Size) => {
    const frame = drawWaveform(envelope, size);
    try {
      return await encodeJpeg(frame, TO_JPEG, QUALITY);
    } finally {
      frame.free();
    }
  };
  return {
    poster: await drawn(POSTER),
    filmstrip: await drawn({ width: columns, height: tile.height }),
    tile,
    tileSeconds: tileMoments(durationSeconds, FILMSTRIP_TILES),
  };
}

/** Peaks and root mean square of each column, the loudest peak at the margin. The caller frees the frame. */
function drawWaveform({ min, max, rms }: Envelope, { width, height }: Size): Frame {
  const frame = emptyFrame(width, height);
  const [luma, ...chroma] = frame.data as Buffer[];
  const stride = frame.linesize[0];
  luma!.fill(LUMA.ground);
  for (const plane of chroma) plane.fill(NEUTRAL_CHROMA);
  const loudest = Math.max(...max, ...min.map((value) => -value), Number.MIN_VALUE);
  const scale = (height * (0.5 - MARGIN)) / loudest;
  for (let x = 0; x < width; x++) {
    const from = Math.floor((x * min.length) / width);
    const to = Math.max(from + 1, Math.floor(((x + 1) * min.length) / width));
    const level = Math.max(...rms.slice(from, to));
    fill(
      luma!,
      stride,
      x,
      height,
      [Math.min(...min.slice(from, to)), Math.max(...max.slice(from, to))],
      scale,
      LUMA.peak,
    );
    fill(luma!, stride, x, height, [-level, level], scale, LUMA.rms);
  }
  return frame;
}

/** Fills a column between two samples; silence is a line. */
function fill(
  luma: Buffer,
  stride: number,
  x: number,
  height: number,
  [low, high]: readonly [number, number],
  scale: number,
  value: number,
): void {
  const last = Math.round(height / 2 - low * scale);
  for (let y = Math.round(height / 2 - high * scale); y <= last; y++) luma[y * stride + x] = value;
}
