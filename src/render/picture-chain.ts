import type { Clip, Reframe, Timeline } from '../style/timeline.ts';

/** The picture that the chain gets: upright, yuv420p or deeper, as stored (sample aspect not yet applied). */
export interface SourcePicture {
  readonly width: number;
  readonly height: number;
  /** Name of the matrix for FFmpeg's scale filter, or `auto`. */
  readonly matrix: string;
}

const BLUR_SHRINK = 8;
const PAD_DARKEN = -0.08;

/** True when the framing moves within the clip. */
export function isMoving(clip: Clip): boolean {
  const { from, to } = clip;
  return from.x !== to.x || from.y !== to.y || from.width !== to.width || from.height !== to.height;
}

/**
 * FFmpeg filters that turn frames of one clip into frames of the output: framing, size, grade, BT.709 limited
 * range. `lutFile` is the name of a `.cube` file in the working folder, made by us; null: colours stay.
 */
export function pictureChain(
  clip: Clip,
  timeline: Pick<Timeline, 'width' | 'height'>,
  source: SourcePicture,
  frameCount: number,
  lutFile: string | null,
): string {
  const framed = clip.fit === 'pad' ? padded(timeline, source) : cropped(clip, timeline, source, frameCount);
  const grade = lutFile === null ? '' : `,format=gbrp16le,lut3d=file=${lutFile}:interp=tetrahedral`;
  const back = ',scale=out_color_matrix=bt709:out_range=limited';
  return `${framed}${grade}${lutFile === null ? '' : back},format=yuv420p,setsar=1`;
}

function scaleTo(width: number, height: number, source: SourcePicture): string {
  return `scale=${width}:${height}:flags=bicubic:in_color_matrix=${source.matrix}:out_color_matrix=bt709:out_range=limited`;
}

function cropped(
  clip: Clip,
  output: Pick<Timeline, 'width' | 'height'>,
  source: SourcePicture,
  frameCount: number,
): string {
  const around = union(clip.from, clip.to);
  const crop = cropFilter(around, source);
  const scale = scaleTo(output.width, output.height, source);
  if (!isMoving(clip)) return `${crop}${scale}`;
  return `${crop}${scale},format=yuv420p,${moveFilter(clip, around, frameCount)}`;
}

function union(a: Reframe, b: Reframe): Reframe {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
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

/**
 * A framing that moves: `perspective` samples between pixels (bicubic), where crop and zoompan would jump from pixel
 * to pixel. Its expressions count output frames in `on`.
 */
function moveFilter(clip: Clip, around: Reframe, frameCount: number): string {
  const share = `clip(on/${Math.max(1, frameCount - 1)}\\,0\\,1)`;
  const shape = {
    linear: share,
    ease_in: `pow(${share}\\,2)`,
    ease_out: `(${share}*(2-${share}))`,
    ease_in_out: `(pow(${share}\\,2)*(3-2*${share}))`,
  }[clip.easing];
  const edge = (side: 'W' | 'H', from: number, to: number) =>
    `${side}*(${from.toFixed(6)}+(${(to - from).toFixed(6)})*${shape})`;
  const inX = (value: number) => (value - around.x) / around.width;
  const inY = (value: number) => (value - around.y) / around.height;
  const { from, to } = clip;
  const left = edge('W', inX(from.x), inX(to.x));
  const right = edge('W', inX(from.x + from.width), inX(to.x + to.width));
  const top = edge('H', inY(from.y), inY(to.y));
  const bottom = edge('H', inY(from.y + from.height), inY(to.y + to.height));
  return `perspective=x0=${left}:y0=${top}:x1=${right}:y1=${top}:x2=${left}:y2=${bottom}:x3=${right}:y3=${bottom}:interpolation=cubic:sense=source:eval=frame`;
}

/** The whole picture over a blurred, darker copy of itself that fills the frame. */
function padded(output: Pick<Timeline, 'width' | 'height'>, source: SourcePicture): string {
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
