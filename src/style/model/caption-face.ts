/** Typefaces of captions, from light to heavy, and one for Japanese; `render` has their files. */
export type CaptionFace = 'inter-medium' | 'inter-semibold' | 'inter-extrabold' | 'dela-gothic';

/** Measures of a typeface, in parts of its size. */
export interface FaceMetrics {
  /** Height of a capital. */
  readonly capHeightEm: number;
  /** Width of a character without kerning; null if the face lacks it. */
  readonly advanceEm: (codePoint: number) => number | null;
}

export type MetricsOf = (face: CaptionFace) => FaceMetrics;

/** Letters, digits and their marks carry the words; text is readable without the rest. */
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/** Control and format characters but line breaks: nothing is drawn for them, and a NUL ends the text of a drawing library. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}]/gu;

/** Letters with their marks as one character, which faces have, and without invisible characters. */
export function visibleText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\t\v\f]/g, ' ')
    .replace(INVISIBLE, '');
}

/** A text as a face can show it; `missing` characters are removed. */
export interface DrawableText {
  readonly face: CaptionFace;
  readonly text: string;
  readonly missing: readonly string[];
}

/**
 * The text in the first face that has all its letters. Other characters that the face lacks, mostly emoji and
 * music notes, are removed. Null: no face has its script.
 */
export function drawable(
  written: string,
  faces: readonly CaptionFace[],
  metricsOf: MetricsOf,
): DrawableText | null {
  const text = visibleText(written);
  for (const face of faces) {
    const { advanceEm } = metricsOf(face);
    const characters = [...text];
    const lacks = (character: string) => character !== '\n' && advanceEm(character.codePointAt(0)!) === null;
    const missing = characters.filter(lacks);
    if (missing.some((character) => WORD_CHARACTER.test(character))) continue;
    if (missing.length === 0) return { face, text, missing };
    const rest = characters.filter((character) => !lacks(character)).join('');
    const lines = rest.split('\n').map((line) => line.replace(/ {2,}/g, ' ').trim());
    return { face, text: lines.filter((line) => line !== '').join('\n'), missing };
  }
  return null;
}

/** Width of a line in parts of the type size. */
export function widthEm(text: string, { advanceEm }: FaceMetrics): number {
  let width = 0;
  for (const character of text) width += advanceEm(character.codePointAt(0)!) ?? 0;
  return width;
}
