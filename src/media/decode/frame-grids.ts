import {
  AV_PIX_FMT_YUV410P,
  AV_PIX_FMT_YUV411P,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV422P,
  AV_PIX_FMT_YUV440P,
  AV_PIX_FMT_YUV444P,
  AV_PIX_FMT_YUVJ411P,
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ422P,
  AV_PIX_FMT_YUVJ440P,
  AV_PIX_FMT_YUVJ444P,
  AVCOL_RANGE_JPEG,
} from 'node-av/constants';
import type { Stream, Frame as VideoFrame } from 'node-av/lib';
import type { Frame, Picture, Size } from '../../footage.ts';
import { LinearGraph } from '../av/graph.ts';
import { HD_WEIGHTS, lumaWeights } from '../av/luma-weights.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  type Rotation,
  streamRotation,
  toneMapFilters,
  turnPicture,
} from '../av/upright.ts';
import { type BytePlane, MAX_CELL_ROWS } from './area-means.ts';
import { type GridSizes, gridSizes, type PlaneFormat, PlaneGrids } from './grids.ts';

/** Planes of eight bits: how many samples of luma share one of chroma, across and down; and whether the range is full. */
const PLANAR: ReadonlyMap<number, readonly [number, number, boolean]> = new Map([
  [AV_PIX_FMT_YUV420P, [2, 2, false]],
  [AV_PIX_FMT_YUVJ420P, [2, 2, true]],
  [AV_PIX_FMT_YUV422P, [2, 1, false]],
  [AV_PIX_FMT_YUVJ422P, [2, 1, true]],
  [AV_PIX_FMT_YUV444P, [1, 1, false]],
  [AV_PIX_FMT_YUVJ444P, [1, 1, true]],
  [AV_PIX_FMT_YUV440P, [1, 2, false]],
  [AV_PIX_FMT_YUVJ440P, [1, 2, true]],
  [AV_PIX_FMT_YUV411P, [4, 1, false]],
  [AV_PIX_FMT_YUVJ411P, [4, 1, true]],
  [AV_PIX_FMT_YUV410P, [4, 4, false]],
]);
/** Waiting for a second thread costs more than such small pictures do. */
const THREADS = { threads: 1 };

/** What the detectors see of a frame's picture. */
type GridPictures = Pick<Frame, 'grey' | 'colour' | 'detail'>;

/**
 * Brings decoded frames to the analysis grids, upright. Planes of eight bits are averaged as they are; other formats and HDR
 * go through FFmpeg's filters first.
 */
export class FrameGrids implements Disposable {
  readonly #rotation: Rotation;
  /** As the frames lie. */
  readonly #sizes: GridSizes;
  readonly #filters: LinearGraph;
  readonly #detailFilters: LinearGraph;
  /** Of what the filters give; made when the first frame needs them. */
  #filtered: PlaneGrids | null = null;
  #signature = '';
  /** Of the frames that come now; null: they need the filters. */
  #direct: PlaneGrids | null = null;
  #detailGrows = false;

  constructor(stream: Stream) {
    this.#rotation = streamRotation(stream);
    const { width, height } = displaySize(stream);
    this.#sizes = sizesLying(gridSizes(width / height), this.#rotation);
    const { detail } = this.#sizes;
    const graph = (describe: (frame: VideoFrame) => string) =>
      new LinearGraph('video', stream.timeBase, describe, THREADS);
    this.#filters = graph((frame) => gridChain(frame, this.#sizes));
    this.#detailFilters = graph((frame) => detailChain(frame, detail));
  }

