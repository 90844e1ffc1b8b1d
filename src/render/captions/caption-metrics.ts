import { readFileSync } from 'node:fs';
import type { FaceMetrics } from '../../style/model/caption-face.ts';

export interface FontMetrics extends FaceMetrics {
  /** Of the tallest and deepest glyphs, which libass takes as the height of a line. */
  readonly ascentEm: number;
  readonly descentEm: number;
}

/**
 * Measures of an OpenType font with TrueType outlines (OpenType 1.9: `cmap` formats 4 and 12, `hmtx`, `OS/2`). Meant for this
 * package's own fonts, which are trusted. Throws `RangeError` for a damaged file.
 */
export function readFaceMetrics(path: string): FontMetrics {
  const file = readFileSync(path);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tables = tableOffsets(view);
  const unitsPerEm = view.getUint16(tables['head'] + 18);
  const longMetrics = view.getUint16(tables['hhea'] + 34);
  const glyphOf = characterMap(view, tables['cmap']);
  const advances = new Map<number, number | null>();
  return {
    ascentEm: view.getUint16(tables['OS/2'] + 74) / unitsPerEm,
    descentEm: view.getUint16(tables['OS/2'] + 76) / unitsPerEm,
    capHeightEm: view.getInt16(tables['OS/2'] + 88) / unitsPerEm,
    advanceEm: (codePoint) => {
      const known = advances.get(codePoint);
      if (known !== undefined) return known;
      const glyph = glyphOf(codePoint);
      const at = tables['hmtx'] + 4 * Math.min(glyph, longMetrics - 1);
      const advance = glyph === 0 ? null : view.getUint16(at) / unitsPerEm;
      advances.set(codePoint, advance);
      return advance;
    },
  };
}

function tableOffsets(view: DataView): Record<string, number> {
  const tables: Record<string, number> = {};
  for (let entry = 0, count = view.getUint16(4); entry < count; entry++) {
    const at = 12 + 16 * entry;
    const tag = String.fromCharCode(...Array.from({ length: 4 }, (_, i) => view.getUint8(at + i)));
    tables[tag] = view.getUint32(at + 8);
  }
  return tables;
}

/** Glyph numbers by code point; 0: the font has none. */
function characterMap(view: DataView, cmap: number): (codePoint: number) => number {
  const subtables = Array.from({ length: view.getUint16(cmap + 2) }, (_, i) => {
    const at = cmap + view.getUint32(cmap + 4 + 8 * i + 4);
    return { at, format: view.getUint16(at) };
  });
  const groups = subtables.find(({ format }) => format === 12);
  if (groups !== undefined) return (codePoint) => glyphOfGroups(view, groups.at, codePoint);
  const segments = subtables.find(({ format }) => format === 4);
  if (segments === undefined) throw new RangeError('The font has no character map of format 4 or 12');
  return (codePoint) => glyphOfSegments(view, segments.at, codePoint);
}

/** Four parallel lists of segments: last and first code points, differences, and offsets of lists of glyphs. */
function glyphOfSegments(view: DataView, at: number, codePoint: number): number {
  const listBytes = view.getUint16(at + 6);
  for (let last = at + 14; last < at + 14 + listBytes; last += 2) {
    if (codePoint > view.getUint16(last)) continue;
    const first = last + listBytes + 2;
    const [delta, offset] = [first + listBytes, first + 2 * listBytes];
    const start = view.getUint16(first);
    if (codePoint < start) return 0;
    const range = view.getUint16(offset);
    const glyph = range === 0 ? codePoint : view.getUint16(offset + range + 2 * (codePoint - start));
    return glyph === 0 ? 0 : (glyph + view.getUint16(delta)) & 0xffff;
  }
  return 0;
}

function glyphOfGroups(view: DataView, at: number, codePoint: number): number {
  let low = 0;
  let high = view.getUint32(at + 12) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const group = at + 16 + 12 * middle;
    const first = view.getUint32(group);
    if (codePoint < first) high = middle - 1;
    else if (codePoint > view.getUint32(group + 4)) low = middle + 1;
    else return view.getUint32(group + 8) + codePoint - first;
  }
  return 0;
}
