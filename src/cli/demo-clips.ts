/**
 * The clips of the demonstration: a calm one in daylight, an upright one of the evening, cut on the beat, and two more
 * takes.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Size } from '../domain/footage.ts';
import { writeDrawnClip } from '../media/encode/drawn-clip.ts';
import { moduleBeside } from '../package/package-files.ts';
import { type Canvas, hashed, landscapePainter, mixed, type Scene } from './demo-landscape.ts';
import { chord, drums } from './demo-sound.ts';

const SOURCE_SIZE: Size = { width: 1280, height: 720 };
const TEMPLATE_SIZE: Size = { width: 720, height: 1280 };
const SOURCE_SECONDS = 7;
const TEMPLATE_SECONDS = 7;
const TAKE_SECONDS = 5;
/** Start of the source's second shot, seconds. */
const SOURCE_CUT = 3.8;
/** Two beats of the drums. */
const SHOT_SECONDS = 1;
const DISSOLVE_SECONDS = 0.3;

const MORNING: Scene = {
  sky: [
    [132, 166, 196],
    [176, 196, 208],
    [214, 208, 196],
  ],
  horizon: 0.7,
  sun: { x: 1.3, y: 0.3, radius: 0.035, colour: [244, 230, 204], glow: 0.45 },
  clouds: { colour: [226, 226, 224], amount: 0.55, speed: 0.006 },
  ridges: [
    {
      level: 0.56,
      relief: 0.09,
      frequency: 2.1,
      outline: 'peaks',
      colour: [142, 156, 170],
      mist: [186, 192, 194],
      nearness: 0.05,
    },
    {
      level: 0.62,
      relief: 0.05,
      frequency: 4,
      outline: 'hills',
      colour: [126, 144, 142],
      mist: [172, 180, 174],
      nearness: 0.14,
    },
    {
      level: 0.72,
      relief: 0.05,
      frequency: 3.2,
      outline: 'hills',
      colour: [108, 128, 108],
      mist: [150, 162, 142],
      nearness: 0.35,
    },
    {
      level: 0.86,
      relief: 0.06,
      frequency: 2.4,
      outline: 'hills',
      colour: [92, 110, 80],
      mist: [126, 138, 104],
      nearness: 0.8,
    },
  ],
  sprites: balloons,
  travel: 0.06,
  vignette: 0,
};

const LAKE: Scene = {
  ...MORNING,
  horizon: 0.6,
  sun: { ...MORNING.sun, x: 0.5, y: 0.2 },
  ridges: [
    {
      level: 0.44,
      relief: 0.13,
      frequency: 1.6,
      outline: 'peaks',
      colour: [138, 150, 164],
      mist: [184, 190, 194],
      nearness: 0.06,
    },
    {
      level: 0.55,
      relief: 0.05,
      frequency: 3,
      outline: 'hills',
      colour: [112, 130, 120],
      mist: [158, 168, 160],
      nearness: 0.2,
    },
  ],
  water: { shade: 0.8, tint: [30, 42, 48] },
  sprites: boat,
};

const DUSK: Scene = {
  sky: [
    [10, 18, 46],
    [70, 32, 72],
    [250, 118, 48],
  ],
  horizon: 0.72,
  sun: { x: 0.28, y: 0.6, radius: 0.05, colour: [255, 170, 80], glow: 0.9 },
  clouds: { colour: [255, 120, 70], amount: 0.7, speed: 0.03 },
  ridges: [
    {
      level: 0.7,
      relief: 0.18,
      frequency: 1,
      outline: 'city',
      colour: [40, 20, 48],
      mist: [90, 34, 50],
      nearness: 0.2,
      windows: 0.12,
    },
    {
      level: 0.86,
      relief: 0.26,
      frequency: 1,
      outline: 'city',
      colour: [8, 10, 24],
      mist: [14, 12, 28],
      nearness: 0.6,
      windows: 0.22,
    },
  ],
  travel: 0.12,
  vignette: 0.55,
};

const SUNSET: Scene = {
  ...DUSK,
  sky: [
    [4, 24, 52],
    [24, 70, 84],
    [255, 136, 44],
  ],
  horizon: 0.56,
  sun: { x: 0.3, y: 0.47, radius: 0.07, colour: [255, 176, 76], glow: 1 },
  ridges: [
    {
      level: 0.54,
      relief: 0.07,
      frequency: 3,
      outline: 'peaks',
      colour: [14, 34, 48],
      mist: [60, 44, 40],
      nearness: 0.2,
    },
  ],
  water: { shade: 0.75, tint: [2, 26, 40] },
};

