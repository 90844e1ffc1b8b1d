import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODULE_EXTENSION } from '../../package/package-files.ts';
import type { CaptionFace, FaceMetrics } from '../../style/model/caption-face.ts';
import { readFaceMetrics } from './caption-metrics.ts';

/** All under the SIL Open Font License 1.1. The system's fonts are never used. */
export const FONT_FILES: Readonly<Record<CaptionFace, string>> = {
  'inter-medium': 'inter/500Medium/Inter_500Medium.ttf',
  'inter-semibold': 'inter/600SemiBold/Inter_600SemiBold.ttf',
  'inter-extrabold': 'inter/800ExtraBold/Inter_800ExtraBold.ttf',
  'dela-gothic': 'dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf',
};

const metrics = new Map<CaptionFace, FaceMetrics>();

export function captionFontPath(face: CaptionFace): string {
  const file = FONT_FILES[face];
  // A clone reads the fonts from their npm packages; an installed package has its own copies.
  if (MODULE_EXTENSION === '.ts') return fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`));
  return fileURLToPath(new URL(`fonts/${basename(file)}`, import.meta.url));
}

/** Measures of a font, read once in a process. */
export function faceMetrics(face: CaptionFace): FaceMetrics {
  const measured = metrics.get(face) ?? readFaceMetrics(captionFontPath(face));
  metrics.set(face, measured);
  return measured;
}
