import { meanShake } from '../../analysis/camera/shake.ts';
import type { Box, ClipFacts, Span } from '../../analysis/facts.ts';
import { mean, quantile } from '../../signal/statistics.ts';
import type { Reframe, TrackKey } from '../model/timeline.ts';
import { isWithin } from './area.ts';
import { fixedFrameOf } from './fixed-frame.ts';
import { hasLettering } from './lettering.ts';
import { headsDuring } from './sightings.ts';

/** Shake of a hand-held shot, frame diagonals per second: calmer shots are not stabilized. */
const SHAKY = 0.025;
/** A template counts as calm if the source shakes this many times as much. */
const CALMER = 2;
/** Mean support below which the camera's path is too uncertain to compensate. */
const MIN_SUPPORT = 0.5;
/**
 * Standard deviation of the smoothing of the camera's path: slower movement is intended. Reduced until the crop margin
 * suffices.
 */
const SMOOTHING_SECONDS = 0.8;
const MIN_SMOOTHING_SECONDS = 0.15;
const FASTER = 0.8;
/** Share of the frames that must be fully compensated; the others are limited by the picture's edge. */
const ENOUGH_FRAMES = 0.98;
const MAX_ZOOM = 1.12;
/** Ears and hair beside a head, as a share of its width. Not fitted. */
const EARS = 0.15;
/** Of two faces that fill the picture, enlarged by 8 and 12 %, ears were cut for stretches. */
const MAX_CUT_HEADS = 0.1;
/**
 * A head with its ears that has at least `width` of the framing needs `room` on all sides, a share of the picture. Faces that fill the picture have .6 to .9, people across a
 * table .1 to .2. Without room, an enlargement by 5 % left hair and an ear on the edge.
 */
const TIGHT = { width: 0.3, room: 0.04 } as const;

/** Stabilization of a shaky piece. */
export interface Stabilisation {
  /** The framing, enlarged by the crop margin. */
  readonly framing: Reframe;
  /** Offsets of the framing's left and top edge at each frame of the source, in shares of its picture. */
  readonly offsets: readonly TrackKey[];
}

/**
 * Compensates the shake of the source between two times if it is shaky and `wantedShake`, the style's, is calm; null
 * otherwise, where captions, a watermark or a frame are in the picture, which would shake instead, and where the crop margin would cut a head. `framing`: the framing without stabilization; `area`: the part of the picture that may be visible.
 */
export function stabilisation(
  source: ClipFacts,
  run: Span,
  framing: Reframe,
  options: { readonly area: Box; readonly wantedShake: number; readonly reach: number },
): Stabilisation | null {
  const { video, motion } = source;
  const shake = meanShake(video, motion, run.startSeconds, run.endSeconds) ?? 0;
  if (shake < SHAKY || shake < CALMER * options.wantedShake) return null;
  if (hasLettering(video, run) || fixedFrameOf(video).isStill) return null;
  const { timesSeconds, shiftX, shiftY, support } = source.motion.curve;
  const frames: number[] = [];
  for (const [index, time] of timesSeconds.entries())
    if (time >= run.startSeconds - 1e-3 && time < run.endSeconds) frames.push(index);
  if (frames.length < 3 || mean(frames.map((index) => support[index])) < MIN_SUPPORT) return null;
  const step = (timesSeconds[frames.at(-1)!] - timesSeconds[frames[0]]) / (frames.length - 1);
  const paths = [shiftX, shiftY].map((shift) => pathOf(frames, shift));
  for (let sigma = SMOOTHING_SECONDS; ; sigma *= FASTER) {
    const [x, y] = paths.map((path) => departures(path, sigma / step, options.reach)) as [number[], number[]];
    const zoom = zoomFor(x, y, framing, options.area);
    if (zoom > MAX_ZOOM && sigma * FASTER >= MIN_SMOOTHING_SECONDS) continue;
    const enlarged = closer(framing, Math.min(MAX_ZOOM, zoom));
    if (zoom > 1 && cutHeadShare(source, run, framing, enlarged) > MAX_CUT_HEADS) return null;
    const offsets = frames.map((index, at) => ({ timeSeconds: timesSeconds[index], x: x[at], y: y[at] }));
    return { framing: enlarged, offsets };
  }
}

/** Share of the heads, with their ears, that only the `enlarged` framing cuts, or that fill it and are near its edges. */
function cutHeadShare({ video }: ClipFacts, run: Span, framing: Reframe, enlarged: Reframe): number {
  const heads = headsDuring(video, run).map(({ head }) => withEars(head));
  const isTight = (head: Box) => head.width >= TIGHT.width * framing.width;
  const counted = heads.filter((head) => isTight(head) || isWithin(head, framing, 0));
  const cut = counted.filter((head) => !isWithin(head, enlarged, isTight(head) ? -TIGHT.room : 0));
  return cut.length / Math.max(1, counted.length);
}

function withEars({ x, width, ...head }: Box): Box {
  return { ...head, x: x - EARS * width, width: (1 + 2 * EARS) * width };
}

/** Displacement of the content since the first frame. */
function pathOf(frames: readonly number[], shift: readonly number[]): number[] {
  let at = 0;
  return frames.map((index, place) => {
    if (place > 0) at += shift[index];
    return at;
  });
}

/**
 * Difference of the path from its smooth version: local linear regression with a Gaussian weight (Cleveland
 * 1979). A steady pan therefore has none, even at its ends.
 */
function departures(path: readonly number[], sigma: number, reach: number): number[] {
  const radius = Math.ceil(3 * sigma);
  const weights = Array.from({ length: radius + 1 }, (_, n) => Math.exp((-n * n) / (2 * sigma * sigma)));
  return path.map((value, index) => {
    let [w, wn, wnn, wp, wnp] = [0, 0, 0, 0, 0];
    const end = Math.min(path.length - 1, index + radius);
    for (let other = Math.max(0, index - radius); other <= end; other++) {
      const n = other - index;
      const weight = weights[Math.abs(n)];
      w += weight;
      wn += weight * n;
      wnn += weight * n * n;
      wp += weight * path[other];
      wnp += weight * n * path[other];
    }
    const smooth = (wnn * wp - wn * wnp) / (w * wnn - wn * wn);
    return reach * (value - smooth);
  });
}

/** Magnified around its middle. */
function closer({ x, y, width, height }: Reframe, zoom: number): Reframe {
  const size = { width: width / zoom, height: height / zoom };
  return { x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, ...size };
}

/** The least magnification of `framing` at which enough frames stay inside `area`. */
function zoomFor(x: readonly number[], y: readonly number[], framing: Reframe, area: Box): number {
  const along = (axis: 'x' | 'y', side: 'width' | 'height', departures: readonly number[]) => {
    const before = framing[axis] - area[axis];
    const after = area[axis] + area[side] - framing[axis] - framing[side];
    const needed = Math.max(
      quantile(
        departures.map((value) => -value),
        ENOUGH_FRAMES,
      ) - before,
      quantile(departures, ENOUGH_FRAMES) - after,
    );
    return needed <= 0 ? 1 : framing[side] / Math.max(1e-6, framing[side] - 2 * needed);
  };
  return Math.max(along('x', 'width', x), along('y', 'height', y));
}
