/**
 * Stretches of real footage with one dial of a grade turned by known amounts, by FFmpeg's filters and not by ours;
 * also looks of several dials, and changes that must not affect any dial.
 */
import { AV_PIX_FMT_RGB24 } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { rgbToLab } from '../../src/signal/color-space.ts';
import type { MadeTruth } from '../lib/truth.ts';
import { writeGeneratedClip } from './clip.ts';
import { type RgbPicture, readFootage, SHOTS } from './footage.ts';
import { Random } from './random.ts';

const WIDTH = 320;
const HEIGHT = 180;
const RATE = 10;
const MAX_SHOTS = 4;
const FRAMES_PER_SHOT = 10;
const AMOUNTS = [-1, -0.6, -0.3, 0.3, 0.6, 1];

/** The reader does not tone-map HDR: its frames are flat, and do not look ungraded. */
const FOOTAGE = SHOTS.filter(({ name }) => !name.includes('hdr10'));

type Field = 'temperature' | 'tint' | 'saturation' | 'contrast' | 'highlights' | 'shadows';
type Means = (amount: number) => string;

const up = (amount: number, most: number) => Math.max(0, amount) * most;
const down = (amount: number, most: number) => Math.max(0, -amount) * most;
const point = (x: number, y: number) => `${x}/${Math.max(0, Math.min(1, y)).toFixed(4)}`;
const bend = (channel: string, ...points: string[]) => `${channel}='${points.join(' ')}'`;

/** All implementations of a dial, by an amount of -1..1; each base uses one of them. */
const MEANS: Readonly<Record<Field, readonly Means[]>> = {
  temperature: [
    (x) => `colortemperature=temperature=${(1e6 / (154 + 80 * x)).toFixed(0)}:pl=1`,
    (x) => `colorchannelmixer=rr=${1 + 0.14 * x}:bb=${1 - 0.2 * x}`,
    (x) => `colorbalance=rm=${0.2 * x}:bm=${-0.25 * x}:rh=${0.08 * x}:bh=${-0.1 * x}`,
    (x) =>
      `curves=${bend('r', '0/0', point(0.5, 0.5 + 0.07 * x), '1/1')}:${bend('b', '0/0', point(0.5, 0.5 - 0.09 * x), '1/1')}`,
  ],
  tint: [
    (x) => `colorchannelmixer=gg=${1 - 0.14 * x}`,
    (x) => `colorbalance=gm=${-0.25 * x}`,
    (x) => `curves=${bend('g', '0/0', point(0.5, 0.5 - 0.08 * x), '1/1')}`,
    (x) => `colorchannelmixer=rr=${1 + 0.07 * x}:gg=${1 - 0.08 * x}:bb=${1 + 0.07 * x}`,
  ],
  saturation: [(x) => `eq=saturation=${1 + 0.8 * x}`, (x) => `hue=s=${1 + 0.7 * x}`],
  contrast: [
    (x) => `eq=contrast=${1 + 0.4 * x}`,
    (x) =>
      `curves=${bend('all', point(0, down(x, 0.1)), point(0.25, 0.25 - 0.1 * x), point(0.75, 0.75 + 0.1 * x), point(1, 1 - down(x, 0.1)))}`,
    (x) =>
      `colorlevels=${['r', 'g', 'b'].map((c) => `${c}imin=${up(x, 0.12)}:${c}imax=${1 - up(x, 0.15)}:${c}omin=${down(x, 0.12)}:${c}omax=${1 - down(x, 0.15)}`).join(':')}`,
  ],
  highlights: [
    (x) =>
      `curves=${bend('all', '0/0', '0.35/0.35', point(0.75, 0.75 + 0.12 * x), point(1, 1 - down(x, 0.15)))}`,
    (x) =>
      `colorlevels=${['r', 'g', 'b'].map((c) => `${c}imax=${1 - up(x, 0.22)}:${c}omax=${1 - down(x, 0.22)}`).join(':')}`,
  ],
  shadows: [
    (x) => `curves=${bend('all', point(0, up(x, 0.12)), point(0.25, 0.25 + 0.1 * x), '0.65/0.65', '1/1')}`,
    (x) =>
      `colorlevels=${['r', 'g', 'b'].map((c) => `${c}imin=${down(x, 0.15)}:${c}omin=${up(x, 0.2)}`).join(':')}`,
  ],
};

