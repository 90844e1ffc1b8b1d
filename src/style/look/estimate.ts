import type { VideoFacts } from '../../analysis/facts.ts';
import { bytesToLab } from '../../signal/color-space.ts';
import { clamp, smoothstep } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { mean } from '../../signal/statistics.ts';
import { isMostlyDrawn } from '../model/drawn.ts';
import { GREY_LEVELS, type Look, NO_LOOK } from '../model/look.ts';
import { evidenceOf, type LabPicture } from './evidence.ts';
import { hasWhiteGround } from './lights.ts';
import { lookOfEvidence, type Posterior, priorVariance } from './look-network.ts';
import { monochromeShare } from './monochrome.ts';
import { holds, type SmallPicture, smallPictures } from './small-pictures.ts';

/** A clip's look as far as the evidence supports it; the rest is unchanged. */
export interface LookEstimate {
  readonly look: Look;
  /** 0..1: share of the variance of looks that the evidence removes. */
  readonly confidence: number;
}

/** Evidence of n shots counts like that of n^0.7 independent ones, because shots of a video often show the same things. */
const SHOTS_EXPONENT = 0.7;
/** Least slope between neighbouring greys: a curve of lightness never falls. */
const MIN_SLOPE = 0.1;
const MAX_CHROMA = 3;
/** Mean of the pictures' shares. Of 144 clips, seven in black and white have .81 to 1, also with a colored scene; the others, some with cards, have up to .35. */
const MOSTLY_MONOCHROME = [0.4, 0.75] as const;

/** How far a clip's colors can be those of a look; 0 for one that is all cards, or a page. */
export function lookConfidenceOf(video: VideoFacts): number {
  return video.color.isCardsOnly === true || isPage(video) ? 0 : video.color.confidence;
}

/** A drawing on a white ground. Its white is the color of paper: under a web page, chocolate became grey. */
function isPage(video: VideoFacts): boolean {
  const { color, isStill } = video;
  return !isStill && hasWhiteGround(color.clip.lightnessPercentiles) && isMostlyDrawn(video);
}

/**
 * The look of a clip: the evidence of its pictures, weighed against their variation by content. What differs from shot to
 * shot is content, what they share is the look.
 */
export function lookOf(video: VideoFacts): LookEstimate {
  const pictures = smallPictures(video).map((picture) => ({
    seconds: picture.seconds,
    lab: labPicture(picture),
  }));
  const posterior = posteriorOf(shotEvidence(video, pictures));
  if (posterior === null || lookConfidenceOf(video) === 0) return { look: NO_LOOK, confidence: 0 };
  const prior = priorVariance();
  const uncertainty = mean(posterior.variance.map((variance, at) => variance / prior[at]));
  const { greys, chroma } = lookOfFigures(posterior.mean);
  const colored = 1 - monochromeShare(pictures.map(({ lab }) => lab));
  return { look: { greys, chroma: rounded(colored * chroma, 2) }, confidence: clamp(1 - uncertainty, 0, 1) };
}

/** 0..1: how far a clip is black and white, or toned in one color. A few of its pictures may have colors. */
export function monochromeShareOf(video: VideoFacts): number {
  const pictures = smallPictures(video);
  return smoothstep(
    ...MOSTLY_MONOCHROME,
    mean(pictures.map((picture) => monochromeShare([labPicture(picture)]))),
  );
}

/** Mean evidence of each shot's small pictures. */
function shotEvidence(
  video: VideoFacts,
  pictures: readonly { readonly seconds: number; readonly lab: LabPicture }[],
): Float64Array[] {
  const byShot = new Map<number, Float64Array[]>();
  for (const { seconds, lab } of pictures) {
    const evidence = evidenceOf(lab);
    if (evidence === null) continue;
    const shot = video.shots.findIndex(
      ({ startSeconds, endSeconds }) => seconds >= startSeconds && seconds < endSeconds,
    );
    byShot.set(shot, [...(byShot.get(shot) ?? []), evidence]);
  }
  return [...byShot.values()].map((all) =>
    all[0].map((_, at) => all.reduce((sum, one) => sum + one[at], 0) / all.length),
  );
}

/** The part of a small RGB picture inside the black bars; captions do not count. */
function labPicture({ rgb, width, height, area, covers }: SmallPicture): LabPicture {
  const side = (from: number, length: number, size: number): [number, number] => {
    const first = clamp(Math.round(from * size), 0, size - 1);
    return [first, clamp(Math.round((from + length) * size), first + 1, size)];
  };
  const [left, right] = side(area.x, area.width, width);
  const [top, bottom] = side(area.y, area.height, height);
  const lab = new Float64Array(3 * (right - left) * (bottom - top));
  const isCounted = new Uint8Array(lab.length / 3);
  const color = new Float64Array(3);
  let to = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++, to++) {
      const at = 3 * (y * width + x);
      bytesToLab(rgb[at], rgb[at + 1], rgb[at + 2], color);
      lab.set(color, 3 * to);
      const middleX = (x + 0.5) / width;
      const middleY = (y + 0.5) / height;
      isCounted[to] = covers.some((box) => holds(box, middleX, middleY)) ? 0 : 1;
    }
  }
  return { width: right - left, height: bottom - top, lab, isCounted };
}

/** Combines the shots' posteriors: their precisions beyond the prior's add up, with the prior's counted once. Null without shots. */
function posteriorOf(shots: readonly Float64Array[]): Posterior | null {
  if (shots.length === 0) return null;
  const prior = priorVariance();
  const shotWeight = shots.length ** (SHOTS_EXPONENT - 1);
  const precision = prior.map((variance) => 1 / variance);
  // Means, multiplied by their precisions. The prior's mean is 0.
  const weighted = new Float64Array(prior.length);
  for (const evidence of shots) {
    const { mean, variance } = lookOfEvidence(evidence);
    for (let at = 0; at < prior.length; at++) {
      precision[at] += shotWeight * Math.max(0, 1 / variance[at] - 1 / prior[at]);
      weighted[at] += (shotWeight * mean[at]) / variance[at];
    }
  }
  return {
    mean: weighted.map((value, at) => value / precision[at]),
    variance: precision.map((value) => 1 / value),
  };
}

/** `figures`: for each grey its change of lightness and its cast (a, b), then ten times the logarithm of chroma's factor. */
function lookOfFigures(figures: Float64Array): Look {
  let previousOut = 0;
  const greys = GREY_LEVELS.map((level, at) => {
    const [lighter, a, b] = figures.subarray(3 * at, 3 * at + 3);
    const least = previousOut + MIN_SLOPE * (level - (GREY_LEVELS[at - 1] ?? 0));
    const out = clamp(Math.max(level + lighter, least), 0, 100);
    previousOut = out;
    return { in: level, out: rounded(out, 2), a: rounded(a, 2), b: rounded(b, 2) };
  });
  return { greys, chroma: rounded(Math.min(MAX_CHROMA, Math.exp(figures.at(-1)! / 10)), 2) };
}
