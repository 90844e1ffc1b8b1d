/** Changes within a shot that look like cuts: overlays, flashes and picture faults over real footage. */
import { OVERLAY_TEXTS } from './disturbance-texts.ts';
import { strobeOverBlack } from './fast-traps.ts';
import type { RgbPicture } from './footage.ts';
import { drawText, FONTS, type FontName, fillBox, type Lettering, layText, type Rgb } from './lettering.ts';
import type { Random } from './random.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Draws over a copy of the picture; `frame` counts from the clip's start. */
export type Disturbance = (picture: RgbPicture, frame: number) => RgbPicture;

const copyOf = (picture: RgbPicture): RgbPicture => ({ ...picture, data: picture.data.slice() });
const colorOf = (random: Random): Rgb => [random.whole(0, 255), random.whole(0, 255), random.whole(0, 255)];

function textOf(random: Random, size: Size, share: number, lines: number): Lettering {
  const texts = Array.from({ length: lines }, () => random.pick(OVERLAY_TEXTS));
  const longest = Math.max(...texts.map((text) => text.length));
  const type = Math.max(8, Math.min(share * size.height, (1.6 * size.width) / longest));
  const isBright = random.chance(0.7);
  return drawText(texts, {
    font: random.pick(Object.keys(FONTS) as FontName[]),
    size: Math.round(type),
    color: isBright ? [255, 255, 255] : random.chance(0.5) ? [0, 0, 0] : colorOf(random),
    outline: random.chance(0.4) ? 1 : 0,
    outlineColor: isBright ? [0, 0, 0] : [255, 255, 255],
    shadow: random.chance(0.3) ? 0.7 : 0,
    box: random.chance(0.5) ? { color: colorOf(random), opacity: random.between(0.5, 1) } : null,
  });
}

/** Captions of up to three lines that replace each other, from small type to type that covers a third of the picture. */
export function captions(random: Random, size: Size, rate: number, frameCount: number): Disturbance {
  const share = random.pick([0.06, 0.08, 0.1, 0.14, 0.2]);
  const lines = random.whole(1, 3);
  const y = random.between(0.1, 0.7);
  const texts: { from: number; to: number; text: Lettering; x: number }[] = [];
  for (let at = 0; at < frameCount; ) {
    const length = Math.round(rate * random.between(0.25, 2));
    const text = textOf(random, size, share, lines);
    const middle = (text.bounds.left + text.bounds.right) / 2;
    texts.push({ from: at, to: at + length, text, x: size.width / 2 - middle });
    at += length + (random.chance(0.4) ? Math.round(rate * random.between(0.1, 0.8)) : 0);
  }
  return (picture, frame) => {
    const shown = texts.find(({ from, to }) => frame >= from && frame < to);
    if (shown === undefined) return picture;
    const out = copyOf(picture);
    layText(out, shown.text, { x: shown.x, y: y * size.height - shown.text.bounds.top });
    return out;
  };
}

/** Lower thirds and banners that slide, pop or wipe in, and leave again. */
export function lowerThirds(random: Random, size: Size, rate: number, frameCount: number): Disturbance {
  const bars: { from: number; to: number; moves: number; draw: (out: RgbPicture, share: number) => void }[] =
    [];
  for (let at = Math.round(rate * random.between(0.3, 1)); at < frameCount; ) {
    const length = Math.round(rate * random.between(0.8, 2.2));
    const moves = random.chance(0.3) ? 1 : Math.round(rate * random.between(0.1, 0.4));
    const height = random.between(0.12, 0.34) * size.height;
    const width = (random.chance(0.4) ? 1 : random.between(0.4, 0.8)) * size.width;
    const top = random.chance(0.8) ? size.height - height - random.between(0, 0.1) * size.height : 0;
    const color = colorOf(random);
    const opacity = random.between(0.75, 1);
    const text = textOf(random, { width, height: size.height }, 0.08, 1);
    const fromLeft = random.chance(0.5);
    const draw = (out: RgbPicture, share: number): void => {
      const x = fromLeft ? (share - 1) * width : size.width - share * width;
      fillBox(out, { x, y: top, width, height }, color, opacity);
      layText(out, text, { x: x + 4 - text.bounds.left, y: top + height / 3 - text.bounds.top });
    };
    bars.push({ from: at, to: at + length, moves, draw });
    at += length + Math.round(rate * random.between(0.4, 1.5));
  }
  return (picture, frame) => {
    const bar = bars.find(({ from, to }) => frame >= from && frame < to);
    if (bar === undefined) return picture;
    const out = copyOf(picture);
    const share = Math.min(1, (frame - bar.from + 1) / bar.moves, (bar.to - frame) / bar.moves);
    bar.draw(out, share ** 0.6);
    return out;
  };
}