const LIGHTS: Scene = {
  ...DUSK,
  sky: [
    [3, 6, 18],
    [8, 12, 30],
    [20, 14, 34],
  ],
  horizon: 1,
  sun: { x: 0.6, y: 1.1, radius: 0, colour: [120, 50, 30], glow: 0.5 },
  clouds: { colour: [20, 24, 50], amount: 0.6, speed: 0.05 },
  ridges: [],
  sprites: bokeh,
};

/** Two balloons, one near and one far, which rise and drift. */
function balloons(canvas: Canvas, seconds: number): void {
  balloon(canvas, { x: 1.45 - 0.012 * seconds, y: 0.3 - 0.004 * seconds, radius: 0.035 }, false);
  balloon(canvas, { x: 0.42 + 0.075 * seconds, y: 0.36 - 0.018 * seconds, radius: 0.115 }, true);
}

function balloon(
  canvas: Canvas,
  { x, y, radius }: { x: number; y: number; radius: number },
  red: boolean,
): void {
  const { height } = canvas;
  const [cx, cy, r] = [x * height, y * height, radius * height];
  for (let row = Math.floor(cy - r); row < cy + 1.75 * r; row++) {
    const v = (row - cy) / r;
    // A sphere above that tapers to the mouth below.
    const half =
      v < 0.35 ? Math.sqrt(Math.max(0, 1 - v * v)) : 0.937 * Math.max(0, 1 - (v - 0.35) / 1.15) ** 0.8;
    if (v > 1.35) continue;
    for (let column = Math.floor(cx - half * r) - 1; column <= cx + half * r + 1; column++) {
      const u = (column - cx) / Math.max(1, half * r);
      const gore = Math.floor((Math.asin(Math.max(-1, Math.min(1, u))) / Math.PI + 0.5) * 8);
      const light = 1.08 - 0.34 * u - 0.22 * Math.max(0, v);
      const cloth = gore % 2 === 0 ? (red ? [196, 84, 66] : [92, 118, 148]) : [232, 218, 190];
      const colour = [cloth[0] * light, cloth[1] * light, cloth[2] * light] as const;
      canvas.blend(column, row, colour, Math.min(1, half * r - Math.abs(column - cx) + 0.5));
    }
  }
  const basket = 0.16 * r;
  for (let row = cy + 1.55 * r; row < cy + 1.55 * r + 1.5 * basket; row++)
    for (let column = cx - basket; column <= cx + basket; column++)
      canvas.blend(Math.round(column), Math.round(row), [96, 70, 48], 1);
  for (const side of [-1, 1])
    for (let row = cy + 1.3 * r; row < cy + 1.55 * r; row++)
      canvas.blend(Math.round(cx + side * basket * 0.9), Math.round(row), [70, 60, 52], 0.8);
}

/** A boat and its mirror image, from right to left. */
function boat(canvas: Canvas, seconds: number): void {
  const { height } = canvas;
  const waterline = (0.72 + 0.003 * Math.sin(2.4 * seconds)) * height;
  const [cx, size] = [(1.25 - 0.07 * seconds) * height, 0.15 * height];
  for (let row = 0; row < size; row++) {
    const share = row / size;
    const put = (y: number, opacity: number) => {
      for (let column = 0; column < 0.62 * size * (1 - share); column++)
        canvas.blend(
          Math.round(cx + 3 + column),
          y,
          mixed([238, 232, 216], [206, 196, 178], column / (0.5 * size)),
          opacity,
        );
      for (let column = 0; column < 0.3 * size * (1 - share); column++)
        canvas.blend(Math.round(cx - 3 - column), y, [216, 204, 186], opacity);
      canvas.blend(Math.round(cx), y, [88, 72, 58], opacity);
    };
    put(Math.round(waterline - 0.16 * size - row), 1);
    if (row < 0.7 * size) put(Math.round(waterline + 0.16 * size + row), 0.3 * (1 - share));
  }
  for (let row = 0; row < 0.14 * size; row++) {
    const half = 0.5 * size * (1 - 0.35 * (row / (0.14 * size)));
    for (let column = -half; column <= half; column++)
      canvas.blend(Math.round(cx + column), Math.round(waterline - 0.14 * size + row), [112, 62, 48], 1);
  }
}

/** Lamps out of focus that drift. */
function bokeh(canvas: Canvas, seconds: number): void {
  const lamps = [
    [255, 176, 84],
    [70, 170, 230],
    [255, 96, 84],
    [255, 214, 150],
    [60, 200, 190],
  ] as const;
  for (let lamp = 0; lamp < 26; lamp++) {
    const nearness = 0.3 + 0.7 * hashed(lamp + 60);
    const x = ((hashed(lamp) * 0.8 + 0.07 * nearness * seconds) % 0.8) - 0.1;
    const y = hashed(lamp + 20) + 0.02 * Math.sin(seconds * 1.3 + lamp);
    const radius = 0.012 + 0.045 * nearness * hashed(lamp + 40);
    const colour = lamps[lamp % lamps.length];
    const glow = 0.55 + 0.15 * Math.sin(seconds * 3 + lamp * 1.7);
    canvas.disc({ x, y, radius: radius * 1.9 }, colour, 0.16, radius * 1.6 * canvas.height);
    canvas.disc({ x, y, radius }, colour, glow, 3);
  }
}

