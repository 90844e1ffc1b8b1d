/** How well people are seen at each moment of a take. */
import { smoothstep } from '../../signal/interpolation.ts';
import type { Box, ClipFacts, FigureLook } from '../facts.ts';
import { boxesAt } from './boxes.ts';
import { middleOf } from './steps.ts';

/** Height of a head with its shoulders, share of the picture's: below the first nobody is recognized, from the second size adds nothing. Not fitted. */
const FACE_HEIGHT = [0.05, 0.25] as const;
/** Width over height, in pixels, of the area around a face that the picture's side cuts; whole ones have .55 to .7. */
const CUT_WIDTH = [0.5, 0.35] as const;
/** Weights of the best and the second face. With one weight, half of a couple was outside the picture. Not fitted. */
const FACE_WEIGHTS = [0.7, 0.3] as const;
/** Worth of a whole figure without a face, from behind or afar. Not fitted. */
const FIGURE_WEIGHT = 0.5;
/** Worth of figures without heads: judges refused them, but not places without people. Not fitted. */
const HEADLESS_WEIGHT = -0.4;
/** Share of figures in the top row: headless ones have .05 to .15, whole ones 0. */
const TOP_SHARE = [0.01, 0.04] as const;

/** Per step: 1 with two whole faces, half with a whole figure, 0 without anybody, less where figures have no heads. */
export function peopleCurve({ video }: Pick<ClipFacts, 'video'>, count: number): number[] {
  const { faces, figures, width, height } = video;
  const figureWorths = figures.map(worthOfFigures);
  let next = 0;
  return Array.from({ length: count }, (_, step) => {
    const at = middleOf(step);
    while (next < figures.length && figures[next].timeSeconds <= at) next += 1;
    // The samples before and after the step. With a face the better one counts: a head is in the picture.
    const samples = figureWorths.slice(Math.max(0, next - 1), next + 1);
    const face = worthOfFaces(boxesAt(faces, at), width / height);
    if (face > 0) return Math.max(face, ...samples);
    return samples.length === 0 ? 0 : Math.min(...samples);
  });
}

function worthOfFaces(boxes: readonly Box[], aspectRatio: number): number {
  const worths = boxes.map((box) => worthOfFace(box, aspectRatio)).sort((one, other) => other - one);
  return FACE_WEIGHTS.reduce((sum, weight, at) => sum + weight * (worths[at] ?? 0), 0);
}

function worthOfFace({ width, height }: Box, aspectRatio: number): number {
  return smoothstep(...FACE_HEIGHT, height) * (1 - smoothstep(...CUT_WIDTH, (width / height) * aspectRatio));
}

/** `across`, `down`: shares of the figures in each column and row of a grid over the picture; all 0: nobody. */
function worthOfFigures({ across, down }: FigureLook): number {
  if (across.every((share) => share === 0)) return 0;
  return FIGURE_WEIGHT + (HEADLESS_WEIGHT - FIGURE_WEIGHT) * smoothstep(...TOP_SHARE, down[0] ?? 0);
}
