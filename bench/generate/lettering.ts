/** Text drawn by FreeType in real fonts, as coverage that can be laid over a picture anywhere, scaled and faded. */
import { createRequire } from 'node:module';
import type { Box } from '../../src/analysis/facts.ts';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { LinearGraph } from '../../src/media/av/graph.ts';
import type { RgbPicture } from './footage.ts';

/** Fonts under the SIL Open Font License, from npm packages that hold the TrueType files. */
export const FONTS = {
  inter: '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
  interRegular: '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf',
  interLight: '@expo-google-fonts/inter/300Light/Inter_300Light.ttf',
  montserrat: '@expo-google-fonts/montserrat/800ExtraBold/Montserrat_800ExtraBold.ttf',
  anton: '@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf',
  serif: '@expo-google-fonts/pt-serif/700Bold/PTSerif_700Bold.ttf',
  hand: '@expo-google-fonts/caveat/700Bold/Caveat_700Bold.ttf',
  gothic: '@expo-google-fonts/dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf',
} as const;
export type FontName = keyof typeof FONTS;

const require = createRequire(import.meta.url);

export type Rgb = readonly [red: number, green: number, blue: number];

export interface TextStyle {
  readonly font: FontName;
  /** Type size in pixels. */
  readonly size: number;
  readonly color: Rgb;
  /** Pixels around the letters; 0 for none. */
  readonly outline: number;
  readonly outlineColor: Rgb;
  /** A soft shadow below the letters: its opacity. */
  readonly shadow: number;
  /** A box behind the lines; null for none. */
  readonly box: { readonly color: Rgb; readonly opacity: number } | null;
}

/** A text as layers of coverage (0..255), all of one size. */
export interface Lettering {
  readonly width: number;
  readonly height: number;
  readonly ink: Uint8Array;
  readonly outline: Uint8Array;
  /** Around the ink, in pixels of the layers. */
  readonly bounds: Cell;
  readonly style: TextStyle;
  /** Of each word in turn the part of the layers that is its own, up to the middle of the space to the next one. */
  readonly words: readonly Cell[];
}

