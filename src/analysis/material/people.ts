/** How well people are seen at each moment of a take. */
import { smoothstep } from '../../signal/interpolation.ts';
import type { Box, ClipFacts, FigureLook } from '../facts.ts';
import { boxesAt } from './boxes.ts';
import { middleOf } from './steps.ts';

/** Height of a head with its shoulders, share of the picture's: below the first nobody is recognized, from the second size adds nothing. Not fitted. */
const FACE_HEIGHT = [0.05, 0.25] as const;
/** Width over height, in pixels, of the area around a face that the picture's side cuts; whole ones have .55 to .7. */
const CUT_WIDTH = [0.5, 0.35] as const;
/** Two faces count more than one: a couple was shown with half of him outside. Not fitted. */
const FACE_WEIGHTS = [0.7, 0.3] as const;
/** Of a whole figure without a face, from behind or afar. Not fitted. */
const FIGURE_WEIGHT = 0.5;
/** Of figures without heads, which judges refused; a place without people they did not. Not fitted. */
const HEADLESS = -0.4;
/** Share of figures in the outermost row: headless ones have .05 to .15, whole ones 0. */
const AT_EDGE = [0.01, 0.04] as const;

/** Per step: 1 with two whole faces, half with a whole figure, 0 without anybody, less where figures have no heads. */
export function peopleCurve({ video }: Pick<ClipFacts, 'video'>, count: number): number[] {
  const { faces, figures, width, height } = video;
  const seen = figures.map(figuresSeen);
  let next = 0;
  return Array.from({ length: count }, (_, step) => {
    const at = middleOf(step);
    while (next < figures.length && figures[next].timeSeconds <= at) next += 1;
    const around = seen.slice(Math.max(0, next - 1), next + 1);
    const face = facesSeen(boxesAt(faces, at), width / height);
    return face > 0 ? Math.max(face, ...around) : around.length === 0 ? 0 : Math.min(...around);
  });
}

function facesSeen(boxes: readonly Box[], ratio: number): number {
  const seen = boxes.map((box) => faceSeen(box, ratio)).sort((one, other) => other - one);
  return FACE_WEIGHTS.reduce((sum, weight, at) => sum + weight * (seen[at] ?? 0), 0);
}

function faceSeen({ width, height }: Box, ratio: number): number {
  return smoothstep(...FACE_HEIGHT, height) * (1 - smoothstep(...CUT_WIDTH, (width / height) * ratio));
}

function figuresSeen({ across, down }: FigureLook): number {
  if (across.every((share) => share === 0)) return 0;
  return FIGURE_WEIGHT + (HEADLESS - FIGURE_WEIGHT) * smoothstep(...AT_EDGE, down[0] ?? 0);
}
