import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODULE_EXTENSION } from '../../package/package-files.ts';
import {
  type CaptionFace,
  type FaceWeight,
  fontPackage,
  type OptionalScript,
} from '../../style/model/caption-face.ts';
import { type FontMetrics, readFaceMetrics } from './caption-metrics.ts';

type OptionalFace = Extract<CaptionFace, `noto-${string}`>;
type IncludedFace = Exclude<CaptionFace, OptionalFace>;

/** The fonts of this package, all under the SIL Open Font License 1.1. The system's fonts are never used. */
export const FONT_FILES: Readonly<Record<IncludedFace, string>> = {
  'inter-medium': 'inter/500Medium/Inter_500Medium.ttf',
  'inter-semibold': 'inter/600SemiBold/Inter_600SemiBold.ttf',
  'inter-extrabold': 'inter/800ExtraBold/Inter_800ExtraBold.ttf',
  'dela-gothic': 'dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf',
};

/** Font weights as their files are named. */
const WEIGHTS: Readonly<Record<FaceWeight, readonly [number: number, name: string]>> = {
  medium: [500, 'Medium'],
  semibold: [600, 'SemiBold'],
  extrabold: [800, 'ExtraBold'],
};
/** As their files are named, and whether letters must be shaped: joined, reordered, or from right to left. */
const SCRIPTS: Readonly<Record<OptionalScript, readonly [name: string, isShaped: boolean]>> = {
  arabic: ['Arabic', true],
  hebrew: ['Hebrew', true],
  devanagari: ['Devanagari', true],
  sc: ['SC', false],
  kr: ['KR', false],
};
const OPTIONAL_FACES: Readonly<Record<string, OptionalFont>> = Object.fromEntries(
  (Object.keys(SCRIPTS) as OptionalScript[]).flatMap((script) =>
    (Object.keys(WEIGHTS) as FaceWeight[]).map((weight) => [
      `noto-${script}-${weight}`,
      optionalFont(script, weight),
    ]),
  ),
);

export const CAPTION_FACES = [...Object.keys(FONT_FILES), ...Object.keys(OPTIONAL_FACES)] as CaptionFace[];

interface OptionalFont {
  readonly file: string;
  readonly family: string;
  readonly isShaped: boolean;
}

function optionalFont(script: OptionalScript, weight: FaceWeight): OptionalFont {
  const [name, isShaped] = SCRIPTS[script];
  const [number, weightName] = WEIGHTS[weight];
  return {
    file: `${fontPackage(script)}/${number}${weightName}/NotoSans${name}_${number}${weightName}.ttf`,
    family: `Noto Sans ${name} ${weightName}`,
    isShaped,
  };
}

const metrics = new Map<CaptionFace, FontMetrics>();
/** Of a face that is not installed. */
const NO_GLYPHS: FontMetrics = { ascentEm: 1, descentEm: 0, capHeightEm: 0.7, advanceEm: () => null };

/** Null: the package of the face is not installed. */
export function captionFontPath(face: CaptionFace): string | null {
  const optional = OPTIONAL_FACES[face];
  if (optional !== undefined) return installedFile(optional.file);
  const file = FONT_FILES[face as IncludedFace];
  // A clone reads the fonts from their npm packages; an installed package has its own copies.
  if (MODULE_EXTENSION === '.ts') return fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`));
  return fileURLToPath(new URL(`fonts/${basename(file)}`, import.meta.url));
}

function installedFile(file: string): string | null {
  try {
    return fileURLToPath(import.meta.resolve(file));
  } catch {
    return null;
  }
}

/** The family's name of a face whose letters must be shaped; null: letters stand side by side, from left to right. */
export function shapedFamily(face: CaptionFace): string | null {
  const optional = OPTIONAL_FACES[face];
  return optional?.isShaped === true ? optional.family : null;
}

/** Measures of a font, read once in a process; no glyphs for one that is not installed. */
export function faceMetrics(face: CaptionFace): FontMetrics {
  const known = metrics.get(face);
  if (known !== undefined) return known;
  const path = captionFontPath(face);
  // Not stored: a package can be installed while the service runs.
  if (path === null) return NO_GLYPHS;
  const measured = readFaceMetrics(path);
  metrics.set(face, measured);
  return measured;
}
