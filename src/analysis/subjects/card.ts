import type { Frame, Picture } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import { quantile } from '../../signal/statistics.ts';
import type { Detector } from '../detector.ts';
import type { Box, Shot, Transition } from '../facts.ts';
import { salienceSamples, samplesByShot } from './shot-samples.ts';

const CARD = {
  /**
   * Largest difference from the background, in levels: compression moves a flat background by three; gradients of
   * studio backdrops vary more.
   */
  PLAIN_LEVELS: 8,
  /** Least share of the picture's edge that is plain: a speck of dust may be there. */
  PLAIN_EDGE: 0.98,
  /** Least difference from the background, in levels, of foreground. */
  FOREGROUND_LEVELS: 24,
  /** Least share of the picture that is background: cards with a logo or a title have six tenths or more. */
  MIN_GROUND: 0.5,
  /** Least share of a shot's samples outside its transitions: letters may still appear. */
  MIN_SHARE: 0.8,
} as const;

interface Sample {
  readonly timeSeconds: number;
  /** Box of the foreground on a plain background, empty without foreground; null if the background is not plain. */
  readonly box: Box | null;
}

/**
 * Logos and titles on cards. For each shot, the box of the foreground on a background of one color that
 * reaches all edges of the picture; null without such a background. Such a picture can be extended beyond its
 * edges.
 */
export class CardDetector
  implements Detector<[Frame], (Box | null)[], [readonly Shot[], readonly Transition[]]>
{
  readonly #samples = salienceSamples<Sample>();

  push({ timeSeconds, color, grey }: Frame): void {
    if (!this.#samples.isDue(timeSeconds)) return;
    this.#samples.push(timeSeconds, { timeSeconds, box: foregroundOn(color, 3) && foregroundOn(grey, 1) });
  }

  finish(shots: readonly Shot[], transitions: readonly Transition[]): (Box | null)[] {
    const gradual = transitions.filter(({ type }) => type !== 'cut');
    const ofOneShot = this.#samples.all.filter(
      ({ timeSeconds }) =>
        !gradual.some(
          ({ startSeconds, endSeconds }) => timeSeconds > startSeconds && timeSeconds < endSeconds,
        ),
    );
    return samplesByShot(ofOneShot, shots).map((samples) => {
      const boxes = samples.flatMap(({ box }) => (box === null ? [] : [box]));
      if (boxes.length === 0 || boxes.length < CARD.MIN_SHARE * samples.length) return null;
      return hullOf(boxes.filter(({ width }) => width > 0));
    });
  }
}

/**
 * Box of the pixels that differ from the color of the picture's edge; null if that edge is not plain.
 * `channels`: bytes per pixel.
 */
function foregroundOn({ width, height, data }: Picture, channels: 1 | 3): Box | null {
  const apart = (one: number, other: number) => Math.abs(data[channels * one] - data[channels * other]);
  // The corners alone decide most pictures.
  const corners = [width - 1, (height - 1) * width, height * width - 1];
  if (corners.some((corner) => apart(0, corner) > 2 * CARD.PLAIN_LEVELS)) return null;
  const edge: number[] = [];
  for (let x = 0; x < width; x++) edge.push(x, (height - 1) * width + x);
  for (let y = 1; y < height - 1; y++) edge.push(y * width, y * width + width - 1);
  const ground = Array.from({ length: channels }, (_, channel) =>
    quantile(
      edge.map((pixel) => data[channels * pixel + channel]),
      0.5,
    ),
  );
  const distance = (pixel: number) =>
    Math.max(...ground.map((level, channel) => Math.abs(data[channels * pixel + channel] - level)));
  const plain = edge.filter((pixel) => distance(pixel) <= CARD.PLAIN_LEVELS).length;
  if (plain < CARD.PLAIN_EDGE * edge.length) return null;
  let [left, top, right, bottom, foreground] = [width, height, 0, 0, 0];
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (distance(pixel) < CARD.FOREGROUND_LEVELS) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    foreground++;
  }
  if (foreground > (1 - CARD.MIN_GROUND) * width * height) return null;
  if (foreground === 0) return { x: 0.5, y: 0.5, width: 0, height: 0 };
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height };
}

function hullOf(boxes: readonly Box[]): Box {
  const places = (value: number) => rounded(value, 4);
  const x = Math.min(0.5, ...boxes.map((box) => box.x));
  const y = Math.min(0.5, ...boxes.map((box) => box.y));
  return {
    x: places(x),
    y: places(y),
    width: places(Math.max(0.5, ...boxes.map((box) => box.x + box.width)) - x),
    height: places(Math.max(0.5, ...boxes.map((box) => box.y + box.height)) - y),
  };
}
