import { PictureAreaDetector } from '../../src/analysis/bars/picture-area.ts';
import type { Direction, Easing, TransitionType } from '../../src/analysis/facts.ts';
import { MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { ShotDetector, type ShotFacts } from '../../src/analysis/shots/shot.ts';
import { type Frame, stepFrames } from '../../src/domain/footage.ts';
import { ease } from '../../src/signal/easing.ts';

export const WIDTH = 160;
export const HEIGHT = 90;
/** Frames a second of most scenes. */
export const FPS = 30;
const COLOR_WIDTH = 48;
const COLOR_HEIGHT = 27;

/** RGB, 160×90. */
export type Image = Float32Array;

/** Seeded numbers in 0..1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A place: patches of color over a wide area, seen through a window that may be moved and magnified. */
export class Place {
  readonly #patches: readonly { x: number; y: number; w: number; h: number; rgb: readonly number[] }[];
  readonly #ground: readonly number[];

  constructor(seed: number) {
    const next = random(seed * 7919);
    const rgb = () => [30 + 195 * next(), 30 + 195 * next(), 30 + 195 * next()];
    this.#ground = rgb();
    this.#patches = Array.from({ length: 160 }, () => ({
      x: -WIDTH + 3 * WIDTH * next(),
      y: -HEIGHT + 3 * HEIGHT * next(),
      w: 10 + 50 * next(),
      h: 8 + 35 * next(),
      rgb: rgb(),
    }));
  }

  view(shiftX = 0, shiftY = 0, scale = 1): Image {
    const image = new Float32Array(WIDTH * HEIGHT * 3);
    for (let i = 0; i < image.length; i++) image[i] = this.#ground[i % 3];
    const left = (x: number) => Math.round((x + shiftX - WIDTH / 2) * scale + WIDTH / 2);
    const top = (y: number) => Math.round((y + shiftY - HEIGHT / 2) * scale + HEIGHT / 2);
    for (const patch of this.#patches) {
      const toX = Math.min(WIDTH, left(patch.x + patch.w));
      const toY = Math.min(HEIGHT, top(patch.y + patch.h));
      for (let y = Math.max(0, top(patch.y)); y < toY; y++) {
        for (let x = Math.max(0, left(patch.x)); x < toX; x++) put(image, (y * WIDTH + x) * 3, patch.rgb, 0);
      }
    }
    return image;
  }
}

/** One pixel: `set` of three numbers takes ten times as long. */
function put(image: Image, at: number, from: ArrayLike<number>, place: number): void {
  image[at] = from[place];
  image[at + 1] = from[place + 1];
  image[at + 2] = from[place + 2];
}

/** Two places of which the tests cut from one to the other. */
export const [here, there] = [new Place(11), new Place(23)];

export function flat(level: number): Image {
  return new Float32Array(WIDTH * HEIGHT * 3).fill(level);
}

export function mixed(a: Image, b: Image, share: number): Image {
  const out = new Float32Array(a.length);
  for (let i = 0; i < out.length; i++) out[i] = a[i] + (b[i] - a[i]) * share;
  return out;
}

/** How much of a picture shows, 0..1, by the share of the time that its fade has run. */
export type Curve = (share: number) => number;

/** A picture of which so much shows over a plain level. */
export function faded(picture: Image, level: number, shown: number): Image {
  return mixed(flat(level), picture, shown);
}

/** The picture at `progress` of a transition, as editors draw it. */
export function drawn(
  type: TransitionType,
  direction: Direction,
  a: Image,
  b: Image,
  progress: number,
): Image {
  if (type === 'dissolve') return mixed(a, b, progress);
  if (type === 'fade_black' || type === 'fade_white') {
    const color = flat(type === 'fade_black' ? 0 : 255);
    return progress < 0.5 ? mixed(a, color, 2 * progress) : mixed(color, b, 2 * progress - 1);
  }
  if (type === 'zoom') return mixed(magnified(a, 1 + progress), b, ease('ease_in_out', progress));
  const vertical = direction === 'up' || direction === 'down';
  const backwards = direction === 'left' || direction === 'up';
  const length = vertical ? HEIGHT : WIDTH;
  const edge = Math.round(progress * length);
  return remap((x, y) => {
    if (type === 'circle') {
      const radius = Math.hypot(x + 0.5 - WIDTH / 2, y + 0.5 - HEIGHT / 2);
      return radius < (progress * Math.hypot(WIDTH, HEIGHT)) / 2 ? [b, x, y] : [a, x, y];
    }
    const place = vertical ? y : x;
    const entered = backwards ? length - 1 - place : place;
    if (type === 'wipe') return entered < edge ? [b, x, y] : [a, x, y];
    const from = entered < edge ? entered + length - edge : entered - edge;
    const line = backwards ? length - 1 - from : from;
    return [entered < edge ? b : a, vertical ? x : line, vertical ? line : y];
  });
}