  /** The frame's data may be used again afterwards, views of them may not. */
  measure(frame: VideoFrame, withDetail: boolean): GridPictures {
    this.#prepare(frame);
    const { grey, colour, detail } =
      this.#direct === null
        ? this.#measureFiltered(frame, withDetail)
        : this.#measureDirectly(this.#direct, frame, withDetail);
    const upright = { grey: turnPicture(grey, this.#rotation), colour: turnPicture(colour, this.#rotation) };
    return { ...upright, detail: detail === null ? null : turnPicture(detail, this.#rotation) };
  }

  #measureDirectly(grids: PlaneGrids, frame: VideoFrame, withDetail: boolean): GridPictures {
    const planes = planesOf(frame);
    const pictures = gridsOf(grids, planes);
    const within = withDetail && !this.#detailGrows ? grids.detail(planes[0]!) : null;
    release(planes);
    return { ...pictures, detail: withDetail && within === null ? this.#filterDetail(frame) : within };
  }

  #measureFiltered(frame: VideoFrame, withDetail: boolean): GridPictures {
    const { grey } = this.#sizes;
    this.#filtered ??= new PlaneGrids(
      { luma: grey, chroma: grey, weights: HD_WEIGHTS, fullRange: true },
      this.#sizes,
    );
    const grids = this.#filtered;
    const pictures = filter(this.#filters, frame, (scaled) => gridsOf(grids, planesOf(scaled)));
    return { ...pictures, detail: withDetail ? this.#filterDetail(frame) : null };
  }

  #filterDetail(frame: VideoFrame): Picture {
    return filter(this.#detailFilters, frame, copyLuma);
  }

  /** Size and format may change on the way. */
  #prepare(frame: VideoFrame): void {
    const { width, height, format, colorSpace, colorRange, colorTrc } = frame;
    const signature = `${width}x${height}/${format}/${colorSpace}/${colorRange}/${colorTrc}`;
    if (signature === this.#signature) return;
    this.#signature = signature;
    const planes = planeFormat(frame, this.#sizes);
    this.#direct = planes === null ? null : new PlaneGrids(planes, this.#sizes);
    const { detail } = this.#sizes;
    this.#detailGrows = detail.width > width || detail.height > height;
  }

  [Symbol.dispose](): void {
    this.#filters[Symbol.dispose]();
    this.#detailFilters[Symbol.dispose]();
  }
}

function sizesLying(sizes: GridSizes, rotation: Rotation): GridSizes {
  const lying = ({ width, height }: Size) =>
    rotation % 180 === 0 ? { width, height } : { width: height, height: width };
  return { grey: lying(sizes.grey), colour: lying(sizes.colour), detail: lying(sizes.detail) };
}

/** Null for what only FFmpeg's filters can read. */
function planeFormat(frame: VideoFrame, { colour }: GridSizes): PlaneFormat | null {
  const layout = PLANAR.get(frame.format);
  const weights = lumaWeights(frame);
  if (layout === undefined || weights === null || isHdrTransfer(frame.colorTrc)) return null;
  // A picture may be stored from its last row to its first; or be far taller than any camera's, beyond what the sums of a cell hold.
  if (frame.linesize[0]! < 0 || frame.height > MAX_CELL_ROWS * colour.height) return null;
  const [across, down, full] = layout;
  const { width, height } = frame;
  return {
    luma: { width, height },
    chroma: { width: Math.ceil(width / across), height: Math.ceil(height / down) },
    weights,
    fullRange: full || frame.colorRange === AVCOL_RANGE_JPEG,
  };
}

function gridsOf(grids: PlaneGrids, [luma, blue, red]: readonly BytePlane[]) {
  const grey = grids.grey(luma!);
  return { grey, colour: grids.colour(grey, blue!, red!) };
}

/** These filters give one frame for each. */
function filter<Result>(graph: LinearGraph, frame: VideoFrame, use: (scaled: VideoFrame) => Result): Result {
  const results: Result[] = [];
  graph.push(frame, (scaled) => results.push(use(scaled)));
  if (results.length === 0) throw new Error('A filter kept a frame to itself');
  return results.at(-1)!;
}

/** To the grey grid's size, three full planes, full range, BT.709. */
function gridChain(frame: VideoFrame, { grey, detail }: GridSizes): string {
  // Tone mapping is no linear matter: means are taken of what comes out of it, as near as its cost allows.
  const mapped = isHdrTransfer(frame.colorTrc)
    ? `${hdrChain(frame, detail)},${scale(grey)}`
    : `${scale(grey)}:${range(frame)}`;
  return `${mapped},format=yuv444p`;
}

function detailChain(frame: VideoFrame, detail: Size): string {
  const mapped = isHdrTransfer(frame.colorTrc) ? hdrChain(frame, detail) : `${scale(detail)}:${range(frame)}`;
  return `${mapped},format=gray`;
}

function hdrChain(frame: VideoFrame, detail: Size): string {
  const full = 'scale=out_range=full:in_color_matrix=bt709:out_color_matrix=bt709';
  return `${scale(detail)},${toneMapFilters(frame)}${full}`;
}

/** Means over areas, exact to rounding. */
function scale({ width, height }: Size): string {
  return `scale=${width}:${height}:flags=area+accurate_rnd`;
}

const range = (frame: VideoFrame) =>
  `in_color_matrix=${colourMatrix(frame)}:out_color_matrix=bt709:out_range=full`;

/** Views into FFmpeg's memory. */
function planesOf({ data, linesize }: VideoFrame): BytePlane[] {
  return data!.map((plane, number) => ({ data: plane, stride: linesize[number]! }));
}

/**
 * Gives views back at once. The collector takes them for megabytes of garbage each: left to it, they make it run every
 * twenty frames.
 */
function release(planes: readonly BytePlane[]): void {
  for (const { data } of planes) (data.buffer as ArrayBuffer).transfer(0);
}

function copyLuma(frame: VideoFrame): Picture {
  const { width, height } = frame;
  const [{ data: from, stride }] = planesOf(frame) as [BytePlane];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) data.set(from.subarray(y * stride, y * stride + width), y * width);
  return { width, height, channels: 1, data };
}
