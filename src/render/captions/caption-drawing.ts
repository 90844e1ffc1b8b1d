import { AV_BUFFERSRC_FLAG_KEEP_REF, AV_PIX_FMT_RGBA } from 'node-av/constants';
import { Dictionary, Filter, FilterGraph, Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { CaptionCue, CaptionLook } from '../../style/model/timeline.ts';
import { bitmapOf, type CaptionBitmap, type DrawnText } from './caption-blend.ts';
import { captionFontPath, shapedFamily } from './caption-fonts.ts';
import {
  ABOVE_EM,
  BELOW_EM,
  BOX_SIDE_EM,
  backColor,
  boxFill,
  boxRows,
  outlinePixels,
  SHADOW_OPACITY,
  shadowPixels,
} from './caption-geometry.ts';
import { shapedOptions } from './shaped-lines.ts';

interface TextFilter {
  readonly name: 'drawtext' | 'subtitles';
  readonly options: Readonly<Record<string, string>>;
}

/**
 * Draws a caption once with FFmpeg's `drawtext` (FreeType, HarfBuzz), on an empty picture. The text is passed as an option value,
 * never inside a filter string, and expansion is off. The font is a file: this filter does not search the system's fonts. Scripts
 * whose letters must be shaped are drawn by libass. Null: nothing is visible. Throws `Failure` ENCODER_FAILED.
 */
export function drawCaption(
  cue: CaptionCue,
  captionLook: CaptionLook,
  pictureWidth: number,
): CaptionBitmap | null {
  const look = cue.look ?? captionLook;
  const { sizePixels, pitchPixels } = look;
  const even = (value: number) => 2 * Math.ceil(value / 2);
  const top = 2 * Math.floor((cue.baselineY - ABOVE_EM * sizePixels) / 2);
  const last = cue.baselineY + (cue.lines.length - 1) * pitchPixels;
  const height = even(last + BELOW_EM * sizePixels - top);
  const family = shapedFamily(cue.face);
  const filters: readonly TextFilter[] =
    family === null
      ? cue.lines.map((line, index) => ({
          name: 'drawtext',
          options: lineOptions(line, cue, look, cue.baselineY + index * pitchPixels - top),
        }))
      : [
          {
            name: 'subtitles',
            options: shapedOptions({ cue, look, width: pictureWidth, height, top }, family),
          },
        ];
  using drawn = runFilters(pictureWidth, height, filters);
  if (look.ground === 'box') addBoxes(drawn, cue, look, top);
  return bitmapOf(drawn, 0, top);
}

function lineOptions(
  text: string,
  cue: CaptionCue,
  look: CaptionLook,
  baseline: number,
): TextFilter['options'] {
  const { sizePixels, color, ground } = look;
  const edge = backColor(color);
  return {
    fontfile: captionFontPath(cue.face) ?? '',
    text,
    expansion: 'none',
    // FreeType's own hinting of fonts without instructions moves stems to whole pixels: letters by up to 1 px, and each by its own amount.
    ft_load_flags: 'no_hinting',
    fontsize: String(sizePixels),
    fontcolor: `0x${color.slice(1)}`,
    x: cue.centerX === undefined ? '(w-text_w)/2' : `${cue.centerX}-text_w/2`,
    y: String(baseline),
    y_align: 'baseline',
    ...(ground === 'outline' ? { borderw: String(outlinePixels(sizePixels)), bordercolor: edge } : {}),
    ...(ground === 'shadow'
      ? {
          shadowx: String(shadowPixels(sizePixels)),
          shadowy: String(shadowPixels(sizePixels)),
          shadowcolor: shadowColor(edge),
        }
      : {}),
  };
}

/** Premultiplied by the opacity: plain `white` would exceed the coverage. */
function shadowColor(color: 'black' | 'white'): string {
  const level = color === 'black' ? 0 : Math.round(255 * SHADOW_OPACITY);
  return `0x${level.toString(16).padStart(2, '0').repeat(3)}@${SHADOW_OPACITY}`;
}

/** Runs the filters on an empty picture. On transparent black, FFmpeg's blending gives premultiplied colors. */
function runFilters(width: number, height: number, filters: readonly TextFilter[]): DrawnText & Disposable {
  const graph = new FilterGraph();
  const empty = new Frame();
  const output = new Frame();
  graph.alloc();
  graph.nbThreads = 1;
  empty.alloc();
  output.alloc();
  empty.format = AV_PIX_FMT_RGBA;
  empty.width = width;
  empty.height = height;
  empty.pts = 0n;
  try {
    const failed = (reason: string) =>
      new Failure('ENCODER_FAILED', `A caption could not be drawn: ${reason}`);
    if (empty.getBuffer() < 0) throw failed('out of memory');
    empty.data![0].fill(0);
    const size = `video_size=${width}x${height}:pix_fmt=${AV_PIX_FMT_RGBA}:time_base=1/1:pixel_aspect=1/1`;
    const source = graph.createFilter(Filter.getByName('buffer')!, 'in', size)!;
    let last = source;
    for (const [index, { name, options }] of filters.entries()) {
      const filter = graph.allocFilter(Filter.getByName(name)!, `line${index}`)!;
      const dictionary = Dictionary.fromObject(options);
      const status = filter.init(dictionary.getNative());
      dictionary.free();
      if (status < 0 || last.link(0, filter, 0) < 0)
        throw failed(`line ${index + 1}, FFmpeg error ${status}`);
      last = filter;
    }
    const sink = graph.createFilter(Filter.getByName('buffersink')!, 'out')!;
    if (last.link(0, sink, 0) < 0 || graph.configSync() < 0) throw failed('the filters are invalid');
    const added = source.buffersrcAddFrameSync(empty, AV_BUFFERSRC_FLAG_KEEP_REF);
    if (added < 0 || sink.buffersinkGetFrameSync(output) < 0) throw failed('the filters return no picture');
  } catch (error) {
    output.free();
    throw error;
  } finally {
    empty.free();
    graph.free();
  }
  const [data, stride] = [output.data![0], output.linesize[0]];
  return { data, stride, width, height, [Symbol.dispose]: () => output.free() };
}

/** Adds a box behind each line, as wide as its ink, clipped to the drawing. */
function addBoxes(drawn: DrawnText, cue: CaptionCue, look: CaptionLook, top: number): void {
  const { sizePixels, pitchPixels } = look;
  const { rgb, opacity } = boxFill(look);
  const alpha = Math.round(255 * opacity);
  const levels = rgb.map((level) => level * opacity);
  const boxes = cue.lines.flatMap((_, index) => {
    const baseline = cue.baselineY + index * pitchPixels - top;
    const { above, below } = boxRows(baseline, sizePixels);
    const ink = inkColumns(drawn, above, below);
    const side = BOX_SIDE_EM * sizePixels;
    return ink === null
      ? []
      : [{ above, below, left: Math.max(0, ink[0] - side), right: Math.min(drawn.width, ink[1] + side) }];
  });
  const { data, stride } = drawn;
  for (let y = 0; y < drawn.height; y++) {
    const across = boxes.filter((box) => y >= box.above && y < box.below);
    for (let x = 0; x < drawn.width && across.length > 0; x++) {
      if (!across.some((box) => x >= box.left && x < box.right)) continue;
      const at = y * stride + 4 * x;
      const rest = (255 - data[at + 3]) / 255;
      for (let channel = 0; channel < 3; channel++) data[at + channel] += Math.round(levels[channel]! * rest);
      data[at + 3] += Math.round(alpha * rest);
    }
  }
}

function inkColumns(drawn: DrawnText, above: number, below: number): [number, number] | null {
  let [left, right] = [drawn.width, -1];
  for (let y = above; y < below; y++) {
    for (let x = 0; x < drawn.width; x++) {
      if (drawn.data[y * drawn.stride + 4 * x + 3] === 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
    }
  }
  return right < 0 ? null : [left, right + 1];
}