function remap(source: (x: number, y: number) => readonly [Image, number, number]): Image {
  const out = new Float32Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [image, sx, sy] = source(x, y);
      put(out, (y * WIDTH + x) * 3, image, (sy * WIDTH + sx) * 3);
    }
  }
  return out;
}

function magnified(image: Image, scale: number): Image {
  return remap((x, y) => [
    image,
    Math.floor((x + 0.5 - WIDTH / 2) / scale + WIDTH / 2),
    Math.floor((y + 0.5 - HEIGHT / 2) / scale + HEIGHT / 2),
  ]);
}

/** Old picture, transition, new picture; the transition runs from frame `before` − 1 for `length` frames. */
export function sequence(
  type: TransitionType,
  easing: Easing,
  direction: Direction,
  length: number,
  before = 25,
): Image[] {
  const a = new Place(11).view();
  const b = new Place(23).view();
  const between = Array.from({ length: length - 1 }, (_, i) =>
    drawn(type, direction, a, b, ease(easing, (i + 1) / length)),
  );
  return [...Array<Image>(before).fill(a), ...between, ...Array<Image>(25).fill(b)];
}

export function asFrame(image: Image, index: number, timeSeconds: number, noise: () => number): Frame {
  const grey = new Uint8Array(WIDTH * HEIGHT);
  const sums = new Float32Array(COLOR_WIDTH * COLOR_HEIGHT * 3);
  const counts = new Float32Array(COLOR_WIDTH * COLOR_HEIGHT);
  for (let y = 0, p = 0; y < HEIGHT; y++) {
    const row = Math.floor((y * COLOR_HEIGHT) / HEIGHT) * COLOR_WIDTH;
    for (let x = 0; x < WIDTH; x++, p++) {
      const r = image[3 * p];
      const g = image[3 * p + 1];
      const b = image[3 * p + 2];
      grey[p] = 0.2126 * r + 0.7152 * g + 0.0722 * b + noise();
      const cell = row + Math.floor((x * COLOR_WIDTH) / WIDTH);
      sums[3 * cell] += r;
      sums[3 * cell + 1] += g;
      sums[3 * cell + 2] += b;
      counts[cell] += 1;
    }
  }
  const data = new Uint8Array(sums.length);
  for (let i = 0; i < data.length; i++)
    data[i] = Math.min(255, Math.max(0, Math.round(sums[i] / counts[Math.floor(i / 3)] + noise())));
  return {
    index,
    timeSeconds,
    color: { width: COLOR_WIDTH, height: COLOR_HEIGHT, channels: 3, data },
    grey: { width: WIDTH, height: HEIGHT, channels: 1, data: grey },
    detail: { width: WIDTH, height: HEIGHT, channels: 1, data: grey },
  };
}

export interface Showing {
  readonly framesPerSecond?: number;
  /** Presentation times instead of a constant rate. */
  readonly timesSeconds?: readonly number[];
  /** Amplitude of noise in levels. */
  readonly noise?: number;
  /** With the camera's motion measured, as in the product. */
  readonly withMotion?: boolean;
  /** Every second frame is skipped. */
  readonly isThinned?: boolean;
}

export function detect(images: readonly Image[], showing: Showing = {}): ShotFacts {
  const { framesPerSecond = 25, timesSeconds, noise = 1, withMotion = false, isThinned = false } = showing;
  const next = random(99);
  const detector = new ShotDetector();
  const motion = new MotionFieldEstimator();
  const areas = new PictureAreaDetector();
  const time = (i: number) => timesSeconds?.[i] ?? i / framesPerSecond;
  let skippedSeconds: number[] = [];
  images.forEach((image, i) => {
    const observed = asFrame(image, i, time(i), () => noise * (2 * next() - 1));
    if (isThinned && i % 2 === 1 && i < images.length - 1) {
      skippedSeconds.push(time(i));
      return;
    }
    const frame = { ...observed, skippedSeconds };
    skippedSeconds = [];
    // About three times a second the product has detail.
    if (i % Math.round(framesPerSecond / 3) === 0) areas.push(frame);
    detector.push(
      frame,
      withMotion ? motion.push(frame.grey, areas.runBox, stepFrames(frame)) : null,
      areas.box,
    );
  });
  return detector.finish(time(images.length - 1) + 1 / framesPerSecond);
}

/** `image`: of each frame, or one for all. */
export function times(count: number, image: Image | ((i: number) => Image)): Image[] {
  return Array.from({ length: count }, (_, i) => (typeof image === 'function' ? image(i) : image));
}

/** Pictures of a place over which the camera moves on steadily. */
export function shot(place: Place, from: number, count: number): Image[] {
  return times(count, (i) => place.view((from + i) / 3));
}

/** Type and last frame of each transition that is found. */
export function changesOf(images: readonly Image[], framesPerSecond = FPS): [string, number][] {
  const { transitions } = detect(images, { framesPerSecond, withMotion: true });
  return transitions.map(({ type, endFrame }) => [type, endFrame]);
}