const BLACK_AND_WHITE = 'hue=s=0';
/** The classical matrix of brown-toned prints. */
const SEPIA = 'colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131';

interface Variant {
  readonly name: string;
  readonly change: (pictures: readonly RgbPicture[]) => readonly RgbPicture[];
  readonly truth: MadeTruth;
}

/** One base a seed: one to four shots, and every variant of them. */
export async function generateGrades(folder: string, seed: number): Promise<void> {
  const random = new Random(seed);
  const base = `base-${seed}`;
  const shots = await readShots(random, seed);
  const cuts = shots.slice(1).map((_, index) => ((index + 1) * FRAMES_PER_SHOT) / RATE);
  const pictures = shots.flat();
  for (const { name, change, truth } of variantsOf(base, random, isColored(pictures))) {
    const graded = change(pictures);
    const { known_grade } = truth;
    await writeGeneratedClip(folder, {
      name: `${base}-${name}`,
      width: WIDTH,
      height: HEIGHT,
      frameRate: { numerator: RATE, denominator: 1 },
      frameCount: pictures.length,
      frameAt: (index) => graded[index],
      crf: 17,
      truth: {
        family: 'grades',
        hard_cuts_s: cuts,
        transitions: [],
        captions: name === 'captions',
        ...truth,
        ...(known_grade === undefined
          ? {}
          : { known_grade: { ...known_grade, visible_lab: changeOf(pictures, graded) } }),
      },
    });
  }
}

/** Half of the footage is for tuning, the other for reporting, by the seed's number. */
async function readShots(random: Random, seed: number): Promise<RgbPicture[][]> {
  const pool = FOOTAGE.filter((_, index) => index % 2 === (seed > 1000 ? 0 : 1));
  const shots: RgbPicture[][] = [];
  for (const { name, from, to } of random.shuffled(pool).slice(0, 1 + (seed % MAX_SHOTS))) {
    const fromSeconds = random.between(from, to - FRAMES_PER_SHOT / RATE);
    const request = { name, fromSeconds, frameCount: FRAMES_PER_SHOT, framesPerSecond: RATE };
    shots.push(await readFootage({ ...request, width: WIDTH, height: HEIGHT }));
  }
  return shots;
}

/** Without color there is nothing to saturate: what filters do to it then is rounding. */
function variantsOf(base: string, random: Random, colored: boolean): Variant[] {
  const fields = Object.keys(MEANS) as Field[];
  const shown = fields.filter((field) => colored || field !== 'saturation');
  const means = Object.fromEntries(fields.map((field) => [field, random.pick(MEANS[field])])) as Readonly<
    Record<Field, Means>
  >;
  const look = (name: string, filters: string, parts?: Record<string, number>): Variant => ({
    name,
    change: filteredBy(filters),
    truth: { known_look: { name, base, ...(parts === undefined ? {} : { parts }) } },
  });
  const mix = (index: number) => {
    const cast: Field = index === 0 ? 'temperature' : 'tint';
    const tone = random.pick(['contrast', 'highlights', 'shadows'] as const);
    const parts = Object.fromEntries(
      random
        .shuffled([cast, 'saturation', tone] as const)
        .filter((field) => shown.includes(field))
        .map((field) => [field, (random.chance(0.5) ? 1 : -1) * random.between(0.5, 1)]),
    );
    const filters = Object.entries(parts).map(([field, amount]) => means[field as Field](amount));
    return look(`mix-${index}`, filters.join(','), parts);
  };
  return [
    { name: 'untouched', change: (pictures) => pictures, truth: { known_look: { name: 'untouched', base } } },
    ...shown.flatMap((field) =>
      AMOUNTS.map((amount) => ({
        name: `${field}${amount < 0 ? '-' : '+'}${Math.abs(amount * 10)}`,
        change: filteredBy(means[field](amount)),
        truth: { known_grade: { field, amount, base } },
      })),
    ),
    mix(0),
    mix(1),
    look('black-and-white', BLACK_AND_WHITE),
    look('sepia', SEPIA),
    look('letterbox', 'scale=320:132,pad=320:180:0:24'),
    look('pillarbox', 'scale=240:180,pad=320:180:40:0'),
    {
      name: 'captions',
      change: (pictures) => captioned(pictures, random),
      truth: { known_look: { name: 'captions', base } },
    },
    look('darker', 'exposure=exposure=-0.6'),
    look('brighter', 'exposure=exposure=0.4'),
  ];
}

