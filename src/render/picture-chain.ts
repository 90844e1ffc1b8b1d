import type { Clip, Reframe, Timeline } from '../style/timeline.ts';
import { framingUnion } from './framing.ts';

type OutputSize = Pick<Timeline, 'width' | 'height'>;

/** The picture that the chain gets: upright, yuv420p or deeper, as stored (sample aspect not yet applied). */
export interface SourcePicture {
  readonly width: number;
  readonly height: number;
  /** Name of the matrix for FFmpeg's scale filter, or `auto`. */
  readonly matrix: string;
}

const BLUR_SHRINK = 8;
const PAD_DARKEN = -0.08;

/**
 * FFmpeg filters that turn frames of a clip with a fixed framing into frames of the output, but for the grade: framing,
 * size, yuv420p in BT.709 limited range.
 */
export function pictureChain(clip: Clip, timeline: OutputSize, source: SourcePicture): string {
  const framed =
    clip.fit === 'pad'
      ? `${cropFilter(clip.from, source)}${padded(timeline, source)}`
      : `${cropFilter(clip.from, source)}${scaleTo(timeline.width, timeline.height, source)}`;
  return `${framed},${OUTPUT_FORMAT}`;
}

const OUTPUT_FORMAT = 'format=yuv420p,setsar=1';

/** What a moving framing samples from: the part of the picture that it stays in, at about the output's scale. */
export interface MovingGround {
  readonly around: Reframe;
  readonly width: number;
  readonly height: number;
  readonly chain: string;
}

/** Never larger than the source's own detail, never much finer than the closest framing needs. */
export function movingGround(clip: Clip, timeline: OutputSize, source: SourcePicture): MovingGround {
  const around = framingUnion(clip);
  const closest = Math.min(clip.from.width, clip.to.width) * source.width;
  const scale = Math.min(1, timeline.width / closest);
  const even = (value: number) => Math.max(2, 2 * Math.round(value / 2));
  const width = even(around.width * source.width * scale);
  const height = even(around.height * source.height * scale);
  const chain = `${cropFilter(around, source)}${scaleTo(width, height, source)},${OUTPUT_FORMAT}`;
  return { around, width, height, chain };
}

function scaleTo(width: number, height: number, source: SourcePicture): string {
  return `scale=${width}:${height}:flags=bicubic:in_color_matrix=${source.matrix}:out_color_matrix=bt709:out_range=limited`;
}

/** Even sides and offsets, so that chroma stays on luma. */
function cropFilter(part: Reframe, source: SourcePicture): string {
  const even = (value: number) => 2 * Math.round(value / 2);
  const width = Math.min(source.width, Math.max(2, even(part.width * source.width)));
  const height = Math.min(source.height, Math.max(2, even(part.height * source.height)));
  const x = Math.max(0, Math.min(source.width - width, even(part.x * source.width)));
  const y = Math.max(0, Math.min(source.height - height, even(part.y * source.height)));
  const whole = x === 0 && y === 0 && width >= source.width - 1 && height >= source.height - 1;
  return whole ? '' : `crop=${width}:${height}:${x}:${y},`;
}

/** The whole of what comes in over a blurred, darker copy of itself that fills the frame. */
function padded(output: OutputSize, source: SourcePicture): string {
  const { width, height } = output;
  const small = {
    width: Math.max(2, Math.round(width / BLUR_SHRINK)),
    height: Math.max(2, Math.round(height / BLUR_SHRINK)),
  };
  const back =
    `scale=${small.width}:${small.height}:force_original_aspect_ratio=increase:in_color_matrix=${source.matrix}:out_color_matrix=bt709:out_range=limited,` +
    `crop=${small.width}:${small.height},gblur=sigma=4,eq=brightness=${PAD_DARKEN},scale=${width}:${height}:flags=bilinear,setsar=1`;
  const front = `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:flags=bicubic:in_color_matrix=${source.matrix}:out_color_matrix=bt709:out_range=limited,setsar=1`;
  return `split[fill][whole];[fill]${back}[behind];[whole]${front}[before];[behind][before]overlay=(W-w)/2:(H-h)/2`;
}