export const DEMO_CLIPS = ['source', 'template', 'lake', 'balloons'] as const;
export type DemoClip = (typeof DEMO_CLIPS)[number];
/** Paths of the drawn clips; the last two are further takes of an edit. */
export type DemoClips = Readonly<Record<DemoClip, string>>;

/** Draws the clips in parallel threads. `onProgress`: 0..1. */
export async function drawDemoClips(
  folder: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<DemoClips> {
  const paths = Object.fromEntries(
    DEMO_CLIPS.map((clip) => [clip, join(folder, `${clip}.mp4`)]),
  ) as DemoClips;
  const done = new Map<DemoClip, number>();
  const draw = (clip: DemoClip) =>
    inThread({ clip, path: paths[clip] }, signal, (fraction) => {
      done.set(clip, fraction);
      onProgress([...done.values()].reduce((sum, part) => sum + part, 0) / DEMO_CLIPS.length);
    });
  await Promise.all(DEMO_CLIPS.map(draw));
  return paths;
}

export interface Drawing {
  readonly clip: DemoClip;
  readonly path: string;
}

async function inThread(drawing: Drawing, signal: AbortSignal, onProgress: (fraction: number) => void) {
  const worker = new Worker(moduleBeside('demo-drawing', import.meta.url), { workerData: drawing });
  worker.on('message', onProgress);
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await once(worker, 'exit');
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
}

export function drawClip({ clip, path }: Drawing, onProgress: (fraction: number) => void): Promise<void> {
  switch (clip) {
    case 'source':
      return makeDemoSource(path, onProgress);
    case 'template':
      return makeDemoTemplate(path, onProgress);
    case 'lake':
      return makeDemoTake(path, LAKE, onProgress);
    case 'balloons':
      return makeDemoTake(path, MORNING, onProgress);
  }
}

/** One shot of a place in the source, some seconds earlier. */
async function makeDemoTake(
  path: string,
  scene: Scene,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const paint = landscapePainter(SOURCE_SIZE, scene);
  await writeDrawnClip(path, {
    ...SOURCE_SIZE,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: TAKE_SECONDS,
    draw: (rgb, seconds) => {
      onProgress(seconds / TAKE_SECONDS);
      paint(rgb, seconds + SOURCE_SECONDS);
    },
    audio: chord,
  });
}

/** Landscape, two long calm shots, soft daylight. */
async function makeDemoSource(path: string, onProgress: (fraction: number) => void): Promise<void> {
  const shots = [MORNING, LAKE].map((scene) => landscapePainter(SOURCE_SIZE, scene));
  await writeDrawnClip(path, {
    ...SOURCE_SIZE,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: SOURCE_SECONDS,
    draw: (rgb, seconds) => {
      onProgress(seconds / SOURCE_SECONDS);
      shots[seconds < SOURCE_CUT ? 0 : 1](rgb, seconds);
    },
    audio: chord,
  });
}

/** Upright, cut on the beat with a dissolve at every third change, teal shadows under orange light. */
async function makeDemoTemplate(path: string, onProgress: (fraction: number) => void): Promise<void> {
  const shots = [SUNSET, DUSK, LIGHTS].map((scene) => landscapePainter(TEMPLATE_SIZE, scene));
  const paint = (shot: number, rgb: Uint8Array, seconds: number) =>
    shots[shot % shots.length](rgb, seconds + 5 * Math.floor(shot / shots.length));
  const next = new Uint8Array(TEMPLATE_SIZE.width * TEMPLATE_SIZE.height * 3);
  await writeDrawnClip(path, {
    ...TEMPLATE_SIZE,
    frameRate: { numerator: 24, denominator: 1 },
    durationSeconds: TEMPLATE_SECONDS,
    draw: (rgb, seconds) => {
      onProgress(seconds / TEMPLATE_SECONDS);
      const shot = Math.floor(seconds / SHOT_SECONDS);
      paint(shot, rgb, seconds);
      const share = (seconds - (shot + 1) * SHOT_SECONDS) / DISSOLVE_SECONDS + 1;
      if (shot % 3 !== 2 || share <= 0) return;
      paint(shot + 1, next, seconds);
      for (let at = 0; at < rgb.length; at++) rgb[at] += (next[at] - rgb[at]) * share;
    },
    audio: drums,
  });
}
