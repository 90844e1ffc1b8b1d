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
import { framePlacement, type Placement, padFilter } from '../av/frame-shape.ts';
import { LinearGraph, videoSignature } from '../av/graph.ts';
import { HD_WEIGHTS, lumaWeights } from '../av/luma-weights.ts';
import {
  colorMatrix,
  displaySize,
  isHdrTransfer,
  type Orientation,
  streamOrientation,
  toneMapFilters,
  turnedSize,
  turnPicture,
} from '../av/upright.ts';
import { type BytePlane, MAX_CELL_ROWS } from './area-means.ts';
import { DETAIL_FACTOR, type GridSizes, gridSizes, type PlaneFormat, PlaneGrids } from './grids.ts';

/** Planar 8-bit formats: luma samples per chroma sample, horizontally and vertically, and whether the range is full. */
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
/** For such small pictures, waiting for a second thread costs more than it saves. */
const THREADS = { threads: 1 };

/** The pictures of a frame that detectors get. */
type GridPictures = Pick<Frame, 'grey' | 'color' | 'detail'>;

/**
 * Reduces decoded frames to the analysis grids, upright. Planar 8-bit formats are averaged directly; other formats and HDR are
 * converted by FFmpeg's filters first.
 */
export class FrameGrids implements Disposable {
  readonly #stream: Stream;
  readonly #orientation: Orientation;
  /** Sizes in the orientation of the stored frames. */
  readonly #sizes: GridSizes;
  readonly #filters: LinearGraph;
  readonly #detailFilters: LinearGraph;
  /** For the filters' output; created for the first frame that needs them. */
  #filtered: PlaneGrids | null = null;
  #signature = '';
  /** For the current format of frames; null: they need the filters. */
  #direct: PlaneGrids | null = null;
  #detailGrows = false;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#orientation = streamOrientation(stream);
    const { width, height } = displaySize(stream);
    this.#sizes = storedSizes(gridSizes(width / height), this.#orientation);
    const { grey, detail } = this.#sizes;
    const place = (frame: VideoFrame) => framePlacement(stream, frame, grey);
    const graph = (describe: (frame: VideoFrame) => string) =>
      new LinearGraph('video', stream.timeBase, describe, THREADS);
    this.#filters = graph((frame) => gridChain(frame, grey, place(frame)));
    this.#detailFilters = graph((frame) => detailChain(frame, detail, place(frame)));
  }

  /** Detaches existing views of the frame's data; the frame itself stays valid. */
  measure(frame: VideoFrame, withDetail: boolean): GridPictures {
    this.#prepare(frame);
    const { grey, color, detail } =
      this.#direct === null
        ? this.#measureFiltered(frame, withDetail)
        : this.#measureDirectly(this.#direct, frame, withDetail);
    const upright = (picture: Picture) => turnPicture(picture, this.#orientation);
    return {
      grey: upright(grey),
      color: upright(color),
      detail: detail === null ? null : upright(detail),
    };
  }

  #measureDirectly(grids: PlaneGrids, frame: VideoFrame, withDetail: boolean): GridPictures {
    const planes = planesOf(frame);
    const { grey, color, detail } = gridsOf(grids, planes, withDetail && !this.#detailGrows);
    detach(planes);
    return { grey, color, detail: withDetail && detail === null ? this.#filterDetail(frame) : detail };
  }

  #measureFiltered(frame: VideoFrame, withDetail: boolean): GridPictures {
    const { grey } = this.#sizes;
    this.#filtered ??= new PlaneGrids(
      { luma: grey, chroma: grey, weights: HD_WEIGHTS, fullRange: true },
      this.#sizes,
    );
    const grids = this.#filtered;
    const pictures = filter(this.#filters, frame, (scaled) => gridsOf(grids, planesOf(scaled), false));
    return { ...pictures, detail: withDetail ? this.#filterDetail(frame) : null };
  }

  #filterDetail(frame: VideoFrame): Picture {
    return filter(this.#detailFilters, frame, copyLuma);
  }

  /** Size and format may change within a stream. */
  #prepare(frame: VideoFrame): void {
    const { width, height } = frame;
    const signature = videoSignature(frame);
    if (signature === this.#signature) return;
    this.#signature = signature;
    const isWhole = framePlacement(this.#stream, frame, this.#sizes.grey) === null;
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

function storedSizes(sizes: GridSizes, orientation: Orientation): GridSizes {
  const stored = (size: Size) => turnedSize(size, orientation);
  return { grey: stored(sizes.grey), color: stored(sizes.color), detail: stored(sizes.detail) };
}

/** Null: the frame needs FFmpeg's filters. */
function planeFormat(frame: VideoFrame, { color }: GridSizes): PlaneFormat | null {
  const layout = PLANAR.get(frame.format);
  const weights = lumaWeights(frame);
  if (layout === undefined || weights === null || isHdrTransfer(frame.colorTrc)) return null;
  // Excluded: rows in reverse order, and pictures too tall for the sums of a cell.
  if (frame.linesize[0] < 0 || frame.height > MAX_CELL_ROWS * color.height) return null;
  const [across, down, full] = layout;
  const { width, height } = frame;
  return {
    luma: { width, height },
    chroma: { width: Math.ceil(width / across), height: Math.ceil(height / down) },
    weights,
    fullRange: full || frame.colorRange === AVCOL_RANGE_JPEG,
  };
}

function gridsOf(
  grids: PlaneGrids,
  [luma, blue, red]: readonly BytePlane[],
  withDetail: boolean,
): GridPictures {
  const { grey, detail } = grids.lumaGrids(luma!, withDetail);
  return { grey, color: grids.color(grey, blue!, red!), detail };
}

/** Runs filters that return one frame for each. */
function filter<Result>(graph: LinearGraph, frame: VideoFrame, use: (scaled: VideoFrame) => Result): Result {
  const results: Result[] = [];
  graph.push(frame, (scaled) => results.push(use(scaled)));
  if (results.length === 0) throw new Error('A filter returned no frame');
  return results.at(-1)!;
}

/** Filters to the grey grid's size, 4:4:4, full range, BT.709. `place`: position of the frame in it; null: all of it. */
function gridChain(frame: VideoFrame, grey: Size, place: Placement | null): string {
  const drawn = place ?? grey;
  // Tone mapping is not linear, so it precedes the averaging, but on a reduced picture because of its cost.
  const mapped = isHdrTransfer(frame.colorTrc)
    ? `${hdrChain(frame, inDetail(drawn))},${scale(drawn)}`
    : `${scale(drawn)}:${range(frame)}`;
  return `${mapped},format=yuv444p${place === null ? '' : `,${padFilter(grey, place)}`}`;
}

function detailChain(frame: VideoFrame, detail: Size, place: Placement | null): string {
  const inside = place === null ? null : inDetail(place);
  const drawn = inside ?? detail;
  const mapped = isHdrTransfer(frame.colorTrc) ? hdrChain(frame, drawn) : `${scale(drawn)}:${range(frame)}`;
  return `${mapped},format=gray${inside === null ? '' : `,${padFilter(detail, inside)}`}`;
}

/** Converts a part of the grey grid to the detailed one. */
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
  `in_color_matrix=${colorMatrix(frame)}:out_color_matrix=bt709:out_range=full`;

/** Views into FFmpeg's memory. */
function planesOf({ data, linesize }: VideoFrame): BytePlane[] {
  return data!.map((plane, number) => ({ data: plane, stride: linesize[number] }));
}

/**
 * Detaches views at once. Each counts as megabytes of garbage, which would make the collector run every twenty frames.
 */
function detach(planes: readonly BytePlane[]): void {
  for (const { data } of planes) (data.buffer as ArrayBuffer).transfer(0);
}

function copyLuma(frame: VideoFrame): Picture {
  const { width, height } = frame;
  const [{ data: from, stride }] = planesOf(frame) as [BytePlane];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) data.set(from.subarray(y * stride, y * stride + width), y * width);
  return { width, height, channels: 1, data };
}