/** A part of the layers; right and bottom are exclusive. */
export interface Cell {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Draws lines below each other, each centred or all flush left. */
export function drawText(
  lines: readonly string[],
  style: TextStyle,
  align: 'centre' | 'left' = 'centre',
): Lettering {
  const longest = Math.max(...lines.map((line) => [...line].length));
  const margin = Math.ceil(0.6 * style.size) + style.outline;
  const even = (value: number) => 2 * Math.ceil(value / 2);
  const width = even(longest * style.size * 1.15 + 2 * margin);
  const height = even(lines.length * lineAdvance(style) + 2 * margin);
  const layer = (border: number) => {
    const out = new Uint8Array(width * height);
    using graph = new LinearGraph('video', { num: 1, den: 25 }, () =>
      drawChain(lines, style, align, margin, border),
    );
    const blank = emptyFrame(width, height);
    for (const plane of blank.data!) plane!.fill(0);
    graph.push(blank, (frame) => {
      const plane = frame.data![0];
      for (let y = 0; y < height; y++)
        out.set(plane.subarray(y * frame.linesize[0], y * frame.linesize[0] + width), y * width);
    });
    blank.free();
    return out;
  };
  const ink = layer(0);
  return {
    width,
    height,
    ink,
    outline: style.outline > 0 ? layer(style.outline) : ink,
    bounds: boundsOf(ink, width),
    style,
    words: lines.flatMap((line, index) => {
      const top = margin + index * lineAdvance(style);
      return wordCells(ink, { left: 0, top, right: width, bottom: top + lineAdvance(style) }, line);
    }),
  };
}

/** The widest gaps between the letters of a line, in `row`, part its words. */
function wordCells(ink: Uint8Array, row: Cell, line: string): Cell[] {
  const isInked = (x: number) => {
    for (let y = row.top; y < row.bottom; y++) if (ink[y * row.right + x] >= 128) return true;
    return false;
  };
  const gaps: { readonly middle: number; readonly width: number }[] = [];
  let lastInked = -1;
  for (let x = 0; x < row.right; x++) {
    if (!isInked(x)) continue;
    if (lastInked >= 0 && x - lastInked > 1)
      gaps.push({ middle: (x + lastInked) >> 1, width: x - lastInked });
    lastInked = x;
  }
  const parts = gaps
    .sort((a, b) => b.width - a.width)
    .slice(0, line.split(' ').length - 1)
    .map(({ middle }) => middle)
    .sort((a, b) => a - b);
  return [...parts, row.right].map((right, index) => ({ ...row, left: parts[index - 1] ?? 0, right }));
}

/** The first words of a text, each at its place in the whole. */
export function firstWords(text: Lettering, count: number): Lettering {
  const words = text.words.slice(0, count);
  const clipped = (layer: Uint8Array) => {
    const out = new Uint8Array(layer.length);
    for (const { left, top, right, bottom } of words) {
      for (let y = top; y < bottom; y++) {
        const row = y * text.width;
        out.set(layer.subarray(row + left, row + right), row + left);
      }
    }
    return out;
  };
  const ink = clipped(text.ink);
  const outline = text.outline === text.ink ? ink : clipped(text.outline);
  return { ...text, ink, outline, bounds: boundsOf(ink, text.width), words };
}

function lineAdvance(style: TextStyle): number {
  return Math.round(1.22 * style.size + style.outline);
}

function drawChain(
  lines: readonly string[],
  style: TextStyle,
  align: string,
  margin: number,
  border: number,
): string {
  const font = require.resolve(FONTS[style.font]).replaceAll(':', '\\:');
  const advance = lineAdvance(style);
  const texts = lines.map((line, index) => {
    if (/[\\':,;[\]%]/.test(line)) throw new Error(`Sign not allowed in a drawn text: ${line}`);
    const x = align === 'left' ? margin : '(w-text_w)/2';
    // The baseline, so that lines align with any letters.
    const y = margin + Math.round(0.95 * style.size) + index * advance;
    return `drawtext=fontfile='${font}':text='${line}':expansion=none:fontsize=${style.size}:fontcolor=white:borderw=${border}:bordercolor=white:y_align=baseline:x=${x}:y=${y}`;
  });
  return `format=gray,geq=lum=0,${texts.join(',')}`;
}

/** Around the ink, or around what of it lies within a part of the layer. */
function boundsOf(ink: Uint8Array, width: number, part?: Cell): Cell {
  let [left, top, right, bottom] = [width, ink.length, 0, 0];
  for (let i = 0; i < ink.length; i++) {
    if (ink[i] < 128) continue;
    const x = i % width;
    const y = (i - x) / width;
    if (part !== undefined && !isWithin(part, x, y)) continue;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  if (right === 0) throw new Error('The font has none of these letters');
  return { left, top, right, bottom };
}

function isWithin(cell: Cell, x: number, y: number): boolean {
  return x >= cell.left && x < cell.right && y >= cell.top && y < cell.bottom;
}

/** Where the layers lie on a picture: the picture's pixel of their left top corner, and their magnification. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale?: number;
  readonly opacity?: number;
  /** The word that is spoken, in another color or on a box of its own. */
  readonly highlight?: { readonly word: Cell; readonly color: Rgb; readonly box: Rgb | null };
}

/** The ink's box in shares of the picture. */
export function boxOf(text: Lettering, place: Place, picture: { width: number; height: number }): Box {
  const { left, top, right, bottom } = text.bounds;
  const scale = place.scale ?? 1;
  return {
    x: (place.x + scale * left) / picture.width,
    y: (place.y + scale * top) / picture.height,
    width: (scale * (right - left)) / picture.width,
    height: (scale * (bottom - top)) / picture.height,
  };
}

/** Lays the text over the picture, in place. */
export function layText(picture: RgbPicture, text: Lettering, place: Place): void {
  const { scale = 1, opacity = 1 } = place;
  const { style, bounds } = text;
  const pad = Math.round(0.25 * style.size);
  if (style.box !== null) {
    const box = boxOf(text, place, { width: 1, height: 1 });
    fillBox(
      picture,
      { x: box.x - pad, y: box.y - pad, width: box.width + 2 * pad, height: box.height + 2 * pad },
      style.box.color,
      style.box.opacity * opacity,
    );
  }
  const { highlight } = place;
  if (highlight !== undefined && highlight.box !== null) {
    const { left, top, right, bottom } = boundsOf(text.ink, text.width, highlight.word);
    fillBox(
      picture,
      {
        x: place.x + scale * left - pad / 2,
        y: place.y + scale * top - pad / 2,
        width: scale * (right - left) + pad,
        height: scale * (bottom - top) + pad,
      },
      highlight.box,
      opacity,
    );
  }
  const shadowShift = Math.max(1, Math.round(style.size / 18));
  const reach = pad + style.outline + shadowShift;
  const firstY = Math.max(0, Math.floor(place.y + scale * (bounds.top - reach)));
  const lastY = Math.min(picture.height - 1, Math.ceil(place.y + scale * (bounds.bottom + reach)));
  const firstX = Math.max(0, Math.floor(place.x + scale * (bounds.left - reach)));
  const lastX = Math.min(picture.width - 1, Math.ceil(place.x + scale * (bounds.right + reach)));
  for (let y = firstY; y <= lastY; y++) {
    for (let x = firstX; x <= lastX; x++) {
      const u = (x - place.x) / scale;
      const v = (y - place.y) / scale;
      const at = 3 * (y * picture.width + x);
      const around = sample(text, text.outline, u, v);
      if (style.shadow > 0) {
        const shade = softSample(text, text.outline, u - shadowShift, v - shadowShift);
        mix(picture.data, at, [0, 0, 0], shade * style.shadow * opacity);
      }
      if (style.outline > 0) mix(picture.data, at, style.outlineColor, around * opacity);
      if (around === 0) continue;
      const spoken = highlight !== undefined && isWithin(highlight.word, u, v);
      mix(picture.data, at, spoken ? highlight.color : style.color, sample(text, text.ink, u, v) * opacity);
    }
  }
}

export function fillBox(picture: RgbPicture, box: Box, color: Rgb, opacity: number): void {
  const right = Math.min(picture.width, Math.round(box.x + box.width));
  const bottom = Math.min(picture.height, Math.round(box.y + box.height));
  for (let y = Math.max(0, Math.round(box.y)); y < bottom; y++)
    for (let x = Math.max(0, Math.round(box.x)); x < right; x++)
      mix(picture.data, 3 * (y * picture.width + x), color, opacity);
}

function mix(data: Uint8Array, at: number, color: Rgb, share: number): void {
  if (share === 0) return;
  for (let c = 0; c < 3; c++) data[at + c] = Math.round(data[at + c] + share * (color[c] - data[at + c]));
}

/** Bilinear coverage, 0..1. */
function sample(text: Lettering, layer: Uint8Array, u: number, v: number): number {
  const x = Math.floor(u);
  const y = Math.floor(v);
  if (x < 0 || y < 0 || x + 1 >= text.width || y + 1 >= text.height) return 0;
  const at = y * text.width + x;
  const top = layer[at] + (u - x) * (layer[at + 1] - layer[at]);
  const low = layer[at + text.width] + (u - x) * (layer[at + text.width + 1] - layer[at + text.width]);
  return (top + (v - y) * (low - top)) / 255;
}

function softSample(text: Lettering, layer: Uint8Array, u: number, v: number): number {
  let sum = 0;
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++) sum += sample(text, layer, u + dx, v + dy);
  return sum / 9;
}