const filteredBy = (filters: string) => (pictures: readonly RgbPicture[]) => filtered(pictures, filters);

function filtered(pictures: readonly RgbPicture[], filters: string): RgbPicture[] {
  const out: RgbPicture[] = [];
  const timeBase = { num: 1, den: RATE };
  using graph = new LinearGraph('video', timeBase, () => `${filters},format=rgb24`);
  for (const [index, { width, height, data }] of pictures.entries()) {
    const pixels = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    using frame = Frame.fromVideoBuffer(pixels, { width, height, format: AV_PIX_FMT_RGB24, timeBase });
    frame.pts = BigInt(index);
    graph.push(frame, (scaled) => {
      const copy = new Uint8Array(width * height * 3);
      const stride = scaled.linesize[0];
      for (let y = 0; y < height; y++)
        copy.set(scaled.data![0].subarray(y * stride, y * stride + width * 3), y * width * 3);
      out.push({ width, height, data: copy });
    });
  }
  return out;
}

const LETTER = { width: 9, height: 13, stroke: 2, perLine: 22, lines: 2, top: 138 } as const;

/** Two lines of white, outlined strokes, others every second, which an eye at a distance takes for writing. */
function captioned(pictures: readonly RgbPicture[], random: Random): RgbPicture[] {
  let strokes: readonly (readonly [x: number, y: number, width: number, height: number])[] = [];
  return pictures.map(({ width, height, data }, index) => {
    if (index % RATE === 0) strokes = randomStrokes(random);
    const out = data.slice();
    for (const [margin, level] of [
      [1, 0],
      [0, 255],
    ] as const) {
      for (const [x, y, wide, high] of strokes) {
        for (let row = y - margin; row < y + high + margin; row++) {
          const at = row * width + x - margin;
          out.fill(level, at * 3, (at + wide + 2 * margin) * 3);
        }
      }
    }
    return { width, height, data: out };
  });
}

function randomStrokes(random: Random): [number, number, number, number][] {
  const { width, height, stroke, perLine, lines, top } = LETTER;
  const strokes: [number, number, number, number][] = [];
  for (let letter = 0; letter < perLine * lines; letter++) {
    // A space now and then.
    if (random.chance(0.15)) continue;
    const left = Math.round((WIDTH - perLine * width) / 2) + (letter % perLine) * width;
    const y = top + Math.floor(letter / perLine) * (height + 5);
    const side = width - stroke - 1;
    strokes.push([left, y, stroke, height]);
    if (random.chance(0.6)) strokes.push([left + side - stroke, y, stroke, height]);
    for (const down of [0, (height - stroke) >> 1, height - stroke]) {
      if (random.chance(0.5)) strokes.push([left, y + down, side, stroke]);
    }
  }
  return strokes;
}

function isColored(pictures: readonly RgbPicture[]): boolean {
  let [colored, all] = [0, 0];
  for (const { data } of pictures) {
    for (let at = 0; at + 2 < data.length; at += 3 * 397) {
      const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
      all++;
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 12) colored++;
    }
  }
  return colored > 0.05 * all;
}

/** How far, in CIELAB units, the most changed tenth of the pixels moved at least. */
function changeOf(before: readonly RgbPicture[], after: readonly RgbPicture[]): number {
  const distances: number[] = [];
  const [one, other] = [new Float64Array(3), new Float64Array(3)];
  for (const [index, { data }] of before.entries()) {
    const changed = after[index].data;
    // A prime step does not follow the rows.
    for (let at = 0; at + 2 < data.length; at += 3 * 397) {
      rgbToLab(data[at] / 255, data[at + 1] / 255, data[at + 2] / 255, one);
      rgbToLab(changed[at] / 255, changed[at + 1] / 255, changed[at + 2] / 255, other);
      distances.push(Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]));
    }
  }
  distances.sort((a, b) => a - b);
  return Math.round(distances[Math.floor(distances.length * 0.9)] * 10) / 10;
}