/** Camera flashes that decay over some frames, over the whole picture or from one side, and strobes. */
export function flashes(random: Random, rate: number, frameCount: number): Disturbance {
  if (random.chance(0.3)) return strobeOverBlack(random, rate);
  const all: { from: number; decay: number; light: Rgb; gain: number; x: number; reach: number }[] = [];
  for (let at = 0; at < frameCount; at += rate * random.between(0.12, 1.2)) {
    const level = random.between(60, 255);
    const tint = () => level * random.between(0.8, 1);
    all.push({
      from: Math.round(at),
      decay: random.between(0.3, 2.5),
      light: [tint(), tint(), tint()],
      gain: random.between(0.2, 2),
      x: random.between(0, 1),
      reach: random.chance(0.5) ? 10 : random.between(0.3, 1),
    });
  }
  return (picture, frame) => {
    const lit = all.filter(({ from, decay }) => frame >= from && frame - from < 5 * decay);
    if (lit.length === 0) return picture;
    const out = copyOf(picture);
    const { width, data } = out;
    for (const { from, decay, light, gain, x, reach } of lit) {
      const strength = Math.exp(-(frame - from) / decay);
      const columns = Float64Array.from(
        { length: width },
        (_, column) => strength * Math.exp(-(((column / width - x) / reach) ** 2)),
      );
      for (let i = 0; i < data.length; i++) {
        const share = columns[Math.floor(i / 3) % width];
        data[i] = Math.min(255, data[i] * (1 + share * gain) + share * light[i % 3] * 0.6);
      }
    }
    return out;
  };
}

type Fault = (picture: RgbPicture, strength: number, random: Random) => RgbPicture;

/** Moves pixels by whole columns and rows, per row and channel; the picture wraps. */
function moved(
  picture: RgbPicture,
  by: (y: number, channel: number) => readonly [number, number],
): RgbPicture {
  const { width, height, data } = picture;
  const out = new Uint8Array(data.length);
  for (let y = 0, at = 0; y < height; y++) {
    const shifts = [by(y, 0), by(y, 1), by(y, 2)];
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++, at++) {
        const [dx, dy] = shifts[c];
        const u = (((x + dx) % width) + width) % width;
        const v = (((y + dy) % height) + height) % height;
        out[at] = data[3 * (v * width + u) + c];
      }
    }
  }
  return { ...picture, data: out };
}

const FAULTS: readonly Fault[] = [
  // Color channels apart.
  (picture, strength) => moved(picture, (_, c) => [Math.round((c - 1) * 2 + (c - 1) * 8 * strength), 0]),
  // Bands of rows to the side.
  (picture, strength, random) => {
    const edges = Array.from({ length: 6 }, () => random.between(0, picture.height));
    const shifts = Array.from({ length: 7 }, () => random.between(-40, 40) * strength);
    return moved(picture, (y) => [Math.round(shifts[edges.filter((edge) => edge < y).length]), 0]);
  },
  // The picture rolls.
  (picture, strength, random) => {
    const rows = Math.round(picture.height * random.between(0.1, 0.1 + 0.8 * strength));
    return moved(picture, () => [0, rows]);
  },
  // Coarse blocks in a part of the picture.
  (picture, strength, random) => {
    const block = 8 + Math.round(12 * strength);
    const [first, last] = [random.between(0, 0.5) * picture.height, random.between(0.5, 1) * picture.height];
    const { width, height, data } = picture;
    const out = data.slice();
    for (let y = Math.round(first); y < last; y++)
      for (let x = 0; x < width; x++)
        for (let c = 0; c < 3; c++) {
          const v = Math.min(height - 1, y - (y % block) + (block >> 1));
          const u = Math.min(width - 1, x - (x % block) + (block >> 1));
          out[3 * (y * width + x) + c] = data[3 * (v * width + u) + c];
        }
    return { ...picture, data: out };
  },
  // Noise in bands.
  (picture, strength, random) => {
    const top = random.between(0, 0.6) * picture.height;
    const height = random.between(0.1, 0.4) * picture.height;
    const data = picture.data.slice();
    const from = 3 * picture.width * Math.round(top);
    for (let i = from; i < Math.min(data.length, from + 3 * picture.width * Math.round(height)); i++)
      data[i] = Math.max(0, Math.min(255, data[i] + random.between(-160, 160) * (0.4 + strength)));
    return { ...picture, data };
  },
];

/** Bursts of one to six faulty frames: weak and strong, of one kind or several. */
export function glitches(random: Random, rate: number, frameCount: number): Disturbance {
  const bursts: { from: number; to: number; faults: readonly Fault[]; strength: number }[] = [];
  for (let at = Math.round(rate * random.between(0.3, 1)); at < frameCount; ) {
    const length = random.whole(1, 6);
    const faults = random.shuffled(FAULTS).slice(0, random.whole(1, 2));
    bursts.push({ from: at, to: at + length, faults, strength: random.between(0.1, 1) });
    at += length + Math.round(rate * random.between(0.5, 1.5));
  }
  return (picture, frame) => {
    const burst = bursts.find(({ from, to }) => frame >= from && frame < to);
    if (burst === undefined) return picture;
    return burst.faults.reduce((observed, fault) => fault(observed, burst.strength, random), picture);
  };
}
