/** ICC profiles (ICC.1:2022) whose colors follow from three curves and a matrix, or from one curve of grey. */
import { colorantsToSrgb, type Matrix3 } from '../../signal/rgb-primaries.ts';

/** Maps a stored level, 0..1, to linear light, 0..1. */
export type ToneCurve = (level: number) => number;

/** Colors of stored RGB: linear light by a curve for each component, then linear sRGB by a matrix. */
export interface RgbColors {
  readonly curves: readonly [ToneCurve, ToneCurve, ToneCurve];
  readonly toSrgb: Matrix3;
}

export interface IccProfile {
  /** Its description, printable characters only. */
  readonly name: string;
  /** Of the stored pixels, such as `RGB `, `GRAY`, `CMYK`. */
  readonly space: string;
  /** Null: the profile is damaged, or defines its colors by tables of several dimensions. */
  readonly colors: RgbColors | null;
}

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const MAX_NAME_LENGTH = 60;
const IDENTITY: Matrix3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Null: the data are no profile. */
export function readIccProfile(data: Buffer): IccProfile | null {
  if (data.length < HEADER_BYTES + 4 || data.toString('latin1', 36, 40) !== 'acsp') return null;
  const [space, connection] = [data.toString('latin1', 16, 20), data.toString('latin1', 20, 24)];
  const tags = tagsOf(data);
  const colors = space === 'RGB ' ? rgbColors(tags) : space === 'GRAY' ? greyColors(tags, connection) : null;
  return { name: nameOf(tags.get('desc')) ?? 'unnamed', space, colors };
}

function tagsOf(data: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(data.readUInt32BE(HEADER_BYTES), Math.floor(data.length / TAG_BYTES));
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + 4 + TAG_BYTES * index;
    if (at + TAG_BYTES > data.length) break;
    const start = data.readUInt32BE(at + 4);
    tags.set(data.toString('latin1', at, at + 4), data.subarray(start, start + data.readUInt32BE(at + 8)));
  }
  return tags;
}

function rgbColors(tags: ReadonlyMap<string, Buffer>): RgbColors | null {
  const [red, green, blue] = ['r', 'g', 'b'].map((name) => ({
    colorant: xyz(tags.get(`${name}XYZ`)),
    curve: toneCurve(tags.get(`${name}TRC`)),
  })) as [Colorant, Colorant, Colorant];
  const [r, g, b] = [red.colorant, green.colorant, blue.colorant];
  if (r === null || g === null || b === null) return null;
  if (red.curve === null || green.curve === null || blue.curve === null) return null;
  const toSrgb = colorantsToSrgb([0, 1, 2].flatMap((row) => [r[row]!, g[row]!, b[row]!]));
  return { curves: [red.curve, green.curve, blue.curve], toSrgb };
}

interface Colorant {
  readonly colorant: readonly number[] | null;
  readonly curve: ToneCurve | null;
}

/** Grey is stored as equal red, green and blue. */
function greyColors(tags: ReadonlyMap<string, Buffer>, connection: string): RgbColors | null {
  const curve = toneCurve(tags.get('kTRC'));
  if (curve === null) return null;
  const light = connection === 'Lab ' ? (level: number) => lightOfLightness(curve(level)) : curve;
  return { curves: [light, light, light], toSrgb: IDENTITY };
}

/** Relative luminance of CIE lightness, both 0..1 (CIE 15:2004, section 8.2.1). */
function lightOfLightness(lightness: number): number {
  const root = (100 * lightness + 16) / 116;
  return root > 6 / 29 ? root ** 3 : (27 / 24389) * 100 * lightness;
}

/** `XYZType`, section 10.31. */
function xyz(tag: Buffer | undefined): number[] | null {
  if (tag === undefined || tag.length < 20 || tag.toString('latin1', 0, 4) !== 'XYZ ') return null;
  return [8, 12, 16].map((at) => fixed(tag, at));
}

/** `curveType` and `parametricCurveType`, sections 10.6 and 10.18. */
function toneCurve(tag: Buffer | undefined): ToneCurve | null {
  if (tag === undefined || tag.length < 12) return null;
  switch (tag.toString('latin1', 0, 4)) {
    case 'curv':
      return tableCurve(tag);
    case 'para':
      return parametricCurve(tag);
    default:
      return null;
  }
}

function tableCurve(tag: Buffer): ToneCurve | null {
  const count = tag.readUInt32BE(8);
  if (count === 0) return (level) => level;
  if (tag.length < 12 + 2 * count) return null;
  if (count === 1) {
    const gamma = tag.readUInt16BE(12) / 256;
    return (level) => level ** gamma;
  }
  const table = Float64Array.from({ length: count }, (_, index) => tag.readUInt16BE(12 + 2 * index) / 65_535);
  return (level) => {
    const place = Math.min(1, Math.max(0, level)) * (count - 1);
    const below = Math.min(count - 2, Math.floor(place));
    return table[below]! + (place - below) * (table[below + 1]! - table[below]!);
  };
}

/** Parameters of the five functions, in their order. */
const PARAMETERS = [1, 3, 4, 5, 7];

function parametricCurve(tag: Buffer): ToneCurve | null {
  const kind = tag.readUInt16BE(8);
  const count = PARAMETERS[kind];
  if (count === undefined || tag.length < 12 + 4 * count) return null;
  const [gamma = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, index) =>
    fixed(tag, 12 + 4 * index),
  );
  const power = (level: number) => Math.max(0, a * level + b) ** gamma;
  switch (kind) {
    case 0:
      return (level) => level ** gamma;
    case 1:
      return power;
    case 2:
      return (level) => power(level) + c;
    case 3:
      return (level) => (level >= d ? power(level) : c * level);
    default:
      return (level) => (level >= d ? power(level) + e : c * level + f);
  }
}

/** `s15Fixed16Number`. */
function fixed(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536;
}

/** `textDescriptionType` of version 2 and `multiLocalizedUnicodeType` of version 4; null: neither. */
function nameOf(tag: Buffer | undefined): string | null {
  if (tag === undefined || tag.length < 12) return null;
  const type = tag.toString('latin1', 0, 4);
  const name =
    type === 'desc'
      ? tag.toString('latin1', 12, 12 + tag.readUInt32BE(8))
      : type === 'mluc'
        ? firstText(tag)
        : '';
  const printable = name.replace(/[^\x20-\x7e]/g, '').trim();
  return printable === '' ? null : printable.slice(0, MAX_NAME_LENGTH);
}

function firstText(tag: Buffer): string {
  if (tag.length < 28 || tag.readUInt32BE(8) === 0) return '';
  const start = tag.readUInt32BE(24);
  const text = Buffer.from(tag.subarray(start, start + (tag.readUInt32BE(20) & ~1)));
  return text.length % 2 === 0 ? text.swap16().toString('utf16le') : '';
}
