/** Frames of real clips as RGB pictures of any size and rate: the material of generated clips. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { MEDIA } from '../lib/long-clip.ts';

/** Interleaved 8-bit RGB, rows from the top. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface FootageRequest {
  /** Below the media folder: `video/sam2_dog.mp4`; or an absolute path. */
  readonly name: string;
  readonly fromSeconds: number;
  readonly frameCount: number;
  readonly framesPerSecond: number;
  /** The clip is scaled to cover this size and its middle is cut out. */
  readonly width: number;
  readonly height: number;
  /** FFmpeg video filters that act after the scaling: `eq=contrast=1.1`. */
  readonly filters?: string;
}

/** Clips without transitions of their own within these spans: usable for shots. */
export const SHOTS: readonly { readonly name: string; readonly from: number; readonly to: number }[] = [
  { name: 'video/bbb_2_cuts_timecode.mp4', from: 4, to: 12 },
  { name: 'video/bbb_opening_30s_vp8.webm', from: 2.5, to: 11.5 },
  { name: 'video/bbb_opening_30s_vp8.webm', from: 16, to: 22.5 },
  { name: 'video/bbb_static_10s_vp9.webm', from: 0, to: 10 },
  { name: 'video/cartoon_cake_8s.mp4', from: 1.6, to: 4.6 },
  { name: 'video/cartoon_surf_8s.mp4', from: 2.7, to: 4.2 },
  { name: 'video/greenscreen_speech.mp4', from: 0, to: 24 },
  { name: 'video/intel_asl_book.mkv', from: 0, to: 3.6 },
  { name: 'video/intel_cars_30s.mp4', from: 0, to: 30 },
  { name: 'video/mdn_crystal.mp4', from: 0, to: 12 },
  { name: 'video/mdn_flower.mp4', from: 0, to: 5 },
  { name: 'video/mdn_friday_speech.mp4', from: 0, to: 6 },
  { name: 'video/mdn_frog.mp4', from: 0, to: 8 },
  { name: 'video/mdn_pig.mp4', from: 0, to: 6.4 },
  { name: 'video/mdn_rabbit_vp8.webm', from: 0, to: 7.7 },
  { name: 'video/nasa_webb_13s.mp4', from: 8.2, to: 16 },
  { name: 'video/roof_zoom_17s.mp4', from: 0.8, to: 17 },
  { name: 'video/rotated270_h264.mp4', from: 0, to: 4.9 },
  { name: 'video/sam2_dog.mp4', from: 0, to: 9.6 },
  { name: 'video/vertical_hdr10_av1.mp4', from: 0, to: 4.1 },
];

export function hasFootage(): boolean {
  return SHOTS.every(({ name }) => existsSync(MEDIA + name));
}

/** The frames on screen at even times; past the clip's end its last frame is held. */
export async function* openFootage(request: FootageRequest): AsyncGenerator<RgbPicture> {
  const { width, height, framesPerSecond: rate } = request;
  const filters = request.filters === undefined ? '' : `,${request.filters}`;
  using input = await openInput(resolve(MEDIA, request.name));
  using source = await SourceFrames.open(input);
  using graph = new LinearGraph(
    'video',
    { num: 1, den: 1000 },
    () =>
      `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=bicubic,crop=${width}:${height}${filters},format=rgb24`,
  );
  for (let index = 0; index < request.frameCount; index++) {
    const seconds = request.fromSeconds + index / rate;
    const frame = source.at(seconds, 0.5 / rate, seconds).clone()!;
    frame.pts = BigInt(index);
    const out: RgbPicture[] = [];
    graph.push(frame, (scaled) => {
      const data = new Uint8Array(width * height * 3);
      const plane = scaled.data![0];
      const stride = scaled.linesize[0];
      for (let y = 0; y < height; y++)
        data.set(plane.subarray(y * stride, y * stride + width * 3), y * width * 3);
      out.push({ width, height, data });
    });
    frame.free();
    yield* out;
  }
}

export async function readFootage(request: FootageRequest): Promise<RgbPicture[]> {
  const pictures: RgbPicture[] = [];
  for await (const picture of openFootage(request)) pictures.push(picture);
  return pictures;
}
