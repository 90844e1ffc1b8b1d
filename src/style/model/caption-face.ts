export type FaceWeight = 'medium' | 'semibold' | 'extrabold';

/** A script whose typeface is an optional package. */
export type OptionalScript = 'arabic' | 'hebrew' | 'devanagari' | 'sc' | 'kr';

/** Typefaces of captions: Inter, one for Japanese, and Noto Sans where its package is installed; `render` has their files. */
export type CaptionFace = `inter-${FaceWeight}` | 'dela-gothic' | `noto-${OptionalScript}-${FaceWeight}`;

interface ScriptFace {
  /** In messages. */
  readonly name: string;
  readonly letters: RegExp;
  /** A letter that its typeface has. */
  readonly sample: string;
}

export const OPTIONAL_SCRIPTS: Readonly<Record<OptionalScript, ScriptFace>> = {
  arabic: { name: 'Arabic', letters: /\p{Script=Arabic}/u, sample: 'م' },
  hebrew: { name: 'Hebrew', letters: /\p{Script=Hebrew}/u, sample: 'ש' },
  devanagari: { name: 'Devanagari', letters: /\p{Script=Devanagari}/u, sample: 'क' },
  sc: { name: 'Chinese', letters: /\p{Script=Han}/u, sample: '你' },
  kr: { name: 'Korean', letters: /\p{Script=Hangul}/u, sample: '한' },
};

const SCRIPTS = Object.keys(OPTIONAL_SCRIPTS) as OptionalScript[];

/** The npm package of a script's typeface, under the SIL Open Font License 1.1. */
export function fontPackage(script: OptionalScript): string {
  return `@expo-google-fonts/noto-sans-${script}`;
}

/** The scripts of a text that only optional packages have. */
export function optionalScriptsIn(text: string): OptionalScript[] {
  return SCRIPTS.filter((script) => OPTIONAL_SCRIPTS[script].letters.test(text));
}

/**
 * The faces to try for captions in `face`, in order. Chinese shares most characters with Japanese: kana in any of the texts tell
 * them apart, so all captions of a video have one face.
 */
export function facesFor(face: CaptionFace, texts: readonly string[]): CaptionFace[] {
  const weight = (/(medium|semibold|extrabold)$/.exec(face)?.[0] ?? 'semibold') as FaceWeight;
  const optional = SCRIPTS.map((script): CaptionFace => `noto-${script}-${weight}`);
  const isJapanese = texts.some((text) => KANA.test(text));
  const chinese: CaptionFace = `noto-sc-${weight}`;
  return isJapanese ? [face, 'dela-gothic', ...optional] : [face, chinese, 'dela-gothic', ...optional];
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

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

/**
 * Control and format characters but line breaks: nothing is drawn for them, and a NUL ends the text of a drawing library. Joiners
 * between letters stay: they decide the shapes of Persian and Hindi letters.
 */
const INVISIBLE = /(?!\n|(?<=[\p{L}\p{M}])[\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

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
