import { ENLARGING_FLAGS, MEAN_FLAGS, SCALE_FLAGS } from '../../media/av/output-colors.ts';
import { framingUnion } from '../../style/model/framing.ts';
import type { Clip, Reframe, Timeline } from '../../style/model/timeline.ts';
import { BLUR_SHRINK, BLUR_SIGMA, EDGE_PIXELS, edgeColors, extendedSize, PAD_DARKEN } from './fit-shapes.ts';

type OutputSize = Pick<Timeline, 'width' | 'height'>;

/** Properties of the frames that enter the chain: upright, square pixels. */
export interface SourceVideo {
  readonly width: number;
  readonly height: number;
  /** Name of the matrix for FFmpeg's scale filter, or `auto`. */
  readonly matrix: string;
  /** Filters to BT.709, limited range, each ending in a comma. */
  readonly colors: string;
}

/** A crop whose size differs from the output's by at most this many pixels is set to that size, which avoids blur by scaling. */
const SNAP_PIXELS = 2;
/** Pixels out over pixels in, above which the sharper filter for enlarging is used. */
const MIN_ENLARGEMENT = 1.05;

/**
 * FFmpeg filters that convert frames of a clip with a fixed framing to the output's framing, size and format (yuv420p, BT.709,
 * limited range). The grade is applied later.
 */
export function videoChain(clip: Clip, timeline: OutputSize, source: SourceVideo): string {
  const whole = `${cropFilter(clip.from, source)}${source.colors}`;
  switch (clip.fit) {
    case 'pad':
      return `${whole}scale=${SCALE_FLAGS},format=yuv420p,${paddedOverBlur(timeline)},${OUTPUT_FORMAT}`;
    case 'extend':
      return `${whole}${extended(timeline, clip.from, source)},${OUTPUT_FORMAT}`;
    case 'crop':
      return `${cropFilter(clip.from, source, timeline)}${scaleTo(timeline, clip.from, source)},${OUTPUT_FORMAT}`;
  }
}

const OUTPUT_FORMAT = 'format=yuv420p,setsar=1';

/** The part of the picture that contains all positions of a moving framing, at about the output's scale. */
export interface MovingRegion {
  readonly around: Reframe;
  readonly width: number;
  readonly height: number;
  readonly chain: string;
}

/** Never enlarged, and never much finer than the closest framing needs. */
export function movingRegion(clip: Clip, timeline: OutputSize, source: SourceVideo): MovingRegion {
  const around = framingUnion(clip);
  const closest = Math.min(clip.from.width, clip.to.width) * source.width;
  const scale = Math.min(1, timeline.width / closest);
  const even = (value: number) => Math.max(2, 2 * Math.round(value / 2));
  const width = even(around.width * source.width * scale);
  const height = even(around.height * source.height * scale);
  const chain = `${cropFilter(around, source)}${scaleTo({ width, height }, around, source)},${OUTPUT_FORMAT}`;
  return { around, width, height, chain };
}

/** Converts colors before or after scaling, whichever has fewer pixels. */
function scaleTo({ width, height }: OutputSize, part: Reframe, { colors, ...source }: SourceVideo): string {
  const pixels = part.width * source.width * part.height * source.height;
  const shrinks = width * height < pixels;
  const flags = width * height > MIN_ENLARGEMENT * pixels ? ENLARGING_FLAGS : SCALE_FLAGS;
  const scale = `scale=${width}:${height}:${flags}`;
  return colors === '' ? scale : shrinks ? `${scale},${colors.slice(0, -1)}` : `${colors}${scale}`;
}

/** Sides and offsets are even, so that chroma stays aligned with luma; the last line of an odd side is dropped. */
function cropFilter(part: Reframe, source: SourceVideo, output?: OutputSize): string {
  const [maxWide, maxHigh] = [source.width & ~1, source.height & ~1];
  const even = (value: number) => 2 * Math.round(value / 2);
  let width = Math.min(maxWide, Math.max(2, even(part.width * source.width)));
  let height = Math.min(maxHigh, Math.max(2, even(part.height * source.height)));
  if (output !== undefined && isNear(width, output.width) && isNear(height, output.height)) {
    width = Math.min(maxWide, output.width);
    height = Math.min(maxHigh, output.height);
  }
  const start = (middle: number, size: number, most: number) =>
    Math.max(0, Math.min(most - size, even(middle - size / 2)));
  const x = start((part.x + part.width / 2) * source.width, width, maxWide);
  const y = start((part.y + part.height / 2) * source.height, height, maxHigh);
  const isWhole = width === source.width && height === source.height;
  return isWhole ? '' : `crop=${width}:${height}:${x}:${y},`;
}

function isNear(size: number, wanted: number): boolean {
  return Math.abs(size - wanted) <= SNAP_PIXELS;
}

/** The whole picture over a blurred, darker copy of itself that fills the frame. */
export function paddedOverBlur(output: OutputSize): string {
  const { width, height } = output;
  const small = {
    width: Math.max(2, Math.round(width / BLUR_SHRINK)),
    height: Math.max(2, Math.round(height / BLUR_SHRINK)),
  };
  const back =
    `scale=${small.width}:${small.height}:force_original_aspect_ratio=increase:${SCALE_FLAGS},` +
    `crop=${small.width}:${small.height},gblur=sigma=${BLUR_SIGMA},eq=brightness=${PAD_DARKEN},scale=${width}:${height}:flags=bilinear+accurate_rnd,setsar=1`;
  const front = `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2:${SCALE_FLAGS},setsar=1`;
  return `split[fill][whole];[fill]${back}[behind];[whole]${front}[before];[behind][before]overlay=(W-w)/2:(H-h)/2`;
}

/**
 * The whole picture, continued above and below or on both sides by the colors of its edges. These are smoothed along the edge, because
 * single pixels would show as streaks. Sides are even.
 */
function extended(output: OutputSize, part: Reframe, source: SourceVideo): string {
  const [width, height] = [part.width * source.width, part.height * source.height];
  const { width: wide, height: high } = extendedSize(output, { width, height });
  const flags = wide * high > MIN_ENLARGEMENT * width * height ? ENLARGING_FLAGS : SCALE_FLAGS;
  const fitted = `scale=${wide}:${high}:${flags},format=yuv420p`;
  const missing = output.width - wide + (output.height - high);
  const first = 2 * Math.floor(missing / 4);
  if (first === 0) return `${fitted},scale=${output.width}:${output.height}:${SCALE_FLAGS}`;
  const last = missing - first;
  const beyond =
    high < output.height
      ? (size: number, at: number) =>
          `crop=${wide}:${EDGE_PIXELS}:0:${at},scale=${edgeColors(wide)}:2:${MEAN_FLAGS},scale=${wide}:${size}:${SCALE_FLAGS},setsar=1`
      : (size: number, at: number) =>
          `crop=${EDGE_PIXELS}:${high}:${at}:0,scale=2:${edgeColors(high)}:${MEAN_FLAGS},scale=${size}:${high}:${SCALE_FLAGS},setsar=1`;
  const [stack, side] = high < output.height ? (['vstack', high] as const) : (['hstack', wide] as const);
  return (
    `${fitted},setsar=1,split=3[begins][whole][ends];[begins]${beyond(first, 0)}[before];` +
    `[ends]${beyond(last, side - EDGE_PIXELS)}[after];[before][whole][after]${stack}=inputs=3`
  );
}
