import type { Picture } from '../../src/domain/footage.ts';

/** How a view is placed on a scene: the content moves by (x, y) pixels, is scaled and turned about the middle. */
export interface Placing {
  readonly x?: number;
  readonly y?: number;
  readonly logScale?: number;
  readonly rotation?: number;
}

/** A large grey picture that views are cut from. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}

/** Park–Miller generator, -1..1: tests see the same noise on every run. */
export function noiseSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (state / 2147483647) * 2 - 1;
  };
}

/** Band-limited noise about 128 with a standard deviation of 40; `radius` sets the size of its spots. */
export function noiseScene(seed: number, width = 480, height = 270, radius = 3): Scene {
  const random = noiseSource(seed);
  let values = Float64Array.from({ length: width * height }, random);
  for (let pass = 0; pass < 3; pass++) {
    values = blurLines(values, width, height, 1, width, radius);
    values = blurLines(values, height, width, width, 1, radius);
  }
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  return {
    width,
    height,
    data: values.map((value) => Math.max(0, Math.min(255, 128 + (value / deviation) * 40))),
  };
}

/** Running mean of 2·radius + 1 along lines of `length` samples, `step` apart; lines start `lineStep` apart. */
function blurLines(
  from: Float64Array,
  length: number,
  lines: number,
  step: number,
  lineStep: number,
  radius: number,
): Float64Array<ArrayBuffer> {
  const to = new Float64Array(from.length);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let i = 0; i < length; i++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++) {
        sum += from[start + Math.max(0, Math.min(length - 1, i + k)) * step];
      }
      to[start + i * step] = sum / (2 * radius + 1);
    }
  }
  return to;
}

/** A view of the middle of a scene, one pixel of the view per `zoom` of the scene, averaged 2×2, bilinear. */
export function viewOf(
  scene: Scene,
  width: number,
  height: number,
  placing: Placing = {},
  zoom = 2,
): Picture {
  const { x: shiftX = 0, y: shiftY = 0, logScale = 0, rotation = 0 } = placing;
  const scale = Math.exp(-logScale);
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const px = x + 0.5 - width / 2 - shiftX;
      const py = y + 0.5 - height / 2 - shiftY;
      const u = scene.width / 2 + zoom * scale * (cos * px + sin * py);
      const v = scene.height / 2 + zoom * scale * (cos * py - sin * px);
      const q = zoom / 4;
      const sum =
        at(scene, u - q, v - q) + at(scene, u + q, v - q) + at(scene, u - q, v + q) + at(scene, u + q, v + q);
      data[y * width + x] = Math.round(sum / 4);
    }
  }
  return { width, height, channels: 1, data };
}

function at(scene: Scene, u: number, v: number): number {
  const x = Math.max(0, Math.min(scene.width - 1.001, u - 0.5));
  const y = Math.max(0, Math.min(scene.height - 1.001, v - 0.5));
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = x - left;
  const fy = y - top;
  const i = top * scene.width + left;
  const { data, width } = scene;
  return (
    (1 - fy) * ((1 - fx) * data[i] + fx * data[i + 1]) +
    fy * ((1 - fx) * data[i + width] + fx * data[i + width + 1])
  );
}

/** A picture of one level. */
export function plainPicture(width: number, height: number, level: number): Picture {
  return { width, height, channels: 1, data: new Uint8Array(width * height).fill(level) };
}

/** Changes every pixel; the result is clipped to 0..255. */
export function changed(picture: Picture, change: (value: number, index: number) => number): Picture {
  const from = picture.data;
  const data = new Uint8Array(from.length);
  for (let i = 0; i < data.length; i++) data[i] = Math.max(0, Math.min(255, Math.round(change(from[i], i))));
  return { ...picture, data };
}
