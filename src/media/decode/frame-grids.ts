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
import type { Frame, Picture, Size } from '../../domain/footage.ts';
import { frameInside, type Place, padFilter } from '../av/frame-shape.ts';
import { LinearGraph, videoSignature } from '../av/graph.ts';
import { HD_WEIGHTS, lumaWeights } from '../av/luma-weights.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  type Orientation,
  streamOrientation,
  swapsSides,
  toneMapFilters,
  turnPicture,
} from '../av/upright.ts';
import { type BytePlane, MAX_CELL_ROWS } from './area-means.ts';
import { DETAIL_FACTOR, type GridSizes, gridSizes, type PlaneFormat, PlaneGrids } from './grids.ts';

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
  readonly #stream: Stream;
  readonly #orientation: Orientation;
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
    this.#stream = stream;
    this.#orientation = streamOrientation(stream);
    const { width, height } = displaySize(stream);
    this.#sizes = sizesLying(gridSizes(width / height), this.#orientation);
    const { grey, detail } = this.#sizes;
    const place = (frame: VideoFrame) => frameInside(stream, frame, grey);
    const graph = (describe: (frame: VideoFrame) => string) =>
      new LinearGraph('video', stream.timeBase, describe, THREADS);
    this.#filters = graph((frame) => gridChain(frame, grey, place(frame)));
    this.#detailFilters = graph((frame) => detailChain(frame, detail, place(frame)));
  }

  /** The frame's data may be used again afterwards, views of them may not. */
  measure(frame: VideoFrame, withDetail: boolean): GridPictures {
    this.#prepare(frame);
    const { grey, colour, detail } =
      this.#direct === null
        ? this.#measureFiltered(frame, withDetail)
        : this.#measureDirectly(this.#direct, frame, withDetail);
    const upright = (picture: Picture) => turnPicture(picture, this.#orientation);
    return {
      grey: upright(grey),
      colour: upright(colour),
      detail: detail === null ? null : upright(detail),
    };
  }

  #measureDirectly(grids: PlaneGrids, frame: VideoFrame, withDetail: boolean): GridPictures {
    const planes = planesOf(frame);
    const pictures = gridsOf(grids, planes);
    const within = withDetail && !this.#detailGrows ? grids.detail(planes[0]) : null;
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
    const { width, height } = frame;
    const signature = videoSignature(frame);
    if (signature === this.#signature) return;
    this.#signature = signature;
    const isWhole = frameInside(this.#stream, frame, this.#sizes.grey) === null;
    const planes = isWhole ? planeFormat(frame, this.#sizes) : null;
    this.#direct = planes === null ? null : new PlaneGrids(planes, this.#sizes);
    const { detail } = this.#sizes;
    this.#detailGrows = detail.width > width || detail.height > height;
  }

  [Symbol.dispose](): void {
    this.#filters[Symbol.dispose]();
    this.#detailFilters[Symbol.dispose]();
  }
}

function sizesLying(sizes: GridSizes, orientation: Orientation): GridSizes {
  const swaps = swapsSides(orientation);
  const lying = ({ width, height }: Size) => (swaps ? { width: height, height: width } : { width, height });
  return { grey: lying(sizes.grey), colour: lying(sizes.colour), detail: lying(sizes.detail) };
}

/** Null for what only FFmpeg's filters can read. */
function planeFormat(frame: VideoFrame, { colour }: GridSizes): PlaneFormat | null {
  const layout = PLANAR.get(frame.format);
  const weights = lumaWeights(frame);
  if (layout === undefined || weights === null || isHdrTransfer(frame.colorTrc)) return null;
  // A picture may be stored from its last row to its first; or be far taller than any camera's, beyond what the sums of a cell hold.
  if (frame.linesize[0] < 0 || frame.height > MAX_CELL_ROWS * colour.height) return null;
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

/** To the grey grid's size, three full planes, full range, BT.709; `place`: of the frame in it, null: all of it. */
function gridChain(frame: VideoFrame, grey: Size, place: Place | null): string {
  const drawn = place ?? grey;
  // Tone mapping is no linear matter: means are taken of what comes out of it, as near as its cost allows.
  const mapped = isHdrTransfer(frame.colorTrc)
    ? `${hdrChain(frame, inDetail(drawn))},${scale(drawn)}`
    : `${scale(drawn)}:${range(frame)}`;
  return `${mapped},format=yuv444p${place === null ? '' : `,${padFilter(grey, place)}`}`;
}

function detailChain(frame: VideoFrame, detail: Size, place: Place | null): string {
  const inside = place === null ? null : inDetail(place);
  const drawn = inside ?? detail;
  const mapped = isHdrTransfer(frame.colorTrc) ? hdrChain(frame, drawn) : `${scale(drawn)}:${range(frame)}`;
  return `${mapped},format=gray${inside === null ? '' : `,${padFilter(detail, inside)}`}`;
}

/** The same part of the grey grid in the detailed one. */
function inDetail<Part extends Size>(part: Part): Part {
  const entries = Object.entries(part).map(([name, length]) => [name, length * DETAIL_FACTOR]);
  return Object.fromEntries(entries) as Part;
}

function hdrChain(frame: VideoFrame, size: Size): string {
  const full = 'scale=out_range=full:in_color_matrix=bt709:out_color_matrix=bt709';
  return `${scale(size)},${toneMapFilters(frame)}${full}`;
}

/** Means over areas, exact to rounding. */
function scale({ width, height }: Size): string {
  return `scale=${width}:${height}:flags=area+accurate_rnd`;
}

const range = (frame: VideoFrame) =>
  `in_color_matrix=${colourMatrix(frame)}:out_color_matrix=bt709:out_range=full`;

/** Views into FFmpeg's memory. */
function planesOf({ data, linesize }: VideoFrame): BytePlane[] {
  return data!.map((plane, number) => ({ data: plane, stride: linesize[number] }));
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
