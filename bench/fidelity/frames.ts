/** Frames of clips for looking at colors: small, as the renderer gets them, and as Lab pixels. */
import type { Frame } from 'node-av/lib';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import type { Yuv } from '../../src/render/picture/composite.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { bytesToLab } from '../../src/signal/color-space.ts';
import type { LabPicture } from '../score/look.ts';

/** Pixels of a frame: enough for edges and noise, few enough for a hundred frames. */
const AREA = 400 * 225;
/** What lies before and after is left alone: fades and titles. */
const MARGIN = 0.04;
const BLACK_LIGHTNESS = 3;

/** A frame and the one after it, yuv420p in BT.709 limited range. The owner frees them. */
export interface Moment {
  readonly frame: Frame;
  readonly next: Frame;
}

/** Frames at `count` even moments of the clip, small and then through the filters, if any. */
export async function readMoments(path: string, count: number, filters = ''): Promise<Moment[]> {
  const durationSeconds = (await outlineOf(path)).durationSeconds ?? 0;
  const places = Array.from(
    { length: count },
    (_, index) => MARGIN + (1 - 2 * MARGIN) * ((index + 0.5) / count),
  );
  return readMomentsAt(
    path,
    places.map((place) => durationSeconds * place),
    filters,
  );
}

/** The same at these ascending times. */
export async function readMomentsAt(path: string, times: readonly number[], filters = ''): Promise<Moment[]> {
  using input = await openInput(path);
  using source = await SourceFrames.open(input);
  using graph = new LinearGraph(
    'video',
    { num: 1, den: 1000 },
    (frame) => `${toSmall(frame, source)}${filters === '' ? '' : `,${filters}`}`,
  );
  const step = 1 / 25;
  return times.map((seconds) => ({
    frame: through(graph, source.at(seconds, 0, seconds)),
    next: through(graph, source.at(seconds + step, step / 4, seconds + step)),
  }));
}

/** One frame through filters that hand it on at once. The caller frees it. */
function through(graph: LinearGraph, frame: Frame): Frame {
  const out: Frame[] = [];
  graph.push(frame, (one) => out.push(one.clone()!));
  return out[0];
}

function toSmall({ width, height }: Frame, { video }: SourceFrames): string {
  const scale = Math.min(1, Math.sqrt(AREA / (width * height)));
  const even = (side: number) => Math.max(16, 2 * Math.round((side * scale) / 2));
  return `scale=${even(width)}:${even(height)}:flags=area+accurate_rnd:in_color_matrix=${video.matrix}:out_color_matrix=bt709:out_range=limited,format=yuv420p,setsar=1`;
}

/** A frame drawn again: `draw` gets the planes of both. The caller frees it. */
export function redrawn(frame: Frame, draw: (from: Yuv, to: Yuv) => void): Frame {
  const out = emptyFrame(frame.width, frame.height);
  draw(planesOf(frame), planesOf(out));
  return out;
}

const TO_RGB =
  'scale=in_color_matrix=bt709:in_range=limited:flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24';

/** Turns yuv420p frames into RGB and Lab. */
export class LabReader implements Disposable {
  readonly #graph = new LinearGraph('video', { num: 1, den: 1000 }, () => TO_RGB);

  read(frame: Frame): LabPicture {
    const rgb = through(this.#graph, frame);
    const { width, height } = rgb;
    const bytes = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y++) {
      const start = y * rgb.linesize[0];
      bytes.set(rgb.data![0].subarray(start, start + width * 3), y * width * 3);
    }
    rgb.free();
    return labPicture(width, height, bytes);
  }

  [Symbol.dispose](): void {
    this.#graph[Symbol.dispose]();
  }
}

export function labPicture(width: number, height: number, rgb: Uint8Array): LabPicture {
  const lab = new Float32Array(rgb.length);
  const one = new Float64Array(3);
  for (let at = 0; at < rgb.length; at += 3) {
    bytesToLab(rgb[at], rgb[at + 1], rgb[at + 2], one);
    lab.set(one, at);
  }
  return { width, height, rgb, lab };
}

/** Frames in which there is nothing to see. */
export function isBlack({ lab }: LabPicture): boolean {
  let sum = 0;
  for (let at = 0; at < lab.length; at += 3) sum += lab[at];
  return sum / (lab.length / 3) < BLACK_LIGHTNESS;
}
